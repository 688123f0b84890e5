//! Packs the values of a table into sections of the codec `learned`.

use std::ops::Range;

use rayon::prelude::*;
use retrograde_index::{Index, Metric, Wdl, score};
use retrograde_learned::{Features, LINE, Row};
use retrograde_pack_learned::{
    LearnOptions, PackError, Positions, Source, estimate, pack as pack_side,
};
use retrograde_rules::Colour;

use super::blocks::slot;
use super::plan::{Dependencies, worth_a_search};
use super::survey::Survey;
use super::{CHUNK, Fill, PackOptions, TablePlan, Watch, WriteError};
use crate::error::ProbeError;
use crate::format::MOST_LINES;
use crate::format::Section;
use crate::format::header::rank;
use crate::format::learned::{features, rows_of};
use crate::lookup::drawn;
use crate::lookup::range::{load, results_of};

/// The sections of a table, and all their blocks in the order of the file.
pub(super) fn pack(
    survey: &Survey,
    plan: &TablePlan,
    options: &PackOptions,
    watch: Watch,
    fill: &Fill,
) -> Result<(Vec<Section>, Vec<Vec<u8>>), WriteError> {
    if let (Some(depends_on), true) = (&plan.depends_on, plan.asks_result()) {
        let (store, turns) = (&depends_on.tables.store, Colour::BOTH);
        let loaded = load(store, plan.material(), Metric::Wdl, &turns, &|| false);
        loaded.map_err(WriteError::Ground)?;
    }
    let mut sides = Vec::new();
    for turn in plan.sides.turns() {
        watch.go_on()?;
        sides.push(Side::new(survey, plan, turn, fill)?);
    }
    if !options.both_sides {
        leave_out(plan, &mut sides)?;
    }
    let (mut sections, mut all) = (Vec::new(), Vec::new());
    let count = sides.len() as u64;
    for Side {
        mut section,
        values,
        positions,
    } in sides
    {
        watch.go_on()?;
        section.first_block = all.len() as u64;
        if section.palette.len() > 1 {
            // The file is read back.
            let learn = LearnOptions {
                read_back: false,
                ..LearnOptions::default()
            };
            let positions = match positions {
                Some(positions) => positions,
                None => Positions::of(&values)?,
            };
            let (packed, _) = pack_side(&values, &positions, &learn)?;
            drop(positions);
            section.bits = packed.bits as u8;
            section.block_len = ((options.block_bytes / LINE) as u32).clamp(1, MOST_LINES);
            let lines = packed.lines.chunks(section.block_len as usize);
            let lines: Vec<Vec<u8>> = lines.map(|lines| lines.as_flattened().to_vec()).collect();
            let many = |_| WriteError::Options("there are more than 2^32 blocks");
            section.branches = u32::try_from(packed.branches.len()).map_err(many)?;
            section.blocks =
                u32::try_from(lines.len() + packed.branches.len() + 2).map_err(many)?;
            all.extend([packed.model, packed.directory]);
            all.extend(packed.branches);
            all.extend(lines);
        }
        sections.push(section);
        if let Some(progress) = watch.progress {
            progress(sections.len() as u64, count);
        }
    }
    Ok((sections, all))
}

/// A side to move before it is packed.
struct Side<'a> {
    section: Section,
    values: Values<'a>,
    /// Once they have been needed.
    positions: Option<Positions>,
}

impl<'a> Side<'a> {
    fn new(
        survey: &Survey,
        plan: &'a TablePlan,
        turn: Colour,
        fill: &'a Fill<'a>,
    ) -> Result<Side<'a>, WriteError> {
        let (palette, looks) = match &plan.depends_on {
            Some(depends_on) if plan.asks_result() => {
                let (palette, looks) = look(plan, depends_on, turn, fill)?;
                (palette, Some(looks))
            }
            _ => (survey.palette(turn).to_vec(), None),
        };
        let section = Section {
            turn,
            bits: 0,
            block_len: 0,
            blocks: 0,
            branches: 0,
            first_block: 0,
            asks_result: looks.is_some(),
            palette: sorted(plan.metric, palette),
        };
        let values = Values::new(plan, &section, looks, fill)?;
        Ok(Side {
            section,
            values,
            positions: None,
        })
    }

    /// About how many bytes it takes.
    fn bytes(&mut self) -> Result<u64, WriteError> {
        match self.section.palette.len() {
            0 | 1 => Ok(0),
            _ => {
                let positions = Positions::of(&self.values)?;
                let bytes = estimate(&self.values, &positions)?;
                self.positions = Some(positions);
                Ok(bytes)
            }
        }
    }
}

/// Leaves out the side that takes more bytes, if the other is enough and that saves
/// much.
fn leave_out(plan: &TablePlan, sides: &mut Vec<Side>) -> Result<(), WriteError> {
    let [white, black] = sides.as_mut_slice() else {
        return Ok(());
    };
    if !plan.may_stand_alone() {
        return Ok(());
    }
    let bytes = [white.bytes()?, black.bytes()?];
    let larger = usize::from(bytes[1] >= bytes[0]);
    if bytes[larger] >= worth_a_search(plan) {
        sides.remove(larger);
    }
    Ok(())
}

