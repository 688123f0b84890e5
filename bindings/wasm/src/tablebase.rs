//! Gives JavaScript the class `Tablebase`, which probes one game's tables from bytes in memory.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use js_sys::Reflect;
use retrograde_pgn::{Outcome, Walk, read_games, write_moves};
use retrograde_probe::object::{AnswerObject, Include, LineObject, MoveObject, RulesObject};
use retrograde_probe::random::{Wish, random};
use retrograde_probe::remote::{Part, Wanted};
use retrograde_probe::{Expected, GameFinder, Metric, Table, Wdl, table_path};
use retrograde_rules::{Colour, Game, History, Material, Position};
use serde::Serialize;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::error::{Failure, advised};
use crate::parts::Parts;
use crate::value::{bytes, object, text};

/// The tables of one game.
///
/// Positions are FENs of four fields or more. Errors are thrown as a `RetrogradeError`, whose
/// `kind` says why; only `probe` reports a missing table in its answer, as `error`.
#[wasm_bindgen]
pub struct Tablebase {
    pub(crate) tables: retrograde_probe::Tablebase,
    parts: Arc<Parts>,
}

/// Bytes of a file that are to be fetched.
#[derive(Serialize)]
struct WantedPart {
    /// The address of the file.
    address: String,
    /// The first byte.
    from: u64,
    /// The byte behind the last one.
    to: u64,
}

/// The most moves of games that are read at once: more than any page can show.
const MOST_MOVES: usize = 100_000;

/// A table that has been added.
#[derive(Serialize)]
struct TableInfo {
    game: String,
    material: String,
    metric: &'static str,
}

impl TableInfo {
    fn new(game: Game, material: &Material, metric: Metric) -> TableInfo {
        TableInfo {
            game: game.id(),
            material: material.name(game),
            metric: metric.name(),
        }
    }
}

impl Tablebase {
    fn game(&self) -> Game {
        self.tables.game()
    }

    fn position(&self, fen: &JsValue) -> Result<Position, Failure> {
        Ok(Position::from_fen(self.game(), &text(fen, "a FEN")?)?)
    }

    /// The position with the half-move clock at 0, for what is asked of tables alone.
    pub(crate) fn position_at_clock_0(&self, fen: &JsValue) -> Result<Position, Failure> {
        Ok(self.position(fen)?.with_halfmoves(0))
    }

    fn add_table(&mut self, name: &str, contents: &JsValue) -> Result<TableInfo, Failure> {
        let game = self.game();
        let file = name.rsplit(['/', '\\']).next().unwrap_or(name);
        let expected = Expected::from_name(game, file).ok_or_else(|| {
            let example = Metric::of(game)[0];
            Failure::usage(format!(
                "\"{file}\" is not the name of a table of {game}, such as KQvK.{example}"
            ))
        })?;
        let named = |mut error: retrograde_probe::TableError| {
            error.path = Some(PathBuf::from(name));
            error
        };
        let table = Table::from_bytes_as(bytes(contents)?, &expected).map_err(named)?;
        self.tables.add(table).map_err(named)?;
        Ok(TableInfo::new(game, &expected.material, expected.metric))
    }

    fn answer(
        &self,
        fen: &JsValue,
        played: &str,
        include: Include,
    ) -> Result<AnswerObject, Failure> {
        let mut game = History::new(self.position(fen)?);
        for uci in played.split(',').filter(|uci| !uci.is_empty()) {
            let mv = game.position().parse_uci(uci)?;
            game.play(mv);
        }
        Ok(self.tables.answer_object_in_game(&game, include, advised)?)
    }

