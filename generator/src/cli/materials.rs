//! Reads the game and the materials that a command is told to work on.

use retrograde::plan::{self, Plan};
use retrograde_rules::{Game, Material};

use super::failure::{Failure, Status};
use super::folders::Folders;
use super::games::{GAME, GameParser};
use super::numbers::men;

/// The arguments that name a game and some of its materials.
#[derive(clap::Args)]
pub(crate) struct Named {
    #[arg(value_parser = GameParser, help = GAME)]
    pub(crate) game: Game,
    /// Materials such as KQvKR; the weaker side may come first
    #[arg(value_name = "MATERIAL")]
    materials: Vec<String>,
    /// All materials with up to N pieces
    #[arg(long, value_name = "N", value_parser = men, allow_negative_numbers = true)]
    men: Option<usize>,
}

impl Named {
    /// Whether no material is named.
    fn is_empty(&self) -> bool {
        self.materials.is_empty() && self.men.is_none()
    }

    /// The materials named one by one, as given.
    fn given(&self) -> Result<Vec<Material>, Failure> {
        let parse = |name: &String| Material::parse(self.game, name);
        Ok(self
            .materials
            .iter()
            .map(parse)
            .collect::<Result<Vec<Material>, _>>()?)
    }

    /// The named materials in normal form, without what they need.
    pub(crate) fn materials(&self) -> Result<Vec<Material>, Failure> {
        // A plan refuses what is no table.
        let plan = self.plan()?;
        let mut list: Vec<Material> = self
            .given()?
            .iter()
            .map(|material| material.normal(self.game).0)
            .collect();
        if let Some(men) = self.men {
            list.extend(plan::materials(plan.game(), men));
        }
        Ok(list)
    }

    /// The named materials, or every one that has a table if none is named, smaller ones
    /// first.
    pub(crate) fn materials_or_all(&self, folders: &Folders) -> Result<Vec<Material>, Failure> {
        let mut materials: Vec<Material> = match self.is_empty() {
            true => {
                let tables = folders.open(self.game)?;
                tables.tables().map(|(material, _)| material).collect()
            }
            false => self.materials()?,
        };
        plan::sort(&mut materials);
        materials.dedup();
        Ok(materials)
    }

    /// The failure that there are no tables to `what`, such as to verify.
    pub(crate) fn nothing(&self, folders: &Folders, what: &str) -> Failure {
        let Some(men) = self.men else {
            return folders.nothing(what);
        };
        let game = self.game.id();
        let text = format!(
            "{game} has no tables of up to {men} pieces to {what}; give a larger number with --men"
        );
        Failure::new(Status::Missing, text)
    }

    /// The named materials and all that they need.
    pub(crate) fn plan(&self) -> Result<Plan, Failure> {
        if self.is_empty() {
            let game = self.game.id();
            return Err(Failure::usage(format!(
                "name tables, such as {game} KQvKR, or all up to a number of pieces: {game} --men 4"
            )));
        }
        Ok(Plan::new(self.game, &self.given()?, self.men)?)
    }
}
