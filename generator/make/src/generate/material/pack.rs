//! Packs the solved values of a material, and gives the finished files their names.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

use retrograde_probe::index::Group;
use retrograde_probe::write::{self, Pending, Watch};
use retrograde_probe::{Index, Metric, table_path};
use retrograde_rules::{Colour, Piece};

use super::Job;
use crate::generate::{GenerateError, Phase};
use crate::packing::Packing;

impl Job<'_> {
    fn begin_writing(&self, metric: Metric) {
        if self.wants(metric) {
            self.observer.phase(Phase::Writing(metric));
        }
    }

    /// The plan of a table with the groups of pieces in the order that seems best.
    /// `describe` completes it; `values` makes the source of values for an index.
    pub(in crate::generate) fn ordered<F>(
        &self,
        metric: Metric,
        describe: impl FnOnce(write::TablePlan) -> write::TablePlan,
        values: impl Fn(&Index) -> F,
    ) -> Result<write::TablePlan, GenerateError>
    where
        F: Fn(Colour, Range<u64>, &mut [i16]) + Sync,
    {
        self.begin_writing(metric);
        let plan = describe(self.plan(metric)?);
        let options = Packing::Fast.options(metric, plan.index().len());
        Ok(write::best_order(
            &plan,
            &options,
            Watch::default(),
            values,
        )?)
    }

    /// Packs and writes a metric, to be published later, if it is wanted.
    pub(in crate::generate) fn write<F>(
        &self,
        plan: &write::TablePlan,
        values: impl Fn(&Index) -> F,
    ) -> Result<Option<Pending>, GenerateError>
    where
        F: Fn(Colour, Range<u64>, &mut [i16]) + Sync,
    {
        match self.wants(plan.metric()) {
            true => self.pack(plan, &values(plan.index()), None).map(Some),
            false => Ok(None),
        }
    }

    /// Packs and writes a metric whose values do not say who wins, given the `results` that do; to
    /// be published later, if it is wanted.
    pub(in crate::generate) fn write_with_results<F, R>(
        &self,
        plan: &write::TablePlan,
        values: impl Fn(&Index) -> F,
        results: impl Fn(&Index) -> R,
    ) -> Result<Option<Pending>, GenerateError>
    where
        F: Fn(Colour, Range<u64>, &mut [i16]) + Sync,
        R: Fn(Colour, Range<u64>, &mut [i16]) + Sync,
    {
        if !self.wants(plan.metric()) {
            return Ok(None);
        }
        let results = results(plan.index());
        let pending = self.pack(plan, &values(plan.index()), Some(&results));
        pending.map(Some)
    }

    /// The plan of a table with the groups of pieces in the order of another metric.
    pub(in crate::generate) fn in_order(
        &self,
        metric: Metric,
        order: &write::TablePlan,
    ) -> Result<write::TablePlan, GenerateError> {
        self.begin_writing(metric);
        let groups: Vec<Piece> = order.index().groups().iter().map(Group::piece).collect();
        let plan = self.plan(metric)?.order(&groups);
        plan.map_err(|e| self.solve_error(e))
    }

    fn plan(&self, metric: Metric) -> Result<write::TablePlan, GenerateError> {
        let plan = write::TablePlan::new(self.game, &self.planned.material, metric);
        plan.map_err(|e| self.solve_error(e))
    }

    fn pack(
        &self,
        plan: &write::TablePlan,
        values: &write::Fill<'_>,
        results: Option<&write::Fill<'_>>,
    ) -> Result<Pending, GenerateError> {
        let most = AtomicU64::new(0);
        let progress = |done, total| {
            // Tasks report out of order; the bar should not go back.
            if most.fetch_max(done, Ordering::Relaxed) <= done {
                self.observer.progress(done, total);
            }
        };
        let watch = Watch {
            stop: None,
            progress: Some(&progress),
        };
        let path = table_path(self.out, self.game, &self.planned.material, plan.metric());
        let options = Packing::Fast.options(plan.metric(), plan.index().len());
        let pending = write::prepare_with_results(&path, plan, &options, watch, values, results)?;
        Ok(pending)
    }

    /// Gives the files of the material their names once all are complete, and
    /// returns their size in bytes. WDL comes first, because the other metrics are
    /// of no use without it to anyone who looks in between.
    pub(in crate::generate) fn publish(
        &self,
        files: impl IntoIterator<Item = Option<Pending>>,
    ) -> Result<u64, GenerateError> {
        let mut bytes = 0;
        for file in files.into_iter().flatten() {
            bytes += file.publish()?.file_len;
        }
        Ok(bytes)
    }
}
