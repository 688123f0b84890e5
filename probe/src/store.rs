//! Finds the file of a table in the table folders, and opens it when it is first needed.
//!
//! Where tables are looked for and how their files are called is said here.

#[cfg(feature = "remote")]
mod remote;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use retrograde_index::Metric;
use retrograde_rules::{Colour, Counters, Game, Material, Piece, Position, Square};
use rustc_hash::FxHashMap;

use crate::error::{ProbeError, TableError, TableFault, Unsupported};
use crate::folders::{is_address, is_dangling};
use crate::format::header::parse_name;
use crate::format::{Access, Expected, Need, Table};
#[cfg(feature = "remote")]
use crate::remote::Fetch;

/// The folder of a game's tables inside a table folder: the game's id, with
/// `+` for `:` and `,`.
pub fn game_folder(folder: &Path, game: Game) -> PathBuf {
    folder.join(game.id().replace([':', ','], "+"))
}

/// The file of a table inside a table folder: `orthodox/KQvKR.dtm`. The
/// material need not be in normal form.
pub fn table_path(folder: &Path, game: Game, material: &Material, metric: Metric) -> PathBuf {
    let (normal, _) = material.normal(game);
    game_folder(folder, game).join(format!("{}.{metric}", normal.name(game)))
}

/// The table folder of a file, and what the file must be according to its path: the
/// inverse of [`table_path`]. `None` if it does not have the name of a table or is not in
/// the folder of a game.
pub fn locate(path: &Path) -> Option<(PathBuf, Expected)> {
    let (folder, game) = locate_game(path.parent()?)?;
    let expected = Expected::from_name(game, path.file_name()?.to_str()?)?;
    Some((folder, expected))
}

/// The table folder of a game's folder, and the game: the inverse of [`game_folder`].
pub fn locate_game(folder: &Path) -> Option<(PathBuf, Game)> {
    let name = folder.file_name()?.to_str()?;
    let game = match name.contains('@') {
        // Its tables carry its rules.
        true => Game::parse(name)
            .ok()
            .or_else(|| defined_by_tables(folder))?,
        false => Game::parse(&name.replacen('+', ":", 1).replace('+', ",")).ok()?,
    };
    let parent = match folder.parent()? {
        parent if parent.as_os_str().is_empty() => Path::new("."),
        parent => parent,
    };
    let own = game_folder(parent, game);
    (own.file_name() == folder.file_name()).then(|| (parent.to_owned(), game))
}

/// The game of the first sound table in a folder.
fn defined_by_tables(folder: &Path) -> Option<Game> {
    let mut files: Vec<PathBuf> = fs::read_dir(folder)
        .ok()?
        .flatten()
        .map(|f| f.path())
        .collect();
    files.sort();
    let is_table = |path: &&PathBuf| {
        let extension = path.extension().and_then(|extension| extension.to_str());
        extension.is_some_and(|extension| Metric::parse(extension).is_some())
    };
    let tables = files.iter().filter(is_table);
    let mut games = tables.filter_map(|path| Some(Table::open(path).ok()?.header().game));
    games.find(|game| folder.ends_with(game.id()))
}

/// A table that is opened when it is first needed.
pub(crate) struct Slot {
    /// The addresses where it may be, and behind them its file, if there is one.
    places: Vec<PathBuf>,
    /// The table; `None` inside if it is nowhere.
    table: OnceLock<Option<Result<Table, Arc<TableError>>>>,
}

impl Slot {
    /// Whether the table is in a folder or in memory.
    fn is_here(&self) -> bool {
        self.places.last().is_none_or(|place| !is_address(place))
    }
}

/// The tables of a material, by the place of the metric in [`Metric::ALL`].
#[derive(Default)]
struct Shelf {
    slots: [OnceLock<Slot>; Metric::ALL.len()],
}

/// The squares of all pieces as tables have them.
pub(crate) type Squares = [Square; Material::MOST_PIECES];

