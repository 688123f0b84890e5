//! Builds the example positions of an answer, with what the tables say about each.

use retrograde_probe::{Dtm, Extra, Tablebase, Wdl};
use retrograde_rules::{Game, MoveKind, Position};
use serde::{Deserialize, Serialize};

use crate::error::ClaimError;
use crate::position::{carried_over, ends_at_once};
use crate::tables::{Library, Lookup};
use crate::tally::Spread;

/// The category of a position that no table is asked about, as in `probe`.
pub(crate) const UNKNOWN: &str = "unknown";

/// The most plies of best play that are shown, but for passes at the end.
const LINE: usize = 12;

/// So many passes in a row are told by their number.
const PASSES: usize = 4;

/// A position that shows something.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Example {
    /// The position.
    pub(crate) fen: String,
    /// The kind that it is an example of.
    pub(crate) kind: String,
    /// The answer of the tables.
    #[serde(flatten)]
    pub(crate) says: Says,
    /// The answers of the tables of other games about the same pieces.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) also: Vec<Says>,
    /// Best play in SAN, or the moves that matter; an ellipsis at the end if there are more.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) line: Vec<String>,
}

impl Example {
    /// A position of more men than tables have, about which the rules alone say something,
    /// with the moves that matter in SAN. Where the game is over, or the next move can win it, they
    /// say its value.
    pub(crate) fn by_the_rules(kind: &str, position: &Position, line: Vec<String>) -> Example {
        let turn = position.turn();
        let (winner, plies) = match position.end() {
            Some(end) => (Some(end.winner(turn)), 0),
            None if ends_at_once(position) => (Some(Some(turn)), 1),
            None => (None, 0),
        };
        let wdl = winner.map(|winner| Wdl::of_winner(winner, turn));
        let category = wdl.map_or(UNKNOWN, Wdl::name);
        let winner = winner.flatten();
        Example {
            fen: position.fen(),
            kind: kind.to_owned(),
            says: Says {
                game: position.game().id(),
                category: category.to_owned(),
                winner: winner.map(|winner| winner.name().to_owned()),
                depth_plies: winner.map(|_| plies),
                win_by: None,
            },
            also: Vec::new(),
            line,
        }
    }
}

/// The answer of the tables of a game about a position.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Says {
    /// The game.
    pub(crate) game: String,
    /// The category for the side to move; `unknown` if no table was asked.
    pub(crate) category: String,
    /// White, Black or nobody.
    pub(crate) winner: Option<String>,
    /// Plies to the end, if tables say them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) depth_plies: Option<u32>,
    /// The kind of win in High Chess: by mate or by exhaustion.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) win_by: Option<String>,
}

impl Says {
    /// Asks the tables about a position.
    pub(crate) fn probe(tables: &Tablebase, position: &Position) -> Result<Says, ClaimError> {
        let answer = tables.probe(position)?;
        let winner = answer.value.winner(position.turn());
        Ok(Says {
            game: position.game().id(),
            category: answer.value.wdl.name().to_owned(),
            winner: winner.map(|colour| colour.name().to_owned()),
            depth_plies: answer.value.dtm.map(|Dtm(plies)| plies),
            win_by: match answer.extra {
                Extra::Vitality { win_by, .. } => win_by.map(|by| by.name().to_owned()),
                _ => None,
            },
        })
    }
}

/// Examples of a kind from samples, with what the tables of `also` say about the same
/// pieces.
pub(crate) fn examples(
    library: &Library,
    kind: &str,
    spread: &Spread,
    also: &[Game],
) -> Result<Vec<Example>, ClaimError> {
    // What has been made up cannot be probed for.
    if library.is_doctored() {
        return Ok(Vec::new());
    }
    let picked = spread.pick();
    picked
        .iter()
        .map(|position| example(library, kind, position, also))
        .collect()
}

/// One example.
fn example(
    library: &Library,
    kind: &str,
    position: &Position,
    also: &[Game],
) -> Result<Example, ClaimError> {
    let game = position.game();
    let tables = library.probe(game)?;
    let says = Says::probe(&tables, position)?;
    compare(library, position, &says)?;
    let mut others = Vec::new();
    for &other in also {
        if let Some(same) = carried_over(position, other) {
            others.push(Says::probe(&*library.probe(other)?, &same)?);
        }
    }
    Ok(Example {
        fen: position.fen(),
        kind: kind.to_owned(),
        says,
        also: others,
        line: line(&tables, position)?,
    })
}

/// Whether probing agrees with what was counted.
fn compare(library: &Library, position: &Position, says: &Says) -> Result<(), ClaimError> {
    let (game, material) = (position.game(), position.material());
    let counted = match game.vitality() {
        Some(_) => {
            let winner = Lookup::around(library, game, &material)?.winner(position)?;
            Wdl::of_winner(Some(winner), position.turn())
        }
        None => Lookup::around(library, game, &material)?.wdl(position)?,
    };
    if counted.name() == says.category {
        return Ok(());
    }
    Err(ClaimError::Contradiction {
        game: game.id(),
        fen: position.fen(),
        counted: counted.name().to_owned(),
        probed: says.category.clone(),
    })
}

/// The first plies of best play in SAN; none for a draw. Of passes in a row the number is given:
/// `… 17 passes`.
fn line(tables: &Tablebase, position: &Position) -> Result<Vec<String>, ClaimError> {
    let mut position = *position;
    let mut line: Vec<String> = Vec::new();
    let mut passes = 0;
    loop {
        let moves = tables.moves(&position)?;
        let best = moves.first().filter(|best| best.winner().is_some());
        let Some(best) = best else {
            return Ok(line);
        };
        let is_pass = best.mv.kind == MoveKind::Pass;
        passes = if is_pass { passes + 1 } else { 0 };
        if passes >= PASSES {
            let told = if passes == PASSES { PASSES - 1 } else { 1 };
            line.truncate(line.len() - told);
            line.push(format!("… {passes} passes"));
        } else if line.len() >= LINE && !is_pass {
            line.push("…".to_owned());
            return Ok(line);
        } else {
            line.push(position.san(best.mv));
        }
        position = best.after;
    }
}
