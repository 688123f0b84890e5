//! Describes a table to write: its material and metric, its packing, and the sides that it stores.
//!
//! If one side to move is enough, the plan says which one the table keeps.

use std::fmt;
use std::sync::Arc;

use retrograde_index::{Chapters, Index, IndexError, Metric, ThresholdCurve};
use retrograde_rules::{Colour, Game, Material, Piece};

use crate::format::{Codec, Need, Sides, Statistics, Table};
use crate::tablebase::Tablebase;

/// A plan of the table that is written: its metric, and the order of its indices.
#[derive(Clone, Debug)]
pub struct TablePlan {
    pub(super) game: Game,
    pub(super) metric: Metric,
    pub(super) sides: Sides,
    pub(super) index: Index,
    pub(super) curves: Vec<ThresholdCurve>,
    pub(super) chapters: Option<Chapters>,
    pub(super) depends_on: Option<Dependencies>,
    pub(super) statistics: Option<Statistics>,
}

/// The tables that values depend on.
#[derive(Clone)]
pub(super) struct Dependencies {
    pub(super) tables: Arc<Tablebase>,
    pub(super) needs: Vec<Need>,
}

impl fmt::Debug for Dependencies {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(&self.needs).finish()
    }
}

impl TablePlan {
    /// A table with both sides to move, groups in the order of the material.
    ///
    /// # Errors
    /// The material has no index.
    pub fn new(game: Game, material: &Material, metric: Metric) -> Result<TablePlan, IndexError> {
        Ok(TablePlan {
            game,
            metric,
            sides: Sides::Both,
            index: Index::new(game, material)?,
            curves: Vec::new(),
            chapters: None,
            depends_on: None,
            statistics: None,
        })
    }

    /// Orders the groups of pieces of the index anew, the most significant first.
    ///
    /// # Errors
    /// `order` does not name each group once.
    pub fn order(mut self, order: &[Piece]) -> Result<TablePlan, IndexError> {
        self.index = Index::with_order(self.game, self.index.material(), order)?;
        Ok(self)
    }

    /// Sets the sides to move that the table has.
    #[must_use]
    pub fn sides(mut self, sides: Sides) -> TablePlan {
        self.sides = sides;
        self
    }

    /// Sets the curves that the values of [`Metric::Thresholds`] stand for; at most
    /// [`MOST_CURVES`](retrograde_index::MOST_CURVES) without [`TablePlan::chapters`].
    #[must_use]
    pub fn curves(mut self, curves: Vec<ThresholdCurve>) -> TablePlan {
        self.curves = curves;
        self
    }

    /// Sets the chapters by which values name curves.
    #[must_use]
    pub fn chapters(mut self, chapters: Option<Chapters>) -> TablePlan {
        self.chapters = chapters;
        self
    }

    /// Sets the statistics that the table is to keep if it is not known who wins, so that they
    /// cannot be counted.
    #[must_use]
    pub fn statistics(mut self, statistics: Option<Statistics>) -> TablePlan {
        self.statistics = statistics;
        self
    }

    /// The metric.
    pub fn metric(&self) -> Metric {
        self.metric
    }

    /// The index that the indices belong to.
    pub fn index(&self) -> &Index {
        &self.index
    }

    /// Leaves out the distances of draws, and perhaps a side to move that follows from the other;
    /// only [`Codec::Learned`] leaves these out. `needs` are the tables that this takes, each with
    /// its digest; `tables` has them.
    #[must_use]
    pub fn depending_on(mut self, tables: Arc<Tablebase>, needs: Vec<Need>) -> TablePlan {
        self.depends_on = Some(Dependencies { tables, needs });
        self
    }

    /// Whether values may be left out that other tables tell.
    pub fn depends_on_others(&self) -> bool {
        self.depends_on.is_some()
    }

    /// Whether a reader will first ask who wins.
    pub(super) fn asks_result(&self) -> bool {
        self.depends_on.is_some() && matches!(self.metric, Metric::Dtm | Metric::Dtz)
    }

    /// The material.
    pub(super) fn material(&self) -> &Material {
        self.index.material()
    }
}

/// The options of packing a table. The values that are read back do not depend on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PackOptions {
    /// The bytes of the symbols of a block before they are packed, up to 256 KiB. Larger blocks
    /// pack better and are slower to probe.
    pub block_bytes: usize,
    /// The codec of the blocks.
    pub codec: Codec,
    /// The effort that the codec makes; Zstandard: 1 to 22.
    pub level: i32,
    /// Whether both sides to move are stored, even where one would do.
    /// Only [`Codec::Learned`] leaves one out.
    pub both_sides: bool,
}

impl Default for PackOptions {
    fn default() -> PackOptions {
        PackOptions {
            block_bytes: 16 << 10,
            codec: Codec::Zstd,
            level: 12,
            both_sides: false,
        }
    }
}

/// The number of bytes from which a side to move is left out. Tables of other materials often ask
/// for either side of small DTM tables, and then take no search.
pub(super) fn worth_a_search(plan: &TablePlan) -> u64 {
    match plan.metric {
        Metric::Dtm if !plan.material().is_symmetric(plan.game) => 16 << 10,
        _ => 1 << 10,
    }
}

impl TablePlan {
    /// Whether a side to move may be left out that follows from the values of successors.
    pub fn may_ask_successors(&self) -> bool {
        !self.material().is_symmetric(self.game) && matches!(self.metric, Metric::Dtz | Metric::Dtm)
    }

    /// Whether one side to move may be stored alone, the values of the other being those with
    /// colours swapped, or found by one ply of search, or by two after a double step that may be
    /// captured en passant.
    pub(super) fn may_stand_alone(&self) -> bool {
        self.depends_on.is_some()
            && self.sides == Sides::Both
            && (self.material().is_symmetric(self.game) || self.may_ask_successors())
    }
}

/// Whether a small table that stores both sides to move would have only one if it were packed
/// again as planned.
///
/// Packing goes by an estimate of what a side takes. Only what is twice as much as would do
/// counts here, or a table might be packed again each time with the same outcome.
pub fn would_leave_out_a_side(plan: &TablePlan, table: &Table) -> bool {
    let bytes = |turn| table.section(turn).map_or(0, |s| table.section_bytes(s));
    let most = Colour::BOTH.into_iter().map(bytes).max();
    plan.may_stand_alone() && most.unwrap_or(0) >= 2 * worth_a_search(plan)
}
