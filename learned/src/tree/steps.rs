//! Where a walk goes on from a node, by what the upper byte of its head says. It is looked up in
//! a table, which takes fewer instructions than working it out.

use super::{END, FIELD, HEAD, Head, LEFT_ENDS, MOST_AT, NODE, Places, RIGHT_ENDS, part};

/// What the upper byte of the head of a node says, so that a step of a walk works out nothing.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    /// The values that go left, if there is no set.
    pub(super) up_to: u64,
    /// Where a walk goes on to the right and to the left.
    pub(super) next: [Next; 2],
}

/// Where a walk goes on from a node: the sum of its own place, if that counts, of a number that is
/// always the same, and of one that stands in the node.
#[derive(Clone, Copy, Debug)]
pub(super) struct Next {
    /// The bits of the place of the node that count: all or none.
    from: u32,
    add: u32,
    /// Where in the node a number stands, and the bits of it that count.
    at: u32,
    mask: u32,
}

/// A step for each value of the upper byte.
pub(super) type Steps = [Step; 256];

/// What the upper byte says in a tree with such places.
pub(super) fn of(places: Places) -> &'static Steps {
    static TINY: Steps = steps(Places::Tiny);
    static SMALL: Steps = steps(Places::Small);
    static LARGE: Steps = steps(Places::Large);
    match places {
        Places::Tiny => &TINY,
        Places::Small => &SMALL,
        Places::Large => &LARGE,
    }
}

const fn steps(places: Places) -> Steps {
    let [end, node] = places.bytes();
    let no = Next {
        from: 0,
        add: 0,
        at: 0,
        mask: 0,
    };
    let mut all = [Step {
        up_to: 0,
        next: [no; 2],
    }; 256];
    let mut upper = 0;
    while upper < all.len() {
        let head = Head((upper as u32) << FIELD);
        let at = HEAD + head.set_bytes();
        let [left_ends, right_ends] = [head.0 & LEFT_ENDS != 0, head.0 & RIGHT_ENDS != 0];
        let ends = left_ends as u32 + right_ends as u32;
        let stop = Next {
            from: 0,
            add: END,
            at: if ends == 2 { at + end } else { at },
            mask: u32::MAX >> (32 - 8 * end),
        };
        let near = Next {
            from: u32::MAX,
            add: at + if ends == 0 { node } else { end * ends },
            ..no
        };
        let far = Next {
            from: u32::MAX,
            add: 0,
            at,
            mask: u32::MAX >> (32 - 8 * node),
        };
        let next = match (right_ends, left_ends) {
            (false, false) => [far, near],
            (true, false) => [stop, near],
            (false, true) => [near, stop],
            (true, true) => [stop, Next { at, ..stop }],
        };
        let up_to = head.up_to();
        all[upper] = Step { up_to, next };
        upper += 1;
    }
    all
}

impl Next {
    /// Where a walk goes on from a node.
    #[inline(always)]
    pub(super) fn of(&self, at: u32, node: &[u8; NODE]) -> u32 {
        let number = u32::from_le_bytes(part(node, self.at as usize % MOST_AT)) & self.mask;
        (at & self.from).wrapping_add(self.add).wrapping_add(number)
    }
}
