//! Reads the model of a section, a tree with codes as its leaves, and finds a position's code.
//!
//! A large model is a *trunk* with *branches*: subtrees that are stored on their own and
//! read when a position first leads there.

use std::sync::OnceLock;

use crate::LearnedError;
use crate::code::{Code, CodeShape};
use crate::codes::{Codes, CodesBuilder};
use crate::feature::{FeatureRow, Features};
use crate::node_coding::{Book, DEEPEST, KeptBook, Split, Spot};
use crate::range_coder::Decoder;
use crate::row_features::{Parts, RowPart, RowsOf};
use crate::square_relations::Squares;
use crate::tree::{Overflow, PAGE, Pages, TOGETHER, Tree, TreeBuilder, Walks};

/// The tree of a section, whose leaves are codes.
#[derive(Clone, Debug)]
pub struct Model {
    trunk: Part,
    /// The leaves and branches on each page of the trunk; nothing if there are no branches.
    places: Box<[Places]>,
    /// The branches that have been read, by their places.
    branches: Box<[OnceLock<Part>]>,
    /// Their numbers.
    numbers: Box<[u32]>,
    /// The spots of the branches' roots, by their numbers.
    spots: Box<[Spot]>,
    /// The probabilities that every branch begins with; nothing if there are none.
    book: Option<Box<KeptBook>>,
}

/// The leaves and branches on a page of the trunk.
#[derive(Clone, Copy, Debug)]
struct Places {
    /// The number of places that are leaves. The others are branches.
    leaves: u32,
    /// The number of branches with smaller places.
    before: u32,
}

const NO_SUCH_BRANCH: LearnedError = LearnedError::Model("it has no such branch");

/// The trunk or a branch: a tree, and behind its nodes the codes of its leaves.
#[derive(Clone, Debug)]
struct Part(Tree);

/// The kind of a part.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// A model without branches.
    Whole,
    /// The trunk of one with so many branches.
    Trunk(u32),
    /// A branch.
    Branch,
}

/// Set in the number of an end that is a branch, which the others are less than.
const BRANCH: u32 = 1 << 31;

/// A stream of bits has no more nodes and leaves for each of its bytes.
const ITEMS_A_BYTE: usize = 32;

impl Model {
    /// Reads a model with symbols below `symbols` (1 to 65536), except its branches, of
    /// which there are `branches`.
    ///
    /// # Errors
    /// [`LearnedError::Model`] if the bytes are not those of a model of this material.
    pub fn read(
        bytes: &[u8],
        features: &Features,
        symbols: u32,
        branches: u32,
    ) -> Result<Model, LearnedError> {
        if symbols == 0 || symbols > 1 << 16 {
            return Err(LearnedError::Model("it has no symbols, or too many"));
        }
        let book = Book::new(features, symbols);
        let kind = match branches {
            0 => Kind::Whole,
            many => Kind::Trunk(many),
        };
        let (mut model, book) = Model::read_part(bytes, features, book, Spot::ROOT, kind)?;
        if model.spots.len() != branches as usize {
            return Err(LearnedError::Model("it has too few branches"));
        }
        model.book = (branches > 0).then(|| Box::new(KeptBook::new(book)));
        Ok(model)
    }

    /// The number of the branch that begins at a place of the trunk, if one does.
    #[inline]
    fn branch_at(&self, place: u32) -> Option<usize> {
        let places = self.places.get((place / PAGE) as usize)?;
        let beyond = (place % PAGE).checked_sub(places.leaves)?;
        Some((places.before + beyond) as usize)
    }

    /// A branch, whose bytes `load` gives by its number if it has not been read before.
    #[inline]
    fn branch<E: From<LearnedError>>(
        &self,
        features: &Features,
        branch: usize,
        load: impl FnOnce(u32) -> Result<Vec<u8>, E>,
    ) -> Result<&Part, E> {
        match self.branches.get(branch).and_then(OnceLock::get) {
            Some(part) => Ok(part),
            None => self.first_branch(features, branch, load),
        }
    }

