//! Parses Betza's notation into the leaps and rides of a piece.
//!
//! There are leaps `W F D N A H C Z`, riders `R B Q` and doubled letters (`NN`), limits (`W3`), and
//! `K` for `WF`. Parts add up. Before a part, `f b s v l r` name the directions in which it goes,
//! `m` means that it captures nothing, and `c` that it only captures.

use std::fmt;

use crate::geometry::{Geometry, Transform};
use crate::piece::Colour;
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

/// The ways in which a leap goes: four along lines, otherwise eight.
const fn ways((long, short): Step) -> usize {
    match short == 0 || short == long {
        true => 4,
        false => 8,
    }
}

/// The step of an atom in one of its [`ways`].
const fn step((long, short): Step, way: usize) -> Step {
    // A step along a file or rank has no second sign.
    let (a, b, signs) = match (short == 0, way < 4) {
        (true, _) if way < 2 => (long, short, 2 * way),
        (true, _) => (short, long, way - 2),
        (false, true) => (long, short, way),
        (false, false) => (short, long, way - 4),
    };
    let (files, ranks) = (signs & 2 != 0, signs & 1 != 0);
    (if files { -a } else { a }, if ranks { -b } else { b })
}

/// Whether moves capture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Modality {
    /// Moves to empty squares.
    Quiet,
    /// Captures.
    Capture,
}

impl Modality {
    /// Both kinds of moves.
    pub const BOTH: [Modality; 2] = [Modality::Quiet, Modality::Capture];
}

/// The most steps in a row for each of [`ATOMS`] and each of its [`ways`], 0 for none.
type Ranges = [[u8; 8]; ATOMS.len()];

/// The moves of a type of piece, seen from White: the number of steps of each kind in a row, as
/// long as no piece stands in the way. Most pieces capture as they move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Mover {
    quiet: Ranges,
    takes: Ranges,
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

/// Whether a letter of directions speaks of ranks and not of files.
const fn is_vertical(direction: char) -> bool {
    matches!(direction, 'f' | 'b' | 'v')
}

/// Whether a step has a part in a direction.
const fn goes(direction: char, (files, ranks): Step) -> bool {
    match direction {
        'f' => ranks > 0,
        'b' => ranks < 0,
        'v' => ranks != 0,
        'l' => files < 0,
        'r' => files > 0,
        _ => files != 0,
    }
}

/// Whether a step goes in one of some directions, in all if there are none. Two letters, the one of
/// ranks and the other of files, name what goes both ways: on lines of a rook, either. For leaps off
/// all lines, such as a knight's, a single letter, or the second of a pair, names the longer part.
fn goes_any(directions: &[char], step: Step) -> bool {
    let (files, ranks) = (step.0.abs(), step.1.abs());
    let goes_farther =
        |direction| goes(direction, step) && (ranks > files) == is_vertical(direction);
    let mut rest = directions;
    while let [first, more @ ..] = rest {
        let second = more.first().copied();
        let second =
            second.filter(|&second| second == *first || is_vertical(second) != is_vertical(*first));
        let last = second.unwrap_or(*first);
        let is_there = match () {
            () if files == 0 || ranks == 0 => goes(*first, step) || goes(last, step),
            () if files == ranks => goes(*first, step) && goes(last, step),
            () => goes(*first, step) && goes_farther(last),
        };
        if is_there {
            return true;
        }
        rest = &more[usize::from(second.is_some())..];
    }
    directions.is_empty()
}

