//! Encodes nodes of trees as bytes, with the sets of values that go left.
//!
//! These sets are in as few bytes as they take. What a step of a walk does, by what the head of a
//! node says, is looked up in a table, which takes fewer instructions than working it out.

/// The bytes of the head of a node.
pub(crate) const HEAD: u32 = 2;
/// The bytes in which a node is looked for: with a set of 128 values and four bytes behind it
/// takes 22. Whatever it says, a number begins at a byte below [`MOST_AT`], so that reading it
/// takes no check.
pub(crate) const NODE: usize = MOST_AT + 4;
const MOST_AT: usize = 32;
/// Set in the position of a walk that has ended; the other bits are the byte of the end.
pub(crate) const END: u32 = 1 << 31;

/// Copies `N` bytes of a node.
#[inline(always)]
pub(crate) fn part<const N: usize>(node: &[u8; NODE], at: usize) -> [u8; N] {
    let part = node.get(at..).and_then(<[u8]>::first_chunk);
    part.copied().unwrap_or([0; N])
}

/// A set of values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SetShape {
    /// The values from 0 on that are in it, fewer than this, whatever the node says.
    pub(crate) up_to: u8,
    /// The bytes of the set from which on and how many the node has.
    pub(crate) from: u8,
    pub(crate) len: u8,
    /// Whether the values before these bytes are in it, and those after them.
    pub(crate) low: bool,
    pub(crate) high: bool,
}

/// The shapes that the head of a node can name.
pub(crate) type SetShapes = [SetShape; SHAPES];

pub(crate) const SHAPES: usize = 101;
/// Thresholds are up to this.
const THRESHOLDS: u8 = 30;
/// The bytes of the sets of a board with at most 64 squares.
const BYTES: u8 = 8;

const NOTHING: SetShape = SetShape {
    up_to: 0,
    from: 0,
    len: 0,
    low: false,
    high: false,
};

/// The shapes of a board with at most 64 squares: thresholds, and sets without what is all alike at
/// their ends. Those that are most needed come first.
pub(crate) const SMALL: SetShapes = {
    let mut all = List::thresholds();
    all.add(0, BYTES, false, false);
    let mut cut = 1;
    while cut < BYTES {
        all.add(cut, BYTES - cut, false, false);
        all.add(0, BYTES - cut, false, false);
        cut += 1;
    }
    let mut cut = 1;
    while cut < BYTES {
        all.add(0, BYTES - cut, false, true);
        all.add(cut, BYTES - cut, true, false);
        cut += 1;
    }
    let mut from = 1;
    while from < BYTES - 1 {
        let mut len = 1;
        while from + len < BYTES {
            all.add(from, len, false, false);
            all.add(from, len, true, true);
            len += 1;
        }
        from += 1;
    }
    all.shapes
};

/// The shapes of a larger board: thresholds, and sets as they are.
pub(crate) const LARGE: SetShapes = {
    let mut all = List::thresholds();
    let mut len = 1;
    while len <= 16 {
        all.add(0, len, false, false);
        len += 1;
    }
    all.shapes
};

/// The shapes that heads can name on a board, which may be large.
pub(crate) fn shapes_of(large: bool) -> &'static SetShapes {
    static OF_SMALL: SetShapes = SMALL;
    static OF_LARGE: SetShapes = LARGE;
    if large { &OF_LARGE } else { &OF_SMALL }
}

struct List {
    shapes: SetShapes,
    len: usize,
}

impl List {
    const fn thresholds() -> List {
        let mut shapes = [NOTHING; SHAPES];
        let mut up_to = 1;
        while up_to <= THRESHOLDS {
            shapes[up_to as usize - 1].up_to = up_to;
            up_to += 1;
        }
        List {
            shapes,
            len: THRESHOLDS as usize,
        }
    }

    const fn add(&mut self, from: u8, len: u8, low: bool, high: bool) {
        self.shapes[self.len] = SetShape {
            up_to: 0,
            from,
            len,
            low,
            high,
        };
        self.len += 1;
    }
}

