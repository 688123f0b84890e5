//! Rules of vitality, the counters of High Chess: who is High, and what a turn costs (H1-H7).

use std::fmt;

use crate::geometry::Geometry;
use crate::keys::{Exhaustion, Pays, Ties, VitalEnPassant, VitalityKeys};
use crate::piece::Colour;
use crate::square::Square;

pub use crate::keys::Restores;

/// The rules of vitality of a game.
#[derive(Clone, Debug)]
pub struct VitalityRules {
    counters: CounterRange,
    restores: Restores,
    ties: Colour,
    pays: Pays,
    exhaustion: Exhaustion,
    en_passant: VitalEnPassant,
    /// Whether a side's one king is its royal piece, wherever the other pieces stand.
    one_king: bool,
    /// The distance of each square from the centre (H1).
    distances: Vec<u8>,
}

/// The range of the counters while a game goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CounterRange {
    /// The least that a counter can be: 1, or 0 where High pays, too, and does not lose by it
    /// (H5).
    pub least: u8,
    /// Full counters, with which a game starts and which vital moves restore (H3, H4).
    pub full: Counters,
}

impl CounterRange {
    /// The range from 1 to the same full counter for both sides.
    pub const fn up_to(full: u8) -> CounterRange {
        CounterRange {
            least: 1,
            full: Counters::both(full),
        }
    }

    /// The points that a side can have, fewest first.
    #[inline]
    pub fn of(self, side: Colour) -> std::ops::RangeInclusive<u8> {
        self.least..=self.full.of(side)
    }

    /// The number of different points that a side can have.
    #[inline]
    pub fn count(self, side: Colour) -> usize {
        usize::from(self.full.of(side) + 1 - self.least)
    }

    /// Stands for a need that no points meet: one more than a side's full counter.
    #[inline]
    pub fn never(self, side: Colour) -> u8 {
        self.full.of(side) + 1
    }

    /// Whether a game can go on with these points.
    #[inline]
    pub fn contain(self, counters: Counters) -> bool {
        let sides = Colour::BOTH.into_iter();
        let mut points = sides.map(|side| (self.of(side), counters.of(side)));
        points.all(|(range, points)| range.contains(&points))
    }
}

/// The effect of a turn on the mover's vitality.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Toll {
    /// A vital move (H7): the counter is full again (H4).
    Vital,
    /// The turn is not vital and the mover is High after it: nothing changes.
    Free,
    /// The turn is not vital and the mover is Low after it: one point is lost (H5), and without
    /// points the game (H6).
    Paid,
    /// The turn is not vital and the mover is High after it, in games where High pays, too: one
    /// point is lost if there is one.
    PaidByHigh,
}

impl VitalityRules {
    /// The greatest full counter that tables have room for (H3).
    pub const MOST: u8 = 100;

    pub(crate) fn new(board: Geometry, keys: &VitalityKeys, one_king: bool) -> VitalityRules {
        let away = |a: Square, b: Square| {
            let files = board.file(a).abs_diff(board.file(b));
            files.max(board.rank(a).abs_diff(board.rank(b)))
        };
        let distance = |square| keys.centre.map(|centre| away(square, centre)).min();
        VitalityRules {
            counters: CounterRange {
                least: u8::from(keys.pays == Pays::Low),
                full: Counters {
                    white: keys.full[0],
                    black: keys.full[1],
                },
            },
            restores: keys.restores,
            pays: keys.pays,
            exhaustion: keys.exhaustion,
            en_passant: keys.en_passant,
            one_king,
            ties: match keys.ties {
                Ties::Black => Colour::Black,
                Ties::White => Colour::White,
            },
            distances: board
                .all()
                .map(|square| distance(square).unwrap_or(0))
                .collect(),
        }
    }

    /// The range of the counters (H3).
    #[inline]
    pub fn counters(&self) -> CounterRange {
        self.counters
    }

    /// The counters that a game starts with and that vital moves restore (H3, H4).
    #[inline]
    pub fn full(&self) -> Counters {
        self.counters.full
    }

