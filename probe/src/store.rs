//! Folders of tables: where files are and what they are called.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use retrograde_index::Metric;
use retrograde_rules::{Colour, Game, Material, Piece, Position, Square};
use rustc_hash::FxHashMap;

use crate::error::{TableError, TableFault};
use crate::format::{Access, Expected, Table};

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

/// Whether a path is a link to where nothing is, or in a circle.
pub fn is_dangling(path: &Path) -> bool {
    let there = path.metadata();
    path.is_symlink() && there.is_err_and(|error| error.kind() != io::ErrorKind::PermissionDenied)
}

/// The material and the metric of a file name, if it is that of a table.
pub(crate) fn parse_name(game: Game, name: &str) -> Option<(Material, Metric)> {
    let (stem, extension) = name.rsplit_once('.')?;
    let metric = Metric::parse(extension)?;
    let material = Material::parse(game, stem).ok()?;
    let written = material.is_normal(game) && material.name(game) == stem;
    written.then_some((material, metric))
}

impl Expected {
    /// What a file must be according to its name, such as `KQvKR.dtm`. `None` if it does
    /// not have the name of a table of the game.
    pub fn from_name(game: Game, name: &str) -> Option<Expected> {
        let (material, metric) = parse_name(game, name)?;
        Some(Expected {
            game,
            material,
            metric,
        })
    }
}

/// A table that is opened when it is first needed.
pub(crate) struct Slot {
    path: PathBuf,
    table: OnceLock<Result<Table, Arc<TableError>>>,
}

/// The tables of a material, by the place of the metric in [`Metric::ALL`].
#[derive(Default)]
struct Shelf {
    slots: [Option<Slot>; Metric::ALL.len()],
}

/// The squares of all pieces as tables have them.
pub(crate) type Squares = [Square; Material::MOST_PIECES];

/// Where the tables of some material are.
pub(crate) struct MaterialTables {
    shelf: usize,
    /// The material in normal form.
    pub(crate) normal: Material,
    /// Whether the colours are swapped in it.
    pub(crate) swapped: bool,
    /// The different pieces of a position, in the order of the tables.
    pieces: Box<[Piece]>,
    /// Where each square of a position is in the tables.
    images: [Square; MOST_SQUARES],
}

/// The most squares of a board, as many as a set of squares holds.
const MOST_SQUARES: usize = 128;

impl MaterialTables {
    fn new(game: Game, shelf: usize, normal: Material, swapped: bool) -> MaterialTables {
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
        }
    }

    /// Which side of the tables moves where `turn` moves in a position of the material.
    #[inline]
    pub(crate) fn turn(&self, turn: Colour) -> Colour {
        if self.swapped { turn.other() } else { turn }
    }

    /// Where a square of a position is in the tables.
    #[inline]
    pub(crate) fn image(&self, square: Square) -> Square {
        self.images[square.index() % MOST_SQUARES]
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

/// All tables of a game in some folders, or in memory.
pub(crate) struct Store {
    game: Game,
    /// How files are opened.
    access: Access,
    shelves: Vec<Shelf>,
    /// Every material under both of its colourings, so that probing need not compute the
    /// normal form.
    materials: FxHashMap<Material, MaterialTables>,
}

impl Store {
    pub(crate) fn new(game: Game, access: Access) -> Store {
        Store {
            game,
            access,
            shelves: Vec::new(),
            materials: FxHashMap::default(),
        }
    }

    /// Adds a table of a material in normal form.
    fn put(&mut self, material: Material, metric: Metric, slot: Slot) {
        let shelf = self.entry(&material).map(|entry| entry.shelf);
        let shelf = shelf.unwrap_or_else(|| {
            let shelf = self.shelves.len();
            self.shelves.push(Shelf::default());
            for colouring in [material.swapped(), material] {
                let (normal, swapped) = colouring.normal(self.game);
                if normal == material {
                    let entry = MaterialTables::new(self.game, shelf, normal, swapped);
                    self.materials.insert(colouring, entry);
                }
            }
            shelf
        });
        // The first one found counts.
        self.shelves[shelf].slots[place(metric)].get_or_insert(slot);
    }

    /// Where the tables of a material are, in either colouring; `None` if there are none.
    #[inline]
    pub(crate) fn entry(&self, material: &Material) -> Option<&MaterialTables> {
        self.materials.get(material)
    }

    /// Finds files by name, without opening any, except those that are left out. A folder that
    /// does not exist is treated as empty.
    pub(crate) fn add_folder(
        &mut self,
        folder: &Path,
        is_left_out: impl Fn(&Path) -> bool,
    ) -> Result<(), TableError> {
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
                let slot = Slot {
                    path,
                    table: OnceLock::new(),
                };
                self.put(material, metric, slot);
            }
        }
        Ok(())
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
        // It may be what the values of another were found to rest on in vain.
        for slot in self.shelves.iter_mut().flat_map(|shelf| &mut shelf.slots) {
            if let Some(Ok(open)) = slot.as_mut().and_then(|slot| slot.table.get_mut()) {
                open.forget_needs();
            }
        }
        let slot = Slot {
            path: table.path().map(Path::to_owned).unwrap_or_default(),
            table: OnceLock::from(Ok(table)),
        };
        self.put(material, metric, slot);
        Ok(())
    }

    /// The table of a material; `None` if there is none.
    pub(crate) fn table(
        &self,
        entry: &MaterialTables,
        metric: Metric,
    ) -> Option<Result<&Table, Arc<TableError>>> {
        let slot = self.shelves[entry.shelf].slots[place(metric)].as_ref()?;
        let expected = Expected {
            game: self.game,
            material: entry.normal,
            metric,
        };
        let table = slot.table.get_or_init(|| {
            Table::open_as_by(&slot.path, &expected, self.access).map_err(Arc::new)
        });
        Some(table.as_ref().map_err(Arc::clone))
    }

    /// All tables that were found, in no particular order.
    pub(crate) fn list(&self) -> impl Iterator<Item = (Material, Metric)> + '_ {
        let materials = self.materials.values().filter(|entry| !entry.swapped);
        materials.flat_map(|entry| {
            let slots = &self.shelves[entry.shelf].slots;
            let found = Metric::ALL.into_iter().zip(slots);
            found.filter_map(|(metric, slot)| slot.as_ref().map(|_| (entry.normal, metric)))
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
