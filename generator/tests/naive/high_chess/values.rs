//! What a state is worth.

use std::collections::HashMap;

/// What is stored a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Value {
    /// The number of its thresholds among those that occur.
    list: u16,
    white_mates: u8,
    black_mates: u8,
}

impl Value {
    pub(crate) const ILLEGAL: Value = Value {
        list: u16::MAX,
        white_mates: 0,
        black_mates: 0,
    };
}

/// The answer for a state, whatever the counters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Answer<'a> {
    /// By Black's points, from 1 on: the least points with which White wins;
    /// one more than a full counter if it does not.
    pub(crate) thresholds: &'a [u8],
    /// The least points with which White forces mate although Black's counter
    /// is never lowered, and the same for Black.
    pub(crate) white_mates: u8,
    pub(crate) black_mates: u8,
}

impl Answer<'_> {
    /// Whether White wins with these counters, both at least 1.
    pub(crate) fn white_wins(&self, white: u8, black: u8) -> bool {
        white >= self.thresholds[usize::from(black) - 1]
    }

    /// The most points that Black may have for White to win with this many.
    pub(crate) fn most_black(&self, white: u8) -> u8 {
        // ThresholdCurve do not fall as Black's points grow.
        self.thresholds.partition_point(|&least| least <= white) as u8
    }
}

/// All threshold lists that occur, each once.
#[derive(Default)]
pub(crate) struct Lists {
    lists: Vec<Vec<u8>>,
    indices: HashMap<Vec<u8>, u16>,
}

impl Lists {
    pub(crate) fn value(&mut self, thresholds: &[u8], white_mates: u8, black_mates: u8) -> Value {
        let list = match self.indices.get(thresholds) {
            Some(&list) => list,
            None => {
                let list = u16::try_from(self.lists.len()).expect("fewer lists than that");
                assert!(list < Value::ILLEGAL.list, "fewer lists than that");
                self.lists.push(thresholds.to_vec());
                self.indices.insert(thresholds.to_vec(), list);
                list
            }
        };
        Value {
            list,
            white_mates,
            black_mates,
        }
    }

    /// `None` where the state is illegal.
    pub(crate) fn answer(&self, value: Value) -> Option<Answer<'_>> {
        let thresholds = self.lists.get(usize::from(value.list))?;
        Some(Answer {
            thresholds,
            white_mates: value.white_mates,
            black_mates: value.black_mates,
        })
    }
}
