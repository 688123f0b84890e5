//! The tables of a session, and going on without files that turn out to be damaged.

use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use retrograde_probe::{Expected, ProbeError, Table, TableError, Tablebase, table_path};
use retrograde_rules::{Colour, Game, Material, Position};

/// The tables of a game in some folders.
pub(crate) struct Tables {
    folders: Vec<PathBuf>,
    all: Arc<Tablebase>,
    sound: Mutex<Sound>,
}

/// What is left of the tables, once one has been found to be damaged.
#[derive(Default)]
struct Sound {
    damaged: HashSet<PathBuf>,
    /// The sound tables that positions of some material may lead to.
    part: Option<(Material, Arc<Tablebase>)>,
}

impl Tables {
    /// The tables in some folders; also what is wrong with folders that cannot be read, which
    /// are as good as empty.
    ///
    /// # Errors
    /// There can be no tables of the game.
    pub(crate) fn open(
        game: Game,
        folders: &[PathBuf],
    ) -> Result<(Tables, Vec<String>), TableError> {
        let (mut readable, mut faults) = (Vec::new(), Vec::new());
        for folder in folders {
            if folder.is_file() {
                faults.push(format!("{} is not a folder", folder.display()));
            } else if let Err(error) = Tablebase::open(game, [folder]) {
                faults.push(error.to_string());
            } else {
                readable.push(folder.clone());
            }
        }
        let all = match Tablebase::open(game, &readable) {
            Ok(all) => all,
            Err(error) => {
                faults.push(error.to_string());
                Tablebase::from_tables(game, [])?
            }
        };
        let tables = Tables {
            folders: readable,
            all: Arc::new(all),
            sound: Mutex::default(),
        };
        Ok((tables, faults))
    }

    /// The folders that can be read.
    pub(crate) fn folders(&self) -> &[PathBuf] {
        &self.folders
    }

    /// How many tables there are.
    pub(crate) fn count(&self) -> usize {
        self.all.tables().count()
    }

    /// Puts a question about a position to the tables. If a file is found to be damaged this is
    /// told, once in a session, and the question is put again to the others.
    ///
    /// # Errors
    /// Those of the question, but not that a file is damaged.
    pub(crate) fn ask<T>(
        &self,
        position: &Position,
        mut tell: impl FnMut(String),
        mut question: impl FnMut(Arc<Tablebase>) -> Result<T, ProbeError>,
    ) -> Result<T, ProbeError> {
        let mut sound = self.sound.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            let tables = self.sound_part(&mut sound, position, &mut tell);
            let known = sound.damaged.len();
            // A question may take long, and others be put meanwhile.
            drop(sound);
            let answer = question(tables);
            let Err(ProbeError::Table { error, .. }) = &answer else {
                return answer;
            };
            sound = self.sound.lock().unwrap_or_else(PoisonError::into_inner);
            sound.leave_out(error, &mut tell);
            // Another question may have come upon the same file in the meantime.
            if sound.damaged.len() == known {
                return answer;
            }
        }
    }

    /// All tables as long as none is known to be damaged, then the sound ones that the position
    /// may lead to. Those are opened at once, so it does not do to take all that there are.
    fn sound_part(
        &self,
        sound: &mut Sound,
        position: &Position,
        tell: &mut impl FnMut(String),
    ) -> Arc<Tablebase> {
        if sound.damaged.is_empty() {
            return Arc::clone(&self.all);
        }
        let material = position.material();
        if let Some((of, part)) = &sound.part
            && *of == material
        {
            return Arc::clone(part);
        }
        let game = self.all.game();
        let mut found = Vec::new();
        for (smaller, metric) in self.all.tables() {
            if !may_lead_to(&material, &smaller) {
                continue;
            }
            let expected = Expected {
                game,
                material: smaller,
                metric,
            };
            for folder in &self.folders {
                let path = table_path(folder, game, &smaller, metric);
                if sound.damaged.contains(&path) || !path.exists() {
                    continue;
                }
                match Table::open_as(&path, &expected) {
                    Ok(table) => {
                        found.push(table);
                        break;
                    }
                    Err(error) => sound.leave_out(&error, tell),
                }
            }
        }
        match Tablebase::from_tables(game, found) {
            Ok(part) => {
                let part = Arc::new(part);
                sound.part = Some((material, Arc::clone(&part)));
                part
            }
            // They are all of this game.
            Err(_) => Arc::clone(&self.all),
        }
    }
}

impl Sound {
    /// Leaves out the file that an error is about, and tells this if it is new.
    fn leave_out(&mut self, error: &TableError, tell: &mut impl FnMut(String)) {
        if let Some(path) = &error.path
            && self.damaged.insert(path.clone())
        {
            tell(format!("going on without a table: {error}"));
            self.part = None;
        }
    }
}

/// Whether moves may lead from a material to another in normal form: no side ever gets more
/// pieces.
fn may_lead_to(material: &Material, smaller: &Material) -> bool {
    let fits = |smaller: &Material| {
        let of = |colour| smaller.side_len(colour) <= material.side_len(colour);
        Colour::BOTH.into_iter().all(of)
    };
    fits(smaller) || fits(&smaller.swapped())
}
