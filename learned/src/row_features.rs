//! Computes features of whole rows of placements that differ in the square of one piece only.
//!
//! The placements of a row stand side by side, so that a question is asked of all of them at once.
//!
//! A feature is a number for each row if it is the same for all of the row, and else a set of
//! squares of the piece that moves.

use crate::LearnedError;
use crate::board_and_pieces::SLIDES;
use crate::feature::{A_PIECE, Feature, FeatureKind, FeatureRow, Features, MOST, Pair, Race};
use crate::node_coding::Split;
#[cfg(doc)]
use crate::square_relations::Masks;
use crate::square_relations::{Ordered, Squares, THRESHOLDS};

/// Placements that differ in the square of the moving piece. They are consecutive.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// The squares of the pieces; that of the moving piece is the first that it stands on.
    pub squares: [u8; MOST],
    /// The number of squares from there on that it stands on.
    pub len: u8,
}

/// Placements by rows, at most [`Rows::MOST`]; the memory is reused.
#[derive(Clone, Debug)]
pub struct Rows(pub(crate) Words);

/// Rows with the smallest words that have a bit for each square.
#[derive(Clone, Debug)]
pub(crate) enum Words {
    Small(RowsOf<u64>),
    Large(RowsOf<u128>),
}

impl Rows {
    /// The most placements at once. What all of them that come to a node or a leaf share is
    /// worked out once, so that reading many together is quicker.
    pub const MOST: usize = 1 << 16;

    /// Makes room for rows in which a piece of the material moves.
    ///
    /// # Errors
    ///
    /// [`LearnedError::Question`] if there is no such piece.
    pub fn new(features: &Features, moving: usize) -> Result<Rows, LearnedError> {
        if moving >= features.pieces() {
            return Err(LearnedError::Question("there is no such piece"));
        }
        Ok(Rows(match features.board().squares() {
            ..=64 => Words::Small(RowsOf::new(features, moving)),
            _ => Words::Large(RowsOf::new(features, moving)),
        }))
    }

    /// Takes rows, whose placements count from 0: those that `is_asked` says are looked up.
    /// `contexts` has a column for each context, of a value for each placement; what is missing
    /// or out of range counts as 0. Placements beyond [`Rows::MOST`] are not looked up, nor are
    /// rows with a square off the board.
    pub fn fill(&mut self, rows: &[Row], contexts: &[u8], is_asked: impl Fn(usize) -> bool) {
        match &mut self.0 {
            Words::Small(words) => words.fill(rows, contexts, is_asked),
            Words::Large(words) => words.fill(rows, contexts, is_asked),
        }
    }
}

#[derive(Clone, Debug)]
pub(crate) struct RowsOf<W> {
    features: Features,
    moving: usize,
    looks: Vec<Look>,
    /// The values of each feature, one for each row, its moving piece on its first square.
    values: Vec<u8>,
    /// The features that are the same for all rows.
    same: Vec<Option<u8>>,
    touches: Touches<W>,
    /// The attackers and defenders of each piece, by rows.
    hanging: Vec<[Hanging<W>; MOST]>,
    /// The squares that have each value of each context, by rows.
    contexts: Vec<Vec<W>>,
    /// The number of placements.
    places: usize,
    /// The rows of which something is looked up.
    rows: Vec<Row>,
    /// The parts of rows that are looked up.
    asked: Vec<RowPart<W>>,
    /// The first placement of each row and the square of its moving piece.
    starts: Vec<(u16, u8)>,
    /// The squares of the other pieces.
    occupied: Vec<W>,
}

/// The most values of a context.
const CONTEXTS: usize = 64;

impl<W: Squares> RowsOf<W> {
    fn new(features: &Features, moving: usize) -> RowsOf<W> {
        let look = |feature| look(features, moving as u8, feature);
        RowsOf {
            features: features.clone(),
            moving,
            looks: features.list().iter().map(look).collect(),
            values: Vec::new(),
            same: Vec::new(),
            touches: Touches::new(features, moving),
            hanging: Vec::new(),
            contexts: Vec::new(),
            places: 0,
            rows: Vec::new(),
            asked: Vec::new(),
            starts: Vec::new(),
            occupied: Vec::new(),
        }
    }

