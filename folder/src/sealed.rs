//! Sealed result files: a run writes its findings about tables, and later runs can rely on them.
//!
//! Whoever gives tables away can put any file beside them, so findings are *sealed*: with a
//! secret of the user, who alone can read it, and for one program. They name the files that
//! they were found in with hashes of every byte.

use std::collections::{BTreeSet, HashMap};
use std::fs::{self, File};
use std::io::{self, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use etcetera::BaseStrategy;
use retrograde_probe::{Metric, TableError, TableFault};
use retrograde_rules::{Game, Material};
use serde::Serialize;
use serde::de::DeserializeOwned;
use xxhash_rust::xxh3::xxh3_128;

use crate::files::{open_own, replace};
use crate::tables::open;

/// The file of a user's secret.
const SECRET: &str = "secret";

/// The bytes of a secret, and of a seal.
const LEN: usize = blake3::KEY_LEN;

/// The folder in which programs of the project keep what they remember for this user; `None`
/// if the system does not say where that is.
pub fn state_folder() -> Option<PathBuf> {
    let folders = etcetera::choose_base_strategy().ok()?;
    let folder = folders.state_dir().unwrap_or_else(|| folders.cache_dir());
    Some(folder.join("retrograde"))
}

/// A seal that only this user and this program can make.
pub struct Seal {
    key: [u8; LEN],
}

impl Seal {
    /// The seal of the user whose secret is in a folder, and of the program that runs. The
    /// folder and the secret are made if they are not there.
    ///
    /// # Errors
    /// The secret cannot be read or made, or others than the user can read it, or the program
    /// cannot be read.
    pub fn open(folder: &Path) -> io::Result<Seal> {
        let path = folder.join(SECRET);
        let secret = match read_secret(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                make_secret(folder)?;
                read_secret(&path)?
            }
            secret => secret?,
        };
        // Who can read the secret can read the program, too, so the sum need not be a secret one.
        let program = xxh3_128(&fs::read(std::env::current_exe()?)?);
        Ok(Seal {
            key: *blake3::keyed_hash(&secret, &program.to_le_bytes()).as_bytes(),
        })
    }

    /// Reads what was written with this seal; `None` if a file has another one, or is empty.
    ///
    /// # Errors
    /// The file cannot be read, is not a regular file, or has no seal at all.
    pub fn read<T: DeserializeOwned>(&self, path: &Path) -> io::Result<Option<T>> {
        let mut bytes = Vec::new();
        open_own(File::options().read(true), path)?.read_to_end(&mut bytes)?;
        if bytes.is_empty() {
            return Ok(None);
        }
        let (seal, contents) = bytes.split_at(bytes.len().min(2 * LEN));
        let seal = blake3::Hash::from_hex(seal);
        let seal = seal.map_err(|_| io::Error::other("it has something else in it; remove it"))?;
        let is_own = seal == blake3::keyed_hash(&self.key, contents);
        Ok(is_own
            .then(|| serde_json::from_slice(contents).ok())
            .flatten())
    }

    /// Writes something with this seal, as [`replace`] does.
    ///
    /// # Errors
    /// The file cannot be written; nothing of it is left then.
    pub fn write<T: Serialize>(&self, path: &Path, contents: &T) -> io::Result<()> {
        let contents = serde_json::to_vec(contents)?;
        let seal = blake3::keyed_hash(&self.key, &contents).to_hex();
        replace(path, |file| {
            file.write_all(seal.as_bytes())?;
            file.write_all(&contents)
        })
    }
}

fn read_secret(path: &Path) -> io::Result<[u8; LEN]> {
    let at =
        |error: io::Error| io::Error::new(error.kind(), format!("{}: {error}", path.display()));
    let mut file = open_own(File::options().read(true), path).map_err(at)?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        if file.metadata()?.permissions().mode() & 0o077 != 0 {
            let text = "others than its owner can use this secret; remove it";
            return Err(at(io::Error::other(text)));
        }
    }
    let mut secret = [0; LEN];
    file.read_exact(&mut secret).map_err(at)?;
    Ok(secret)
}

