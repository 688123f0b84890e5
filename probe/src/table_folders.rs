//! Where tables are looked for unless it is said.

use std::env;
use std::ffi::OsStr;
use std::path::PathBuf;

/// The environment variable that lists table folders, in the format of `PATH`.
const VARIABLE: &str = "RETROGRADE_TABLES";

/// The table folder if none is named.
const DEFAULT: &str = "tables";

/// The folders in a list in the format of `PATH`; `None` if it names none.
pub fn listed_folders(list: &OsStr) -> Option<Vec<PathBuf>> {
    let folders = env::split_paths(list).filter(|folder| !folder.as_os_str().is_empty());
    Some(folders.collect()).filter(|folders: &Vec<PathBuf>| !folders.is_empty())
}

/// The table folders that the environment variable `RETROGRADE_TABLES` names; `None` if it
/// is empty or not set.
pub fn environment_folders() -> Option<Vec<PathBuf>> {
    listed_folders(&env::var_os(VARIABLE)?)
}

/// The table folders if none are named: those of the environment, else `tables`.
pub fn default_folders() -> Vec<PathBuf> {
    environment_folders().unwrap_or_else(|| vec![PathBuf::from(DEFAULT)])
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