    fn fill(&mut self, rows: &[Row], contexts: &[u8], is_asked: impl Fn(usize) -> bool) {
        let (board, pieces) = (self.features.board().squares(), self.features.pieces());
        let moving = self.moving % MOST;
        self.rows.clear();
        self.asked.clear();
        self.starts.clear();
        self.occupied.clear();
        self.places = 0;
        for row in rows {
            let (start, from) = (self.places, row.squares[moving]);
            let places = start..start + usize::from(row.len);
            if places.end > Rows::MOST {
                break;
            }
            self.places = places.end;
            let last = usize::from(from) + places.len();
            if last > board.into() || row.squares.iter().take(pieces).any(|&at| at >= board) {
                continue;
            }
            let (mut squares, mut one) = (W::NONE, W::one(from));
            for place in places {
                squares = squares | one & W::all_if(is_asked(place));
                one = one << 1;
            }
            if squares == W::NONE {
                continue;
            }
            let others = (0..pieces).filter(|&piece| piece != moving);
            let others = others.map(|piece| row.squares[piece % MOST]);
            self.occupied
                .push(others.fold(W::NONE, |all, square| all | W::one(square)));
            self.asked.push(RowPart {
                row: self.rows.len() as u16,
                squares,
            });
            self.starts.push((start as u16, from));
            self.rows.push(*row);
        }
        self.look_at();
        self.sort_contexts(contexts);
    }

    /// Works out the features.
    fn look_at(&mut self) {
        let (features, rows) = (&self.features, &self.rows[..]);
        self.values.clear();
        self.values.resize(self.looks.len() * rows.len(), 0);
        let mut values: FeatureRow = [0; 256];
        for (number, row) in rows.iter().enumerate() {
            // Rows with a square off the board have been left out.
            let squares = row.squares.get(..features.pieces()).unwrap_or(&[]);
            let _ = features.row_without_contexts(squares, &mut values);
            let places = self.values.iter_mut().skip(number).step_by(rows.len());
            places.zip(values).for_each(|(to, value)| *to = value);
        }
        self.same.clear();
        for (number, look) in self.looks.iter().enumerate() {
            let values = self.values_of(number);
            let first = values.first().filter(|_| matches!(look, Look::Same));
            let same = first.filter(|&first| values.iter().all(|value| value == first));
            self.same.push(same.copied());
        }
        self.touches.fill(features, rows, &self.occupied);
        self.touches
            .hanging(features, rows.len(), &mut self.hanging);
    }

    /// The values of a feature, one for each row.
    fn values_of(&self, feature: usize) -> &[u8] {
        let start = feature * self.rows.len();
        self.values
            .get(start..start + self.rows.len())
            .unwrap_or(&[])
    }

    /// Sorts the placements by contexts.
    fn sort_contexts(&mut self, contexts: &[u8]) {
        let sizes = self.features.contexts();
        let values = sizes.iter().map(|&size| usize::from(size)).sum();
        self.contexts.resize(values, Vec::new());
        self.contexts.iter_mut().for_each(Vec::clear);
        let mut columns = contexts.chunks((contexts.len() / sizes.len().max(1)).max(1));
        let mut sets = &mut self.contexts[..];
        for &size in sizes {
            let (those, others) = sets.split_at_mut(size.into());
            sets = others;
            let column = columns.next().unwrap_or(&[]);
            for (row, &(start, from)) in self.rows.iter().zip(&self.starts) {
                let mut squares = [W::NONE; CONTEXTS];
                let mut one = W::one(from);
                for place in usize::from(start)..usize::from(start) + usize::from(row.len) {
                    let value = column.get(place).filter(|&&value| value < size);
                    let set = &mut squares[usize::from(*value.unwrap_or(&0)) % CONTEXTS];
                    *set = *set | one;
                    one = one << 1;
                }
                let both = those.iter_mut().zip(squares);
                both.for_each(|(rows, squares)| rows.push(squares));
            }
        }
    }

