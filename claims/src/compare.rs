//! Compares two games, or two rule options, on the same placements with the same side to move.
//!
//! It counts the values in both and the share that is changed, and keeps examples by cause. Where
//! a definition of a game comes to claim something about itself and another game, distances and
//! counts of moves belong here too.

use retrograde_index::Wdl;
use retrograde_rules::Position;

use crate::engine::Class;
use crate::error::ClaimError;
use crate::example::carried_over;
use crate::study::{Visitor, visiting};
use crate::tables::{Lookup, Results, Volume};

/// The value of a position in the first game, for the side to move. That in the second is the
/// place: see [`place`].
const VALUES: [&str; 3] = ["won", "drawn", "lost"];

/// Compares the first two games over a class. Counts `positions`; placements `foreign` to the
/// second game; `won`, `drawn` and `lost`, by the value in the second game; `other_value`; and
/// `cause` by what the caller tells changed positions apart by, shown as examples.
pub(crate) fn comparing<'a>(
    class: &'a Class<'a>,
    cause: impl Fn(&Position, [Wdl; 2]) -> Result<usize, ClaimError> + Sync + 'a,
) -> Result<Visitor<'a>, ClaimError> {
    let (library, material, second) = (class.library(), class.material, class.inquiry.games[1]);
    let values = class.values::<Results>()?;
    let (normal, swapped) = material.normal(second);
    // With the same shape a placement has the same index in both.
    let twin = match class.how.is_some() || swapped || second.needs_no_table(&normal) {
        true => None,
        false => {
            let other = library.read::<Results>(second, material)?;
            (other.index().shape() == values.index().shape()).then_some(other)
        }
    };
    let colouring = match class.how {
        None => *material,
        Some(_) => material.swapped(),
    };
    let others = Lookup::only(library, second, &colouring)?;
    visiting(move |tally, spot| {
        let Some(same) = carried_over(spot.position, second) else {
            tally.add("foreign");
            return Ok(());
        };
        // For the side to move, and so the same for the image.
        let turn = match class.how {
            None => spot.turn(),
            Some(_) => spot.turn().other(),
        };
        let here = values.wdl(turn, spot.index);
        let there = match &twin {
            Some(other) => other.wdl(turn, spot.index),
            None => others.wdl(&same)?,
        };
        tally.add("positions");
        tally.add((VALUES[place(here)], place(there)));
        if place(here) != place(there) {
            tally.add("other_value");
            let cause = cause(spot.position, [here, there])?;
            tally.add(("cause", cause));
            tally.show(("cause", cause), spot.position);
        }
        Ok(())
    })
}

/// 0 for a win, 1 for a draw, 2 for a loss, the fifty-move rule apart.
pub(crate) fn place(wdl: Wdl) -> usize {
    match wdl {
        Wdl::Win | Wdl::CursedWin => 0,
        Wdl::Draw => 1,
        Wdl::Loss | Wdl::BlessedLoss => 2,
    }
}