    #[cold]
    fn first_branch<E: From<LearnedError>>(
        &self,
        features: &Features,
        branch: usize,
        load: impl FnOnce(u32) -> Result<Vec<u8>, E>,
    ) -> Result<&Part, E> {
        let found = self.numbers.get(branch).zip(self.branches.get(branch));
        let (&number, branch) = found.ok_or(NO_SUCH_BRANCH)?;
        let part = self.read_branch(features, number, &load(number)?)?;
        // Another thread may have been faster; it has read the same.
        Ok(branch.get_or_init(|| part))
    }

    fn read_branch(
        &self,
        features: &Features,
        number: u32,
        bytes: &[u8],
    ) -> Result<Part, LearnedError> {
        let found = self.spots.get(number as usize).zip(self.book.as_deref());
        let (&spot, book) = found.ok_or(NO_SUCH_BRANCH)?;
        let read = Model::read_part(bytes, features, book.open(features), spot, Kind::Branch);
        read.map(|(read, _)| read.trunk)
            .map_err(|fault| match fault {
                LearnedError::Model(what) => LearnedError::Branch(number, what),
                fault => fault,
            })
    }

    /// Reads a branch without keeping it.
    ///
    /// # Errors
    /// [`LearnedError::Branch`] if the bytes are not those of this branch.
    pub fn check_branch(
        &self,
        features: &Features,
        number: u32,
        bytes: &[u8],
    ) -> Result<(), LearnedError> {
        self.read_branch(features, number, bytes).map(|_| ())
    }