    /// The parts of rows that are looked up.
    pub(crate) fn asked(&self) -> &[RowPart<W>] {
        &self.asked
    }

    /// The placements of a part.
    #[inline]
    pub(crate) fn each_place(&self, part: RowPart<W>, mut each: impl FnMut(usize)) {
        let start = self.starts.get(usize::from(part.row)).copied();
        let (start, from) = start.unwrap_or_default();
        let squares = part.squares >> u32::from(from);
        squares.each(|after| each(usize::from(start) + usize::from(after)));
    }

    /// The number of placements.
    pub(crate) fn places(&self) -> usize {
        self.places
    }

    /// The first placement of a row.
    #[inline]
    pub(crate) fn start(&self, row: usize) -> usize {
        let start = self.starts.get(row);
        start.map_or(0, |&(start, _)| start.into())
    }

    /// The number of rows of which something is looked up.
    pub(crate) fn len(&self) -> usize {
        self.starts.len()
    }

    /// Divides placements by a question: of `parts` from `from` on, those that go left come first,
    /// the others after them. Returns where these begin.
    #[inline]
    pub(crate) fn divide(
        &self,
        question: Split,
        Parts { all: parts, spare }: &mut Parts<W>,
        from: usize,
    ) -> usize {
        let (feature, left) = (usize::from(question.feature), question.left);
        // A feature has at most as many values as there are bits.
        let values = W::of_bits(left);
        let has = |value: u8| values.has(value);
        if let Some(&Some(value)) = self.same.get(feature) {
            return if has(value) { parts.len() } else { from };
        }
        let sights = &*self.features.sights;
        let column = |number: u8| self.values_of(number.into());
        let value = |column: &[u8], row: usize| column.get(row).copied().unwrap_or(0);
        match self.looks.get(feature).copied().unwrap_or(Look::Same) {
            Look::Same => {
                let column = self.values_of(feature);
                divide(parts, from, spare, |part| {
                    W::all_if(has(value(column, part.row())))
                })
            }
            Look::Ordered(ordered, by) => {
                let threshold = (127 - left.leading_zeros() as usize).min(THRESHOLDS - 1);
                let lists = W::masks(sights).up_to(ordered, threshold);
                let set = |list: u8| lists.get(usize::from(list)).copied().unwrap_or(W::NONE);
                match by {
                    None => {
                        let set = set(0);
                        divide(parts, from, spare, |_| set)
                    }
                    Some(by) => {
                        let column = column(by);
                        divide(parts, from, spare, |part| set(value(column, part.row())))
                    }
                }
            }
            Look::Square => {
                let set = W::of_bits(left);
                divide(parts, from, spare, |_| set)
            }
            Look::Apart(from_piece) => {
                let of = |which| self.values_of(usize::from(from_piece) * A_PIECE + which);
                let (square, file, rank) = (of(0), of(1), of(2));
                let masks = W::masks(sights);
                divide(parts, from, spare, |part| {
                    let row = part.row();
                    if part.squares.count() > FEW {
                        return masks.apart(value(file, row), value(rank, row), left);
                    }
                    let (from, mut set) = (value(square, row), W::NONE);
                    part.squares.each(|to| {
                        let is_in = has(sights.apart(from, to));
                        set = set | W::one(to) & W::all_if(is_in);
                    });
                    set
                })
            }
            Look::Touch(pair) => {
                let touches = self.touches.of_pair(pair.into());
                divide(parts, from, spare, |part| {
                    touches
                        .get(part.row())
                        .map_or(W::NONE, |touch| touch.among(left as u8))
                })
            }
            Look::Hanging(piece) => divide(parts, from, spare, |part| {
                let hanging = self.hanging.get(part.row());
                hanging.map_or(W::NONE, |all| {
                    all[usize::from(piece) % MOST].among(left as u16)
                })
            }),
            Look::Context(first) => {
                let sets = self.contexts.get(usize::from(first)..).unwrap_or(&[]);
                divide(parts, from, spare, |part| {
                    let those = sets.iter().zip(0..128).filter(|&(_, value)| has(value));
                    let squares = those.filter_map(|(rows, _)| rows.get(part.row()));
                    squares.fold(W::NONE, |all, &squares| all | squares)
                })
            }
        }
    }
}