/// Values from the worst to the best result, or from the least number.
fn sorted(metric: Metric, mut palette: Vec<i16>) -> Vec<i16> {
    palette.sort_unstable();
    if metric == Metric::Wdl {
        palette.sort_by_key(|&value| std::cmp::Reverse(Wdl::from_value(value)));
    }
    palette
}

/// The values of one side to move, as the packer asks for them.
struct Values<'a> {
    index: &'a Index,
    features: Features,
    turn: Colour,
    /// The symbol of every value.
    symbols: Vec<u16>,
    count: u32,
    looks: Option<Vec<Look>>,
    fill: &'a Fill<'a>,
}

impl<'a> Values<'a> {
    fn new(
        plan: &'a TablePlan,
        section: &Section,
        looks: Option<Vec<Look>>,
        fill: &'a Fill<'a>,
    ) -> Result<Values<'a>, WriteError> {
        let features = features(plan.game, plan.material(), section.contexts());
        let mut symbols = vec![0; 1 << 16];
        for (symbol, &value) in section.palette.iter().enumerate() {
            symbols[slot(value)] = symbol as u16;
        }
        Ok(Values {
            index: plan.index(),
            features: features.map_err(PackError::from)?,
            turn: section.turn,
            symbols,
            count: section.palette.len() as u32,
            looks,
            fill,
        })
    }
}

impl Source for Values<'_> {
    fn features(&self) -> &Features {
        &self.features
    }

    fn indices(&self) -> u64 {
        self.index.len()
    }

    fn symbols(&self) -> u32 {
        self.count
    }

    fn cells(&self, first: u64, cells: &mut [Option<u16>]) {
        let indices = first..first + cells.len() as u64;
        let mut values = vec![score::DONT_CARE; cells.len()];
        (self.fill)(self.turn, indices, &mut values);
        for (cell, &value) in cells.iter_mut().zip(&values) {
            *cell = (value != score::DONT_CARE).then(|| self.symbols[slot(value)]);
        }
        // Where there is no position, nothing is stored; nor is a draw's distance.
        if let Some(looks) = &self.looks {
            for (cell, look) in cells.iter_mut().zip(&looks[first as usize..]) {
                *cell = cell.filter(|_| look.is_stored());
            }
        }
    }

    fn moving_piece(&self) -> usize {
        self.index.moving_piece()
    }

    fn rows(&self, indices: Range<u64>, rows: &mut Vec<Row>, contexts: &mut [u8]) {
        if let Some(looks) = &self.looks {
            for (context, look) in contexts.iter_mut().zip(&looks[indices.start as usize..]) {
                *context = look.context();
            }
        }
        rows.extend(rows_of(self.index, indices));
    }
}

/// The result of a position of which something is stored.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Look(u8);

impl Look {
    const NOTHING: Look = Look(u8::MAX);

    /// Whether something is stored.
    fn is_stored(self) -> bool {
        self != Look::NOTHING
    }

    /// The context that a reader is given beside the position.
    fn context(self) -> u8 {
        match self {
            Look::NOTHING => 0,
            Look(result) => result,
        }
    }
}

/// A set of values.
struct ValueSet(Vec<u64>);

impl ValueSet {
    fn none() -> ValueSet {
        ValueSet(vec![0; 1 << 10])
    }

    #[inline]
    fn insert(&mut self, value: i16) {
        let slot = slot(value);
        self.0[slot >> 6] |= 1 << (slot & 63);
    }

    fn add(&mut self, others: &ValueSet) {
        for (word, other) in self.0.iter_mut().zip(&others.0) {
            *word |= other;
        }
    }

    /// The values in ascending order, at least one.
    fn palette(&self) -> Vec<i16> {
        let all = i16::MIN..=i16::MAX;
        let has = |value: &i16| self.0[slot(*value) >> 6] >> (slot(*value) & 63) & 1 != 0;
        let mut palette: Vec<i16> = all.filter(has).collect();
        if palette.is_empty() {
            palette.push(0);
        }
        palette
    }
}

/// Looks at every position with a side to move of a table that asks who wins: which values
/// are stored, and of which positions.
fn look(
    plan: &TablePlan,
    depends_on: &Dependencies,
    turn: Colour,
    fill: &Fill,
) -> Result<(Vec<i16>, Vec<Look>), WriteError> {
    let positions = plan.index.len();
    let mut all = vec![Look::NOTHING; positions as usize];
    let chunk = |(chunk, looks): (usize, &mut [Look])| -> Result<ValueSet, ProbeError> {
        let first = chunk as u64 * CHUNK;
        let indices = first..first + looks.len() as u64;
        let mut values = vec![score::DONT_CARE; looks.len()];
        fill(turn, indices.clone(), &mut values);
        let results = results_of(&depends_on.tables.store, &plan.index, turn, indices)?;
        let mut seen = ValueSet::none();
        for ((value, result), look) in values.into_iter().zip(results).zip(looks) {
            let result = Wdl::from_value(result);
            if value != score::DONT_CARE && drawn(plan.metric, result).is_none() {
                *look = Look(rank(result));
                seen.insert(value);
            }
        }
        Ok(seen)
    };
    let parts: Vec<ValueSet> = all
        .par_chunks_mut(CHUNK as usize)
        .enumerate()
        .map(chunk)
        .collect::<Result<_, ProbeError>>()
        .map_err(WriteError::Ground)?;
    let mut seen = ValueSet::none();
    parts.iter().for_each(|part| seen.add(part));
    Ok((seen.palette(), all))
}