/// The tables of a material, and the way to them from a position.
pub(crate) struct MaterialTables {
    shelf: Arc<Shelf>,
    /// The material in normal form.
    pub(crate) normal: Material,
    /// Whether the colours are swapped in it.
    pub(crate) swapped: bool,
    /// The different pieces of a position, in the order of the tables.
    pieces: Box<[Piece]>,
    /// The square in the tables of each square of a position.
    images: [Square; MOST_SQUARES],
    /// The way from a position to the one with colours swapped, if both sides have the same
    /// pieces.
    mirror: Option<Box<MaterialTables>>,
}

/// The most squares of a board, as many as a set of squares holds.
const MOST_SQUARES: usize = 128;

impl MaterialTables {
    fn new(game: Game, shelf: Arc<Shelf>, normal: Material, swapped: bool) -> MaterialTables {
        let mirror = normal.is_symmetric(game).then(|| {
            let shelf = Arc::clone(&shelf);
            MaterialTables::without_mirror(game, shelf, normal, !swapped).into()
        });
        MaterialTables {
            mirror,
            ..MaterialTables::without_mirror(game, shelf, normal, swapped)
        }
    }

    fn without_mirror(
        game: Game,
        shelf: Arc<Shelf>,
        normal: Material,
        swapped: bool,
    ) -> MaterialTables {
        let (geometry, interchange) = (game.geometry(), game.interchange(&normal));
        let mut images: [Square; MOST_SQUARES] = std::array::from_fn(|at| Square(at as u8));
        if swapped {
            for square in geometry.all() {
                images[square.index()] = interchange.image(geometry, square);
            }
        }
        let mut pieces: Vec<Piece> = normal.pieces().collect();
        pieces.dedup();
        if swapped {
            for piece in &mut pieces {
                piece.colour = piece.colour.other();
            }
        }
        MaterialTables {
            shelf,
            normal,
            swapped,
            pieces: pieces.into(),
            images,
            mirror: None,
        }
    }

    /// The way to a table that has the values of the other side to move only, where they are
    /// those of the positions with colours swapped: of WDL, DTM and DTZ if both sides have the
    /// same pieces.
    #[inline]
    pub(crate) fn mirror_for(&self, table: &Table, turn: Colour) -> Option<&MaterialTables> {
        let mirror = self.mirror.as_deref()?;
        let header = table.header();
        let is_plain = matches!(header.metric, Metric::Wdl | Metric::Dtm | Metric::Dtz);
        let is_there = |entry: &MaterialTables| header.section(entry.turn(turn)).is_some();
        (is_plain && !is_there(self) && is_there(mirror)).then_some(mirror)
    }

    /// The side to move in the tables where `turn` is to move in a position of the material.
    #[inline]
    pub(crate) fn turn(&self, turn: Colour) -> Colour {
        if self.swapped { turn.other() } else { turn }
    }

    /// The square in the tables of a square of a position.
    #[inline]
    pub(crate) fn image(&self, square: Square) -> Square {
        self.images[square.index() % MOST_SQUARES]
    }

    /// The counters of a position as the tables have them.
    #[inline]
    pub(crate) fn counters(&self, position: &Position) -> Option<Counters> {
        let counters = position.counters();
        match self.swapped {
            true => counters.map(Counters::swapped),
            false => counters,
        }
    }

    /// Writes the squares of the pieces of a position of the material as tables have them, and
    /// says how many there are; `None` if there are more than tables have. They are not copied
    /// afterwards: a number that is read from bytes just written takes as long as a cache miss.
    #[inline]
    pub(crate) fn squares_of(&self, position: &Position, squares: &mut Squares) -> Option<usize> {
        let board = position.board();
        let mut count = 0;
        for &piece in &self.pieces {
            for square in board.by(piece.colour) & board.piece_type(piece.piece_type) {
                *squares.get_mut(count)? = self.image(square);
                count += 1;
            }
        }
        Some(count)
    }
}