/// Up to so many squares are looked at one by one.
const FEW: u32 = 12;

/// A part of the placements of a row.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RowPart<W> {
    /// The row.
    pub(crate) row: u16,
    /// The squares of the moving piece.
    pub(crate) squares: W,
}

impl<W> RowPart<W> {
    #[inline(always)]
    fn row(&self) -> usize {
        self.row.into()
    }
}

/// The parts of rows that are divided, and room to do it.
#[derive(Clone, Debug)]
pub(crate) struct Parts<W> {
    pub(crate) all: Vec<RowPart<W>>,
    spare: Vec<RowPart<W>>,
}

impl<W: Clone> Parts<W> {
    /// Makes a list of parts.
    pub(crate) fn new(all: &[RowPart<W>]) -> Parts<W> {
        Parts {
            all: all.to_vec(),
            spare: Vec::new(),
        }
    }
}

/// Divides parts from `from` on: first the squares that are in the sets of their parts, then
/// the others, which begin where it says.
#[inline(always)]
fn divide<W: Squares>(
    parts: &mut Vec<RowPart<W>>,
    from: usize,
    spare: &mut Vec<RowPart<W>>,
    set: impl Fn(&RowPart<W>) -> W,
) -> usize {
    let here = parts.get_mut(from..).unwrap_or(&mut []);
    // What it still has from before is written over.
    if spare.len() < here.len() {
        spare.extend_from_slice(&here[spare.len()..]);
    }
    let spare = &mut spare[..here.len()];
    // Nothing branches on whether a side is empty, which cannot be foreseen.
    let (mut lefts, mut rights) = (0, 0);
    for read in 0..here.len() {
        let part = here[read];
        let set = set(&part);
        let (left, right) = (part.squares & set, part.squares & !set);
        here[lefts] = RowPart {
            squares: left,
            ..part
        };
        spare[rights] = RowPart {
            squares: right,
            ..part
        };
        lefts += usize::from(left != W::NONE);
        rights += usize::from(right != W::NONE);
    }
    parts.truncate(from + lefts);
    parts.extend_from_slice(&spare[..rights]);
    from + lefts
}

/// The way in which a feature is looked up.
#[derive(Clone, Copy, Debug)]
enum Look {
    /// The feature has one value in a row.
    Same,
    /// The feature is ordered; the other one says which list of [`Masks::up_to`] it is in, if there
    /// is more than one.
    Ordered(Ordered, Option<u8>),
    /// The square of the moving piece.
    Square,
    /// The distance of the moving piece from another.
    Apart(u8),
    /// The attacks of two pieces on each other, by the number of the pair.
    Touch(u8),
    /// The attackers and defenders of a piece.
    Hanging(u8),
    /// A context, by the number of its first value among those of all contexts.
    Context(u8),
}