impl Mover {
    /// Reads Betza's notation.
    ///
    /// # Errors
    /// Names, in words, the letter or number that is not understood.
    pub fn parse(text: &str) -> Result<Mover, String> {
        let mut mover = Mover::default();
        let mut rest = text.chars().peekable();
        while rest.peek().is_some() {
            let mut modifiers = String::new();
            while let Some(modifier) = rest.next_if(|letter| "fbsvlrmc".contains(*letter)) {
                modifiers.push(modifier);
            }
            let Some(letter) = rest.next() else {
                return Err(format!(
                    "\"{}\" has no letter of a move after it; write one, as in fW",
                    shortened(&modifiers)
                ));
            };
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
                             here; use W F D N A H C Z for leaps, R B Q K, NN and W3 for riders, \
                             and before them f b s v l r for directions, m and c for moves and \
                             captures"
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
            mover = mover.with(Mover::part(&atoms, range, &modifiers));
        }
        match mover == Mover::default() {
            true => Err("a piece has to move; write Betza's notation, such as \"BN\"".to_owned()),
            false => Ok(mover),
        }
    }

    /// The moves of a part of Betza's notation.
    fn part(atoms: &[usize], range: u8, modifiers: &str) -> Mover {
        let [moves, captures] = ['m', 'c'].map(|letter| modifiers.contains(letter));
        let directions: Vec<char> = modifiers
            .chars()
            .filter(|&c| c != 'm' && c != 'c')
            .collect();
        let mut part = Mover::of(atoms, range);
        for (is_meant, ranges) in [
            (moves || !captures, &mut part.quiet),
            (captures || !moves, &mut part.takes),
        ] {
            for &atom in atoms {
                for (way, range) in ranges[atom].iter_mut().enumerate() {
                    if !is_meant || !goes_any(&directions, step(ATOMS[atom].1, way)) {
                        *range = 0;
                    }
                }
            }
        }
        part
    }

    const fn ranges(&self, modality: Modality) -> &Ranges {
        match modality {
            Modality::Quiet => &self.quiet,
            Modality::Capture => &self.takes,
        }
    }

    /// Every kind of step with the most steps in a row.
    fn steps(self, modality: Modality) -> impl Iterator<Item = (Step, u8)> {
        let used = ATOMS.into_iter().zip(*self.ranges(modality));
        used.flat_map(|((_, atom), ranges)| {
            let steps = (0..ways(atom)).map(move |way| (step(atom, way), ranges[way]));
            steps.filter(|&(_, range)| range > 0)
        })
    }

    /// The single steps and leaps.
    pub fn leaps(self, modality: Modality) -> impl Iterator<Item = Step> {
        let single = self.steps(modality).filter(|&(_, range)| range == 1);
        single.map(|(step, _)| step)
    }

    /// The steps that may be repeated.
    pub fn rays(self, modality: Modality) -> impl Iterator<Item = Ray> {
        let riders = self.steps(modality).filter(|&(_, range)| range > 1);
        riders.map(|(step, most)| Ray { step, most })
    }

    /// The moves where `image` takes each of their steps, which must be a symmetry of the board.
    fn mapped(self, image: impl Fn(Step) -> Step) -> Mover {
        let mut mapped = self;
        for (n, &(_, atom)) in ATOMS.iter().enumerate() {
            for way in 0..ways(atom) {
                let there = image(step(atom, way));
                let place = (0..ways(atom)).find(|&way| step(atom, way) == there);
                let place = place.unwrap_or(way);
                mapped.quiet[n][place] = self.quiet[n][way];
                mapped.takes[n][place] = self.takes[n][way];
            }
        }
        mapped
    }

    /// The moves backwards.
    #[must_use]
    pub fn reversed(self) -> Mover {
        self.mapped(|(files, ranks)| (-files, -ranks))
    }

    /// The moves of a side's piece, as the board is seen by White: Black sees it from the other
    /// end.
    #[must_use]
    pub fn of_side(self, colour: Colour) -> Mover {
        match colour {
            Colour::White => self,
            Colour::Black => self.reversed(),
        }
    }

    /// Whether the moves are the same where `image` takes each of their steps.
    pub(crate) fn is_kept(self, image: impl Fn(Step) -> Step) -> bool {
        self.mapped(image) == self
    }

    /// Whether each of its leaps goes in all ways alike.
    pub(crate) fn goes_all_ways(self) -> bool {
        let alike = |(ranges, &(_, atom)): (&[u8; 8], &(char, Step))| {
            ranges[..ways(atom)].iter().all(|range| *range == ranges[0])
        };
        [self.quiet, self.takes]
            .iter()
            .all(|all| all.iter().zip(&ATOMS).all(alike))
    }