fn place(metric: Metric) -> usize {
    Metric::ALL.iter().position(|&m| m == metric).unwrap_or(0)
}

/// A store of all tables of a game in some folders, or in memory.
pub(crate) struct Store {
    game: Game,
    /// See [`Game::zeroing_limit`].
    pub(crate) limit: Option<u32>,
    folders: Vec<PathBuf>,
    /// The folders that did not exist.
    absent: Vec<PathBuf>,
    /// The way in which files are opened.
    access: Access,
    /// The way to tables at addresses.
    #[cfg(feature = "remote")]
    remote: Option<remote::Remote>,
    /// The materials, each under both of its colourings, so that probing need not compute the
    /// normal form.
    materials: FxHashMap<Material, MaterialTables>,
}

impl Store {
    pub(crate) fn new(game: Game, access: Access) -> Store {
        Store {
            game,
            limit: game.zeroing_limit(),
            folders: Vec::new(),
            absent: Vec::new(),
            access,
            #[cfg(feature = "remote")]
            remote: None,
            materials: FxHashMap::default(),
        }
    }

    /// Adds a table of a material in normal form.
    fn put(&mut self, material: Material, metric: Metric, slot: Slot) {
        let known = self.materials.get(&material);
        let shelf = known.map_or_else(Arc::default, |entry| Arc::clone(&entry.shelf));
        for colouring in [material.swapped(), material] {
            let (normal, swapped) = colouring.normal(self.game);
            if normal == material && !self.materials.contains_key(&colouring) {
                let shelf = Arc::clone(&shelf);
                let entry = MaterialTables::new(self.game, shelf, normal, swapped);
                self.materials.insert(colouring, entry);
            }
        }
        // The first one found counts.
        let _ = shelf.slots[place(metric)].set(slot);
    }

    /// The tables of a material, in either colouring; `None` if there are none.
    #[inline]
    pub(crate) fn entry(&self, material: &Material) -> Option<&MaterialTables> {
        let found = self.materials.get(material);
        #[cfg(feature = "remote")]
        let found = found.or_else(|| self.remote.as_ref()?.entry(self.game, material));
        found
    }

    /// The way to fetch parts of tables, if some are far away.
    #[cfg(feature = "remote")]
    pub(crate) fn fetch(&self) -> Option<&dyn Fetch> {
        self.remote.as_ref().map(remote::Remote::fetch)
    }

    /// The addresses where tables may be.
    fn addresses(&self) -> &[PathBuf] {
        #[cfg(feature = "remote")]
        if let Some(remote) = &self.remote {
            return remote.folders();
        }
        &[]
    }

    /// The game of the tables.
    pub(crate) fn game(&self) -> Game {
        self.game
    }

    /// The folders, those that do not exist among them.
    pub(crate) fn folders(&self) -> &[PathBuf] {
        &self.folders
    }

    /// Finds files by name, without opening any, except those that are left out. A folder that
    /// does not exist is treated as empty.
    pub(crate) fn add_folder(
        &mut self,
        folder: &Path,
        is_left_out: impl Fn(&Path) -> bool,
    ) -> Result<(), TableError> {
        self.folders.push(folder.to_owned());
        if is_address(folder) {
            return self
                .add_address(folder)
                .map_err(|fault| fault.at(Some(folder)));
        }
        if !folder.exists() {
            self.absent.push(folder.to_owned());
        }
        let of_game = game_folder(folder, self.game);
        let leads_nowhere = || is_dangling(&of_game) || is_dangling(folder);
        let fail = |error: io::Error| TableFault::Io(error).at(Some(&of_game));
        let entries = match fs::read_dir(&of_game) {
            Ok(entries) => entries,
            // A link is meant to lead somewhere.
            Err(error) if error.kind() == io::ErrorKind::NotFound && !leads_nowhere() => {
                return Ok(());
            }
            Err(error) => return Err(fail(error)),
        };
        for entry in entries {
            let entry = entry.map_err(fail)?;
            let name = entry.file_name();
            let table = name.to_str().and_then(|n| parse_name(self.game, n));
            let path = entry.path();
            if let Some((material, metric)) = table
                && !is_left_out(&path)
            {
                let mut slot = self.slot_far_away(&material, metric);
                slot.places.push(path);
                self.put(material, metric, slot);
            }
        }
        Ok(())
    }

