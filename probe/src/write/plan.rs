//! What is to be written: which table, and how it is packed.

use std::fmt;
use std::sync::Arc;

use retrograde_index::{Chapters, Index, IndexError, Metric, ThresholdCurve};
use retrograde_rules::{Game, Material, Piece};

use crate::format::{Codec, Need, Sides, Statistics};
use crate::tablebase::Tablebase;

/// Which table is written, and in which order its indices are.
#[derive(Clone, Debug)]
pub struct TablePlan {
    pub(super) game: Game,
    pub(super) metric: Metric,
    pub(super) sides: Sides,
    pub(super) index: Index,
    pub(super) curves: Vec<ThresholdCurve>,
    pub(super) chapters: Option<Chapters>,
    pub(super) ground: Option<Ground>,
    pub(super) statistics: Option<Statistics>,
}

/// The tables that values rest on.
#[derive(Clone)]
pub(super) struct Ground {
    pub(super) tables: Arc<Tablebase>,
    pub(super) needs: Vec<Need>,
}

impl fmt::Debug for Ground {
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
            ground: None,
            statistics: None,
        })
    }

    /// The same table with the groups in another order, the most significant
    /// first.
    ///
    /// # Errors
    /// `order` does not name each group once.
    pub fn order(mut self, order: &[Piece]) -> Result<TablePlan, IndexError> {
        self.index = Index::with_order(self.game, self.index.material(), order)?;
        Ok(self)
    }

    /// The same table with other sides to move.
    #[must_use]
    pub fn sides(mut self, sides: Sides) -> TablePlan {
        self.sides = sides;
        self
    }

    /// The same table with what the values of [`Metric::Thresholds`] stand for;
    /// at most [`MOST_CURVES`](retrograde_index::MOST_CURVES) without
    /// [`TablePlan::chapters`].
    #[must_use]
    pub fn curves(mut self, curves: Vec<ThresholdCurve>) -> TablePlan {
        self.curves = curves;
        self
    }

    /// The same table with values that name curves by chapters.
    #[must_use]
    pub fn chapters(mut self, chapters: Option<Chapters>) -> TablePlan {
        self.chapters = chapters;
        self
    }

    /// The same table with the statistics that it is to keep if it is not known who wins,
    /// so that they cannot be counted.
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

    /// The same table without the distances of draws, and perhaps without a side to move that
    /// follows from the other; only [`Codec::Learned`] leaves these out. `needs` are the tables
    /// that this takes, each with its digest; `tables` has them.
    #[must_use]
    pub fn resting_on(mut self, tables: Arc<Tablebase>, needs: Vec<Need>) -> TablePlan {
        self.ground = Some(Ground { tables, needs });
        self
    }

    /// Whether values may be left out that other tables tell.
    pub fn rests_on_others(&self) -> bool {
        self.ground.is_some()
    }

    /// Whether a reader will first ask who wins.
    pub(super) fn asks_result(&self) -> bool {
        self.ground.is_some() && matches!(self.metric, Metric::Dtm | Metric::Dtz)
    }

    /// The material.
    pub(super) fn material(&self) -> &Material {
        self.index.material()
    }
}

/// How tables are packed. The values that are read back do not depend on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PackOptions {
    /// How many bytes the symbols of a block take before they are packed, up
    /// to 256 KiB. Larger blocks pack better and are slower to probe.
    pub block_bytes: usize,
    /// How blocks are packed.
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
