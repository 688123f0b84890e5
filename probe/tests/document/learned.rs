//! Reads the codec `learned` by a second reader, written from `docs/FORMAT-LEARNED.md`.

#![allow(clippy::unwrap_used, reason = "a reader of sound files")]

use std::collections::HashMap;

/// The facts that the document needs beside these parts.
pub(crate) struct About {
    pub(crate) branches: usize,
    pub(crate) files: usize,
    pub(crate) ranks: usize,
    pub(crate) pieces: Vec<Piece>,
    /// The number of values of each context.
    pub(crate) contexts: Vec<usize>,
    pub(crate) indices: u64,
    pub(crate) symbols: usize,
    pub(crate) bits: usize,
}

#[derive(Clone, Copy)]
pub(crate) struct Piece {
    pub(crate) black: bool,
    /// The letter in names of materials.
    pub(crate) letter: char,
    pub(crate) royal: bool,
}

/// The way in which the values of a feature are told apart.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    /// Divided by a threshold; features of one name have the same number.
    Threshold(usize),
    /// Divided by a set, drawn in rows; squares are all 0, those apart are all 1, each other
    /// feature has a index of its own.
    Set(usize, usize),
}

/// The features of a position: kind, index of values, value.
fn features(about: &About, squares: &[usize], contexts: &[usize]) -> Vec<(Kind, usize, usize)> {
    let (files, ranks) = (about.files, about.ranks);
    let board = files * ranks;
    let (file, rank) = (|s: usize| s % files, |s: usize| s / files);
    let attacks = |a: usize, b: usize| {
        let (piece, from, to) = (about.pieces[a], squares[a], squares[b]);
        let x = file(to) as i32 - file(from) as i32;
        let y = rank(to) as i32 - rank(from) as i32;
        let ahead = if piece.black { -1 } else { 1 };
        let free = || {
            let steps = x.abs().max(y.abs());
            (1..steps).all(|step| {
                let at = (rank(from) as i32 + step * y.signum()) * files as i32
                    + file(from) as i32
                    + step * x.signum();
                squares.iter().all(|&s| s as i32 != at)
            })
        };
        let straight = (x == 0) != (y == 0) && free();
        let diagonal = x != 0 && x.abs() == y.abs() && free();
        let leap = x.abs().min(y.abs()) == 1 && x.abs().max(y.abs()) == 2;
        match piece.letter {
            'K' => x.abs().max(y.abs()) == 1,
            'Q' => straight || diagonal,
            'R' => straight,
            'B' => diagonal,
            'N' => leap,
            'A' => diagonal || leap,
            'C' => straight || leap,
            _ => x.abs() == 1 && y == ahead,
        }
    };
    let mut all = Vec::new();
    for &square in squares {
        all.push((Kind::Set(0, files), board, square));
        all.push((Kind::Threshold(0), files, file(square)));
        all.push((Kind::Threshold(1), ranks, rank(square)));
    }
    let men = squares.len();
    for a in 0..men {
        for b in a + 1..men {
            let x = file(squares[a]) as i32 - file(squares[b]) as i32;
            let y = rank(squares[a]) as i32 - rank(squares[b]) as i32;
            let (far_x, far_y) = (x.unsigned_abs() as usize, y.unsigned_abs() as usize);
            all.push((Kind::Set(1, ranks), board, far_x * ranks + far_y));
            all.push((Kind::Threshold(2), 31, (x + 15) as usize));
            all.push((Kind::Threshold(3), 31, (y + 15) as usize));
            all.push((Kind::Threshold(4), 16, far_x.max(far_y)));
            let touch = usize::from(attacks(a, b)) + 2 * usize::from(attacks(b, a));
            all.push((Kind::Set(2 + all.len(), 2), 4, touch));
        }
    }
    for man in 0..men {
        let count = |enemy: bool| {
            let others = (0..men).filter(|&other| other != man);
            let many = others.filter(|&other| {
                (about.pieces[other].black != about.pieces[man].black) == enemy
                    && attacks(other, man)
            });
            many.count().min(3)
        };
        let value = 4 * count(true) + count(false);
        all.push((Kind::Set(2 + all.len(), 4), 16, value));
    }
    for (pawn, piece) in about.pieces.iter().enumerate() {
        for (other, royal) in about.pieces.iter().enumerate() {
            if piece.letter == 'P' && royal.royal && other != pawn {
                let last = if piece.black { 0 } else { ranks - 1 };
                let by_file = file(squares[pawn]).abs_diff(file(squares[other]));
                let steps = by_file.max(last.abs_diff(rank(squares[other])));
                let value = steps + 15 - last.abs_diff(rank(squares[pawn]));
                all.push((Kind::Threshold(5), 31, value));
            }
        }
    }
    for (&size, &value) in about.contexts.iter().zip(contexts) {
        all.push((Kind::Set(2 + all.len(), size), size, value));
    }
    all
}