impl SetShape {
    /// The values that are in the set whatever the node says.
    pub(crate) const fn always(self) -> u64 {
        let low = if self.low { ones(8 * self.from) } else { 0 };
        let before_high = ones(8 * (self.from + self.len));
        let high = if self.high { !before_high } else { 0 };
        ones(self.up_to) | low | high
    }

    /// The bits of the bytes that the node has.
    pub(crate) const fn mask(self) -> u64 {
        ones(if self.len < BYTES { 8 * self.len } else { 64 })
    }
}

/// The values that are in the set whatever the node says, and all values of which it says nothing,
/// for each shape of a small board.
static FIXED: [(u64, u64); SHAPES] = {
    let mut fixed = [(0, 0); SHAPES];
    let mut number = 0;
    while number < SHAPES {
        let shape = SMALL[number];
        let said = shape.mask() << (8 * shape.from);
        fixed[number] = (shape.always(), !said);
        number += 1;
    }
    fixed
};

const fn ones(count: u8) -> u64 {
    if count < 64 {
        (1 << count) - 1
    } else {
        u64::MAX
    }
}

/// The number of the shortest of the first shapes `among` all of a board that asks for some
/// values of a feature with so many.
pub(crate) fn shortest(large: bool, among: usize, left: u128, size: u8) -> usize {
    let threshold = left.trailing_ones() as u8;
    let is_threshold =
        left.count_ones() == threshold.into() && (1..=THRESHOLDS).contains(&threshold);
    // A walk compares the lowest six bits of a value with a threshold.
    if is_threshold && size <= 64 {
        return usize::from(threshold) - 1;
    }
    let bytes = size.div_ceil(8).clamp(1, 16);
    if large {
        return usize::from(THRESHOLDS + bytes - 1);
    }
    let fits = |&number: &usize| {
        let (always, fixed) = FIXED[number];
        (left as u64 ^ always) & fixed == 0
    };
    let sets = (THRESHOLDS.into()..among.min(SHAPES)).filter(fits);
    let least = sets.min_by_key(|&number| SMALL[number].len);
    least.unwrap_or(THRESHOLDS.into())
}

/// The children of a node that are ends, and the way in which it says where the right one is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ends {
    /// None; one byte says how many bytes the left subtree takes.
    NoneNear,
    /// None; four bytes say it.
    NoneFar,
    Left,
    Right,
    Both,
}

impl Ends {
    /// The cases in the order of the numbers in heads.
    const ALL: [Ends; 5] = [
        Ends::NoneNear,
        Ends::NoneFar,
        Ends::Left,
        Ends::Right,
        Ends::Both,
    ];

    /// The bytes of the number, or of the ends.
    pub(crate) const fn bytes(self) -> u32 {
        match self {
            Ends::NoneNear | Ends::Left | Ends::Right => 1,
            Ends::Both => 2,
            Ends::NoneFar => 4,
        }
    }
}

/// The number in the head of a node beside its feature.
pub(crate) fn number(shape: usize, ends: Ends) -> usize {
    shape * Ends::ALL.len() + ends as usize
}

/// The meaning of a head, so that a step of a walk works out nothing.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Step {
    /// The values that go left whatever the node says, from the least one on that it is about.
    always: u64,
    /// The bits of the set that the node has.
    mask: u64,
    /// The distances to the next node on the right and on the left: this much behind the node, and
    /// by a number in the node more.
    next: [u32; 2],
    /// The bits of the number that count: none, the lowest byte, or all.
    masks: [i16; 2],
    /// The place in the node of the number.
    number: u8,
    /// The least value that the node is about.
    from: u8,
}

/// A step for each number that the upper nine bits of heads can be.
pub(crate) type Steps = [Step; 1 << STEP_BITS];

const STEP_BITS: u32 = 9;
/// The bits of a head below them.
pub(crate) const BELOW: u32 = u16::BITS - STEP_BITS;
/// The number of numbers that heads can have.
const NUMBERS: usize = SHAPES * Ends::ALL.len();
const _: () = assert!(NUMBERS <= 1 << STEP_BITS);

