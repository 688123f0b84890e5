//! Retrograde's side of the comparison: tables generated into a folder and
//! asked through the library. The only file here that knows Retrograde.

use retrograde::generate::{Options, Silent, generate};
use retrograde::plan::Plan;
use retrograde_probe::{Category, Metric, Table, Tablebase, table_path};
use retrograde_rules::{Colour, Game, Man, Material, Position, Square};
use tempfile::TempDir;

use super::orthodox::Orthodox;
use super::state::{Side, State, Value};

const GAME: Game = Game::Orthodox;

/// The tables of some classes and of all that they need.
pub(crate) struct Retrograde {
    depths: Tablebase,
    results: Tablebase,
    _folder: TempDir,
}

impl Retrograde {
    pub(crate) fn generate(names: &[&str]) -> Retrograde {
        let folder = TempDir::new().unwrap();
        let materials: Vec<Material> = names
            .iter()
            .map(|name| Material::parse(GAME, name).unwrap())
            .collect();
        let plan = Plan::new(GAME, &materials, None).unwrap();
        let options = Options {
            out: folder.path().to_owned(),
            ..Options::default()
        };
        generate(GAME, &plan, &options, &Silent).unwrap();
        let open = |metric| {
            let table = |material| Table::open(&table_path(folder.path(), GAME, &material, metric));
            let tables = plan
                .tables()
                .iter()
                .map(|planned| table(planned.material).unwrap());
            Tablebase::from_tables(GAME, tables).unwrap()
        };
        Retrograde {
            depths: open(Metric::Depth),
            results: open(Metric::Result),
            _folder: folder,
        }
    }

    /// The value of a state without e.p. rights, put up man by man.
    pub(crate) fn by_men(&self, state: &State) -> Value {
        assert_eq!(state.extra, 0);
        let turn = match state.turn {
            Side::White => Colour::White,
            Side::Black => Colour::Black,
        };
        let men = state
            .iter()
            .map(|(_, man, square)| (Man::from_letter(man as char).unwrap(), Square(square)));
        match Position::from_men(GAME, men, turn) {
            Some(position) => self.value(&position),
            None => Value::Illegal,
        }
    }

    /// The value of any state, by way of a FEN. An e.p. right that does not
    /// count is no state here; Retrograde drops it or refuses the FEN.
    pub(crate) fn by_fen(&self, state: &State) -> Value {
        if state.overlaps() {
            return Value::Illegal;
        }
        match Position::from_fen(GAME, &Orthodox::fen(state)) {
            Ok(position) if position.ep().is_some() == (state.extra != 0) => self.value(&position),
            _ => Value::Illegal,
        }
    }

    fn value(&self, position: &Position) -> Value {
        let value = self.depths.value(position).unwrap();
        let result = self.results.value(position).unwrap();
        assert_eq!(result.category, value.category, "{}", position.fen(GAME));
        match (value.category, value.depth_plies.map(u16::try_from)) {
            (Category::Win, Some(Ok(plies))) => Value::Win(plies),
            (Category::Loss, Some(Ok(plies))) => Value::Loss(plies),
            (Category::Draw, None) => Value::Draw,
            other => panic!("{}: {other:?}", position.fen(GAME)),
        }
    }
}
