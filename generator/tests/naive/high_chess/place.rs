//! The states that moves which are not vital can tell apart: a class with its
//! pawns in place.

use super::super::state::{MOST, Men, Side, State, kind, man, side};

/// What only vital moves change: the men, where the pawns stand, and which of
/// them may be taken en passant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Place {
    men: Men,
    /// By slot; 0 for men that are no pawns.
    pawns: [u8; MOST],
    extra: u32,
}

impl Place {
    pub(crate) fn of(state: &State) -> Place {
        let mut pawns = [0; MOST];
        for (slot, man, square) in state.iter() {
            if kind(man) == b'P' {
                pawns[slot] = square;
            }
        }
        Place {
            men: state.men,
            pawns,
            extra: state.extra,
        }
    }

    /// The name of its class.
    pub(crate) fn class(&self) -> String {
        let men = self.men.iter().filter(|&&man| man != 0);
        let [white, black] = Side::BOTH.map(|of| -> String {
            let men = men.clone().filter(|&&man| side(man) == of);
            men.map(|&man| char::from(kind(man))).collect()
        });
        format!("{white}v{black}")
    }

    /// All places of a class, those with a right to take en passant included
    /// where the pawns allow it.
    pub(crate) fn all(men: &Men) -> Vec<Place> {
        let mut list = vec![Place {
            men: *men,
            pawns: [0; MOST],
            extra: 0,
        }];
        let pawns = (0..MOST).filter(|&slot| kind(men[slot]) == b'P');
        for slot in pawns.clone() {
            let spread = |place: &Place| {
                let place = *place;
                (8..56).map(move |square| {
                    let mut place = place;
                    place.pawns[slot] = square;
                    place
                })
            };
            list = list.iter().flat_map(spread).collect();
        }
        for extra in pawns.map(|slot| 1 + slot as u32) {
            let with = |place: &Place| Place { extra, ..*place };
            let open: Vec<Place> = list.iter().filter(|p| p.extra == 0).map(with).collect();
            list.extend(open.iter().filter(|place| place.may_be_taken()));
        }
        list
    }

    /// Whether the pawn of `extra` stands where a double step ends, with an
    /// enemy pawn beside it.
    fn may_be_taken(&self) -> bool {
        let slot = self.extra as usize - 1;
        let at = self.pawns[slot];
        let (rank, taker) = match self.men[slot] {
            b'P' => (3, b'p'),
            _ => (4, b'P'),
        };
        let beside = |&square: &u8| square / 8 == rank && square.abs_diff(at) == 1;
        let takers = (0..MOST).filter(|&slot| self.men[slot] == taker);
        at / 8 == rank && takers.map(|slot| self.pawns[slot]).any(|at| beside(&at))
    }
}

/// The states of a place as numbers: six bits for each man that is no pawn -
/// White's king, Black's, the others - and one for the side to move.
pub(crate) struct Numbers {
    place: Place,
    /// The slots of these men.
    slots: Vec<usize>,
}

impl Numbers {
    pub(crate) fn new(place: Place) -> Numbers {
        let slots = 0..MOST;
        let rank = |slot: &usize| match kind(place.men[*slot]) {
            b'K' => 0,
            _ => 1,
        };
        let mut slots: Vec<usize> = slots
            .filter(|&slot| place.men[slot] != 0 && kind(place.men[slot]) != b'P')
            .collect();
        slots.sort_by_key(rank);
        Numbers { place, slots }
    }

    pub(crate) fn len(&self) -> usize {
        2 << (6 * self.slots.len())
    }

    /// The bit of the number that Black's turn sets.
    pub(crate) fn turn_bit(&self) -> usize {
        self.len() / 2
    }

    /// How far to the left of the number the square of a man stands that is
    /// the n-th here.
    pub(crate) fn shift(&self, nth: usize) -> usize {
        6 * (self.slots.len() - 1 - nth)
    }

    /// Which of the men here are a side's: its king first.
    pub(crate) fn of_side(&self, side: Side) -> Vec<usize> {
        let mine = |&nth: &usize| {
            let letter = self.place.men[self.slots[nth]];
            letter == man(letter, side)
        };
        (0..self.slots.len()).filter(mine).collect()
    }

    /// The slot of the n-th man here.
    pub(crate) fn slot(&self, nth: usize) -> usize {
        self.slots[nth]
    }

    pub(crate) fn number(&self, state: &State) -> usize {
        let turn = match state.turn {
            Side::White => 0,
            Side::Black => self.turn_bit(),
        };
        let squares = (0..self.slots.len())
            .map(|nth| usize::from(state.squares[self.slots[nth]]) << self.shift(nth));
        turn + squares.sum::<usize>()
    }

    /// The state of a number. Men may share a square.
    pub(crate) fn state(&self, number: usize) -> State {
        let mut squares = self.place.pawns;
        for (nth, &slot) in self.slots.iter().enumerate() {
            squares[slot] = (number >> self.shift(nth) & 63) as u8;
        }
        let black = number & self.turn_bit() != 0;
        State {
            men: self.place.men,
            squares,
            turn: if black { Side::Black } else { Side::White },
            extra: self.place.extra,
        }
    }
}