    fn random_position(
        &self,
        material: &JsValue,
        wish: &JsValue,
    ) -> Result<Option<String>, Failure> {
        let unknown = |what: &str, name: &str| Failure::usage(format!("{name} is no {what}"));
        let material = Material::parse(self.game(), &text(material, "a material")?)
            .map_err(|error| Failure::usage(error.to_string()))?;
        let turn = match word(wish, "side")? {
            None => None,
            Some(name) => {
                let turn = Colour::BOTH.into_iter().find(|side| side.name() == name);
                Some(turn.ok_or_else(|| unknown("side", &name))?)
            }
        };
        let wdl = match word(wish, "category")? {
            None => None,
            Some(name) => {
                let wdl = Wdl::ALL.into_iter().find(|wdl| wdl.name() == name);
                Some(wdl.ok_or_else(|| unknown("category", &name))?)
            }
        };
        let distance = match (number(wish, "depth_plies")?, number(wish, "dtz_plies")?) {
            (Some(_), Some(_)) => {
                return Err(Failure::usage("name depth_plies or dtz_plies, not both"));
            }
            (Some(plies), None) => Some((Metric::Dtm, plies)),
            (None, plies) => plies.map(|plies| (Metric::Dtz, plies)),
        };
        let wish = Wish {
            material,
            turn,
            wdl,
            distance,
            is_on_edge: is_set(wish, "edge"),
        };
        let mut below = |most: usize| (js_sys::Math::random() * most as f64) as usize;
        let found = random(&self.tables, &wish, &mut below)?;
        Ok(found.map(|position| position.fen()))
    }

    fn move_objects(&self, fen: &JsValue) -> Result<Vec<MoveObject>, Failure> {
        let position = self.position(fen)?;
        let moves = self.tables.moves(&position)?;
        let moves = moves.iter().map(|mv| MoveObject::new(&position, mv));
        Ok(moves.collect())
    }

    fn line_object(&self, fen: &JsValue) -> Result<LineObject, Failure> {
        let position = self.position(fen)?;
        Ok(LineObject::new(&position, &self.tables.line(&position)?))
    }

    fn pgn(&self, fen: &JsValue, moves: &JsValue, players: &str) -> Result<String, Failure> {
        let start = self.position(fen)?;
        let mut walk = Walk::new(start);
        let mut sans = Vec::new();
        let moves = text(moves, "the moves")?;
        for uci in moves.split([',', ' ']).filter(|uci| !uci.is_empty()) {
            let step = walk.play(uci)?;
            sans.push(step.before.san(step.mv));
        }
        let last = walk.position();
        let outcome = last.end().map(|end| match end.winner(last.turn()) {
            Some(Colour::White) => Outcome::White,
            Some(Colour::Black) => Outcome::Black,
            None => Outcome::Draw,
        });
        Ok(write_moves(&start, sans.into_iter(), outcome, players))
    }

    /// The materials, in normal form, that the values of a position and of its moves take.
    fn materials(&self, position: &Position) -> Vec<Material> {
        let mut materials = Vec::new();
        self.add_materials(position, &mut materials);
        for &mv in &position.legal_moves() {
            self.add_materials(&position.play(mv), &mut materials);
        }
        materials
    }

    /// Adds those that the value of a position takes: with an e.p. right it is worked out
    /// from the positions that the moves lead to, and of a finished game the rules know it.
    fn add_materials(&self, position: &Position, materials: &mut Vec<Material>) {
        let (game, material) = (self.game(), position.material());
        if material.len() > Material::MOST_PIECES || position.finished().is_some() {
            return;
        }
        if position.ep().is_some() {
            for &mv in &position.legal_moves() {
                self.add_materials(&position.play(mv), materials);
            }
            return;
        }
        let normal = material.normal(game).0;
        if !game.needs_no_table(&material) && !materials.contains(&normal) {
            materials.push(normal);
        }
    }

    /// The files of the materials that have not been added, and those that the values of
    /// tables depend on.
    fn missing_files(&self, fen: &JsValue) -> Result<Vec<String>, Failure> {
        let game = self.game();
        let mut files = Vec::new();
        let mut add = |material: &Material, metric| {
            let path = table_path(Path::new(""), game, material, metric);
            let path = path.to_string_lossy().replace('\\', "/");
            if !files.contains(&path) {
                files.push(path);
            }
        };
        for material in self.materials(&self.position(fen)?) {
            for &metric in Metric::of(game) {
                let Some(table) = self.tables.table(&material, metric)? else {
                    add(&material, metric);
                    continue;
                };
                for need in &table.header().needs {
                    if self.tables.table(&need.material, need.metric)?.is_none() {
                        add(&need.material, need.metric);
                    }
                }
            }
        }
        Ok(files)
    }