/// A chance: `set` and `seen`.
#[derive(Clone, Copy)]
struct Chance(u32, u32);

/// The stream of bits, and the chances by the names of what they are for.
struct Stream<'a> {
    bytes: &'a [u8],
    at: usize,
    range: u32,
    code: u32,
    chances: HashMap<(&'static str, [usize; 3]), Chance>,
}

impl Stream<'_> {
    fn new(bytes: &[u8]) -> Stream<'_> {
        let code = bytes[..4]
            .iter()
            .fold(0, |code, &b| code << 8 | u32::from(b));
        Stream {
            bytes,
            at: 4,
            range: u32::MAX,
            code,
            chances: HashMap::new(),
        }
    }

    fn read(&mut self, chance: &mut Chance) -> bool {
        let Chance(set, seen) = *chance;
        let p = (set >> 4).clamp(1, 4095);
        let bound = (self.range >> 12) * p;
        let bit = self.code < bound;
        if bit {
            self.range = bound;
        } else {
            self.code -= bound;
            self.range -= bound;
        }
        while self.range < 1 << 24 {
            self.range <<= 8;
            self.code = self.code << 8 | u32::from(self.bytes[self.at]);
            self.at += 1;
        }
        let rate = 131_072 / (2 * seen + 3);
        let set = match bit {
            true => set + (((65_535 - set) * rate) >> 16),
            false => set - ((set * rate) >> 16),
        };
        *chance = Chance(set, (seen + 1).min(31));
        bit
    }

    fn bit(&mut self, name: &'static str, place: [usize; 3]) -> bool {
        let new = Chance(32_768, 0);
        let mut chance = *self.chances.entry((name, place)).or_insert(new);
        let bit = self.read(&mut chance);
        self.chances.insert((name, place), chance);
        bit
    }

    /// A index of so many bits.
    fn number(&mut self, name: &'static str, place: [usize; 2], bits: u32) -> usize {
        let mut chance = 1;
        for _ in 0..bits {
            chance = 2 * chance + usize::from(self.bit(name, [place[0], place[1], chance]));
        }
        chance - (1 << bits)
    }

    fn with_new_chances(&mut self, bits: u32) -> usize {
        (0..bits).fold(0, |index, _| {
            2 * index + usize::from(self.read(&mut Chance(32_768, 0)))
        })
    }

    /// Any index.
    fn any(&mut self, name: &'static str) -> usize {
        let bits = self.number(name, [0, 0], 5) as u32;
        let mut index = 1;
        if bits > 0 {
            index = 2 + usize::from(self.bit(name, [1, 0, bits as usize]));
            index = (index << (bits - 1)) + self.with_new_chances(bits - 1);
        }
        index - 1
    }
}

enum Tree {
    Leaf(Leaf),
    /// The feature, which of its values go left, the children.
    Node(usize, Vec<bool>, Box<[Tree; 2]>),
    /// The number of a branch.
    Branch(usize),
}

#[derive(Clone, Default)]
struct Leaf {
    /// Symbols and their filter bits.
    levels: Vec<(usize, u32)>,
    /// Symbols and the lengths of their codes, ascending.
    rest: Vec<(usize, u32)>,
}

impl Leaf {
    /// The lowest symbol; 0 of a leaf without.
    fn lowest(&self) -> usize {
        let both = self.levels.iter().chain(&self.rest);
        both.map(|&(symbol, _)| symbol).min().unwrap_or(0)
    }

    /// The known count of a symbol.
    fn known(&self, symbol: usize) -> usize {
        let find =
            |list: &[(usize, u32)]| list.iter().find(|&&(s, _)| s == symbol).map(|&(_, n)| n);
        let known = match (find(&self.levels), find(&self.rest)) {
            (Some(filter), _) => 1 + filter.min(6),
            (_, Some(length)) => 1 + length,
            (None, None) => 0,
        };
        known.min(7) as usize
    }
}

/// The number of nodes above the root of each branch so far; nothing in a branch.
type Roots = Option<Vec<usize>>;

fn subtree(
    stream: &mut Stream,
    kinds: &[(Kind, usize)],
    above: usize,
    sibling: usize,
    before: &mut Leaf,
    roots: &mut Roots,
) -> Tree {
    if stream.bit("leaf", [above.min(31), sibling, 0]) {
        *before = leaf(stream, before);
        return Tree::Leaf(before.clone());
    }
    if let Some(roots) = roots
        && stream.bit("branch", [above.min(31), 0, 0])
    {
        roots.push(above);
        return Tree::Branch(roots.len() - 1);
    }
    node(stream, kinds, above, before, roots)
}