/// The way in which a feature is looked up if a piece moves.
fn look(features: &Features, moving: u8, feature: &Feature) -> Look {
    let (first, second) = (feature.first, feature.second);
    let moves = first == moving || second == moving;
    let other = if first == moving { second } else { first };
    let [square, file, rank] = [0, 1, 2].map(|which| other * A_PIECE as u8 + which);
    let ordered = |from: Ordered, to: Ordered, by| {
        Look::Ordered(if first == moving { from } else { to }, Some(by))
    };
    match feature.kind {
        FeatureKind::Hanging => Look::Hanging(first),
        FeatureKind::Context => {
            let before = features.contexts().iter().take(first.into());
            Look::Context(before.fold(0, |sum, size| sum.wrapping_add(*size)))
        }
        FeatureKind::Touch => {
            let is_meant = |pair: &Pair| (pair.first, pair.second) == (first, second);
            let number = features.pairs.iter().position(is_meant).unwrap_or(0);
            let ways = features
                .pairs
                .get(number)
                .map_or(0, |pair| pair.there | pair.back);
            // The moving piece may also stand in the way.
            match moves || ways & SLIDES != 0 {
                true => Look::Touch(number as u8),
                false => Look::Same,
            }
        }
        _ if !moves => Look::Same,
        FeatureKind::Square => Look::Square,
        FeatureKind::File => Look::Ordered(Ordered::File, None),
        FeatureKind::Rank => Look::Ordered(Ordered::Rank, None),
        FeatureKind::Apart => Look::Apart(other),
        FeatureKind::Files => ordered(Ordered::FilesFrom, Ordered::FilesTo, file),
        FeatureKind::Ranks => ordered(Ordered::RanksFrom, Ordered::RanksTo, rank),
        FeatureKind::Steps => ordered(Ordered::Steps, Ordered::Steps, square),
        FeatureKind::Race => {
            let race = |race: &&Race| (race.pawn, race.royal) == (first, second);
            let down = features
                .races
                .iter()
                .find(race)
                .is_some_and(|race| race.down);
            // The pawn comes first.
            match down {
                false => ordered(Ordered::RaceOfUp, Ordered::RaceWithUp, square),
                true => ordered(Ordered::RaceOfDown, Ordered::RaceWithDown, square),
            }
        }
    }
}

/// The squares where the first piece of a pair attacks the second, and where the second attacks the
/// first.
#[derive(Clone, Copy, Debug, Default)]
struct Touch<W> {
    there: W,
    back: W,
}

impl<W: Squares> Touch<W> {
    /// The squares where the feature has one of the values in a set: 1 for `there`, 2 for
    /// `back`, 3 for both.
    #[inline]
    fn among(self, values: u8) -> W {
        let has = |value: u32| W::all_if(values >> value & 1 != 0);
        let (there, back) = (self.there, self.back);
        let unless_there = has(0) & !back | has(2) & back;
        let if_there = has(1) & !back | has(3) & back;
        unless_there & !there | if_there & there
    }
}

/// The attackers and defenders of a piece, from 0 to 3: the squares of the lower and the higher
/// bit of both numbers.
#[derive(Clone, Copy, Debug, Default)]
struct Hanging<W> {
    attackers: [W; 2],
    defenders: [W; 2],
}

impl<W: Squares> Hanging<W> {
    /// The squares where the feature has one of the values in a set.
    #[inline]
    fn among(self, values: u16) -> W {
        let numbers = |[low, high]: [W; 2]| [!low & !high, low & !high, !low & high, low & high];
        let defenders = numbers(self.defenders);
        let mut found = W::NONE;
        for (number, attackers) in numbers(self.attackers).into_iter().enumerate() {
            let among = values >> (4 * number);
            let mut those = W::NONE;
            for (number, defenders) in defenders.into_iter().enumerate() {
                those = those | defenders & W::all_if(among >> number & 1 != 0);
            }
            found = found | attackers & those;
        }
        found
    }
}

/// Adds 1 to a number on some squares, up to 3.
#[inline]
fn add<W: Squares>([low, high]: &mut [W; 2], squares: W) {
    let (carry, most) = (*low & squares, *low & *high);
    *low = (*low ^ squares) | (most & squares);
    *high = *high | carry;
}

/// The attacks of the pieces of some rows on each other.
#[derive(Clone, Debug)]
struct Touches<W> {
    moving: usize,
    /// The squares of the moving piece, for each pair that has it, each square of the other, and
    /// leaping and sliding there and back.
    reach: Vec<Vec<[Touch<W>; 2]>>,
    /// The rows of each pair.
    touches: Vec<Vec<Touch<W>>>,
}