    fn infos(&self) -> Vec<TableInfo> {
        let tables = self.tables.tables();
        tables
            .map(|(material, metric)| TableInfo::new(self.game(), &material, metric))
            .collect()
    }
}

/// The value of an option, unless it is undefined.
fn option(options: &JsValue, name: &str) -> Option<JsValue> {
    let value = options
        .is_object()
        .then(|| Reflect::get(options, &name.into()));
    value?.ok().filter(|value| !value.is_undefined())
}

/// Whether an option is set.
fn is_set(options: &JsValue, name: &str) -> bool {
    option(options, name).is_some_and(|value| value.is_truthy())
}

/// The text of an option.
fn word(options: &JsValue, name: &str) -> Result<Option<String>, Failure> {
    let value = option(options, name);
    value.map(|value| text(&value, name)).transpose()
}

/// The number of an option, which is whole and not negative.
fn number(options: &JsValue, name: &str) -> Result<Option<u32>, Failure> {
    let Some(value) = option(options, name) else {
        return Ok(None);
    };
    let number = value
        .as_f64()
        .filter(|number| number.fract() == 0.0 && (0.0..=f64::from(u32::MAX)).contains(number));
    let wrong = || Failure::usage(format!("{name} is a whole number from 0 to {}", u32::MAX));
    Ok(Some(number.ok_or_else(wrong)? as u32))
}

#[wasm_bindgen]
impl Tablebase {
    /// A tablebase without tables. `game` is a game's id, with its rule options after a colon, or
    /// the text of a definition, which has several lines; without it, `orthodox`. `at` is the
    /// whole address of a folder of tables, parts of which are fetched by `ask`.
    #[wasm_bindgen(constructor)]
    pub fn new(
        #[wasm_bindgen(unchecked_optional_param_type = "string")] game: &JsValue,
        #[wasm_bindgen(unchecked_optional_param_type = "string")] at: &JsValue,
    ) -> Result<Tablebase, JsValue> {
        let parts = Arc::<Parts>::default();
        let open = || {
            let game = match game.is_undefined() || game.is_null() {
                true => Game::default(),
                false => GameFinder::default().find(&text(game, "a game's id")?)?,
            };
            Ok(match at.as_string() {
                Some(at) => retrograde_probe::Tablebase::open_remote(game, &at, parts.clone()),
                None => retrograde_probe::Tablebase::empty(game),
            })
        };
        match open() {
            Ok(tables) => Ok(Tablebase { tables, parts }),
            Err(failure) => Err(Failure::into(failure)),
        }
    }

    /// The parts of files that questions have lacked since this was called last.
    #[wasm_bindgen(skip_typescript)]
    pub fn lacking(&self) -> Result<JsValue, JsValue> {
        let lacking = self.parts.lacking().into_iter();
        let lacking = lacking.map(|Wanted { address, from, to }| WantedPart { address, from, to });
        object(&lacking.collect::<Vec<_>>()).map_err(Failure::into)
    }

    /// Gives the bytes of a part that was lacking, null if there is no such file; with them the
    /// length of the whole file and a name of its contents.
    #[wasm_bindgen(skip_typescript)]
    pub fn give(
        &self,
        address: String,
        from: f64,
        to: f64,
        given: &JsValue,
        length: f64,
        version: Option<String>,
    ) -> Result<(), JsValue> {
        let (from, to, length) = (from as u64, to as u64, length as u64);
        let part = match given.is_null() {
            true => None,
            false => Some(Part {
                bytes: bytes(given)?.to_vec(),
                length,
                version,
            }),
        };
        self.parts.keep(Wanted { address, from, to }, part);
        Ok(())
    }

    /// Forgets the parts that were given; what tables have read of them stays.
    #[wasm_bindgen(skip_typescript)]
    pub fn forget(&self) {
        self.parts.forget();
    }

    /// The game's id with its options.
    #[wasm_bindgen(getter, js_name = game)]
    pub fn game_id(&self) -> String {
        self.game().id()
    }

