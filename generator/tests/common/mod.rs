//! What several test programs begin with: tables of some materials.

use std::path::Path;

use retrograde::generate::{GenerateOptions, generate};
use retrograde::plan::Plan;
use retrograde_rules::{Game, Material};

/// Makes some materials, and all that they need, in a folder; a real win has
/// `limit` plies to its next zeroing move, if that is not the game's own
/// number. Returns all materials that are made, the smaller ones first.
pub(crate) fn make(game: Game, folder: &Path, names: &[&str], limit: Option<u32>) -> Vec<Material> {
    let parse = |name: &&str| Material::parse(game, name).unwrap();
    let materials: Vec<Material> = names.iter().map(parse).collect();
    let plan = Plan::new(game, &materials, None).unwrap();
    let options = GenerateOptions {
        out: folder.to_owned(),
        limit,
        ..GenerateOptions::default()
    };
    generate(game, &plan, &options, &()).unwrap();
    plan.tables().iter().map(|table| table.material).collect()
}