/// The number of bits of a head that are the feature: nearly all materials need only those below
/// the step.
pub(crate) fn feature_bits(features: usize) -> u32 {
    if features <= 1 << BELOW {
        BELOW
    } else {
        BELOW + 1
    }
}

/// The number of shapes that a head can tell from each other, given the bits that are the feature.
pub(crate) fn shapes_told_apart(feature_bits: u32) -> usize {
    SHAPES.min((1 << (u16::BITS - feature_bits)) / Ends::ALL.len())
}

/// The steps of a board, which may be large, given the bits of heads that are the feature.
pub(crate) fn steps_of(large: bool, feature: u8) -> &'static Steps {
    static OF: [[Steps; 2]; 2] = [
        [steps(&SMALL, BELOW), steps(&SMALL, BELOW + 1)],
        [steps(&LARGE, BELOW), steps(&LARGE, BELOW + 1)],
    ];
    &OF[usize::from(large)][usize::from(feature == u8::MAX)]
}

const fn steps(shapes: &SetShapes, feature_bits: u32) -> Steps {
    let mut all = [step(shapes[0], Ends::Both); 1 << STEP_BITS];
    let mut upper = 0;
    while upper < all.len() {
        let number = upper >> (feature_bits - BELOW);
        if number < NUMBERS {
            let shape = shapes[number / Ends::ALL.len()];
            all[upper] = step(shape, Ends::ALL[number % Ends::ALL.len()]);
        }
        upper += 1;
    }
    all
}

const fn step(shape: SetShape, ends: Ends) -> Step {
    let at = HEAD + shape.len as u32;
    let (near, end) = (at + ends.bytes(), END + at);
    let next = match ends {
        Ends::NoneNear | Ends::NoneFar => [near, near],
        Ends::Left => [near, end],
        Ends::Right => [end, near],
        Ends::Both => [end + 1, end],
    };
    Step {
        always: shape.always().rotate_right(8 * shape.from as u32),
        mask: shape.mask(),
        next,
        masks: match ends {
            Ends::NoneNear => [0xFF, 0],
            Ends::NoneFar => [-1, 0],
            _ => [0, 0],
        },
        number: at as u8,
        from: 8 * shape.from,
    }
}

impl Step {
    /// Whether a value goes left: 1 or 0, given what bytes the node has of the set.
    #[inline(always)]
    pub(crate) fn left(&self, set: u64, value: u8) -> usize {
        // The value comes late, so nothing that does not need it waits for it.
        let lefts = set & self.mask | self.always;
        (lefts >> (value.wrapping_sub(self.from) & 63)) as usize & 1
    }

    /// The values that go left.
    #[inline]
    pub(crate) fn all_lefts(&self, node: &[u8; NODE]) -> u128 {
        let at = HEAD as usize;
        let set = u64::from_le_bytes(part(node, at));
        let low = (set & self.mask | self.always).rotate_left(self.from.into());
        let is_long = usize::from(self.number) > at + 8;
        let high = if is_long {
            u64::from_le_bytes(part(node, at + 8))
        } else {
            0
        };
        u128::from(high) << 64 | u128::from(low)
    }

    /// The places where a walk goes on from a node to the right and to the left.
    #[inline(always)]
    pub(crate) fn next(&self, at: u32, node: &[u8; NODE]) -> [u32; 2] {
        [0, 1].map(|left| self.next_of(left, at, node))
    }

    /// The place where a walk goes on from a node: to the left if `left` is 1, to the right if it
    /// is 0.
    #[inline(always)]
    pub(crate) fn next_of(&self, left: usize, at: u32, node: &[u8; NODE]) -> u32 {
        let number = u32::from_le_bytes(part(node, usize::from(self.number) % MOST_AT));
        let number = number & i32::from(self.masks[left & 1]) as u32;
        at.wrapping_add(self.next[left & 1]).wrapping_add(number)
    }
}
