//! Counts positions by predicates, for claims that say themselves what they count.

use retrograde_rules::Game;

use crate::engine::{Class, Counting};
use crate::error::ClaimError;
use crate::formula::interned;
use crate::position::carried_over;
use crate::predicate::{Predicate, View};
use crate::scope::is_possible;
use crate::study::{Visitor, visiting};
use crate::tables::Standings;

/// The counting of a claim that says itself, by predicates, what it counts.
pub(crate) static COUNTING: Counting = Counting::of("", counting);

/// Counts all positions, and those for which each predicate of the claim is true, which are shown;
/// if a predicate asks about the second game, only those that are positions of both.
fn counting<'a>(class: &'a Class<'a>) -> Result<Visitor<'a>, ClaimError> {
    let counts = class.inquiry.claim.counts.iter();
    let counts: Vec<(&'static str, &Predicate)> = counts
        .map(|(name, predicate)| (interned(name), predicate))
        .collect();
    let colouring = class.colouring();
    let standings = |game| Standings::only(class.library(), game, &colouring);
    let here = standings(class.game())?;
    let asks_there = counts.iter().any(|(_, predicate)| predicate.asks_there());
    let second: Option<Game> = class.inquiry.games.get(1).copied().filter(|_| asks_there);
    let there = match second {
        Some(game) if is_possible(game, &colouring) => Some(standings(game)?),
        _ => None,
    };
    visiting(move |tally, spot| {
        let same = second.and_then(|game| carried_over(spot.position, game));
        let mine = View::new(spot.position, &here);
        let others = match (&same, &there) {
            (Some(same), Some(there)) => Some(View::new(same, there)),
            _ => None,
        };
        if second.is_some() && others.is_none() {
            tally.add("foreign");
            return Ok(());
        }
        tally.add("positions");
        for &(name, predicate) in &counts {
            if predicate.holds(&mine, others.as_ref())? {
                tally.add(name);
                tally.show(name, spot.position);
            }
        }
        Ok(())
    })
}
