//! Two games, or two rule options, on the same placements with the same side to move.

use retrograde_index::Wdl;
use retrograde_rules::{Game, Interchange, Material, Position};
use serde_json::{Value, json};

use crate::counts::{Counts, Sums};
use crate::error::ClaimError;
use crate::example::carried_over;
use crate::figures::row;
use crate::study::Study;
use crate::tables::Ground;

const ALL: usize = 0;
const FOREIGN: usize = 1;
const CHANGED: usize = 2;
/// From won, drawn and lost to won, drawn and lost, for the side to move.
const MATRIX: usize = 3;
/// By what the caller tells changed positions apart by.
const CAUSES: usize = MATRIX + 9;
/// How many such causes there can be.
pub(crate) const MOST_CAUSES: usize = 4;
const NUMBERS: usize = CAUSES + MOST_CAUSES;

/// What a comparison found. The bars show the share that is changed; the samples are by cause.
pub(crate) type Comparison = Sums<NUMBERS, MOST_CAUSES>;

impl Comparison {
    /// The positions of both games.
    pub(crate) fn positions(&self) -> u64 {
        self[ALL]
    }

    /// Placements that are a position of the first game alone.
    pub(crate) fn foreign(&self) -> u64 {
        self[FOREIGN]
    }

    /// How many have another value in the second game.
    pub(crate) fn changed(&self) -> u64 {
        self[CHANGED]
    }

    /// How many of these have a cause.
    pub(crate) fn cause(&self, cause: usize) -> u64 {
        self[CAUSES + cause]
    }

    /// How many are won, drawn and lost in each game, for the side to move, as rows.
    pub(crate) fn matrix(&self, [first, second]: [&str; 2]) -> Value {
        let names = ["won", "drawn", "lost"];
        let rows = names.iter().enumerate().map(|(a, name)| {
            let [won, drawn, lost] = [0, 1, 2].map(|b| self[MATRIX + 3 * a + b]);
            let (w, d, l) =
                (format!("won_in_{second}"), format!("drawn_in_{second}"), format!("lost_in_{second}"));
            json!({ "for_the_side_to_move": format!("{name} in {first}"), w: won, d: drawn, l: lost })
        });
        rows.collect()
    }
}

/// Which colourings of a material are compared.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Colourings {
    /// The one of the table: both games are kept by the same swap of the colours, which
    /// makes the other one say the same.
    OfTable,
    /// Both, since they differ in the second game. In the first one they are images of each
    /// other.
    Both,
}

/// Compares two games over materials of the first. `cause` tells changed positions apart, by
/// the values in both games, as a number below [`MOST_CAUSES`].
pub(crate) fn compare(
    study: &Study,
    [first, second]: [Game; 2],
    materials: &[Material],
    colourings: Colourings,
    cause: impl Fn(&Position, [Wdl; 2]) -> Result<usize, ClaimError> + Sync,
) -> Result<Comparison, ClaimError> {
    let mut found = Comparison::default();
    if colourings == Colourings::Both {
        // The walks over images.
        let others = materials.iter().filter(|m| image(first, m).is_some());
        study.expect(first, &others.copied().collect::<Vec<Material>>())?;
    }
    study.each(first, materials, |material| {
        let values = study.library.values(first, material)?;
        let (normal, swapped) = material.normal(second);
        // With the same shape a placement has the same index in both.
        let twin = match swapped || second.needs_no_table(&normal) {
            true => None,
            false => {
                let other = study.library.values(second, material)?;
                (other.index().shape() == values.index().shape()).then_some(other)
            }
        };
        let ground = match colourings {
            Colourings::OfTable => Ground::only(study.library, second, material)?,
            Colourings::Both => Ground::both(study.library, second, material)?,
        };
        let other = image(first, material).filter(|_| colourings == Colourings::Both);
        for how in std::iter::once(None).chain(other.map(Some)) {
            type Tally = Counts<NUMBERS, MOST_CAUSES>;
            let tally = study.walk(first, values.index(), |tally: &mut Tally, spot| {
                let weight = spot.weight;
                let position = match how {
                    None => Some(*spot.position),
                    Some(how) => spot.position.with_colours_swapped(how),
                };
                let Some(position) = position else {
                    return Ok(());
                };
                let Some(same) = carried_over(&position, second) else {
                    tally[FOREIGN] += weight;
                    return Ok(());
                };
                // For the side to move, and so the same for the image.
                let a = values.wdl(spot.turn(), spot.index);
                let b = match (&twin, how) {
                    (Some(other), None) => other.wdl(spot.turn(), spot.index),
                    _ => ground.wdl(&same)?,
                };
                tally[ALL] += weight;
                tally[MATRIX + 3 * place(a) + place(b)] += weight;
                if place(a) != place(b) {
                    tally[CHANGED] += weight;
                    let cause = cause(&position, [a, b])?;
                    tally[CAUSES + cause] += weight;
                    match how {
                        None => tally.offer(cause, spot),
                        Some(_) => tally.offer_image(cause, spot, &position),
                    }
                }
                Ok(())
            })?;
            let colouring = if how.is_none() {
                *material
            } else {
                material.swapped()
            };
            let (all, changed) = (tally[ALL], tally[CHANGED]);
            let figures = row(colouring, all, &[("other_value", changed)]);
            found.rows.push(figures);
            found.bars.add(colouring, all, &[changed]);
            found.add(&colouring, tally);
        }
        Ok(())
    })?;
    Ok(found)
}

/// How the other colouring of a material is made of the one in the table; `None` if there is
/// none, or if it is a table of its own.
pub(crate) fn image(game: Game, material: &Material) -> Option<Interchange> {
    let how = game.interchange(material);
    (*material != material.swapped() && how != Interchange::Never).then_some(how)
}

/// 0 for a win, 1 for a draw, 2 for a loss, the fifty-move rule apart.
pub(crate) fn place(wdl: Wdl) -> usize {
    match wdl {
        Wdl::Win | Wdl::CursedWin => 0,
        Wdl::Draw => 1,
        Wdl::Loss | Wdl::BlessedLoss => 2,
    }
}
