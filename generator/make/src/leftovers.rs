//! What killed processes leave behind.

use std::path::Path;

use retrograde_folder::Lock;
use retrograde_probe::write::remove_partials;
use retrograde_rules::Material;

/// Removes what a killed process has left of a material in the folder of a game, if nobody
/// is making it now. If that fails, only harmless files remain.
pub(crate) fn remove_leftovers(folder: &Path, material: &Material) {
    let name = material.to_string();
    // Nothing is written without the lock.
    if Lock::is_there(folder, &name)
        && let Ok(Some(_lock)) = Lock::take(folder, &name)
    {
        let _ = remove_partials(folder, material);
    }
}
