//! Shared by several test programs: tables of some materials.

use std::path::Path;

use retrograde::generate::{GenerateOptions, generate};
use retrograde::plan::Plan;
use retrograde_rules::{Game, Material};

/// Makes some materials, and all that they need, in a folder; `limit` replaces that of
/// the fifty-move rule. Returns all materials made, successors first.
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
