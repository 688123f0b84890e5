//! What nodes ask: the sets of values that go left, in as few bytes as they take.

/// A set of values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Question {
    /// The values from 0 on that are in it, fewer than this, whatever the node says.
    pub(super) up_to: u8,
    /// The bytes of the set from which on and how many the node has.
    pub(super) from: u8,
    pub(super) len: u8,
    /// Whether the values before these bytes are in it, and those after them.
    pub(super) low: bool,
    pub(super) high: bool,
}

/// All that the head of a node can say.
pub(super) type Questions = [Question; QUESTIONS];

pub(super) const QUESTIONS: usize = 101;
/// Thresholds are up to this.
const THRESHOLDS: u8 = 30;
/// The bytes of the sets of a board with at most 64 squares.
const BYTES: u8 = 8;

const NOTHING: Question = Question {
    up_to: 0,
    from: 0,
    len: 0,
    low: false,
    high: false,
};

/// Those of a board with at most 64 squares: thresholds, and sets without what is all alike at
/// their ends. Those that are most needed come first.
pub(super) const SMALL: Questions = {
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
    all.questions
};

/// Those of a larger board: thresholds, and sets as they are.
pub(super) const LARGE: Questions = {
    let mut all = List::thresholds();
    let mut len = 1;
    while len <= 16 {
        all.add(0, len, false, false);
        len += 1;
    }
    all.questions
};

/// All that heads can say on a board, which may be large.
pub(super) fn of(large: bool) -> &'static Questions {
    static OF_SMALL: Questions = SMALL;
    static OF_LARGE: Questions = LARGE;
    if large { &OF_LARGE } else { &OF_SMALL }
}

struct List {
    questions: Questions,
    len: usize,
}

impl List {
    const fn thresholds() -> List {
        let mut questions = [NOTHING; QUESTIONS];
        let mut up_to = 1;
        while up_to <= THRESHOLDS {
            questions[up_to as usize - 1].up_to = up_to;
            up_to += 1;
        }
        List {
            questions,
            len: THRESHOLDS as usize,
        }
    }

    const fn add(&mut self, from: u8, len: u8, low: bool, high: bool) {
        self.questions[self.len] = Question {
            up_to: 0,
            from,
            len,
            low,
            high,
        };
        self.len += 1;
    }
}

impl Question {
    /// The values that are in the set whatever the node says.
    pub(super) const fn always(self) -> u64 {
        let low = if self.low { ones(8 * self.from) } else { 0 };
        let before_high = ones(8 * (self.from + self.len));
        let high = if self.high { !before_high } else { 0 };
        ones(self.up_to) | low | high
    }

    /// The bits of the bytes that the node has.
    pub(super) const fn mask(self) -> u64 {
        ones(if self.len < BYTES { 8 * self.len } else { 64 })
    }
}

/// Of each question of a small board the values that are in the set whatever the node says, and
/// all values of which it says nothing.
static FIXED: [(u64, u64); QUESTIONS] = {
    let mut fixed = [(0, 0); QUESTIONS];
    let mut number = 0;
    while number < QUESTIONS {
        let question = SMALL[number];
        let said = question.mask() << (8 * question.from);
        fixed[number] = (question.always(), !said);
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

/// The number of the shortest of the first questions `among` all of a board that asks for some
/// values of a feature with so many.
pub(super) fn shortest(large: bool, among: usize, left: u128, size: u8) -> usize {
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
    let sets = (THRESHOLDS.into()..among.min(QUESTIONS)).filter(fits);
    let least = sets.min_by_key(|&number| SMALL[number].len);
    least.unwrap_or(THRESHOLDS.into())
}
