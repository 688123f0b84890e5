//! Compares tables with the naive interpreter's solution, as a second opinion.
//!
//! The interpreter reads the definition of the game by itself, plays by it on a plain board, and
//! solves materials by the plainest means. It shares no code with the rules, the solver, the
//! verifier and the reader.

use retrograde::stats::{SideStats, kept};
use retrograde::values::ValuesError;
use retrograde_oracle::{Category, Game as Naive, Side, Solver, Value};
use retrograde_probe::{Answer, Extra, Helpmate, ProbeError, Tablebase, Value as Stored, Wdl};
use retrograde_rules::{Colour, Game, Material, Position};

use super::super::failure::{CommandResult, Failure, Status};
use super::super::folders::Folders;
use super::super::games::keys_set;
use super::super::numbers::plural;
use super::super::output::Output;
use super::super::terminal::message;

/// The most differing positions of a material that are shown.
const SHOWN: usize = 5;

/// Compares every position of some materials.
pub(super) fn run(game: Game, materials: &[Material], folders: &Folders) -> CommandResult {
    let naive = interpreter(game).map_err(Failure::usage)?;
    let solver = Solver::new(&naive);
    // White forces mate where it wins although Black's vitality is never lowered.
    let mating = [Side::Black, Side::White].map(|spared| naive.clone().sparing(spared));
    let mating = mating.each_ref().map(Solver::new);
    let tables = folders.open(game)?;
    // Solving takes long, so it is said first what is missing.
    for material in materials {
        let wanted = material.normal(game).0;
        let has_some = tables.tables().any(|(material, _)| material == wanted);
        if !has_some && !game.needs_no_table(&wanted) {
            return Err(folders.probe_failure(&tables.missing(material, None)));
        }
    }
    let mut output = Output::new();
    let (mut all, mut differing) = (0, 0);
    for material in materials {
        let mut compared = Compared::new(game, &tables, folders);
        compared.with(&solver, material)?;
        if game.vitality().is_some() {
            compared.mates(&mating, material)?;
        }
        compared.statistics(material)?;
        // Tables answer for the colours swapped, too.
        let swapped = material.swapped();
        if swapped != *material && swapped.normal(game).0 == *material {
            compared.with(&solver, &swapped)?;
        }
        let verdict = match compared.wrong {
            0 => "all right".to_owned(),
            wrong => plural(wrong, "differs", "differ"),
        };
        let count = plural(compared.positions, "position", "positions");
        output.line(format_args!("{}: {count}, {verdict}", material.name(game)))?;
        for line in compared.shown {
            output.line(line)?;
        }
        output.flush()?;
        all += compared.positions;
        differing += compared.wrong;
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

/// A material's comparison so far.
struct Compared<'a> {
    game: Game,
    tables: &'a Tablebase,
    folders: &'a Folders,
    positions: u64,
    wrong: u64,
    /// The first differences, in words.
    shown: Vec<String>,
    /// The interpreter's counts of positions without an e.p. right and with full counters.
    counts: [Counts; 2],
}

/// The number of positions with one side to move, and of those won, drawn and lost for it, and won
/// for either side by mate.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Counts {
    positions: u64,
    win: u64,
    draw: u64,
    loss: u64,
    by_mate: u64,
}