    /// Whether the piece moves in no direction that it does not move back in, and captures as it
    /// moves.
    pub fn is_plain(self) -> bool {
        self.quiet == self.takes && self.reversed() == self
    }

    /// Whether it rides to some square in two ways of which neither passes all squares of the
    /// other: in three steps of `D` and in two of `H`.
    pub(crate) fn rides_two_ways(self) -> bool {
        [self.quiet, self.takes].iter().any(|ranges| {
            let mut ways = ranges[D].iter().zip(&ranges[H]);
            ways.any(|(&twos, &threes)| twos > 2 && threes > 1)
        })
    }

    /// The ranges of two pieces, side by side.
    fn pairs(self, other: Mover) -> impl Iterator<Item = (u8, u8)> {
        let all = |mover: Mover| [mover.quiet, mover.takes].into_iter().flatten().flatten();
        all(self).zip(all(other))
    }

    /// Whether the piece moves at least like this one, to every square, whatever stands
    /// between.
    pub fn includes(self, other: Mover) -> bool {
        self.pairs(other).all(|(mine, others)| mine >= others)
    }

    /// The moves of either piece.
    #[must_use]
    pub fn with(self, other: Mover) -> Mover {
        let mut both = self;
        for (mine, others) in [
            (&mut both.quiet, &other.quiet),
            (&mut both.takes, &other.takes),
        ] {
            let pairs = mine.iter_mut().flatten().zip(others.iter().flatten());
            pairs.for_each(|(range, others)| *range = *others.max(range));
        }
        both
    }

    /// The value of a piece that moves like this, in pawns, for ordering and estimates: what is
    /// usual for the parts of it that move like a king (4), a knight, a bishop (3 each) or a rook
    /// (5), one more for both kinds of line, and two pawns for every five squares that the rest
    /// reaches on an empty board; squares that it only moves to, or only captures on, count half.
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
        if parts.rest.is_empty() {
            return usual;
        }
        let steps = Modality::BOTH.map(|modality| parts.rest.steps(modality));
        let steps: Vec<(Step, u8)> = steps.into_iter().flatten().collect();
        let reached = |from: Square| {
            let along = |&(step, most): &(Step, u8)| {
                let next = |at: &Square| board.offset(*at, step.0, step.1);
                std::iter::successors(next(&from), next)
                    .take(most.into())
                    .count()
            };
            steps.iter().map(along).sum::<usize>()
        };
        let rest: usize = board.all().map(reached).sum();
        usual + (rest / (5 * board.squares())) as u32
    }

    /// Takes the moves of another out that are there to the full, and says whether they were.
    pub(crate) fn take(&mut self, other: Mover) -> bool {
        let mut pairs = self.pairs(other);
        let has_all = pairs.all(|(mine, others)| others == 0 || mine == others);
        if has_all {
            for (mine, others) in [
                (&mut self.quiet, &other.quiet),
                (&mut self.takes, &other.takes),
            ] {
                for (range, others) in mine.iter_mut().flatten().zip(others.iter().flatten()) {
                    if *others > 0 {
                        *range = 0;
                    }
                }
            }
        }
        has_all
    }

    /// Whether there are no moves.
    pub(crate) fn is_empty(self) -> bool {
        self == Mover::default()
    }

    /// Whether all moves are single steps to neighbouring squares.
    pub(crate) fn steps_to_neighbours(self) -> bool {
        [self.quiet, self.takes].iter().all(|ranges| {
            let mut atoms = ranges.iter().enumerate();
            atoms.all(|(atom, ways)| ways.iter().all(|&most| most <= u8::from(atom <= F)))
        })
    }

    /// Whether each move that captures nothing goes ahead, as the own side sees it.
    pub(crate) fn only_advances(self) -> bool {
        self.steps(Modality::Quiet).all(|((_, ranks), _)| ranks > 0)
    }

    /// Whether some step is both a move and a capture.
    pub(crate) fn captures_as_it_moves(self) -> bool {
        let mut pairs = self.quiet.iter().flatten().zip(self.takes.iter().flatten());
        pairs.any(|(quiet, takes)| *quiet.min(takes) > 0)
    }

    /// The steps that a pawn with these moves makes twice in a double step: the one straight ahead
    /// or, if it has none, those that go ahead aslant.
    pub fn doubled(self) -> &'static [Step] {
        let steps: [Step; 3] = [(0, 1), (-1, 1), (1, 1)];
        match steps.map(|step| self.leaps(Modality::Quiet).any(|known| known == step)) {
            [true, _, _] => &[(0, 1)],
            [_, true, true] => &[(-1, 1), (1, 1)],
            [_, true, false] => &[(-1, 1)],
            [_, false, true] => &[(1, 1)],
            [_, false, false] => &[],
        }
    }

    const fn of(atoms: &[usize], range: u8) -> Mover {
        let mut ranges = [[0; 8]; ATOMS.len()];
        let mut place = 0;
        while place < atoms.len() {
            let mut way = 0;
            while way < ways(ATOMS[atoms[place]].1) {
                ranges[atoms[place]][way] = range;
                way += 1;
            }
            place += 1;
        }
        Mover {
            quiet: ranges,
            takes: ranges,
        }
    }

    /// The moves of an orthodox pawn but for its double step, `mfWcfF`.
    pub const PAWN: Mover = {
        let mut pawn = Mover {
            quiet: [[0; 8]; ATOMS.len()],
            takes: [[0; 8]; ATOMS.len()],
        };
        let mut way = 0;
        while way < 4 {
            if step(ATOMS[W].1, way).1 > 0 {
                pawn.quiet[W][way] = 1;
            }
            if step(ATOMS[F].1, way).1 > 0 {
                pawn.takes[F][way] = 1;
            }
            way += 1;
        }
        pawn
    };
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

