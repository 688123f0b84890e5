//! Finds and loads the tables that the values of a table to be packed depend on.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use retrograde_folder::open;
use retrograde_probe::format::{Codec, Need, Sides};
use retrograde_probe::write::{TablePlan, would_leave_out_a_side};
use retrograde_probe::{Metric, Table, whole};
use retrograde_rules::{Colour, Material};
use retrograde_solve as solve;

use super::values::in_order;
use super::{Job, RepackError};

impl Job<'_> {
    /// Adds to a plan the tables that its values depend on.
    pub(super) fn on_ground(&self, plan: TablePlan) -> Result<TablePlan, RepackError> {
        let Some(needs) = self.needs(&plan)? else {
            return Ok(plan);
        };
        for need in &needs {
            self.keep(&need.material, need.metric)?;
        }
        Ok(plan.depending_on(Arc::clone(self.ground), needs))
    }

    /// The tables that the values of a planned one may depend on; `None` if its metric depends on
    /// nothing.
    fn needs(&self, plan: &TablePlan) -> Result<Option<Vec<Need>>, RepackError> {
        if !matches!(self.metric, Metric::Wdl | Metric::Dtm | Metric::Dtz) {
            return Ok(None);
        }
        let mut needs = Vec::new();
        if self.metric != Metric::Wdl {
            needs.push(self.need(self.material, Metric::Wdl)?);
        }
        if plan.may_ask_successors() && !self.options.both_sides {
            needs.extend(self.successors()?);
        }
        Ok(Some(needs))
    }

    /// Whether a small table stores both sides to move although nobody wants that and one is
    /// enough.
    pub(super) fn has_a_side_too_many(&self, table: &Table) -> Result<bool, RepackError> {
        let header = table.header();
        let is_meant = header.codec == Codec::Learned && header.sides() == Sides::Both;
        if self.options.both_sides || !is_meant {
            return Ok(false);
        }
        let plan = TablePlan::new(self.game, &self.material, self.metric)?;
        let Some(needs) = self.needs(&plan)? else {
            return Ok(false);
        };
        let plan = plan.depending_on(Arc::clone(self.ground), needs);
        Ok(would_leave_out_a_side(&plan, table))
    }

    /// The tables of successors that a side to move depends on which is left out.
    fn successors(&self) -> Result<Vec<Need>, RepackError> {
        let mut materials = solve::successors(self.game, &self.material);
        materials.retain(|material| !self.game.needs_no_table(material));
        let metrics: &[Metric] = match self.metric {
            Metric::Dtm => &[Metric::Wdl, Metric::Dtm],
            _ => &[Metric::Wdl],
        };
        let needs = metrics.iter().flat_map(|&metric| {
            let of = move |&material: &Material| self.need(material, metric);
            materials.iter().map(of)
        });
        needs.collect()
    }

    /// Keeps a table that others depend on in memory. It is read from the folders of tables
    /// that are read if they have one with the same values that depends on no other, because
    /// that is much quicker.
    fn keep(&self, material: &Material, metric: Metric) -> Result<(), RepackError> {
        let Some(table) = self.ground.table(material, metric)? else {
            return Ok(());
        };
        let turns = match *material == self.material {
            true => Colour::BOTH.to_vec(),
            false => whole::turns_after(self.game, &self.material, material, &Colour::BOTH),
        };
        let is_kept = |&turn: &Colour| table.in_memory(turn).is_some();
        if turns.iter().all(is_kept) {
            return Ok(());
        }
        let folders = self.options.tables.iter().map(PathBuf::as_path);
        let quick = open(self.game, material, metric, folders)?.filter(|quick| {
            let (quick, digest) = (quick.header(), table.header().digest);
            quick.codec != Codec::Learned && digest.is_some() && quick.digest == digest
        });
        // What is not kept is read when the table is packed or proved.
        if let Some(quick) = quick {
            for turn in turns {
                let values = in_order(&quick, table.index(), turn)?;
                table.set_in_memory(turn, values);
            }
        }
        Ok(())
    }

    /// A table that others depend on.
    fn need(&self, material: Material, metric: Metric) -> Result<Need, RepackError> {
        let table = self.ground.table(&material, metric)?;
        let table = table.ok_or_else(|| self.missing(material, metric))?;
        let path = || table.path().unwrap_or(Path::new("")).to_owned();
        let digest = table
            .header()
            .digest
            .ok_or_else(|| RepackError::Old(path()))?;
        Ok(Need {
            material,
            metric,
            digest,
        })
    }

    /// The error that says that a table is in no folder.
    pub(super) fn missing(&self, material: Material, metric: Metric) -> RepackError {
        self.ground.missing(&material, Some(metric)).into()
    }
}