impl<'a> Compared<'a> {
    fn new(game: Game, tables: &'a Tablebase, folders: &'a Folders) -> Compared<'a> {
        Compared {
            game,
            tables,
            folders,
            positions: 0,
            wrong: 0,
            shown: Vec::new(),
            counts: Default::default(),
        }
    }

    fn differs(&mut self, text: impl FnOnce() -> String) {
        self.wrong += 1;
        if self.shown.len() < SHOWN {
            self.shown.push(format!("  {}", text()));
        }
    }

    /// The position of a FEN and what the tables say of it; `None` if the rules know no such
    /// position.
    fn stored(&self, fen: &str) -> Result<Option<(Position, Answer)>, Failure> {
        let Ok(position) = Position::from_fen(self.game, fen) else {
            return Ok(None);
        };
        // Another right to capture en passant is another position.
        if position.fen().split(' ').nth(3) != fen.split(' ').nth(3) {
            return Ok(None);
        }
        let answer = self.tables.probe(&position);
        let answer = answer.map_err(|error| self.folders.probe_failure(&error))?;
        Ok(Some((position, answer)))
    }

    /// Compares who wins, how fast, and who could be mated with help.
    fn with(&mut self, solver: &Solver<'_>, material: &Material) -> Result<(), Failure> {
        let is_normal = material.normal(self.game).0 == *material;
        let solved = solver
            .solve(&material.name(self.game))
            .map_err(Failure::usage)?;
        for (fen, value) in solved.positions() {
            self.positions += 1;
            let Some((position, answer)) = self.stored(&fen)? else {
                self.differs(|| format!("{fen}: the rules know no such position"));
                continue;
            };
            let helpmate = self.tables.helpmate(&position);
            let helpmate = helpmate.map_err(|error| self.folders.probe_failure(&error))?;
            let said = Said::stored(&answer, helpmate);
            let right = Said::of(value, &said);
            if said != right {
                let (said, right) = (said.words(), right.words());
                self.differs(|| format!("{fen}: the table says {said}, it should say {right}"));
            }
            let is_full = position.counters() == self.game.full_counters();
            if is_normal && position.ep().is_none() && is_full {
                let counts = &mut self.counts[position.turn().index()];
                counts.positions += 1;
                match right.category {
                    Wdl::Win | Wdl::CursedWin => counts.win += 1,
                    Wdl::Draw => counts.draw += 1,
                    Wdl::Loss | Wdl::BlessedLoss => counts.loss += 1,
                }
            }
        }
        Ok(())
    }

    /// Compares with which counters White, and Black, forces mate: it wins where the other's
    /// vitality is never lowered.
    fn mates(&mut self, mating: &[Solver<'_>; 2], material: &Material) -> Result<(), Failure> {
        for (side, solver) in Colour::BOTH.into_iter().zip(mating) {
            let solved = solver
                .solve(&material.name(self.game))
                .map_err(Failure::usage)?;
            for (fen, value) in solved.positions() {
                let Some((position, answer)) = self.stored(&fen)? else {
                    continue;
                };
                let right = match value.category {
                    Category::Win => position.turn() == side,
                    Category::Loss => position.turn() != side,
                    _ => false,
                };
                let counters = position.vitality();
                let Extra::Vitality { answer, .. } = answer.extra else {
                    continue;
                };
                let (Some(mates), Some(counters)) = (answer.mates, counters) else {
                    continue;
                };
                if (counters.of(side) >= mates[side.index()]) != right {
                    let name = side.name();
                    self.differs(|| format!("{fen}: it is wrong whether {name} forces mate"));
                }
                let is_full = Some(counters) == self.game.full_vitality();
                if right && position.ep().is_none() && is_full {
                    self.counts[position.turn().index()].by_mate += 1;
                }
            }
        }
        Ok(())
    }

    /// Compares the counts that the files keep. As each position of the interpreter's is one of
    /// the rules', equal numbers say that there are no others.
    fn statistics(&mut self, material: &Material) -> Result<(), Failure> {
        let stats = match kept(self.tables, material) {
            Ok(Some(stats)) => stats,
            // Two kings may need no table.
            Ok(None) | Err(ValuesError::Probe(ProbeError::Missing { .. })) => return Ok(()),
            Err(error) => return Err(self.folders.values_failure(&error)),
        };
        for turn in Colour::BOTH {
            let of = |side: &SideStats| Counts {
                positions: side.positions,
                win: side.win,
                draw: side.draw,
                loss: side.loss,
                by_mate: side.win_by.map_or(0, |by| by.mate),
            };
            let (found, right) = (of(&stats.sides[turn.index()]), self.counts[turn.index()]);
            if found != right {
                let turn = turn.name();
                self.differs(|| format!("with {turn} to move, {found:?} are kept, not {right:?}"));
            }
        }
        Ok(())
    }
}

