//! Makes the helpmate file of a material: which sides can be mated if both help.

use std::collections::HashMap;

use retrograde_folder::read_side;
use retrograde_probe::Metric;
use retrograde_rules::{Colour, Material};
use retrograde_solve::helpmate::{KnownHelpmates, solve};

use super::fifty_moves::values;
use super::material::Job;
use super::{GenerateError, Phase, TableOutcome};

impl Job<'_> {
    /// Makes the file.
    pub(super) fn helpmates(&self) -> Result<TableOutcome, GenerateError> {
        let material = self.planned.material;
        self.observer.phase(Phase::Reading);
        let needs = self.planned.needs.iter();
        let smaller: HashMap<Material, KnownHelpmates> = needs
            .map(|material| Ok((*material, self.known_helpmates(material)?)))
            .collect::<Result<_, GenerateError>>()?;
        self.observer.phase(Phase::Solving);
        let solved = solve(self.game, &material, &smaller);
        drop(smaller);
        let solved = solved.map_err(|error| self.solve_error(error))?;
        let values = values(|index| solved.values(index));
        let plan = self.ordered(Metric::Helpmate, |plan| plan, &values)?;
        let bytes = self.publish([self.write(&plan, values)?])?;
        Ok(TableOutcome {
            material,
            kept: false,
            bytes,
            longest_depth: None,
            longest: None,
        })
    }

    /// The table of a successor, unpacked.
    fn known_helpmates(&self, material: &Material) -> Result<KnownHelpmates, GenerateError> {
        self.go_on()?;
        let table = self.open_needed(material, Metric::Helpmate)?;
        let [white, black] = Colour::BOTH.map(|turn| read_side(&table, turn));
        let index = table.index().clone();
        Ok(KnownHelpmates::new(index, [&white?, &black?]))
    }
}
