//! A second opinion on tables: that of the naive interpreter, which reads the definition of the
//! game by itself, plays by it on a plain board, and solves materials by the plainest means. It
//! shares no code with the rules, the solver, the verifier and the reader.

use retrograde_oracle::{Category, Game as Naive, Solver, Value};
use retrograde_probe::{Answer, Tablebase, Value as Stored, Wdl};
use retrograde_rules::{Game, Material, Position};

use super::super::failure::{CommandResult, Failure, Status};
use super::super::folders::Folders;
use super::super::games::keys_set;
use super::super::numbers::plural;
use super::super::output::Output;
use super::super::terminal::message;

/// How many positions that differ are shown of a material.
const SHOWN: usize = 5;

/// Compares every position of some materials.
pub(super) fn run(game: Game, materials: &[Material], folders: &Folders) -> CommandResult {
    let naive = interpreter(game).map_err(Failure::usage)?;
    let solver = Solver::new(&naive);
    let tables = folders.open(game)?;
    let mut output = Output::new();
    let (mut all, mut differing) = (0, 0);
    for material in materials {
        let name = material.name(game);
        let solved = solver.solve(&name).map_err(Failure::usage)?;
        let (mut positions, mut shown) = (0_u64, Vec::new());
        let mut wrong = 0_u64;
        for (fen, value) in solved.positions() {
            positions += 1;
            let ours = stored(game, &fen, &tables, folders)?;
            let said = Said::of(value, ours.as_ref());
            if ours.as_ref().is_none_or(|ours| Said::stored(ours) != said) {
                wrong += 1;
                if shown.len() < SHOWN {
                    let ours = ours.map_or("no position".to_owned(), |a| Said::stored(&a).words());
                    shown.push(format!(
                        "  {fen}: the table says {ours}, it should say {}",
                        said.words()
                    ));
                }
            }
        }
        let verdict = match wrong {
            0 => "all right".to_owned(),
            wrong => plural(wrong, "differs", "differ"),
        };
        let count = plural(positions, "position", "positions");
        output.line(format_args!("{name}: {count}, {verdict}"))?;
        for line in shown {
            output.line(line)?;
        }
        output.flush()?;
        all += positions;
        differing += wrong;
    }
    message(&format!(
        "{} compared with the naive interpreter, {}, {}",
        plural(materials.len() as u64, "material", "materials"),
        plural(all, "position", "positions"),
        match differing {
            0 => "all of them right".to_owned(),
            wrong => plural(wrong, "differs", "differ"),
        }
    ));
    Ok(match differing {
        0 => Status::Fine,
        _ => Status::Negative,
    })
}

/// The interpreter of a game, from the text that the game was read from, with the same options
/// and keys set; from its normal form if that text extends another file, or its array is for
/// another size of the board.
fn interpreter(game: Game) -> Result<Naive, String> {
    let built_in = |name: &str| Some(Game::parse(name).ok()?.definition().to_owned());
    let chosen: Vec<(String, String)> = game
        .offers()
        .iter()
        .map(|offer| (offer.name.clone(), game.value_of(offer)))
        .chain(keys_set())
        .collect();
    let chosen: Vec<(&str, &str)> = chosen
        .iter()
        .map(|(k, v)| (k.as_str(), v.as_str()))
        .collect();
    Naive::read(game.definition(), &built_in, &chosen).or_else(|error| {
        // Tables have no castling rights, so the normal form leaves out how they are written.
        let (name, normal) = (game.name(), game.normal());
        let castling = match normal.contains("castling.rule") {
            true => "",
            false => "castling.rule = \"off\"\n",
        };
        let text = format!("format = 1\nname = \"{name}\"\n{normal}{castling}");
        Naive::read(&text, &built_in, &[]).map_err(|_| error)
    })
}

/// The tables' answer; `None` if the rules know no such position.
fn stored(
    game: Game,
    fen: &str,
    tables: &Tablebase,
    folders: &Folders,
) -> Result<Option<Answer>, Failure> {
    let Ok(position) = Position::from_fen(game, fen) else {
        return Ok(None);
    };
    // Another right to capture en passant is another position.
    if position.fen().split(' ').nth(3) != fen.split(' ').nth(3) {
        return Ok(None);
    }
    let answer = tables.probe(&position);
    answer
        .map(Some)
        .map_err(|error| folders.probe_failure(&error))
}

/// A statement on a position, as far as tables and interpreter can both make it.
#[derive(Debug, PartialEq, Eq)]
struct Said {
    category: Wdl,
    depth: Option<u32>,
    dtz: Option<u32>,
}

impl Said {
    /// The interpreter's value; distances only where the tables have them.
    fn of(value: Value, ours: Option<&Answer>) -> Said {
        let ours = ours.map(Said::stored);
        let knows = |get: fn(&Said) -> Option<u32>| ours.as_ref().is_none_or(|o| get(o).is_some());
        let category = match value.category {
            Category::Loss => Wdl::Loss,
            Category::BlessedLoss => Wdl::BlessedLoss,
            Category::Draw => Wdl::Draw,
            Category::CursedWin => Wdl::CursedWin,
            Category::Win => Wdl::Win,
        };
        Said {
            category,
            depth: value.depth.filter(|_| knows(|said| said.depth)),
            dtz: value.dtz.filter(|_| knows(|said| said.dtz)),
        }
    }

    fn stored(answer: &Answer) -> Said {
        let Stored { wdl, .. } = answer.value;
        Said {
            category: wdl,
            depth: answer.value.dtm.map(u32::from),
            dtz: answer.value.dtz.map(u32::from),
        }
    }

    fn words(&self) -> String {
        let plies = |name: &str, plies: Option<u32>| {
            plies.map_or(String::new(), |plies| format!(", {name} {plies}"))
        };
        let category = self.category.name();
        format!(
            "{category}{}{}",
            plies("depth", self.depth),
            plies("DTZ", self.dtz)
        )
    }
}
