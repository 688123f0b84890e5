//! Parses Betza's notation into the leaps and rides of a piece.
//!
//! There are leaps `W F D N A H C Z`, riders `R B Q` and doubled letters (`NN`), limits (`W3`), and
//! `K` for `WF`. Parts add up.

use std::fmt;

use crate::geometry::Geometry;
use crate::shortened::shortened;
use crate::square::Square;

/// A step: files and ranks.
pub type Step = (i8, i8);

/// The leaps of Betza's notation, as the longer and the shorter side of the step.
const ATOMS: [(char, Step); 8] = [
    ('W', (1, 0)),
    ('F', (1, 1)),
    ('D', (2, 0)),
    ('N', (2, 1)),
    ('A', (2, 2)),
    ('H', (3, 0)),
    ('C', (3, 1)),
    ('Z', (3, 2)),
];
const W: usize = 0;
const F: usize = 1;
const D: usize = 2;
const H: usize = 5;

/// The most steps of a rider whose range the board alone limits.
const UNLIMITED: u8 = 15;

/// The moves of a type of piece, quiet or capturing: the number of steps of each kind in a row,
/// as long as no piece stands in the way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Mover {
    /// The most steps in a row for each of [`ATOMS`], 0 for none.
    ranges: [u8; ATOMS.len()],
}

/// A step that a piece may make up to `most` times in a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ray {
    /// The step.
    pub step: Step,
    /// The most steps in a row, at least 2.
    pub most: u8,
}

impl Ray {
    /// Whether this is a line of a rook or a bishop, without a limit.
    pub fn is_slide(self) -> bool {
        self.most == UNLIMITED && self.step.0.abs() <= 1 && self.step.1.abs() <= 1
    }
}

impl Mover {
    /// Reads Betza's notation.
    ///
    /// # Errors
    /// Names, in words, the letter or number that is not understood.
    pub fn parse(text: &str) -> Result<Mover, String> {
        let mut mover = Mover::default();
        let mut rest = text.chars().peekable();
        while let Some(letter) = rest.next() {
            let (atoms, mut range): (Vec<usize>, u8) = match letter {
                'K' => (vec![W, F], 1),
                'R' => (vec![W], UNLIMITED),
                'B' => (vec![F], UNLIMITED),
                'Q' => (vec![W, F], UNLIMITED),
                _ => match ATOMS.iter().position(|&(atom, _)| atom == letter) {
                    Some(atom) => (vec![atom], 1),
                    None => {
                        return Err(format!(
                            "\"{letter}\" is not a letter of Betza's notation that is known \
                             here; use W F D N A H C Z for leaps, R B Q K, NN and W3 for riders"
                        ));
                    }
                },
            };
            if !matches!(letter, 'R' | 'B' | 'Q' | 'K') && rest.next_if_eq(&letter).is_some() {
                range = UNLIMITED;
            }
            let mut digits = String::new();
            while let Some(digit) = rest.next_if(char::is_ascii_digit) {
                digits.push(digit);
            }
            if !digits.is_empty() {
                range = match digits.parse() {
                    Ok(limit @ 1..=UNLIMITED) if !digits.starts_with('0') => limit,
                    _ => {
                        return Err(format!(
                            "\"{letter}{}\": the limit of a rider is from 1 to {UNLIMITED}",
                            shortened(&digits)
                        ));
                    }
                };
            }
            for atom in atoms {
                mover.ranges[atom] = mover.ranges[atom].max(range);
            }
        }
        match mover == Mover::default() {
            true => Err("a piece has to move; write Betza's notation, such as \"BN\"".to_owned()),
            false => Ok(mover),
        }
    }

    /// Every kind of step with the most steps in a row.
    fn steps(self) -> impl Iterator<Item = (Step, u8)> {
        let used = ATOMS.into_iter().zip(self.ranges);
        used.filter(|&(_, range)| range > 0)
            .flat_map(|((_, (long, short)), range)| {
                let mut steps = Vec::with_capacity(8);
                for (a, b) in [(long, short), (short, long)] {
                    for step in [(a, b), (a, -b), (-a, b), (-a, -b)] {
                        if !steps.contains(&step) {
                            steps.push(step);
                        }
                    }
                }
                steps.into_iter().map(move |step| (step, range))
            })
    }

    /// The single steps and leaps.
    pub fn leaps(self) -> impl Iterator<Item = Step> {
        let single = self.steps().filter(|&(_, range)| range == 1);
        single.map(|(step, _)| step)
    }

    /// The steps that may be repeated.
    pub fn rays(self) -> impl Iterator<Item = Ray> {
        let riders = self.steps().filter(|&(_, range)| range > 1);
        riders.map(|(step, most)| Ray { step, most })
    }

    /// Whether it rides to some square in two ways of which neither passes all squares of the
    /// other: in three steps of `D` and in two of `H`.
    pub(crate) fn rides_two_ways(self) -> bool {
        self.ranges[D] > 2 && self.ranges[H] > 1
    }

    /// Whether the piece moves at least like this one, to every square, whatever stands
    /// between.
    pub fn includes(self, other: Mover) -> bool {
        let mut ranges = self.ranges.into_iter().zip(other.ranges);
        ranges.all(|(mine, others)| mine >= others)
    }

    /// The moves of either piece.
    #[must_use]
    pub fn with(self, other: Mover) -> Mover {
        let mut both = self;
        for (range, others) in both.ranges.iter_mut().zip(other.ranges) {
            *range = others.max(*range);
        }
        both
    }