    /// The game, with its rule options and all that it takes to show a board of it.
    #[wasm_bindgen(getter, unchecked_return_type = "Rules")]
    pub fn rules(&self) -> Result<JsValue, JsValue> {
        object(&RulesObject::new(self.game())).map_err(Failure::into)
    }

    /// The tables that have been added.
    #[wasm_bindgen(getter, unchecked_return_type = "TableInfo[]")]
    pub fn tables(&self) -> Result<JsValue, JsValue> {
        object(&self.infos()).map_err(Failure::into)
    }

    /// Adds a table from the bytes of its file, which are copied. The name is that of the
    /// file, such as `KQvK.dtm`; folders before it do not matter. Of tables that are added
    /// twice the first one counts.
    #[wasm_bindgen(unchecked_return_type = "TableInfo")]
    pub fn add(
        &mut self,
        #[wasm_bindgen(unchecked_param_type = "string")] name: &JsValue,
        #[wasm_bindgen(unchecked_param_type = "Uint8Array | ArrayBuffer")] bytes: &JsValue,
    ) -> Result<JsValue, JsValue> {
        let mut add = || object(&self.add_table(&text(name, "the name of a file")?, bytes)?);
        add().map_err(Failure::into)
    }

    /// The files that a position with its moves may need and that have not been added, such
    /// as `orthodox/KQvK.dtm`: what to fetch. Tables that are packed small may depend on
    /// others, so ask again when they are there; a line may lead to further tables. `load`
    /// does all that.
    #[wasm_bindgen(unchecked_return_type = "string[]")]
    pub fn missing(
        &self,
        #[wasm_bindgen(unchecked_param_type = "string")] fen: &JsValue,
    ) -> Result<JsValue, JsValue> {
        let missing = || object(&self.missing_files(fen)?);
        missing().map_err(Failure::into)
    }

    /// The answer about a position, with the half-move clock taken into account: the object of
    /// `retrograde probe --json`. Where no table has the answer the category is `unknown`, `error`
    /// says why, and what the rules alone know is there.
    #[wasm_bindgen(unchecked_return_type = "Answer")]
    pub fn probe(
        &self,
        #[wasm_bindgen(unchecked_param_type = "string")] fen: &JsValue,
        #[wasm_bindgen(unchecked_optional_param_type = "ProbeOptions")] options: &JsValue,
    ) -> Result<JsValue, JsValue> {
        let include = Include {
            moves: is_set(options, "moves"),
            line: is_set(options, "line"),
        };
        let probe = || {
            let played = word(options, "played")?.unwrap_or_default();
            object(&self.answer(fen, &played, include)?)
        };
        probe().map_err(Failure::into)
    }

    /// The result for the side to move: 2 win, 1 cursed win, 0 draw, -1 blessed loss, -2 loss. The
    /// half-move clock is taken as 0. Where the game has ended, or is a draw by the pieces alone,
    /// or moves that are known settle it, no table of the position is needed. The other numbers
    /// behave alike.
    #[wasm_bindgen(js_name = probeWdl)]
    pub fn probe_wdl(
        &self,
        #[wasm_bindgen(unchecked_param_type = "string")] fen: &JsValue,
    ) -> Result<i32, JsValue> {
        let probe = || {
            Ok(self
                .tables
                .wdl(&self.position_at_clock_0(fen)?)?
                .number()
                .into())
        };
        probe().map_err(Failure::into)
    }

    /// Plies to the next capture, pawn move or mate, negative for a loss, 100 more for
    /// cursed results, 0 for a draw, -1 if mated. The half-move clock is taken as 0.
    #[wasm_bindgen(js_name = probeDtz)]
    pub fn probe_dtz(
        &self,
        #[wasm_bindgen(unchecked_param_type = "string")] fen: &JsValue,
    ) -> Result<i32, JsValue> {
        let probe = || Ok(self.tables.signed_dtz(&self.position_at_clock_0(fen)?)?);
        probe().map_err(Failure::into)
    }