/// Makes a secret that only its owner can read, unless another process is quicker.
fn make_secret(folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    let mut secret = [0; LEN];
    getrandom::fill(&mut secret).map_err(io::Error::other)?;
    let mut file = tempfile::NamedTempFile::new_in(folder)?;
    file.write_all(&secret)?;
    match file.persist_noclobber(folder.join(SECRET)) {
        Err(error) if error.error.kind() != io::ErrorKind::AlreadyExists => Err(error.error),
        _ => Ok(()),
    }
}

/// Hashes of all bytes of files, each of which is read once.
#[derive(Default)]
pub struct FileHashes {
    known: HashMap<(PathBuf, u64, Option<SystemTime>), blake3::Hash>,
}

impl FileHashes {
    /// The files of some tables of a game, as far as they are there, and of all that their
    /// values depend on: the name and the hash of each.
    ///
    /// # Errors
    /// A file cannot be read.
    pub fn of(
        &mut self,
        game: Game,
        tables: impl IntoIterator<Item = (Material, Metric)>,
        folders: &[&Path],
    ) -> Result<Vec<String>, TableError> {
        let mut left: Vec<(Material, Metric)> = tables.into_iter().collect();
        let mut names = BTreeSet::new();
        let mut files = Vec::new();
        while let Some((material, metric)) = left.pop() {
            let name = format!("{}.{metric}", material.name(game));
            if !names.insert(name.clone()) {
                continue;
            }
            // One that cannot be opened is told of where it is needed.
            let Ok(Some(table)) = open(game, &material, metric, folders.iter().copied()) else {
                continue;
            };
            let path = table.path().unwrap_or(Path::new(""));
            let hash = self.hash(path);
            let hash = hash.map_err(|error| TableError {
                path: Some(path.to_owned()),
                fault: TableFault::Io(error),
            })?;
            files.push(format!("{}/{name} {hash}", game.id()));
            let needs = &table.header().needs;
            left.extend(needs.iter().map(|need| (need.material, need.metric)));
        }
        files.sort_unstable();
        Ok(files)
    }

    fn hash(&mut self, path: &Path) -> io::Result<blake3::Hash> {
        let file = File::open(path)?;
        let metadata = file.metadata()?;
        let key = (path.to_owned(), metadata.len(), metadata.modified().ok());
        if let Some(hash) = self.known.get(&key) {
            return Ok(*hash);
        }
        let mut hasher = blake3::Hasher::new();
        hasher.update_reader(BufReader::with_capacity(1 << 18, file))?;
        Ok(*self.known.entry(key).or_insert(hasher.finalize()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_same_user_seals_alike() {
        let [own, other] = [(); 2].map(|()| tempfile::tempdir().unwrap());
        let path = own.path().join("kept");
        let seal = Seal::open(own.path()).unwrap();
        seal.write(&path, &[1, 2]).unwrap();
        let again = Seal::open(own.path()).unwrap();
        assert_eq!(again.read::<Vec<u32>>(&path).unwrap(), Some(vec![1, 2]));
        let foreign = Seal::open(other.path()).unwrap();
        assert_eq!(foreign.read::<Vec<u32>>(&path).unwrap(), None);
        let sealed = fs::read_to_string(&path).unwrap();
        for text in [
            sealed.replace("[1,", "[3,"),
            sealed[..2 * LEN].to_owned(),
            String::new(),
        ] {
            fs::write(&path, text).unwrap();
            assert_eq!(seal.read::<Vec<u32>>(&path).unwrap(), None);
        }
        for text in ["[1,2]", &sealed[..9]] {
            fs::write(&path, text).unwrap();
            assert!(seal.read::<Vec<u32>>(&path).is_err());
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_secret_that_others_can_read_is_none() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        Seal::open(folder.path()).unwrap();
        let path = folder.path().join(SECRET);
        fs::set_permissions(&path, fs::Permissions::from_mode(0o644)).unwrap();
        let error = Seal::open(folder.path()).err().unwrap().to_string();
        assert!(error.contains("remove it"), "{error}");
    }
}
