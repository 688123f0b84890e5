//! Removes the unfinished files that killed processes left in the folder of a game.

use std::path::Path;

use retrograde_folder::Lock;
use retrograde_probe::write::remove_partials;
use retrograde_rules::{Game, Material};

/// Removes what killed processes have left of any material in the folder of a game, unless
/// somebody is making that one now. If that fails, only harmless files remain.
pub(crate) fn remove_leftovers(folder: &Path, game: Game) {
    // Nothing is written without a lock, and who was killed has not removed it.
    for name in Lock::names(folder) {
        if let Ok(material) = Material::parse(game, &name)
            && let Ok(Some(_lock)) = Lock::take(folder, &name)
        {
            let _ = remove_partials(folder, game, &material);
        }
    }
}
