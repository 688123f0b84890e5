//! Describes a table to write: its material and metric, its packing, and the sides that it stores.
//!
//! If one side to move is enough, the plan says which one the table keeps.

use std::fmt;
use std::sync::Arc;

use retrograde_index::{Chapters, Index, IndexError, Metric, ThresholdCurve};
use retrograde_rules::{Colour, Game, Material, Piece};

use crate::error::ProbeError;
use crate::format::{Codec, Need, Sides, Statistics, Table};
use crate::lookup::range::turns_after_move;
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

/// The number of bytes from which a side to move is left out. Tables of other materials rely on
/// both sides of small DTM tables.
pub(super) fn worth_a_search(plan: &TablePlan) -> u64 {
    match plan.metric {
        Metric::Dtm if !plan.material().is_symmetric(plan.game) => 16 << 10,
        _ => 1 << 10,
    }
}

/// Up to how many pieces a DTM table of as many on either side keeps both sides to move.
///
/// A table with one piece more depends on such tables, with either side to move in them according
/// to which piece was captured, and would have to keep both sides itself: 40 of the 110
/// endings of five men of orthodox chess had to, the largest among them.
const MOST_EVEN: usize = 4;

impl TablePlan {
    /// Whether a side to move may be left out that follows from the values of successors.
    pub fn may_ask_successors(&self) -> bool {
        let material = self.material();
        let pieces = |colour| material.pieces().filter(|p| p.colour == colour).count();
        let is_even = pieces(Colour::White) == pieces(Colour::Black);
        !material.is_symmetric(self.game)
            && match self.metric {
                Metric::Dtz => true,
                Metric::Dtm => !is_even || material.len() > MOST_EVEN,
                _ => false,
            }
    }
}

/// The sides that may be stored alone, the values of the other being those with colours
/// swapped, or found by one ply of search, or by two after a double step that may be captured
/// en passant.
pub(super) fn may_stand_alone(plan: &TablePlan) -> Result<Vec<Colour>, ProbeError> {
    let (Some(depends_on), Sides::Both) = (&plan.depends_on, plan.sides) else {
        return Ok(Vec::new());
    };
    match plan.metric {
        _ if plan.material().is_symmetric(plan.game) => Ok(Colour::BOTH.to_vec()),
        _ if !plan.may_ask_successors() => Ok(Vec::new()),
        // A move that leaves the material is a zeroing one, and takes a WDL table only.
        Metric::Dtz => Ok(Colour::BOTH.to_vec()),
        Metric::Dtm => {
            let mut found = Vec::new();
            for stored in Colour::BOTH {
                if successors_have(plan.game, plan.material(), depends_on, stored)? {
                    found.push(stored);
                }
            }
            Ok(found)
        }
        _ => Ok(Vec::new()),
    }
}

/// Whether a small table that stores both sides to move would have only one if it were packed
/// again as planned.
///
/// Packing goes by an estimate of what a side takes. Only what is twice as much as would do
/// counts here, or a table might be packed again each time with the same outcome.
///
/// # Errors
/// A table that it depends on cannot be read.
pub fn would_leave_out_a_side(plan: &TablePlan, table: &Table) -> Result<bool, ProbeError> {
    let enough = may_stand_alone(plan)?;
    let bytes = |turn| table.section(turn).map_or(0, |s| table.section_bytes(s));
    let kept = enough.into_iter().min_by_key(|&turn| bytes(turn));
    Ok(kept.is_some_and(|kept| bytes(kept.other()) >= 2 * worth_a_search(plan)))
}

/// Whether the DTM tables of all successors have the values that the other side than
/// `stored` asks for.
fn successors_have(
    game: Game,
    material: &Material,
    depends_on: &Dependencies,
    stored: Colour,
) -> Result<bool, ProbeError> {
    let needs_of = |metric| {
        depends_on
            .needs
            .iter()
            .filter(move |need| need.metric == metric)
    };
    for need in needs_of(Metric::Wdl).filter(|need| need.material != *material) {
        if !needs_of(Metric::Dtm).any(|other| other.material == need.material) {
            return Ok(false);
        }
        let Some(table) = depends_on.tables.table(&need.material, Metric::Dtm)? else {
            return Ok(false);
        };
        let sides = table.header().sides();
        let after = |mover| turns_after_move(game, material, &need.material, mover);
        let mut turns = after(stored.other());
        if turns.is_empty() && after(stored).is_empty() {
            // Reached in some other way.
            turns = Colour::BOTH.to_vec();
        }
        let has = |turn| sides.has(turn) || need.material.is_symmetric(game);
        if !turns.into_iter().all(has) {
            return Ok(false);
        }
    }
    Ok(true)
}
