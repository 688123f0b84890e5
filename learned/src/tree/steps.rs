//! What a step of a walk does, by what the head of a node says. It is looked up in a table, which
//! takes fewer instructions than working it out.

use super::questions::{LARGE, QUESTIONS, Question, Questions, SMALL};
use super::{END, HEAD, MOST_AT, NODE, part};

/// Which children of a node are ends, and how it says where the right one is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ends {
    /// None; one byte says how many bytes the left subtree takes.
    NoneNear,
    /// None; four bytes say it.
    NoneFar,
    Left,
    Right,
    Both,
}

impl Ends {
    /// In the order of the numbers in heads.
    const ALL: [Ends; 5] = [
        Ends::NoneNear,
        Ends::NoneFar,
        Ends::Left,
        Ends::Right,
        Ends::Both,
    ];

    /// The bytes of the number, or of the ends.
    pub(super) const fn bytes(self) -> u32 {
        match self {
            Ends::NoneNear | Ends::Left | Ends::Right => 1,
            Ends::Both => 2,
            Ends::NoneFar => 4,
        }
    }
}

/// What the head of a node says beside its feature.
pub(super) fn number(question: usize, ends: Ends) -> usize {
    question * Ends::ALL.len() + ends as usize
}

/// What the head says, so that a step of a walk works out nothing.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    /// The values that go left whatever the node says, from the least one on that it is about.
    always: u64,
    /// The bits of the set that the node has.
    mask: u64,
    /// Where a walk goes on to the right and to the left: this much behind the node, and by a
    /// number in the node more.
    next: [u32; 2],
    /// The bits of the number that count: none, the lowest byte, or all.
    masks: [i16; 2],
    /// Where in the node the number is.
    number: u8,
    /// The least value that the node is about.
    from: u8,
}

/// A step for each number that the upper nine bits of heads can be.
pub(super) type Steps = [Step; 1 << STEP_BITS];

const STEP_BITS: u32 = 9;
/// The bits of a head below them.
pub(super) const BELOW: u32 = u16::BITS - STEP_BITS;
/// How many numbers of heads there are.
const NUMBERS: usize = QUESTIONS * Ends::ALL.len();
const _: () = assert!(NUMBERS <= 1 << STEP_BITS);

/// Of a head the bits that are the feature: nearly all materials need no more than those below
/// the step.
pub(super) fn feature_bits(features: usize) -> u32 {
    if features <= 1 << BELOW {
        BELOW
    } else {
        BELOW + 1
    }
}

/// How many questions a head can tell from each other, given the bits that are the feature.
pub(super) fn questions(feature_bits: u32) -> usize {
    QUESTIONS.min((1 << (u16::BITS - feature_bits)) / Ends::ALL.len())
}

/// The steps of a board, which may be large, given the bits of heads that are the feature.
pub(super) fn of(large: bool, feature: u8) -> &'static Steps {
    static OF: [[Steps; 2]; 2] = [
        [steps(&SMALL, BELOW), steps(&SMALL, BELOW + 1)],
        [steps(&LARGE, BELOW), steps(&LARGE, BELOW + 1)],
    ];
    &OF[usize::from(large)][usize::from(feature == u8::MAX)]
}

const fn steps(questions: &Questions, feature_bits: u32) -> Steps {
    let mut all = [step(questions[0], Ends::Both); 1 << STEP_BITS];
    let mut upper = 0;
    while upper < all.len() {
        let number = upper >> (feature_bits - BELOW);
        if number < NUMBERS {
            let question = questions[number / Ends::ALL.len()];
            all[upper] = step(question, Ends::ALL[number % Ends::ALL.len()]);
        }
        upper += 1;
    }
    all
}

const fn step(question: Question, ends: Ends) -> Step {
    let at = HEAD + question.len as u32;
    let (near, end) = (at + ends.bytes(), END + at);
    let next = match ends {
        Ends::NoneNear | Ends::NoneFar => [near, near],
        Ends::Left => [near, end],
        Ends::Right => [end, near],
        Ends::Both => [end + 1, end],
    };
    Step {
        always: question.always().rotate_right(8 * question.from as u32),
        mask: question.mask(),
        next,
        masks: match ends {
            Ends::NoneNear => [0xFF, 0],
            Ends::NoneFar => [-1, 0],
            _ => [0, 0],
        },
        number: at as u8,
        from: 8 * question.from,
    }
}

impl Step {
    /// Whether a value goes left: 1 or 0, given what bytes the node has of the set.
    #[inline(always)]
    pub(super) fn left(&self, set: u64, value: u8) -> usize {
        // The value comes late, so nothing that does not need it waits for it.
        let lefts = set & self.mask | self.always;
        (lefts >> (value.wrapping_sub(self.from) & 63)) as usize & 1
    }

    /// All values that go left.
    #[inline]
    pub(super) fn all_lefts(&self, node: &[u8; NODE]) -> u128 {
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

    /// Where a walk goes on from a node to the right and to the left.
    #[inline(always)]
    pub(super) fn next(&self, at: u32, node: &[u8; NODE]) -> [u32; 2] {
        [0, 1].map(|left| self.next_of(left, at, node))
    }

    /// Where a walk goes on from a node: to the left if it says 1, to the right if 0.
    #[inline(always)]
    pub(super) fn next_of(&self, left: usize, at: u32, node: &[u8; NODE]) -> u32 {
        let number = u32::from_le_bytes(part(node, usize::from(self.number) % MOST_AT));
        let number = number & i32::from(self.masks[left & 1]) as u32;
        at.wrapping_add(self.next[left & 1]).wrapping_add(number)
    }
}
