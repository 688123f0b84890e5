//! Orthodox endings.

mod dead;
mod fifty_moves;
mod mating_material;

use retrograde_index::Helpmate;
use retrograde_rules::Position;

use crate::claim::Claim;
use crate::error::ClaimError;
use crate::sample::Spread;
use crate::study::Study;

/// The claims about orthodox chess.
pub(crate) const CLAIMS: &[&Claim] = &[&dead::CLAIM, &mating_material::CLAIM, &fifty_moves::CLAIM];

/// Whether probing says of the examples what they were counted as; `is_so` says it of a
/// position and the sides that can be mated.
fn confirm(
    study: &Study,
    spread: &Spread,
    is_so: impl Fn(&Position, Helpmate) -> bool,
    counted: &str,
) -> Result<(), ClaimError> {
    // What has been made up cannot be probed for.
    if study.library.is_doctored() {
        return Ok(());
    }
    for position in spread.pick() {
        let game = position.game();
        let probed = study.library.probe(game)?.helpmate(&position)?;
        if !probed.is_some_and(|helpmate| is_so(&position, helpmate)) {
            return Err(ClaimError::Contradiction {
                game: game.id(),
                fen: position.fen(),
                counted: counted.to_owned(),
                probed: match probed {
                    Some(Helpmate { white, black }) => {
                        format!("that White {} be mated, Black {}", can(white), can(black))
                    }
                    None => "nothing".to_owned(),
                },
            });
        }
    }
    Ok(())
}

fn can(can: bool) -> &'static str {
    if can { "can" } else { "cannot" }
}
