//! A model: the tree of a section and the codes of its leaves.
//!
//! A large model is a *trunk* with *branches*: subtrees that are stored on their own and
//! read when a position first leads there.

use std::sync::OnceLock;

use crate::chance::Decoder;
use crate::code::{Code, CodeShape, Codes, CodesBuilder};
use crate::error::LearnedError;
use crate::feature::{FeatureRow, Features};
use crate::layout::{Book, DEEPEST, KeptBook, Split, Spot};
use crate::rows::{Parts, RowPart, RowsOf};
use crate::squares::Squares;
use crate::tree::{End, Overflow, TOGETHER, Tree, TreeBuilder, Walks};

/// The tree of a section, whose leaves are codes.
#[derive(Clone, Debug)]
pub struct Model {
    trunk: Part,
    branches: Vec<Branch>,
    /// What every branch begins with; nothing if there are none.
    book: Option<Box<KeptBook>>,
}

/// The trunk or a branch.
#[derive(Clone, Debug)]
struct Part {
    tree: Tree,
    codes: Codes,
}

/// What a part is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// A model without branches.
    Whole,
    /// The trunk of one with so many branches.
    Trunk(u32),
    /// A branch.
    Branch,
}

/// A part, and what was read with it.
struct Reading {
    part: Part,
    branches: Vec<Branch>,
    /// What was learnt about the probabilities.
    book: Book,
}

#[derive(Clone, Debug)]
struct Branch {
    /// Where its root is.
    spot: Spot,
    part: OnceLock<Part>,
}

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
        let read = Reading::all(bytes, features, book, Spot::ROOT, kind)?;
        if read.branches.len() != branches as usize {
            return Err(LearnedError::Model("it has too few branches"));
        }
        Ok(Model {
            branches: read.branches,
            book: (branches > 0).then(|| Box::new(KeptBook::new(read.book))),
            trunk: read.part,
        })
    }

    /// A branch, whose bytes `load` gives if it has not been read before.
    #[inline]
    fn branch<E: From<LearnedError>>(
        &self,
        features: &Features,
        number: u32,
        load: impl FnOnce(u32) -> Result<Vec<u8>, E>,
    ) -> Result<&Part, E> {
        let branch = self.branches.get(number as usize);
        match branch.and_then(|branch| branch.part.get()) {
            Some(part) => Ok(part),
            None => self.first_branch(features, number, load),
        }
    }

    #[cold]
    fn first_branch<E: From<LearnedError>>(
        &self,
        features: &Features,
        number: u32,
        load: impl FnOnce(u32) -> Result<Vec<u8>, E>,
    ) -> Result<&Part, E> {
        let (branch, book) = self.find(number)?;
        let part = branch.read(&load(number)?, features, book, number)?;
        // Another thread may have been faster; it has read the same.
        Ok(branch.part.get_or_init(|| part))
    }

    /// A branch, and what it begins with.
    fn find(&self, number: u32) -> Result<(&Branch, &KeptBook), LearnedError> {
        let found = self.branches.get(number as usize).zip(self.book.as_deref());
        found.ok_or(LearnedError::Model("it has no such branch"))
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
        let (branch, book) = self.find(number)?;
        branch.read(bytes, features, book, number).map(|_| ())
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
        Ok(match self.trunk.tree.walk(row) {
            End::Leaf(leaf) => self.trunk.code(leaf)?,
            End::Branch(number) => {
                let part = self.branch(features, number, load)?;
                part.code_at(part.tree.walk(row))?
            }
        })
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
        let mut walks = Walks::new(&self.trunk.tree);
        numbers
            .clone()
            .for_each(|n| walks.begin(n, &self.trunk.tree));
        walks.finish(rows);
        for number in numbers.clone() {
            if let End::Branch(branch) = walks.end(number) {
                let part = self.branch(features, branch, &mut load)?;
                walks.begin(number, &part.tree);
                parts[number] = part;
            }
        }
        walks.finish(rows);
        let mut codes = [Code::NONE; TOGETHER];
        for number in numbers {
            codes[number] = parts[number].code_at(walks.end(number))?;
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
        trunk
            .tree
            .walk_rows(rows, &mut parts, 0, |end, parts, from| match end {
                End::Leaf(leaf) => visit(trunk.code(leaf)?, &parts.all[from..]),
                End::Branch(number) => {
                    let part = self.branch(features, number, &mut load)?;
                    part.tree.walk_rows(rows, parts, from, |end, parts, from| {
                        visit(part.code_at(end)?, &parts.all[from..])
                    })
                }
            })
    }

    /// The size of the model in memory in bytes, as far as it has been read.
    pub fn bytes(&self) -> usize {
        let branches = self.branches.iter();
        let read = branches.filter_map(|branch| branch.part.get());
        let read: usize = read.map(|part| part.bytes()).sum();
        let book = self.book.as_ref().map_or(0, |book| book.bytes());
        self.trunk.bytes() + read + self.branches.len() * size_of::<Branch>() + book
    }
}

