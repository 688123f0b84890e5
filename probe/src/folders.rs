//! Names the folders in which tables are looked for, some of which may be addresses on the web.

use std::env;
use std::ffi::OsStr;
use std::io;
use std::path::{Path, PathBuf};

/// The environment variable that lists table folders, in the format of `PATH`.
const TABLES_VARIABLE: &str = "RETROGRADE_TABLES";

/// The table folder if none is named.
const DEFAULT_FOLDER: &str = "tables";

/// The folders in a list in the format of `PATH`; `None` if it names none.
pub fn listed_folders(list: &OsStr) -> Option<Vec<PathBuf>> {
    let folders = env::split_paths(list).filter(|folder| !folder.as_os_str().is_empty());
    Some(folders.collect()).filter(|folders: &Vec<PathBuf>| !folders.is_empty())
}

/// The table folders that the environment variable `RETROGRADE_TABLES` names; `None` if it
/// is empty or not set.
pub fn environment_folders() -> Option<Vec<PathBuf>> {
    listed_folders(&env::var_os(TABLES_VARIABLE)?)
}

/// The table folders if none are named: those of the environment, else `tables`.
pub fn default_folders() -> Vec<PathBuf> {
    environment_folders().unwrap_or_else(|| vec![PathBuf::from(DEFAULT_FOLDER)])
}

/// Whether a path is a link to where nothing is, or in a circle.
pub fn is_dangling(path: &Path) -> bool {
    let there = path.metadata();
    path.is_symlink() && there.is_err_and(|error| error.kind() != io::ErrorKind::PermissionDenied)
}

/// Whether a table folder is an address on a web server.
pub fn is_address(folder: &Path) -> bool {
    let text = folder.to_str().unwrap_or_default();
    ["http://", "https://"].iter().any(|scheme| {
        let start = text.get(..scheme.len());
        start.is_some_and(|start| start.eq_ignore_ascii_case(scheme))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn empty_names_are_none() {
        let [first, second] = ["a", "b"].map(PathBuf::from);
        let list = env::join_paths([&PathBuf::new(), &first, &PathBuf::new(), &second]);
        assert_eq!(listed_folders(&list.unwrap()), Some(vec![first, second]));
        let list = env::join_paths([PathBuf::new(), PathBuf::new()]).unwrap();
        assert_eq!(listed_folders(&list), None);
        assert_eq!(listed_folders(OsStr::new("")), None);
    }
}