    /// Plies to the end of the game, negative for a loss, 0 for a draw and where the game
    /// has ended. The fifty-move rule is left out of account.
    #[wasm_bindgen(js_name = probeDtm)]
    pub fn probe_dtm(
        &self,
        #[wasm_bindgen(unchecked_param_type = "string")] fen: &JsValue,
    ) -> Result<i32, JsValue> {
        let probe = || Ok(self.tables.signed_dtm(&self.position_at_clock_0(fen)?)?);
        probe().map_err(Failure::into)
    }

    /// The FEN of a random position of a material, by the tables that have been added; null if none
    /// was found among many. Without a number of plies all such positions are equally likely.
    #[wasm_bindgen(unchecked_return_type = "string | null")]
    pub fn random(
        &self,
        #[wasm_bindgen(unchecked_param_type = "string")] material: &JsValue,
        #[wasm_bindgen(unchecked_optional_param_type = "RandomOptions")] wish: &JsValue,
    ) -> Result<JsValue, JsValue> {
        let found = self
            .random_position(material, wish)
            .map_err(JsValue::from)?;
        Ok(found.map_or(JsValue::NULL, |fen| JsValue::from(&*fen)))
    }

    /// The legal moves in UCI's long form, in alphabetical order; no table is needed.
    #[wasm_bindgen(js_name = legalMoves)]
    pub fn legal_moves(
        &self,
        #[wasm_bindgen(unchecked_param_type = "string")] fen: &JsValue,
    ) -> Result<Vec<String>, JsValue> {
        let moves = || {
            let position = self.position(fen)?;
            let moves = position.legal_moves();
            let mut moves: Vec<String> = moves.iter().map(|&mv| position.uci(mv)).collect();
            moves.sort_unstable();
            Ok(moves)
        };
        moves().map_err(Failure::into)
    }

    /// The FEN of the position after a legal move, which is given in UCI's long form; no
    /// table is needed.
    pub fn play(
        &self,
        #[wasm_bindgen(unchecked_param_type = "string")] fen: &JsValue,
        #[wasm_bindgen(unchecked_param_type = "string")] uci: &JsValue,
    ) -> Result<String, JsValue> {
        let play = || {
            let position = self.position(fen)?;
            let mv = position.parse_uci(&text(uci, "a move")?)?;
            Ok(position.play(mv).fen())
        };
        play().map_err(Failure::into)
    }

    /// The games of a PGN text, each as far as its moves are legal; no table is needed.
    #[wasm_bindgen(js_name = readPgn, unchecked_return_type = "RecordedGame[]")]
    pub fn read_pgn(
        &self,
        #[wasm_bindgen(unchecked_param_type = "string")] pgn: &JsValue,
    ) -> Result<JsValue, JsValue> {
        let read = || {
            let pgn = text(pgn, "a PGN")?;
            object(&read_games(self.game(), pgn.as_bytes(), MOST_MOVES))
        };
        read().map_err(Failure::into)
    }

    /// The PGN of a game from a position on. The moves are separated by commas or spaces; `players`
    /// is the name of both, `?` if left out. No table is needed.
    #[wasm_bindgen(js_name = writePgn)]
    pub fn write_pgn(
        &self,
        #[wasm_bindgen(unchecked_param_type = "string")] fen: &JsValue,
        #[wasm_bindgen(unchecked_param_type = "string")] moves: &JsValue,
        players: Option<String>,
    ) -> Result<String, JsValue> {
        let players = players.as_deref().unwrap_or("?");
        self.pgn(fen, moves, players).map_err(Failure::into)
    }

    /// The legal moves with what they lead to, best first.
    #[wasm_bindgen(unchecked_return_type = "Move[]")]
    pub fn moves(
        &self,
        #[wasm_bindgen(unchecked_param_type = "string")] fen: &JsValue,
    ) -> Result<JsValue, JsValue> {
        let moves = || object(&self.move_objects(fen)?);
        moves().map_err(Failure::into)
    }

    /// Best play to the end.
    #[wasm_bindgen(unchecked_return_type = "Line")]
    pub fn line(
        &self,
        #[wasm_bindgen(unchecked_param_type = "string")] fen: &JsValue,
    ) -> Result<JsValue, JsValue> {
        let line = || object(&self.line_object(fen)?);
        line().map_err(Failure::into)
    }
}