    /// Adds the address of a folder on a web server.
    #[cfg(feature = "http")]
    fn add_address(&mut self, folder: &Path) -> Result<(), TableFault> {
        let new = || remote::Remote::new(Arc::new(crate::http::Http::new()));
        self.remote.get_or_insert_with(new).add(folder);
        Ok(())
    }

    /// Adds an address from which parts of files are fetched in a certain way, that of the first
    /// address.
    #[cfg(feature = "remote")]
    pub(crate) fn add_remote(&mut self, address: &Path, fetch: &Arc<dyn Fetch>) {
        self.folders.push(address.to_owned());
        let new = || remote::Remote::new(Arc::clone(fetch));
        self.remote.get_or_insert_with(new).add(address);
    }

    #[cfg(not(feature = "http"))]
    fn add_address(&mut self, _folder: &Path) -> Result<(), TableFault> {
        Err(TableFault::Io(io::Error::new(
            io::ErrorKind::Unsupported,
            "this program was built without the feature http, by which it would read tables from \
             a web server",
        )))
    }

    /// The slot of a table that is in no folder. It is apart from those of folders, so that a table
    /// can be added after it was looked for in vain.
    #[cfg(feature = "remote")]
    fn slot_at_addresses(&self, material: &Material, metric: Metric) -> Option<&Slot> {
        let entry = self.remote.as_ref()?.entry(self.game, material)?;
        let slot = &entry.shelf.slots[place(metric)];
        Some(slot.get_or_init(|| self.slot_far_away(material, metric)))
    }

    #[cfg(not(feature = "remote"))]
    fn slot_at_addresses(&self, _material: &Material, _metric: Metric) -> Option<&Slot> {
        None
    }

    /// Where a table may be that is in no folder: at all addresses.
    fn slot_far_away(&self, material: &Material, metric: Metric) -> Slot {
        let path = |folder: &PathBuf| table_path(folder, self.game, material, metric);
        Slot {
            places: self.addresses().iter().map(path).collect(),
            table: OnceLock::new(),
        }
    }

    /// Adds an open table.
    pub(crate) fn add_table(&mut self, table: Table) -> Result<(), TableError> {
        let header = table.header();
        if header.game != self.game {
            let fault = TableFault::Game {
                found: header.game.id(),
                wanted: self.game.id(),
            };
            return Err(fault.at(table.path()));
        }
        let (material, metric) = (header.material, header.metric);
        let slot = Slot {
            places: table.path().map(Path::to_owned).into_iter().collect(),
            table: OnceLock::from(Some(Ok(table))),
        };
        self.put(material, metric, slot);
        Ok(())
    }

