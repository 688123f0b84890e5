//! Retrograde's tables against the plain solver: every state of a material.

use retrograde_probe::{Dtm, Tablebase, Wdl};
use retrograde_rules::{Game as Known, Position};
use tempfile::TempDir;

use crate::common::make;

use super::super::solve::Solver;
use super::super::state::Value;
use super::game::Game;
use super::ours::position;

/// The tables of some materials and of all that they need.
pub(super) struct Tables {
    game: Known,
    tables: Tablebase,
    _folder: TempDir,
}

impl Tables {
    /// Makes the tables.
    pub(super) fn make(id: &str, names: &[&str]) -> Tables {
        let game = Known::parse(id).unwrap();
        let folder = TempDir::new().unwrap();
        make(game, folder.path(), names, None);
        Tables {
            game,
            tables: Tablebase::open(game, [folder.path()]).unwrap(),
            _folder: folder,
        }
    }

    fn value(&self, position: &Position) -> Value {
        let value = self.tables.value(position).unwrap();
        let plies = value.dtm.map(|Dtm(plies)| u16::try_from(plies).unwrap());
        assert_eq!(self.tables.wdl(position).unwrap(), value.wdl);
        assert_eq!(self.tables.dtm(position).unwrap(), value.dtm);
        match (value.wdl, plies) {
            (Wdl::Win, Some(plies)) => Value::Win(plies),
            (Wdl::Loss, Some(plies)) => Value::Loss(plies),
            (Wdl::Draw, None) => Value::Draw,
            other => panic!("{}: {other:?}", position.fen()),
        }
    }

    /// Compares every state of a material on the whole board, those with a right
    /// to take en passant too, whoever is to move: value, depth, and whether
    /// it is legal. Returns how many legal ones there are, without a right and
    /// with one.
    pub(super) fn compare(&self, solver: &mut Solver<Game>, name: &str) -> [u64; 2] {
        let shape = solver.rules().shape();
        let mut legal = [0; 2];
        for state in solver.states(name) {
            let value = solver.value(&state);
            let found = match position(self.game, shape, &state) {
                None => Value::Illegal,
                Some(position) => self.value(&position),
            };
            assert_eq!(
                found,
                value,
                "{}: {}",
                self.game.id(),
                shape.diagram(&state)
            );
            if value != Value::Illegal {
                legal[usize::from(state.extra != 0)] += 1;
            }
        }
        println!("{} {name}: {legal:?} agree", self.game.id());
        legal
    }
}