/// The interpreter of a game, from the text that the game was read from, with the same options
/// and keys set; from its normal form if it cannot read that text, because it extends another file
/// or has an array for another size of the board. It says so then, since the rules have written
/// that form.
fn interpreter(game: Game) -> Result<Naive, String> {
    let built_in = |name: &str| Some(Game::parse(name).ok()?.definition().to_owned());
    let changed = game.offers().iter().filter_map(|offer| {
        let value = game.value_of(offer);
        (value != offer.default).then(|| (offer.name.clone(), value))
    });
    // The interpreter takes a name without a dot for that of an option.
    let keys = keys_set().into_iter().map(|(key, value)| match &*key {
        "castling" => ("castling.rule".to_owned(), value),
        _ => (key, value),
    });
    let chosen: Vec<(String, String)> = changed.chain(keys).collect();
    let chosen: Vec<(&str, &str)> = chosen
        .iter()
        .map(|(k, v)| (k.as_str(), v.as_str()))
        .collect();
    // Tables have no castling rights, so the normal form leaves out how they are written.
    let (name, normal) = (game.name(), game.normal());
    let castling = match normal.contains("castling.rule") {
        true => "",
        false => "castling.rule = \"off\"\n",
    };
    let of_normal = || {
        let text = format!("format = 1\nname = \"{name}\"\n{normal}{castling}");
        Naive::read(&text, &built_in, &[])
    };
    if game.definition() == normal {
        // It comes from tables, which carry no other text.
        return of_normal();
    }
    Naive::read(game.definition(), &built_in, &chosen).or_else(|error| {
        let naive = of_normal().map_err(|_| &error)?;
        message(&format!(
            "the interpreter reads the normal form of {}, not its text: {error}",
            game.id()
        ));
        Ok(naive)
    })
}

/// A statement on a position, as far as tables and interpreter can both make it.
#[derive(Debug, PartialEq, Eq)]
struct Said {
    category: Wdl,
    depth: Option<u32>,
    dtz: Option<u32>,
    helpmate: Option<Helpmate>,
}

impl Said {
    /// The interpreter's value, as far as the tables say something.
    fn of(value: Value, said: &Said) -> Said {
        let category = match value.category {
            Category::Loss => Wdl::Loss,
            Category::BlessedLoss => Wdl::BlessedLoss,
            Category::Draw => Wdl::Draw,
            Category::CursedWin => Wdl::CursedWin,
            Category::Win => Wdl::Win,
        };
        let [white, black] = value.may_lose;
        Said {
            category,
            depth: value.depth.filter(|_| said.depth.is_some()),
            dtz: value.dtz.filter(|_| said.dtz.is_some()),
            helpmate: said.helpmate.map(|_| Helpmate { white, black }),
        }
    }

    fn stored(answer: &Answer, helpmate: Option<Helpmate>) -> Said {
        let Stored { wdl, .. } = answer.value;
        Said {
            category: wdl,
            depth: answer.value.dtm.map(u32::from),
            dtz: answer.value.dtz.map(u32::from),
            helpmate,
        }
    }

    fn words(&self) -> String {
        let plies = |name: &str, plies: Option<u32>| {
            plies.map_or(String::new(), |plies| format!(", {name} {plies}"))
        };
        let category = self.category.name();
        let helpmate = self.helpmate.map_or("", |helpmate| match helpmate {
            Helpmate {
                white: true,
                black: true,
            } => ", both may lose",
            Helpmate { white: true, .. } => ", White may lose",
            Helpmate { black: true, .. } => ", Black may lose",
            Helpmate { .. } => ", neither may lose",
        });
        format!(
            "{category}{}{}{helpmate}",
            plies("depth", self.depth),
            plies("DTZ", self.dtz)
        )
    }
}