impl<W: Squares> Touches<W> {
    fn new(features: &Features, moving: usize) -> Touches<W> {
        let masks = W::masks(&features.sights);
        let reach = features.pairs.iter().map(|pair| {
            let moves_first = usize::from(pair.first) == moving;
            if !moves_first && usize::from(pair.second) != moving {
                return Vec::new();
            }
            let squares = 0..features.board().squares();
            let reach = |square, ways| masks.reach(square, ways, moves_first);
            let both = |square: u8, ways: u8| Touch {
                there: reach(square, pair.there & ways),
                back: reach(square, pair.back & ways),
            };
            let each = squares.map(|square| [both(square, !SLIDES), both(square, SLIDES)]);
            each.collect()
        });
        Touches {
            moving,
            reach: reach.collect(),
            touches: vec![Vec::new(); features.pairs.len()],
        }
    }

    /// Works them out for some rows, given the squares that the other pieces occupy.
    fn fill(&mut self, features: &Features, rows: &[Row], occupied: &[W]) {
        let masks = W::masks(&features.sights);
        let pieces = features.pieces();
        let parts = features.pairs.iter().zip(&self.reach);
        for ((pair, reach), touches) in parts.zip(&mut self.touches) {
            touches.clear();
            let (first, second) = (usize::from(pair.first), usize::from(pair.second));
            let moving = self.moving;
            if first != moving && second != moving {
                let both = rows.iter().zip(occupied);
                touches.extend(both.map(|(row, &occupied)| fixed(features, pair, row, occupied)));
                continue;
            }
            let other = if first == moving { second } else { first };
            let slides = (pair.there | pair.back) & SLIDES != 0;
            touches.extend(rows.iter().map(|row| {
                let square = row.squares[other % MOST];
                let Some(&[leap, slide]) = reach.get(usize::from(square)) else {
                    return Touch::default();
                };
                let mut hidden = W::NONE;
                if slides {
                    for piece in (0..pieces).filter(|&piece| piece != moving) {
                        hidden = hidden | masks.beyond(square, row.squares[piece % MOST]);
                    }
                }
                Touch {
                    there: leap.there | slide.there & !hidden,
                    back: leap.back | slide.back & !hidden,
                }
            }));
        }
    }

    /// The rows of a pair.
    fn of_pair(&self, pair: usize) -> &[Touch<W>] {
        self.touches.get(pair).map_or(&[], |touches| touches)
    }

    /// Counts the attackers and defenders of each piece of each row.
    fn hanging(&self, features: &Features, rows: usize, hanging: &mut Vec<[Hanging<W>; MOST]>) {
        hanging.clear();
        hanging.resize(rows, Default::default());
        for (pair, touches) in features.pairs.iter().zip(&self.touches) {
            let (first, second) = (
                usize::from(pair.first) % MOST,
                usize::from(pair.second) % MOST,
            );
            for (pieces, touch) in hanging.iter_mut().zip(touches) {
                for (piece, squares) in [(second, touch.there), (first, touch.back)] {
                    let of = &mut pieces[piece];
                    add(
                        match pair.defends {
                            true => &mut of.defenders,
                            false => &mut of.attackers,
                        },
                        squares,
                    );
                }
            }
        }
    }
}