    /// The table of a metric, given where those of its material are; `None` if there is none.
    pub(crate) fn open<'a>(
        &'a self,
        entry: &'a MaterialTables,
        metric: Metric,
    ) -> Option<Result<&'a Table, Arc<TableError>>> {
        let slot = match entry.shelf.slots[place(metric)].get() {
            Some(slot) => slot,
            None => self.slot_at_addresses(&entry.normal, metric)?,
        };
        let table = match slot.table.get() {
            Some(table) => table,
            None => match self.first_open(slot, entry, metric) {
                Ok(table) => table,
                Err(error) => return Some(Err(error)),
            },
        };
        Some(table.as_ref()?.as_ref().map_err(Arc::clone))
    }

    /// Opens a table that has not been opened before. An error of its own is one that may pass,
    /// as when a server does not answer; it is not kept.
    #[cold]
    fn first_open<'a>(
        &self,
        slot: &'a Slot,
        entry: &MaterialTables,
        metric: Metric,
    ) -> Result<&'a Option<Result<Table, Arc<TableError>>>, Arc<TableError>> {
        let expected = Expected {
            game: self.game,
            material: entry.normal,
            metric,
        };
        #[cfg(feature = "remote")]
        if let Some(remote) = &self.remote {
            for address in slot.places.iter().filter(|place| is_address(place)) {
                match remote.open(address, &expected) {
                    None => {}
                    Some(Err(error)) if matches!(error.fault, TableFault::Io(_)) => {
                        return Err(Arc::new(error));
                    }
                    Some(found) => {
                        let found = found.map_err(Arc::new);
                        return Ok(slot.table.get_or_init(|| Some(found)));
                    }
                }
            }
        }
        Ok(slot.table.get_or_init(|| {
            let path = slot.places.last().filter(|place| !is_address(place))?;
            let table = Table::open_as_by(path, &expected, self.access);
            Some(table.map_err(Arc::new))
        }))
    }

    /// The table of a material, which is brought into normal form; `None` if
    /// there is no such table.
    ///
    /// # Errors
    /// [`ProbeError::Table`].
    pub(crate) fn table(
        &self,
        material: &Material,
        metric: Metric,
    ) -> Result<Option<&Table>, ProbeError> {
        match self.entry(material) {
            Some(entry) => self.table_of(entry, metric),
            None => Ok(None),
        }
    }

    /// The table of a metric for positions of a material, and where it is.
    pub(crate) fn table_for(
        &self,
        material: &Material,
        metric: Metric,
    ) -> Result<(&MaterialTables, &Table), ProbeError> {
        let Some(entry) = self.entry(material) else {
            return Err(self.missing(material, None));
        };
        match self.table_of(entry, metric)? {
            Some(table) => Ok((entry, table)),
            None => Err(self.missing(material, Some(metric))),
        }
    }

    /// The table of a metric, given where those of its material are; `None` if there is none.
    #[inline]
    pub(crate) fn table_of<'a>(
        &'a self,
        entry: &'a MaterialTables,
        metric: Metric,
    ) -> Result<Option<&'a Table>, ProbeError> {
        let table = self.open(entry, metric).transpose();
        table.map_err(|error| self.table_error(&entry.normal, error))
    }

    /// Whether an error says that a material has no such table, so that its others may tell.
    pub(crate) fn lacks(&self, material: &Material, error: &ProbeError) -> bool {
        let normal = material.normal(self.game).0;
        matches!(error, ProbeError::Missing { material: named, .. } if *named == normal)
    }

    /// The error that there is no table of some material, or none of this metric.
    pub(crate) fn missing(&self, material: &Material, metric: Option<Metric>) -> ProbeError {
        let (pieces, most) = (material.len(), Material::MOST_PIECES);
        if pieces > most {
            return ProbeError::Unsupported(Unsupported::Pieces { pieces, most });
        }
        let (folders, absent) = (self.folders.clone(), self.absent.clone());
        ProbeError::missing_from(self.game, (material, metric), folders, absent)
    }

    pub(crate) fn table_error(&self, material: &Material, error: Arc<TableError>) -> ProbeError {
        ProbeError::Table {
            error,
            game: self.game.id(),
            material: *material,
        }
    }

    /// Whether a table can be used, if it is there: it is what its name says, and all that its
    /// values depend on is there and has the values that it was packed with. Blocks are not
    /// read.
    ///
    /// # Errors
    /// [`ProbeError::Table`] and [`ProbeError::Missing`].
    #[cfg(feature = "keep")]
    pub(crate) fn check_usable(
        &self,
        material: &Material,
        metric: Metric,
    ) -> Result<(), ProbeError> {
        let mut left = vec![(*material, metric)];
        let mut seen = Vec::new();
        while let Some((material, metric)) = left.pop() {
            if seen.contains(&(material, metric)) {
                continue;
            }
            seen.push((material, metric));
            if let Some(table) = self.table(&material, metric)? {
                self.check_needs(table)?;
                let needs = &table.header().needs;
                left.extend(needs.iter().map(|need| (need.material, need.metric)));
            }
        }
        Ok(())
    }

    /// Checks once that the tables which another depends on are there, and are those that it
    /// was packed with.
    pub(crate) fn check_needs(&self, table: &Table) -> Result<(), ProbeError> {
        let checked = &table.needs_checked.all;
        if checked.get().is_none() {
            let mut all = table.header().needs.iter();
            all.try_for_each(|need| self.check_need(table, need))?;
            let _ = checked.set(());
        }
        Ok(())
    }

    /// Checks once those that the stored sides of a table depend on: that of its own
    /// material.
    pub(crate) fn check_own_needs(&self, table: &Table) -> Result<(), ProbeError> {
        let checked = &table.needs_checked.own;
        if checked.get().is_none() {
            let header = table.header();
            let mut own = header.needs.iter();
            own.try_for_each(|need| match need.material == header.material {
                true => self.check_need(table, need),
                false => Ok(()),
            })?;
            let _ = checked.set(());
        }
        Ok(())
    }

    fn check_need(&self, table: &Table, need: &Need) -> Result<(), ProbeError> {
        let found = self.table(&need.material, need.metric)?;
        let Some(found) = found else {
            return Err(self.missing(&need.material, Some(need.metric)));
        };
        if found.header().digest == Some(need.digest) {
            return Ok(());
        }
        let fault = TableFault::Need {
            needed: need.file_name(self.game()),
            remade: found.header().digest.is_some(),
        };
        Err(self.table_error(&table.header().material, Arc::new(fault.at(table.path()))))
    }

    /// The tables that were found, in no particular order.
    pub(crate) fn list(&self) -> impl Iterator<Item = (Material, Metric)> + '_ {
        let materials = self.materials.values().filter(|entry| !entry.swapped);
        materials.flat_map(|entry| {
            let all = Metric::ALL.into_iter().zip(&entry.shelf.slots);
            let found = all.filter(|(_, slot)| slot.get().is_some_and(Slot::is_here));
            found.map(|(metric, _)| (entry.normal, metric))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_files() {
        let game = Game::default();
        let material = Material::parse(game, "KRvKQ").unwrap();
        let path = table_path(Path::new("t"), game, &material, Metric::Dtm);
        assert_eq!(path, Path::new("t/orthodox/KQvKR.dtm"));
        assert_eq!(
            locate(&path),
            Some((
                PathBuf::from("t"),
                Expected {
                    game,
                    material: material.swapped(),
                    metric: Metric::Dtm
                }
            ))
        );
        let options = Path::new("high-chess+vital-restores=both+vitality=5");
        let (folder, id) = locate_game(options).unwrap();
        assert_eq!(folder, Path::new("."));
        assert_eq!(id.id(), "high-chess:vital-restores=both,vitality=5");
        for bad in ["", "/", "checkers", "high-chess+vitality=50", "orthodox+"] {
            assert_eq!(locate_game(Path::new(bad)), None, "{bad}");
        }
        let parsed = parse_name(game, "KQvKR.dtm").unwrap();
        assert_eq!(parsed, (material.swapped(), Metric::Dtm));
        for bad in [
            "KRvKQ.dtm",
            "KQKR.dtm",
            "KQvKR",
            "KQvKR.DTZ",
            "KQvKR.depth.12.partial",
            ".dtm",
            "KXvK.wdl",
            "readme.md",
        ] {
            assert_eq!(parse_name(game, bad), None, "{bad}");
        }
    }
}
