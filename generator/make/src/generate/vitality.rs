//! Makes the files of a material in games with vitality: threshold curves and needs to mate.

use std::collections::HashMap;

use rayon::prelude::*;
use retrograde_probe::write::TablePlan;
use retrograde_probe::{Index, Metric, Reindexing};
use retrograde_rules::{Colour, Material, VitalityRules};

use super::material::Job;
use super::{GenerateError, Phase, TableOutcome};
use retrograde_folder::{Reader, read_side};
use retrograde_solve::vitality::{KnownCurves, solve};

/// The tables of a successor, unpacked.
struct Successor {
    /// The table of curves.
    table: Reader,
    curve_of: [Vec<u32>; 2],
    mates: [Vec<i16>; 2],
}

impl Job<'_> {
    /// Makes the files; `rules` are the rules of the counters.
    pub(super) fn with_vitality(
        &self,
        rules: &'static VitalityRules,
    ) -> Result<TableOutcome, GenerateError> {
        self.observer.phase(Phase::Reading);
        let needs = self.planned.needs.iter();
        let smaller: HashMap<Material, Successor> = needs
            .map(|material| Ok((*material, self.load(material)?)))
            .collect::<Result<_, GenerateError>>()?;
        self.observer.phase(Phase::Solving);
        let answers = solve(self.game, rules, &self.planned.material, |material| {
            let smaller = smaller.get(material)?;
            Some(KnownCurves {
                index: smaller.table.index(),
                curve_of: &smaller.curve_of,
                curves: &smaller.table.header().curves,
                mates: &smaller.mates,
            })
        })
        .map_err(|error| self.solve_error(error))?;
        drop(smaller);
        let curves = answers.curves().to_vec();
        let chapters = answers.chapters().cloned();
        let values = |index: &Index| {
            let reader = answers.reader(index);
            move |turn, range, values: &mut [i16]| reader.curves(turn, range, values)
        };
        let results = |index: &Index| {
            let reader = answers.reader(index);
            move |turn, range, values: &mut [i16]| reader.results(turn, range, values)
        };
        let thresholds = match self.wants(Metric::Thresholds) {
            true => {
                let describe = |plan: TablePlan| plan.curves(curves).chapters(chapters);
                let plan = self.ordered(Metric::Thresholds, describe, values)?;
                self.write_with_results(&plan, values, results)?
            }
            false => None,
        };
        let values = |index: &Index| {
            let reader = answers.reader(index);
            move |turn, range, values: &mut [i16]| reader.mates(turn, range, values)
        };
        let mates = match self.wants(Metric::Mates) {
            true => {
                let plan = self.ordered(Metric::Mates, |plan| plan, values)?;
                self.write_with_results(&plan, values, results)?
            }
            false => None,
        };
        let bytes = self.publish([thresholds, mates])?;
        Ok(TableOutcome {
            material: self.planned.material,
            kept: false,
            bytes,
            longest_depth: None,
            longest: None,
        })
    }

    /// Unpacks the tables of a successor. If the order of the mates is another
    /// than that of the curves, it is changed to that.
    fn load(&self, material: &Material) -> Result<Successor, GenerateError> {
        self.go_on()?;
        let find = |metric| self.open_needed(material, metric);
        let (table, mates) = (find(Metric::Thresholds)?, find(Metric::Mates)?);
        let both = |table: &Reader| -> Result<[Vec<i16>; 2], GenerateError> {
            let [white, black] = Colour::BOTH.map(|turn| read_side(table, turn));
            Ok([white?, black?])
        };
        let curve_of = both(&table)?.map(|values| {
            let values = values.into_par_iter().enumerate();
            let place = |(index, value)| table.curve_place_or_first(index as u64, value);
            values.map(|value| place(value) as u32).collect()
        });
        let Some(order) = Reindexing::new(table.index(), mates.index()) else {
            unreachable!("tables of the material have its index");
        };
        let needs = both(&mates)?.map(|needs| {
            let mut ordered = Vec::with_capacity(needs.len());
            order.each(0..needs.len() as u64, |index| {
                ordered.push(needs[index as usize]);
            });
            ordered
        });
        Ok(Successor {
            table,
            curve_of,
            mates: needs,
        })
    }
}
