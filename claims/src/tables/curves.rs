//! All values of a material of High Chess.

use std::path::Path;

use retrograde_folder::{open_needed, read_side};
use retrograde_index::{Index, Metric, Reindexing, ThresholdCurve, needs};
use retrograde_probe::WinBy;
use retrograde_rules::{Colour, Game, Material, Vitality};

use crate::error::ClaimError;

/// The curves and needs of a material, by side to move and index.
#[derive(Clone, Debug)]
pub(crate) struct Curves {
    index: Index,
    /// Every curve of the material.
    list: Vec<Curve>,
    /// The place of a position's curve in the list.
    places: [Vec<u32>; 2],
    /// What White and Black need to force mate.
    mates: [Vec<[u8; 2]>; 2],
}

/// A threshold curve, written out for reading it fast.
#[derive(Clone, Debug)]
pub(crate) struct Curve {
    /// What White needs, by what Black has, from 1 on.
    pub(crate) white_needs: Vec<u8>,
    /// What Black needs, by what White has, from 1 on.
    pub(crate) black_needs: Vec<u8>,
}

impl Curve {
    fn new(curve: ThresholdCurve) -> Curve {
        let white_needs = curve.iter().collect();
        let black_needs = curve
            .counters()
            .of(Colour::White)
            .map(|white| curve.black_needs(white))
            .collect();
        Curve {
            white_needs,
            black_needs,
        }
    }

    /// What a side needs, by what the other has, from 1 on.
    #[inline]
    pub(crate) fn needs(&self, side: Colour) -> &[u8] {
        match side {
            Colour::White => &self.white_needs,
            Colour::Black => &self.black_needs,
        }
    }
}

impl Curves {
    /// Reads a material.
    pub(super) fn read(
        game: Game,
        material: &Material,
        folders: &[&Path],
    ) -> Result<Curves, ClaimError> {
        let index = Index::new(game, material)?;
        let len = index.len() as usize;
        let mut curves = Curves {
            index,
            list: Vec::new(),
            places: [(); 2].map(|()| vec![0; len]),
            mates: [(); 2].map(|()| vec![[0; 2]; len]),
        };
        for metric in [Metric::Thresholds, Metric::Mates] {
            let table = open_needed(game, material, metric, folders)?;
            let Some(reindexing) = Reindexing::new(table.index(), &curves.index) else {
                unreachable!("tables of a material have its index");
            };
            for turn in Colour::BOTH {
                let mut values = (0..).zip(read_side(&table, turn)?);
                let (places, mates) = (
                    &mut curves.places[turn.index()],
                    &mut curves.mates[turn.index()],
                );
                reindexing.each(0..len as u64, |index| {
                    let (at, value) = values.next().unwrap_or_default();
                    match metric {
                        Metric::Mates => mates[index as usize] = needs::split(value),
                        _ => {
                            let place = table.curve_place_or_first(at, value);
                            places[index as usize] = place as u32;
                        }
                    }
                });
            }
            if metric == Metric::Thresholds {
                let list = table.header().curves.iter();
                curves.list = list.map(|&curve| Curve::new(curve)).collect();
            }
        }
        Ok(curves)
    }

    /// The index of the values.
    pub(crate) fn index(&self) -> &Index {
        &self.index
    }

    /// All curves of the material.
    pub(crate) fn list(&self) -> &[Curve] {
        &self.list
    }

    /// The place of the curve of a position in the list.
    #[inline]
    pub(crate) fn place(&self, turn: Colour, index: u64) -> usize {
        self.places[turn.index()][index as usize] as usize
    }

    /// The curve of a position.
    #[inline]
    pub(crate) fn curve(&self, turn: Colour, index: u64) -> &Curve {
        &self.list[self.place(turn, index)]
    }

    /// What White and Black need to force mate.
    #[inline]
    pub(crate) fn mates(&self, turn: Colour, index: u64) -> [u8; 2] {
        self.mates[turn.index()][index as usize]
    }

    /// Who wins with these counters, both 1 or more.
    #[inline]
    pub(crate) fn winner(&self, turn: Colour, index: u64, counters: Vitality) -> Colour {
        let needs = &self.curve(turn, index).white_needs;
        match needs.get(usize::from(counters.black) - 1) {
            Some(&needs) if needs <= counters.white => Colour::White,
            _ => Colour::Black,
        }
    }

    /// Who wins with these counters, and how.
    #[inline]
    pub(crate) fn outcome(&self, turn: Colour, index: u64, counters: Vitality) -> (Colour, WinBy) {
        let winner = self.winner(turn, index, counters);
        let by = match counters.of(winner) >= self.mates(turn, index)[winner.index()] {
            true => WinBy::Mate,
            false => WinBy::Exhaustion,
        };
        (winner, by)
    }

    /// The bytes that the values take.
    pub(super) fn bytes(&self) -> usize {
        let list = self.list.len() * (size_of::<Curve>() + 100);
        list + self.places.iter().map(|p| 6 * p.len()).sum::<usize>()
    }

    /// A material with the same made-up values everywhere, for tests.
    #[cfg(test)]
    pub(crate) fn filled(
        game: Game,
        material: &Material,
        curve: ThresholdCurve,
        mates: [u8; 2],
    ) -> Curves {
        let index = Index::new(game, material).unwrap();
        let len = index.len() as usize;
        Curves {
            index,
            list: vec![Curve::new(curve)],
            places: [(); 2].map(|()| vec![0; len]),
            mates: [(); 2].map(|()| vec![mates; len]),
        }
    }

    /// Replaces what is needed to force mate everywhere, for tests.
    #[cfg(test)]
    pub(crate) fn doctor_mates(&mut self, mates: [u8; 2]) {
        self.mates
            .iter_mut()
            .flatten()
            .for_each(|need| *need = mates);
    }

    /// Replaces the curve of every position that `change` has another for, for tests.
    #[cfg(test)]
    pub(crate) fn doctor(&mut self, change: impl Fn(Colour, u64) -> Option<ThresholdCurve>) {
        for turn in Colour::BOTH {
            for index in 0..self.index.len() {
                if let Some(curve) = change(turn, index).map(Curve::new) {
                    let is_same = |c: &Curve| c.white_needs == curve.white_needs;
                    let place = self.list.iter().position(is_same);
                    let place = place.unwrap_or_else(|| {
                        self.list.push(curve);
                        self.list.len() - 1
                    });
                    self.places[turn.index()][index as usize] = place as u32;
                }
            }
        }
    }
}
