//! Who forces mate although the other side's counter is never lowered.
//!
//! A set of states grows, from none: those in which the side is sure to mate.
//! Endless play never enters it. What is known of a state is one bit for each
//! number of the side's points.

use super::super::state::Side;
use super::layers::{Cell, from};
use super::quiet::{Quiet, Status};

/// For every state the least points with which `side` forces mate; one more
/// than a full counter if it does not.
pub(crate) fn least<C: Cell>(quiet: &Quiet, side: Side, full: u8) -> Vec<u8> {
    let all = !from(full + 1);
    let mut found = vec![C::default(); quiet.len()];
    loop {
        let mut changed = false;
        for index in 0..quiet.len() {
            if quiet.status[index] == Status::Illegal || found[index].bits() == all & !1 {
                continue;
            }
            let bits = mates(quiet, index, side, &found) & all;
            changed |= bits != found[index].bits();
            found[index] = C::of(bits);
        }
        if !changed {
            break;
        }
    }
    let least = |bits: u64| {
        let least = (bits & !1).trailing_zeros().min(u32::from(full) + 1);
        assert_eq!(
            bits & !1,
            from(least as u8) & all,
            "a point more does not mate"
        );
        least as u8
    };
    found.iter().map(|cell| least(cell.bits())).collect()
}

/// The points with which the side is sure to mate, as far as is known.
fn mates<C: Cell>(quiet: &Quiet, index: usize, side: Side, found: &[C]) -> u64 {
    let vital = from(quiet.vital[index].mates[side as usize]);
    let mover = quiet.turn(index);
    match quiet.status[index] {
        // The mate counts although it took the last point (H6).
        Status::Mated if mover != side => u64::MAX,
        Status::Mated => 0,
        _ if mover == side => {
            let mut bits = vital;
            for targets in quiet.targets(index) {
                for to in targets.to(targets.free) {
                    bits |= found[to].bits();
                }
                for to in targets.to(targets.paid) {
                    bits |= found[to].bits() << 1;
                }
            }
            bits & !1
        }
        _ => {
            let mut bits = vital;
            for targets in quiet.targets(index) {
                for to in targets.to(targets.free | targets.paid) {
                    bits &= found[to].bits();
                }
            }
            bits & !1
        }
    }
}
