//! Retrograde's tables of High Chess against the plain solver. The only file
//! here that knows Retrograde.

use retrograde_probe::{Answer, Extra, Tablebase, WinBy};
use retrograde_rules::{Colour, End, Game, Piece, Position, Square};
use tempfile::TempDir;

use crate::common::make;

use super::super::board::diagram;
use super::super::state::{Side, State};
use super::rules::{self, Counters, Reading};
use super::solve::Solver;
use super::values;

/// One state of so many is also asked by way of a FEN, with its counters, and
/// with all its moves. A prime reaches squares of every kind.
const STRIDE: u64 = 101;

/// The tables of some materials and of all that they need.
pub(crate) struct Retrograde {
    game: Game,
    tables: Tablebase,
    _folder: TempDir,
}

/// How many legal states were compared.
#[derive(Debug, Default)]
pub(crate) struct Compared {
    /// Without and with a right to take en passant.
    pub(crate) states: [u64; 2],
    /// By way of a FEN.
    pub(crate) fens: u64,
    /// Of those, the moves.
    pub(crate) moves: u64,
}

fn colour(side: Side) -> Colour {
    match side {
        Side::White => Colour::White,
        Side::Black => Colour::Black,
    }
}

impl Retrograde {
    /// Generates tables of the solver's game.
    pub(crate) fn generate(rules: rules::Rules, names: &[&str]) -> Retrograde {
        let restores = match rules.reading {
            Reading::Mover => "mover",
            Reading::Both => "both",
        };
        let id = format!(
            "high-chess:vital-restores={restores},vitality={}",
            rules.full
        );
        let game = Game::parse(&id).unwrap();
        let folder = TempDir::new().unwrap();
        make(game, folder.path(), names, None);
        Retrograde {
            game,
            tables: Tablebase::open(game, [folder.path()]).unwrap(),
            _folder: folder,
        }
    }

    /// Compares every state of a material: whether it is legal, and its value for
    /// all counters.
    pub(crate) fn compare(&self, solver: &mut Solver, name: &str) -> Compared {
        let mut compared = Compared::default();
        let mut placed = 0;
        let mut some = Vec::new();
        solver.each(name, |state, expected| {
            placed += 1;
            let position = self.position(state);
            assert_eq!(position.is_some(), expected.is_some(), "{}", diagram(state));
            if placed % STRIDE == 0 {
                some.push((*state, placed / STRIDE));
            }
            if let (Some(position), Some(expected)) = (position, expected) {
                compared.states[usize::from(state.extra != 0)] += 1;
                self.same(&self.tables.probe(&position).unwrap(), &expected, state);
            }
        });
        for (state, number) in some {
            self.compare_with_counters(solver, &state, number, &mut compared);
        }
        println!("{} {name}: {compared:?} agree", self.game.id());
        compared
    }

    fn same(&self, found: &Answer, expected: &values::Answer, state: &State) {
        let Extra::Vitality { answer: found, .. } = found.extra else {
            panic!("{}: {found:?}", diagram(state));
        };
        let mates = [expected.white_mates, expected.black_mates];
        let thresholds = expected.thresholds.iter().copied();
        let same = found.curve.iter().eq(thresholds) && found.mates == Some(mates);
        assert!(same, "{}: {found:?}, not {expected:?}", diagram(state));
    }

    /// The position of a state, with full counters; `None` if it is illegal,
    /// or if the right to take en passant does not count.
    fn position(&self, state: &State) -> Option<Position> {
        if state.extra != 0 {
            let position = self.read(state, &diagram(state))?;
            return position.ep().is_some().then_some(position);
        }
        let pieces = state
            .iter()
            .map(|(_, piece, square)| (Piece::from_letter(piece as char).unwrap(), Square(square)));
        Position::from_pieces(self.game, pieces, colour(state.turn))
    }

    fn read(&self, state: &State, fen: &str) -> Option<Position> {
        if state.overlaps() {
            return None;
        }
        Position::from_fen(self.game, fen).ok()
    }

    /// Compares who wins with some counters, how, and by which moves.
    fn compare_with_counters(
        &self,
        solver: &mut Solver,
        state: &State,
        number: u64,
        compared: &mut Compared,
    ) {
        let full = u64::from(solver.rules.full);
        let points = |n: u64| (n % full) as u8 + 1;
        let counters = Counters {
            white: points(number),
            black: points(number / full),
        };
        let Some(expected) = solver.answer(state) else {
            return;
        };
        let winning = winner(&expected, counters);
        let mates = match winning {
            Side::White => counters.white >= expected.white_mates,
            Side::Black => counters.black >= expected.black_mates,
        };
        let fen = fen(state, counters);
        let position = self.read(state, &format!("{fen} 0 1")).unwrap();
        let found = self.tables.probe(&position).unwrap();
        let turn = position.turn();
        let wdl = self.tables.wdl(&position).unwrap();
        for found in [found.value.wdl, wdl] {
            assert_eq!(found.winner(turn), Some(colour(winning)), "{fen}");
        }
        let by = if mates {
            WinBy::Mate
        } else {
            WinBy::Exhaustion
        };
        let Extra::Vitality { win_by, .. } = found.extra else {
            panic!("{fen}: {found:?}");
        };
        assert_eq!(win_by, Some(by), "{fen}");
        compared.fens += 1;

        let mut moves = Vec::new();
        let game = solver.rules;
        rules::each_move(state, |next| {
            let Some(answer) = solver.answer(&next) else {
                return;
            };
            let left = game.charge(state, &next, counters);
            let over = left.white == 0 || left.black == 0;
            let (winner, end) = match over {
                _ if rules::mated(&next) => (state.turn, Some(End::Checkmate)),
                true => (state.turn.other(), Some(End::Exhaustion)),
                false => (winner(&answer, left), None),
            };
            moves.push((self::fen(&next, left), Some(colour(winner)), end));
        });
        let mut found: Vec<(String, Option<Colour>, Option<End>)> = Vec::new();
        for answer in self.tables.moves(&position).unwrap() {
            let after = answer.after.fen();
            let fields: Vec<&str> = after.split(' ').take(5).collect();
            found.push((fields.join(" "), answer.winner(), answer.end));
        }
        compared.moves += found.len() as u64;
        moves.sort_by(|a, b| a.0.cmp(&b.0));
        found.sort_by(|a, b| a.0.cmp(&b.0));
        assert_eq!(found, moves, "{fen}");
    }
}

/// Who wins with these counters, both 1 or more.
fn winner(answer: &values::Answer, counters: Counters) -> Side {
    if answer.white_wins(counters.white, counters.black) {
        Side::White
    } else {
        Side::Black
    }
}

/// The first five fields of a FEN.
fn fen(state: &State, counters: Counters) -> String {
    format!("{} {}+{}", diagram(state), counters.white, counters.black)
}
