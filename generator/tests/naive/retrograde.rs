//! Retrograde's side of the comparison: tables generated into a folder and probed through
//! the library. The only file here that knows Retrograde.

use retrograde_probe::{Dtm, Metric, Table, Tablebase, Wdl, table_path};
use retrograde_rules::{Colour, Game, Piece, Position, Square};
use tempfile::TempDir;

use crate::common::make;

use super::fifty::Outcome;
use super::orthodox::Orthodox;
use super::state::{Side, State, Value};

/// What the tables say about a state, without the fifty-move rule and with it.
pub(crate) type Answer = (Value, Outcome);

const ILLEGAL: Answer = (Value::Illegal, Outcome::Illegal);

/// The tables of some materials and of all that they need.
pub(crate) struct Retrograde {
    /// One metric each.
    depths: Tablebase,
    results: Tablebase,
    /// All metrics.
    tables: Tablebase,
    limit: u32,
    _folder: TempDir,
}

impl Retrograde {
    /// Makes the tables, a real win having `limit` plies to its next zeroing
    /// move.
    pub(crate) fn generate(names: &[&str], limit: u32) -> Retrograde {
        let folder = TempDir::new().unwrap();
        let made = make(Game::default(), folder.path(), names, Some(limit));
        let open = |metrics: &[Metric]| {
            let table = |material, metric| {
                Table::open(&table_path(
                    folder.path(),
                    Game::default(),
                    &material,
                    metric,
                ))
                .unwrap()
            };
            let tables = made.iter().flat_map(|&material| {
                let tables = metrics.iter().map(|&metric| table(material, metric));
                tables.collect::<Vec<_>>()
            });
            let tables = Tablebase::from_tables(Game::default(), tables).unwrap();
            tables.with_zeroing_limit(limit)
        };
        Retrograde {
            depths: open(&[Metric::Dtm]),
            results: open(&[Metric::Wdl]),
            tables: open(Metric::of(Game::default())),
            limit,
            _folder: folder,
        }
    }

    /// The value of a state without e.p. rights, set up piece by piece.
    pub(crate) fn by_pieces(&self, state: &State) -> Answer {
        assert_eq!(state.extra, 0);
        let turn = match state.turn {
            Side::White => Colour::White,
            Side::Black => Colour::Black,
        };
        let pieces = state
            .iter()
            .map(|(_, piece, square)| (Piece::from_letter(piece as char).unwrap(), Square(square)));
        match Position::from_pieces(Game::default(), pieces, turn) {
            Some(position) => self.value(&position),
            None => ILLEGAL,
        }
    }

    /// The value of any state, by way of a FEN. There is no state here with an e.p. right
    /// that does not count; Retrograde drops the right or refuses the FEN.
    pub(crate) fn by_fen(&self, state: &State) -> Answer {
        if state.overlaps() {
            return ILLEGAL;
        }
        match Position::from_fen(Game::default(), &Orthodox::fen(state)) {
            Ok(position) if position.ep().is_some() == (state.extra != 0) => self.value(&position),
            _ => ILLEGAL,
        }
    }

    fn value(&self, position: &Position) -> Answer {
        let fen = || position.fen();
        let all = self.tables.value(position).unwrap();
        let in_passing = position.ep().is_some();
        // DTM alone is certain only of mates within the limit, and WDL alone only of
        // positions that have a value.
        match self.depths.value(position) {
            Ok(depths) => {
                assert_eq!(all.dtm, depths.dtm, "{}", fen());
                assert_eq!(depths.dtz, None);
            }
            Err(_) => {
                let long = all.dtm.is_some_and(|Dtm(plies)| plies > self.limit);
                assert!(long || in_passing, "{}", fen());
            }
        }
        match self.results.value(position) {
            Ok(results) => {
                assert_eq!(results.dtz, None);
                assert_eq!(all.wdl, results.wdl, "{}", fen());
            }
            Err(_) => assert!(in_passing, "{}", fen()),
        }
        // A table alone says what it is asked for.
        assert_eq!(self.depths.dtm(position).unwrap(), all.dtm, "{}", fen());
        assert_eq!(self.tables.dtz(position).unwrap(), all.dtz, "{}", fen());
        match self.results.wdl(position) {
            Ok(wdl) => assert_eq!(wdl, all.wdl, "{}", fen()),
            Err(_) => assert!(in_passing, "{}", fen()),
        }
        assert_eq!(self.tables.wdl(position).unwrap(), all.wdl, "{}", fen());
        let short = |plies: Option<u32>| plies.map(|plies| u16::try_from(plies).unwrap());
        let value = match (all.wdl, short(all.dtm.map(u32::from))) {
            (Wdl::Win | Wdl::CursedWin, Some(plies)) => Value::Win(plies),
            (Wdl::Loss | Wdl::BlessedLoss, Some(plies)) => Value::Loss(plies),
            (Wdl::Draw, None) => Value::Draw,
            other => panic!("{}: {other:?}", fen()),
        };
        let outcome = match (all.wdl, short(all.dtz.map(u32::from))) {
            (Wdl::Win, Some(plies)) => Outcome::Win(plies),
            (Wdl::CursedWin, Some(plies)) => Outcome::CursedWin(plies),
            (Wdl::Draw, None) => Outcome::Draw,
            (Wdl::BlessedLoss, Some(plies)) => Outcome::BlessedLoss(plies),
            (Wdl::Loss, Some(plies)) => Outcome::Loss(plies),
            other => panic!("{}: {other:?}", fen()),
        };
        (value, outcome)
    }
}