    /// The code of a placement; `load` gives the bytes of a branch.
    ///
    /// # Errors
    /// Those of `load`, [`LearnedError::Model`] and [`LearnedError::Branch`].
    #[inline]
    pub fn code<E: From<LearnedError>>(
        &self,
        features: &Features,
        row: &FeatureRow,
        load: impl FnOnce(u32) -> Result<Vec<u8>, E>,
    ) -> Result<Code<'_>, E> {
        let mut part = &self.trunk;
        let mut place = part.0.walk(row);
        if let Some(number) = self.branch_at(place) {
            part = self.branch(features, number, load)?;
            place = part.0.walk(row);
        }
        Ok(part.code(place)?)
    }

    /// The codes of the first `count` of some placements, as [`Model::code`] gives them.
    ///
    /// # Errors
    /// Those of [`Model::code`].
    pub(crate) fn codes_together<'m, E: From<LearnedError>>(
        &'m self,
        features: &Features,
        rows: &[&FeatureRow; TOGETHER],
        count: usize,
        mut load: impl FnMut(u32) -> Result<Vec<u8>, E>,
    ) -> Result<[Code<'m>; TOGETHER], E> {
        let numbers = 0..count.min(TOGETHER);
        let mut parts = [&self.trunk; TOGETHER];
        let mut walks = Walks::new(&self.trunk.0);
        numbers.clone().for_each(|n| walks.begin(n, &self.trunk.0));
        walks.finish(rows);
        for number in numbers.clone() {
            if let Some(branch) = self.branch_at(walks.end(number)) {
                let part = self.branch(features, branch, &mut load)?;
                walks.begin(number, &part.0);
                parts[number] = part;
            }
        }
        walks.finish(rows);
        let mut codes = [Code::NONE; TOGETHER];
        for number in numbers {
            codes[number] = parts[number].code(walks.end(number))?;
        }
        Ok(codes)
    }

    /// Calls `visit` with each code of placements that are given by rows, and those that have
    /// it; `load` gives the bytes of a branch.
    ///
    /// # Errors
    /// Those of `load`, of `visit`, [`LearnedError::Model`] and [`LearnedError::Branch`].
    pub(crate) fn codes_of_rows<'m, W: Squares, E: From<LearnedError>>(
        &'m self,
        features: &Features,
        rows: &RowsOf<W>,
        mut load: impl FnMut(u32) -> Result<Vec<u8>, E>,
        mut visit: impl FnMut(Code<'m>, &[RowPart<W>]) -> Result<(), E>,
    ) -> Result<(), E> {
        let trunk = &self.trunk;
        let mut parts = Parts::new(rows.asked());
        trunk.0.walk_rows(rows, &mut parts, 0, |end, parts, from| {
            let Some(number) = self.branch_at(end) else {
                return visit(trunk.code(end)?, &parts.all[from..]);
            };
            let part = self.branch(features, number, &mut load)?;
            part.0.walk_rows(rows, parts, from, |end, parts, from| {
                visit(part.code(end)?, &parts.all[from..])
            })
        })
    }

    /// The size of the model in memory in bytes, as far as it has been read.
    pub fn bytes(&self) -> usize {
        let read = self.branches.iter().filter_map(OnceLock::get);
        let read: usize = read.map(|part| part.0.bytes()).sum();
        let book = self.book.as_ref().map_or(0, |book| book.bytes());
        let places = size_of_val(&*self.places) + size_of_val(&*self.numbers);
        let branches = size_of_val(&*self.branches) + size_of_val(&*self.spots);
        self.trunk.0.bytes() + places + branches + read + book
    }

    /// Reads a part whose root is at `root`, as a model without those of its branches, and what
    /// was learnt about the probabilities; `book` is what it begins with.
    fn read_part(
        bytes: &[u8],
        features: &Features,
        mut book: Book,
        root: Spot,
        kind: Kind,
    ) -> Result<(Model, Book), LearnedError> {
        let mut decoder = Decoder::new(bytes);
        let mut tree = TreeBuilder::new(features);
        let (mut codes, mut spots) = (CodesBuilder::new(book.symbols()), Vec::new());
        let mut shape = CodeShape::default();
        let mut leaf_before = false;
        let mut open = vec![(None, root)];
        while let Some((parent, mut spot)) = open.pop() {
            if decoder.is_over() {
                return Err(LearnedError::Model("it is truncated"));
            }
            // Questions that are all alike take next to no bits.
            if tree.len() > ITEMS_A_BYTE * bytes.len() {
                return Err(Overflow.into());
            }
            if let Some((parent, false)) = parent {
                let left = tree.left_end(parent);
                spot.sibling = Some(left.is_some_and(|number| number < BRANCH));
            }
            // The root of a branch is a node.
            let is_root = parent.is_none() && kind == Kind::Branch;
            leaf_before = !is_root && book.is_leaf(&mut decoder, spot, leaf_before);
            if leaf_before {
                book.shape(&mut decoder, &mut shape)?;
                tree.end(codes.add(&shape)?);
                continue;
            }
            if usize::from(spot.depth) >= DEEPEST {
                return Err(LearnedError::Model("its tree is too deep"));
            }
            if let Kind::Trunk(most) = kind
                && book.is_branch(&mut decoder, spot, false)
            {
                let number = spots.len() as u32;
                if number >= most {
                    return Err(LearnedError::Model("it has too many branches"));
                }
                tree.end(BRANCH | number);
                spots.push(spot);
                continue;
            }
            let ask = Split {
                feature: 0,
                left: 0,
            };
            let node = tree.node(book.split(&mut decoder, features, ask)?);
            open.push((Some((node, false)), spot.child(None)));
            open.push((Some((node, true)), spot.child(None)));
        }
        if !decoder.is_done() {
            return Err(LearnedError::Model("its length is wrong"));
        }
        let codes = codes.narrow();
        // Branches come after leaves.
        let order = |end| match end {
            ..BRANCH => codes.size(end).into(),
            _ => u32::MAX,
        };
        let (tree, Pages(mut pages)) = tree.finish(order)?;
        let (mut places, mut numbers) = (Vec::new(), Vec::new());
        for page in &mut pages {
            let leaves = page.partition_point(|&end| end < BRANCH);
            places.push(Places {
                leaves: leaves as u32,
                before: numbers.len() as u32,
            });
            numbers.extend(page.drain(leaves..).map(|end| end - BRANCH));
        }
        if spots.is_empty() {
            places.clear();
        }
        let model = Model {
            trunk: Part(tree.followed_by(&codes.finish(&pages)?)),
            places: places.into(),
            branches: spots.iter().map(|_| OnceLock::new()).collect(),
            numbers: numbers.into(),
            spots: spots.into(),
            book: None,
        };
        Ok((model, book))
    }
}

impl Part {
    /// The code of the leaf at a place.
    #[inline(always)]
    fn code(&self, place: u32) -> Result<Code<'_>, LearnedError> {
        let fault = LearnedError::Model("a leaf has no code");
        let codes = Codes {
            bytes: self.0.tail(),
            pages: self.0.pages(),
        };
        codes.get(place).ok_or(fault)
    }
}