    /// The value of a piece that moves like this, in pawns, for ordering and estimates: what is
    /// usual for the parts of it that move like a king (4), a knight, a bishop (3 each) or a rook
    /// (5), one more for both kinds of line, and two pawns for every five squares that the rest
    /// reaches on an empty board.
    pub fn worth(self, board: Geometry) -> u32 {
        let parts = Parts::of(self);
        let usual = [
            (parts.king, 4),
            (parts.knight, 3),
            (parts.diagonal, 3),
            (parts.straight, 5),
            (parts.diagonal && parts.straight, 1),
        ];
        let usual: u32 = usual
            .into_iter()
            .filter(|&(has, _)| has)
            .map(|(_, worth)| worth)
            .sum();
        let reached = |from: Square| {
            let rays = parts.rest.rays().map(|ray| {
                let next = |at: &Square| board.offset(*at, ray.step.0, ray.step.1);
                let line = std::iter::successors(next(&from), next);
                line.take(ray.most.into()).count()
            });
            let leaps = parts.rest.leaps();
            let leaps = leaps.filter(|step| board.offset(from, step.0, step.1).is_some());
            rays.sum::<usize>() + leaps.count()
        };
        let rest: usize = board.all().map(reached).sum();
        usual + (2 * rest / (5 * board.squares())) as u32
    }

    /// Takes the moves of another out that are there to the full, and says whether they were.
    pub(crate) fn take(&mut self, other: Mover) -> bool {
        let pairs = || self.ranges.iter().zip(other.ranges);
        let has_all = pairs().all(|(&mine, others)| others == 0 || mine == others);
        if has_all {
            for (range, others) in self.ranges.iter_mut().zip(other.ranges) {
                if others > 0 {
                    *range = 0;
                }
            }
        }
        has_all
    }

    /// Whether there are no moves.
    pub(crate) fn is_empty(self) -> bool {
        self == Mover::default()
    }

    const fn of(atoms: &[usize], range: u8) -> Mover {
        let mut ranges = [0; ATOMS.len()];
        let mut place = 0;
        while place < atoms.len() {
            ranges[atoms[place]] = range;
            place += 1;
        }
        Mover { ranges }
    }

    /// A king's steps, `K`.
    pub const KING: Mover = Mover::of(&[W, F], 1);
    /// A knight's leaps, `N`.
    pub const KNIGHT: Mover = Mover::of(&[3], 1);
    /// A bishop's lines, `B`.
    pub const BISHOP: Mover = Mover::of(&[F], UNLIMITED);
    /// A rook's lines, `R`.
    pub const ROOK: Mover = Mover::of(&[W], UNLIMITED);
}

/// The common moves that a mover consists of, and whether there are others.
#[derive(Clone, Copy, Debug, Default)]
pub struct Parts {
    /// A king's steps.
    pub king: bool,
    /// A knight's leaps.
    pub knight: bool,
    /// A bishop's lines.
    pub diagonal: bool,
    /// A rook's lines.
    pub straight: bool,
    /// The moves that are none of these.
    pub rest: Mover,
}

impl Parts {
    /// Takes a mover apart.
    pub fn of(mover: Mover) -> Parts {
        let mut rest = mover;
        Parts {
            diagonal: rest.take(Mover::BISHOP),
            straight: rest.take(Mover::ROOK),
            king: rest.take(Mover::KING),
            knight: rest.take(Mover::KNIGHT),
            rest,
        }
    }
}

/// Betza's notation in a form of its own for each mover.
impl fmt::Display for Mover {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut rest = *self;
        let mut text = String::new();
        for (letter, mover) in [
            ('Q', Mover::of(&[W, F], UNLIMITED)),
            ('R', Mover::ROOK),
            ('B', Mover::BISHOP),
            ('K', Mover::KING),
        ] {
            if rest.take(mover) {
                text.push(letter);
            }
        }
        for ((letter, _), range) in ATOMS.into_iter().zip(rest.ranges) {
            match range {
                0 => {}
                1 => text.push(letter),
                UNLIMITED => text.extend([letter, letter]),
                _ => text.push_str(&format!("{letter}{range}")),
            }
        }
        f.pad(&text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_mover_has_one_form() {
        for (given, form) in [
            ("BN", "BN"),
            ("NB", "BN"),
            ("RB", "Q"),
            ("WF", "K"),
            ("FDW", "KD"),
            ("NN", "NN"),
            ("W3F2", "W3F2"),
            ("QN", "QN"),
            ("KR", "RF"),
            ("AADD", "DDAA"),
            ("F1", "F"),
        ] {
            let mover = Mover::parse(given).unwrap();
            assert_eq!(mover.to_string(), form);
            assert_eq!(Mover::parse(form), Ok(mover));
        }
        let worth = |text| Mover::parse(text).unwrap().worth(Geometry::EIGHT);
        assert_eq!(
            ["K", "N", "B", "R", "Q", "RN", "D"].map(worth),
            [4, 3, 3, 5, 9, 8, 1]
        );
        for bad in ["", "X", "k", "W0", "W16", "W99999", "fN", "é", "3W", "pR"] {
            assert!(Mover::parse(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn steps_are_counted() {
        let count = |text| {
            let mover = Mover::parse(text).unwrap();
            (mover.leaps().count(), mover.rays().count())
        };
        assert_eq!(count("K"), (8, 0));
        assert_eq!(count("N"), (8, 0));
        assert_eq!(count("QN"), (8, 8));
        assert_eq!(count("AD"), (8, 0));
        assert_eq!(count("NN"), (0, 8));
        assert_eq!(count("W3B"), (0, 8));
    }
}