/// The attacks of two pieces that stand still: the moving piece may stand between them.
fn fixed<W: Squares>(features: &Features, pair: &Pair, row: &Row, occupied: W) -> Touch<W> {
    let square = |piece: u8| row.squares[usize::from(piece) % MOST];
    let (from, to) = (square(pair.first), square(pair.second));
    let (_, reach) = features.sights.near(from, to);
    let between = W::of_bits(features.sights.between(from, to));
    let hidden = match between & occupied != W::NONE {
        true => !W::NONE,
        false => between,
    };
    let attack = |ways: u8| {
        let leap = W::all_if(reach & ways & !SLIDES != 0);
        let slide = W::all_if(reach & ways & SLIDES != 0);
        leap | slide & !hidden
    };
    Touch {
        there: attack(pair.there),
        back: attack(pair.back),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

    use std::collections::HashMap;

    use proptest::prelude::*;

    use super::*;
    use crate::board_and_pieces::{CodecBoard, CodecPiece, Moves};
    use crate::feature::Domain;

    fn piece() -> impl Strategy<Value = CodecPiece> {
        let moves = prop::sample::select(vec![
            Moves::KING,
            Moves::KNIGHT,
            Moves::STRAIGHT,
            Moves::DIAGONAL,
            Moves::STRAIGHT | Moves::DIAGONAL,
            Moves::DIAGONAL | Moves::KNIGHT,
            Moves::PAWN,
        ]);
        let all = (any::<bool>(), moves, any::<bool>());
        all.prop_map(|(black, moves, royal)| CodecPiece {
            black,
            moves,
            royal,
        })
    }

    /// The sets that a node may ask a feature for.
    fn lefts(feature: &Feature, random: u128) -> u128 {
        match feature.domain {
            Domain::Order => (2 << (random % u128::from(feature.size))) - 1,
            Domain::Set { .. } => random,
        }
    }

    /// Whether placements go left, by their numbers.
    fn found<W: Squares>(rows: &RowsOf<W>, question: Split) -> HashMap<usize, bool> {
        let mut parts = Parts::new(rows.asked());
        let rights = rows.divide(question, &mut parts, 0);
        let mut found = HashMap::new();
        for (number, &part) in parts.all.iter().enumerate() {
            rows.each_place(part, |place| {
                assert!(
                    found.insert(place, number < rights).is_none(),
                    "placement {place}"
                );
            });
        }
        found
    }

    proptest! {
        #[test]
        fn questions_divide_rows_as_they_do_placements(
            (files, ranks) in prop::sample::select(vec![(8, 8), (9, 9), (10, 8), (10, 10), (3, 5), (16, 8)]),
            pieces in prop::collection::vec(piece(), 1..=6),
            moving in any::<prop::sample::Index>(),
            raw in prop::collection::vec((any::<[u8; MOST]>(), any::<u8>()), 1..12),
            contexts in prop::collection::vec(0..5_u8, 12 * 128),
            random in prop::collection::vec(any::<u128>(), 1..8),
            skipped in any::<u8>(),
        ) {
            let board = CodecBoard::new(files, ranks).unwrap();
            let features = Features::new(board, &pieces, &[5]).unwrap();
            let (moving, size) = (moving.index(pieces.len()), board.squares());
            let rows: Vec<Row> = raw.iter().map(|&(squares, len)| {
                let squares = squares.map(|square| square % size);
                Row { squares, len: len % (size - squares[moving]) + 1 }
            }).collect();
            let places = rows.iter().map(|row| usize::from(row.len)).sum();
            let contexts = &contexts[..places];
            let is_asked = |place: usize| place % 7 != usize::from(skipped % 7);
            let mut by_rows = Rows::new(&features, moving).unwrap();
            by_rows.fill(&rows, contexts, is_asked);
            for (number, feature) in features.list().iter().enumerate() {
                for &random in &random {
                    let left = lefts(feature, random);
                    let feature = number as u8;
                    let question = Split { feature, left };
                    let found = match &by_rows.0 {
                        Words::Small(rows) => found(rows, question),
                        Words::Large(rows) => found(rows, question),
                    };
                    let mut expected = HashMap::new();
                    let mut place = 0;
                    for row in &rows {
                        for after in 0..row.len {
                            let mut squares = row.squares;
                            squares[moving] += after;
                            let squares = &squares[..pieces.len()];
                            if is_asked(place) {
                                let mut values: FeatureRow = [0; 256];
                                features.row(squares, &contexts[place..=place], &mut values).unwrap();
                                expected.insert(place, left >> values[number] & 1 != 0);
                            }
                            place += 1;
                        }
                    }
                    prop_assert_eq!(&found, &expected, "{:?}, {} moves", feature, moving);
                }
            }
        }
    }

    #[test]
    fn a_piece_that_does_not_exist_does_not_move() {
        let king = CodecPiece {
            black: false,
            moves: Moves::KING,
            royal: true,
        };
        let features = Features::new(CodecBoard::new(8, 8).unwrap(), &[king], &[]).unwrap();
        assert!(Rows::new(&features, 1).is_err());
    }
}