/// The directions that a mover is written with, those of more ways first.
const DIRECTIONS: [&str; 19] = [
    "", "v", "s", "f", "b", "l", "r", "fs", "bs", "lv", "rv", "fl", "fr", "bl", "br", "lf", "rf",
    "lb", "rb",
];

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
        for (n, (letter, atom)) in ATOMS.into_iter().enumerate() {
            let (quiet, takes) = (rest.quiet[n], rest.takes[n]);
            if (quiet, takes) == Default::default() {
                continue;
            }
            for modality in ["", "m", "c"] {
                for range in 1..=UNLIMITED {
                    let is_here = |&way: &usize| match modality {
                        "" => quiet[way] == range && takes[way] == range,
                        "m" => quiet[way] == range && takes[way] != range,
                        _ => takes[way] == range && quiet[way] != range,
                    };
                    let mut left: Vec<usize> = (0..ways(atom)).filter(is_here).collect();
                    for name in DIRECTIONS {
                        if left.is_empty() {
                            break;
                        }
                        let name_ways: Vec<char> = name.chars().collect();
                        let named = |way: &usize| goes_any(&name_ways, step(atom, *way));
                        let all: Vec<usize> = (0..ways(atom)).filter(named).collect();
                        if all.is_empty() || !all.iter().all(|way| left.contains(way)) {
                            continue;
                        }
                        left.retain(|way| !all.contains(way));
                        text.push_str(modality);
                        text.push_str(name);
                        match range {
                            1 => text.push(letter),
                            UNLIMITED => text.extend([letter, letter]),
                            _ => text.push_str(&format!("{letter}{range}")),
                        }
                    }
                }
            }
        }
        f.pad(&text)
    }
}

/// A set of symmetries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Transforms(u8);

impl Transforms {
    pub(crate) const ALL: Transforms = Transforms(!0);