impl Branch {
    fn read(
        &self,
        bytes: &[u8],
        features: &Features,
        book: &KeptBook,
        number: u32,
    ) -> Result<Part, LearnedError> {
        let read = Reading::all(
            bytes,
            features,
            book.open(features),
            self.spot,
            Kind::Branch,
        );
        read.map(|read| read.part).map_err(|fault| match fault {
            LearnedError::Model(what) => LearnedError::Branch(number, what),
            fault => fault,
        })
    }
}

/// A stream of bits has no more nodes and leaves for each of its bytes.
const ITEMS_A_BYTE: usize = 32;

impl Reading {
    /// Reads a part whose root is at `root`; `book` is what it begins with.
    fn all(
        bytes: &[u8],
        features: &Features,
        mut book: Book,
        root: Spot,
        kind: Kind,
    ) -> Result<Reading, LearnedError> {
        let mut decoder = Decoder::new(bytes);
        let most = if let Kind::Trunk(most) = kind {
            most
        } else {
            0
        };
        let mut tree = TreeBuilder::new(features);
        let (mut codes, mut branches) = (CodesBuilder::new(book.symbols()), Vec::new());
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
                spot.sibling = Some(tree.has_left_leaf(parent));
            }
            // The root of a branch is a node.
            let is_root = parent.is_none() && kind == Kind::Branch;
            leaf_before = !is_root && book.is_leaf(&mut decoder, spot, leaf_before);
            if leaf_before {
                book.shape(&mut decoder, &mut shape)?;
                tree.leaf(codes.add(&shape)?);
                continue;
            }
            if usize::from(spot.depth) >= DEEPEST {
                return Err(LearnedError::Model("its tree is too deep"));
            }
            if matches!(kind, Kind::Trunk(_)) && book.is_branch(&mut decoder, spot, false) {
                let number = branches.len() as u32;
                if number >= most {
                    return Err(LearnedError::Model("it has too many branches"));
                }
                tree.branch(number);
                let part = OnceLock::new();
                branches.push(Branch { spot, part });
                continue;
            }
            let ask = Split {
                feature: 0,
                left: 0,
            };
            let node = tree.node(book.split(&mut decoder, features, ask)?);
            open.push((Some((node, false)), spot.below()));
            open.push((Some((node, true)), spot.below()));
        }
        if !decoder.is_done() {
            return Err(LearnedError::Model("its length is wrong"));
        }
        let (codes, places) = codes.finish(tree.leaves(), branches.len() as u32);
        tree.renumber(|leaf| places.get(leaf as usize).copied().unwrap_or(0));
        let part = Part {
            tree: tree.finish()?,
            codes,
        };
        Ok(Reading {
            part,
            branches,
            book,
        })
    }
}

impl Part {
    #[inline]
    fn code(&self, leaf: u32) -> Result<Code<'_>, LearnedError> {
        let fault = LearnedError::Model("a leaf has no code");
        self.codes.get(leaf).ok_or(fault)
    }

    #[inline]
    fn code_at(&self, end: End) -> Result<Code<'_>, LearnedError> {
        match end {
            End::Leaf(leaf) => self.code(leaf),
            End::Branch(_) => Err(LearnedError::Model("a branch has a branch")),
        }
    }

    fn bytes(&self) -> usize {
        self.tree.bytes() + self.codes.bytes()
    }
}