fn node(
    stream: &mut Stream,
    kinds: &[(Kind, usize)],
    above: usize,
    before: &mut Leaf,
    roots: &mut Roots,
) -> Tree {
    let feature = stream.number("feature", [0, 0], 8);
    let (kind, size) = kinds[feature];
    let mut lefts = Vec::new();
    match kind {
        Kind::Threshold(name) => {
            let threshold = stream.number("threshold", [name, 0], 5);
            assert!(threshold + 1 < size);
            lefts.extend((0..size).map(|value| value <= threshold));
        }
        Kind::Set(name, row) => {
            for value in 0..size {
                let known = |at: usize| usize::from(lefts[at]);
                let chance = if name < 2 {
                    let west = if value % row > 0 { known(value - 1) } else { 2 };
                    let inner = value >= row;
                    let south = if inner { known(value - row) } else { 2 };
                    let a = inner && value % row > 0 && lefts[value - row - 1];
                    let b = inner && value % row + 1 < row && lefts[value - row + 1];
                    4 * (3 * west + south) + 2 * usize::from(a) + usize::from(b)
                } else {
                    3 * value + if value > 0 { known(value - 1) } else { 2 }
                };
                lefts.push(stream.bit("set", [name, chance, 0]));
            }
        }
    }
    let left = subtree(stream, kinds, above + 1, 0, before, roots);
    let sibling = if matches!(left, Tree::Leaf(_)) { 2 } else { 1 };
    let right = subtree(stream, kinds, above + 1, sibling, before, roots);
    Tree::Node(feature, lefts, Box::new([left, right]))
}

fn leaf(stream: &mut Stream, before: &Leaf) -> Leaf {
    let mut lowest = before.lowest();
    if stream.bit("another", [0; 3]) {
        let lower = stream.bit("lower", [0; 3]);
        let far = stream.any("distance") + 1;
        lowest = if lower { lowest - far } else { lowest + far };
    }
    let highest = lowest + stream.any("span");
    let mut symbols = vec![lowest];
    let mut near = 3;
    for symbol in lowest + 1..highest {
        let known = usize::from(before.known(symbol) > 0);
        let has = stream.bit("has", [2 * near + known, 0, 0]);
        near = (2 * near + usize::from(has)) % 8;
        if has {
            symbols.push(symbol);
        }
    }
    if highest > lowest {
        symbols.push(highest);
    }
    let mut leaf = Leaf::default();
    if symbols.len() > 1 {
        let levels = stream.number("levels", [symbols.len().min(7), 0], 2);
        for level in 0..levels {
            let many = symbols.len();
            let bits = usize::BITS - (many - 1).leading_zeros();
            let place = match bits {
                0..=4 => stream.number("place", [many, 0], bits),
                _ => stream.with_new_chances(bits),
            };
            let filter = stream.number("filter", [level, 0], 4) as u32;
            leaf.levels.push((symbols.remove(place), filter));
        }
    }
    let many = symbols.len();
    let mut length = 0;
    for (place, &symbol) in symbols.iter().enumerate() {
        let known = before.known(symbol);
        length = match many {
            1 => 0,
            2 => 1,
            _ if place == 0 => stream.number("length", [8 * known + many.min(9) - 3, 0], 4),
            _ => stream.number("length", [64 + 8 * length.min(7) + known, 0], 4),
        };
        leaf.rest.push((symbol, length as u32));
    }
    leaf
}

/// A section that can be asked.
pub(crate) struct Section<'a> {
    about: &'a About,
    tree: Tree,
    branches: Vec<Tree>,
    directory: &'a [u8],
    lines: &'a [u8],
}