    /// The symmetries that keep how a piece moves.
    pub(crate) fn keeping(mover: Mover) -> Transforms {
        if mover.goes_all_ways() {
            return Transforms::ALL;
        }
        let kept = Transform::ALL.into_iter();
        let kept = kept.filter(|transform| mover.is_kept(|step| transform.turn(step)));
        Transforms(kept.fold(0, |set, transform| set | 1 << transform.index()))
    }

    pub(crate) const fn contains(self, transform: Transform) -> bool {
        self.0 >> transform.index() & 1 != 0
    }

    pub(crate) const fn and(self, other: Transforms) -> Transforms {
        Transforms(self.0 & other.0)
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
        for bad in [
            "", "X", "k", "W0", "W16", "W99999", "f", "Wm", "é", "3W", "pR", "f3W",
        ] {
            assert!(Mover::parse(bad).is_err(), "{bad}");
        }
    }

    /// As Fairy-Stockfish reads them.
    #[test]
    fn directions_and_modalities() {
        let squares = |text, modality| {
            let mover = Mover::parse(text).unwrap();
            let (form, steps) = (mover.to_string(), mover.steps(modality));
            assert_eq!(Mover::parse(&form), Ok(mover), "{text} {form}");
            let names = steps.map(|((files, ranks), _)| {
                let at = Geometry::EIGHT.square(3, 3);
                Geometry::EIGHT.name(Geometry::EIGHT.offset(at, files, ranks).unwrap())
            });
            let mut names: Vec<String> = names.collect();
            names.sort();
            names.join(" ")
        };
        for (text, reached) in [
            ("fW", "d5"),
            ("flW", "c4 d5"),
            ("fsW", "c4 d5 e4"),
            ("vW", "d3 d5"),
            ("fF", "c5 e5"),
            ("flF", "c5"),
            ("rF", "e3 e5"),
            ("sF", "c3 c5 e3 e5"),
            ("fN", "c6 e6"),
            ("ffN", "c6 e6"),
            ("flN", "b5"),
            ("lfN", "c6"),
            ("fsN", "b5 f5"),
            ("sN", "b3 b5 f3 f5"),
            ("vN", "c2 c6 e2 e6"),
            ("flrN", "b5 f3 f5"),
            ("fFbW", "c5 d3 e5"),
            ("lKrbF", "c3 c4 c5 e3"),
        ] {
            for modality in Modality::BOTH {
                assert_eq!(squares(text, modality), reached, "{text}");
            }
        }
        for (text, moves, captures) in [
            ("mWcF", "c4 d3 d5 e4", "c3 c5 e3 e5"),
            ("fmWcflF", "d5", "c5"),
            ("mcfW", "d5", "d5"),
            ("WmfD", "c4 d3 d5 d6 e4", "c4 d3 d5 e4"),
        ] {
            assert_eq!(squares(text, Modality::Quiet), moves, "{text}");
            assert_eq!(squares(text, Modality::Capture), captures, "{text}");
        }
        for (text, form) in [
            ("FfW", "fWF"),
            ("lWrW", "sW"),
            ("mWcW", "W"),
            ("cWmW3", "mW3cW"),
            ("fRbR", "vWW"),
        ] {
            assert_eq!(Mover::parse(text).unwrap().to_string(), form);
        }
        let mover = Mover::parse("flN").unwrap();
        assert_eq!(mover.of_side(Colour::Black), Mover::parse("brN").unwrap());
        let plain = |text| Mover::parse(text).unwrap().is_plain();
        assert!(plain("QN") && plain("sWvF") && !plain("fW") && !plain("mW") && !plain("frF"));
    }

    #[test]
    fn steps_are_counted() {
        let count = |text| {
            let mover = Mover::parse(text).unwrap();
            (
                mover.leaps(Modality::Quiet).count(),
                mover.rays(Modality::Capture).count(),
            )
        };
        assert_eq!(count("K"), (8, 0));
        assert_eq!(count("N"), (8, 0));
        assert_eq!(count("QN"), (8, 8));
        assert_eq!(count("AD"), (8, 0));
        assert_eq!(count("NN"), (0, 8));
        assert_eq!(count("W3B"), (0, 8));
    }
}