    /// Whether a move that mates wins even if it spends the mover's last point (H6).
    #[inline]
    pub fn mate_comes_first(&self) -> bool {
        self.exhaustion == Exhaustion::AfterMate
    }

    /// Whether every move is vital while an e.p. right counts (H7); if not, the capture alone
    /// is, as captures are.
    #[inline]
    pub fn rights_make_vital(&self) -> bool {
        matches!(
            self.en_passant,
            VitalEnPassant::Standing | VitalEnPassant::Legal
        )
    }

    /// Whether each side has one royal king, so that [`VitalityRules::high_by_kings`] tells who
    /// is High.
    #[inline]
    pub fn goes_by_one_king(&self) -> bool {
        self.one_king
    }

    /// Whether every move is vital while a pawn stands so as to capture en passant, whether it
    /// may or not (H7).
    #[inline]
    pub fn standing_counts(&self) -> bool {
        self.en_passant == VitalEnPassant::Standing
    }

    /// Whether High never pays (H5), so that turns of High are free.
    #[inline]
    pub fn high_is_free(&self) -> bool {
        self.pays == Pays::Low
    }

    /// The side that is High when both kings are equally far from the centre (H1).
    #[inline]
    pub fn ties(&self) -> Colour {
        self.ties
    }

    /// The sides whose counters a vital move restores (H4).
    #[inline]
    pub fn restores(&self) -> Restores {
        self.restores
    }

    /// The number of king steps, on an empty board, from a square to the nearest one of the
    /// centre (H1); 0 for squares off the board.
    #[inline]
    pub fn distance(&self, square: Square) -> u8 {
        self.distances.get(square.index()).copied().unwrap_or(0)
    }

    /// The side that is High with the kings on these squares; the other is Low (H1).
    #[inline]
    pub fn high_by_kings(&self, white: Square, black: Square) -> Colour {
        let (white, black) = (self.distance(white), self.distance(black));
        match white.cmp(&black) {
            std::cmp::Ordering::Less => Colour::White,
            std::cmp::Ordering::Equal => self.ties,
            std::cmp::Ordering::Greater => Colour::Black,
        }
    }

    /// The counters after a turn (H4, H5), given those before it. The mover has lost by
    /// exhaustion if it has paid as Low, has no points left, and has not mated (H6).
    #[inline]
    pub fn charge(&self, before: Counters, mover: Colour, toll: Toll) -> Counters {
        match (toll, self.restores) {
            (Toll::Vital, Restores::Mover) => before.with(mover, self.full().of(mover)),
            (Toll::Vital, Restores::Both) => self.full(),
            (Toll::Free, _) => before,
            (Toll::Paid | Toll::PaidByHigh, _) => {
                before.with(mover, before.of(mover).saturating_sub(1))
            }
        }
    }
}

/// A counter of each side: its vitality, or in games that count checks the number that it still
/// has to give. While a game goes on, both are in the range of
/// [`Game::counters`](crate::Game::counters); a side that has lost by exhaustion (H6), or has given
/// its last check (V1), has 0.
///
/// It is written White's first: `50+37`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Counters {
    /// White's points.
    pub white: u8,
    /// Black's points.
    pub black: u8,
}

impl Counters {
    /// Equal counters of both sides.
    #[inline]
    pub const fn both(points: u8) -> Counters {
        Counters {
            white: points,
            black: points,
        }
    }

    /// The points of one side.
    #[inline]
    pub const fn of(self, colour: Colour) -> u8 {
        match colour {
            Colour::White => self.white,
            Colour::Black => self.black,
        }
    }

    /// The counters with `points` for one side.
    #[inline]
    pub const fn with(self, colour: Colour, points: u8) -> Counters {
        match colour {
            Colour::White => Counters {
                white: points,
                ..self
            },
            Colour::Black => Counters {
                black: points,
                ..self
            },
        }
    }

    /// The counters with the colours swapped.
    pub const fn swapped(self) -> Counters {
        Counters {
            white: self.black,
            black: self.white,
        }
    }
}

impl fmt::Display for Counters {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&format!("{}+{}", self.white, self.black))
    }
}