impl<'a> Section<'a> {
    pub(crate) fn new(
        about: &'a About,
        model: &'a [u8],
        branches: &[Vec<u8>],
        directory: &'a [u8],
        lines: &'a [u8],
    ) -> Section<'a> {
        let squares: Vec<usize> = (0..about.pieces.len()).collect();
        let contexts = vec![0; about.contexts.len()];
        let kinds: Vec<(Kind, usize)> = features(about, &squares, &contexts)
            .into_iter()
            .map(|(kind, size, _)| (kind, size))
            .collect();
        let mut stream = Stream::new(model);
        let mut roots = (!branches.is_empty()).then(Vec::new);
        let mut before = Leaf::default();
        let tree = subtree(&mut stream, &kinds, 0, 0, &mut before, &mut roots);
        assert_eq!(stream.at, model.len());
        let roots = roots.unwrap_or_default();
        assert_eq!(roots.len(), branches.len());
        let branch = |(above, bytes): (usize, &Vec<u8>)| {
            let (mut before, mut roots) = (before.clone(), None);
            let mut stream = Stream {
                chances: stream.chances.clone(),
                ..Stream::new(bytes)
            };
            let tree = node(&mut stream, &kinds, above, &mut before, &mut roots);
            assert_eq!(stream.at, bytes.len());
            tree
        };
        let branches = roots.into_iter().zip(branches).map(branch).collect();
        Section {
            about,
            tree,
            branches,
            directory,
            lines,
        }
    }

    /// The line of an index.
    fn line(&self, index: u64) -> &'a [u8] {
        let stretches = ((self.about.indices as usize - 1) >> self.about.bits) + 1;
        let stretch = (index >> self.about.bits) as usize;
        let number = |at: usize, size: usize| -> usize {
            let bytes = &self.directory[at..at + size];
            bytes.iter().rev().fold(0, |n, &b| n << 8 | usize::from(b))
        };
        let bytes = match self.about.bits {
            0..=16 => 2,
            17..=24 => 3,
            _ => 4,
        };
        let first = |line: usize| number(4 * (stretches + 1) + bytes * line, bytes);
        let low = index as usize & ((1 << self.about.bits) - 1);
        let (from, to) = (number(4 * stretch, 4), number(4 * stretch + 4, 4));
        let line = (from..to).rev().find(|&line| first(line) <= low);
        // None in the stretch: the last of an earlier one.
        let line = line.unwrap_or_else(|| from - 1);
        &self.lines[64 * line..64 * line + 64]
    }

    pub(crate) fn symbol(&self, index: u64, squares: &[usize], contexts: &[usize]) -> usize {
        let row = features(self.about, squares, contexts);
        let mut at = &self.tree;
        let leaf = loop {
            match at {
                Tree::Leaf(leaf) => break leaf,
                Tree::Branch(number) => at = &self.branches[*number],
                Tree::Node(feature, lefts, children) => {
                    let left = lefts[row[*feature].2];
                    at = &children[usize::from(!left)];
                }
            }
        };
        if leaf.levels.is_empty() && leaf.rest.len() == 1 {
            return leaf.rest[0].0;
        }
        let line = self.line(index);
        let column = |at: usize| line[at / 8] >> (at % 8) & 1;
        let split = (500..509)
            .rev()
            .fold(0, |n, at| 2 * n + usize::from(column(at)));
        let seed = (509..512)
            .rev()
            .fold(0, |n, at| 2 * n + u64::from(column(at)));
        let bit = |idx: u64| {
            let (begin, m) = match idx {
                0..48 => (0, split),
                _ => (split, 500 - split),
            };
            let mut x = (index ^ seed << 56).wrapping_add(0x9E37_79B9_7F4A_7C15);
            x = (x ^ x >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
            x = (x ^ x >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
            let key = x ^ x >> 31;
            let salt = (idx + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
            let product = u128::from(key ^ salt) * 0xD1B5_4A32_D192_ED03;
            let (low, high) = (product as u64, (product >> 64) as u64);
            let window = low ^ high.rotate_left(32);
            let start = match m {
                0..=64 => 0,
                _ => ((((low >> 32) * m as u64) >> 32) as usize)
                    .saturating_sub(32)
                    .min(m - 64),
            };
            let picked = (0..m.min(64)).filter(|i| window >> i & 1 != 0);
            picked.fold(0, |parity, i| parity ^ column(begin + start + i)) != 0
        };
        for (level, &(symbol, filter)) in leaf.levels.iter().enumerate() {
            let passes = (0..filter).all(|e| bit(level as u64 * 16 + u64::from(e)));
            if !passes || !bit(48 + level as u64) {
                return symbol;
            }
        }
        // Codes: by length, then by symbol.
        let mut rest: Vec<(u32, usize)> = leaf.rest.iter().map(|&(s, l)| (l, s)).collect();
        rest.sort_unstable();
        let mut codes = Vec::new();
        let (mut code, mut before) = (0u32, rest[0].0);
        for (place, &(length, symbol)) in rest.iter().enumerate() {
            code = (code + u32::from(place > 0)) << (length - before);
            before = length;
            codes.push((length, code, symbol));
        }
        let (mut read, mut length) = (0, 0);
        loop {
            let found = codes.iter().find(|&&(l, c, _)| (l, c) == (length, read));
            if let Some(&(_, _, symbol)) = found {
                return symbol;
            }
            read = 2 * read + u32::from(bit(51 + u64::from(length)));
            length += 1;
        }
    }
}
