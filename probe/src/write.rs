//! Writes tables: turns values into blocks and a header, in parallel.
//!
//! The file appears whole or not at all.
//!
//! The bytes depend on the values and the options alone, not on the number of
//! threads.

mod blocks;
mod error;
mod learned;
mod order;
mod partial;
mod plan;
mod survey;
#[cfg(test)]
mod tests;

use std::io::{self, Cursor, Read, Seek, SeekFrom, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use rayon::prelude::*;
use retrograde_index::score;
use retrograde_rules::Colour;

use crate::format::{CHECKSUM, Codec, Header, Need, Sides, Table, checksum, page_sums, pages_of};
use crate::whole;
use blocks::Blocks;
pub use error::WriteError;
pub use order::best_order;
use partial::Partial;
pub use partial::remove_partials;
pub use plan::{PackOptions, TablePlan, would_leave_out_a_side};
use survey::Survey;

/// The caller's way to follow the writing.
#[derive(Clone, Copy, Default)]
pub struct Watch<'a> {
    /// Set to true to stop soon; what was written is removed.
    pub stop: Option<&'a AtomicBool>,
    /// Called now and then with the blocks that are packed and how many there
    /// will be.
    pub progress: Option<&'a (dyn Fn(u64, u64) + Sync)>,
}

impl Watch<'_> {
    fn go_on(&self) -> Result<(), WriteError> {
        match self.stop {
            Some(stop) if stop.load(Ordering::Relaxed) => Err(WriteError::Stopped),
            _ => Ok(()),
        }
    }
}

/// About how many values are asked for at once where blocks do not matter.
const CHUNK: u64 = 1 << 16;

/// The source of values of [`prepare`]: behind a pointer, so that the writer is compiled
/// once and not for every source of values.
pub type Fill<'a> = dyn Fn(Colour, Range<u64>, &mut [i16]) + Sync + 'a;

/// The digest that a table with some values would have: see `docs/FORMAT.md`.
///
/// # Errors
/// A value is none of the metric, or the work was stopped.
pub fn digest(plan: &TablePlan, watch: Watch<'_>, fill: &Fill<'_>) -> Result<u64, WriteError> {
    Ok(Survey::new(plan, watch, fill, None)?.digest)
}

/// The values that a table is made of.
#[derive(Clone, Copy)]
struct Given<'a> {
    fill: &'a Fill<'a>,
    /// The results, where the values do not say them.
    results: Option<&'a Fill<'a>>,
}

/// A table that is whole and safe on the disk, and only lacks its name. It is
/// removed if it does not get it.
pub struct Pending {
    partial: Partial,
    path: PathBuf,
    header: Header,
}

impl Pending {
    /// The header that was written.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// Opens the file, to be [proved](prove).
    ///
    /// # Errors
    /// [`WriteError::Unreadable`].
    pub fn open(&self) -> Result<Table, WriteError> {
        Table::open(self.partial.path()).map_err(WriteError::unreadable)
    }

    /// Gives the file its name; one that had it before is replaced.
    ///
    /// # Errors
    /// [`WriteError::Io`].
    pub fn publish(self) -> Result<Header, WriteError> {
        self.partial.finish(&self.path)?;
        Ok(self.header)
    }
}

/// Writes a table that will have the name `path`, whose folders are made if
/// they are missing. The bytes go to another file of the same folder, which
/// [`Pending::publish`] renames.
///
/// `fill(turn, indices, values)` writes the values of some indices, or
/// [`score::DONT_CARE`] for indices that stand for no position. It is called from
/// several threads and more than once for every index.
///
/// # Errors
/// See [`WriteError`]; nothing is left behind then.
pub fn prepare(
    path: &Path,
    plan: &TablePlan,
    options: &PackOptions,
    watch: Watch,
    fill: impl Fn(Colour, Range<u64>, &mut [i16]) + Sync,
) -> Result<Pending, WriteError> {
    prepare_with_results(path, plan, options, watch, &fill, None)
}

/// Writes a table as [`prepare`] does; where the values do not say who wins (DTZ, thresholds, mates), `results` does,
/// in the same way as `fill`, by values of WDL. With vitality, both sides have full counters
/// there. Then the file keeps statistics of these metrics too. Distances to zeroing count
/// for nothing ([`score::DONT_CARE`]) where `results` is a draw.
///
/// # Errors
/// As [`prepare`].
pub fn prepare_with_results(
    path: &Path,
    plan: &TablePlan,
    options: &PackOptions,
    watch: Watch,
    fill: &Fill,
    results: Option<&Fill>,
) -> Result<Pending, WriteError> {
    let (partial, file) = Partial::create(path)?;
    let given = Given { fill, results };
    let header = write_table(file, plan, options, watch, given, partial.path(), |file| {
        partial.io("write it to the disk", file.sync_all())
    })?;
    Ok(Pending {
        partial,
        path: path.to_owned(),
        header,
    })
}

/// Reads all values of a table and compares them with those that it was written with, of a side
/// to move that it does not store, too: that takes less time if its values are
/// [in memory](Table::in_memory).
///
/// # Errors
/// [`WriteError::ReadBack`] if a value is not that of `fill`; [`WriteError::Unreadable`].
pub fn prove(table: &Table, plan: &TablePlan, fill: &Fill) -> Result<(), WriteError> {
    if let Some(depends_on) = &plan.depends_on {
        let prepared = whole::prepare(&depends_on.tables, table, &|| false);
        prepared.map_err(|error| WriteError::on_proof(table.path(), error))?;
    }
    let mut turns = plan.sides.turns();
    turns.try_for_each(|turn| prove_side(table, turn, plan, fill))
}

fn prove_side(
    table: &Table,
    turn: Colour,
    plan: &TablePlan,
    fill: &Fill,
) -> Result<(), WriteError> {
    let positions = plan.index.len();
    (0..positions.div_ceil(CHUNK))
        .into_par_iter()
        .try_for_each(|chunk| {
            let first = chunk * CHUNK;
            let mut read = vec![0; CHUNK.min(positions - first) as usize];
            prove_part(table, (turn, first), &mut read, plan, fill)
        })
}

/// Reads the values of a side to move from an index on, and compares them.
fn prove_part(
    table: &Table,
    (turn, first): (Colour, u64),
    read: &mut [i16],
    plan: &TablePlan,
    fill: &Fill,
) -> Result<(), WriteError> {
    let mut given = vec![score::DONT_CARE; read.len()];
    fill(turn, first..first + read.len() as u64, &mut given);
    let matters = |place: usize| given.get(place) != Some(&score::DONT_CARE);
    match &plan.depends_on {
        Some(depends_on) => whole::read_some(&depends_on.tables, table, turn, first, read, matters)
            .map_err(|error| WriteError::on_proof(table.path(), error))?,
        None => table
            .read(turn, first, read)
            .map_err(WriteError::unreadable)?,
    }
    let differs = |(read, given): (&i16, &i16)| *given != score::DONT_CARE && read != given;
    match read.iter().zip(&given).position(differs) {
        Some(place) => Err(WriteError::ReadBack {
            turn,
            index: first + place as u64,
        }),
        None => Ok(()),
    }
}

/// Writes a table to `path` at once: [`prepare`] and [`Pending::publish`]. The
/// header that was written is returned.
///
/// # Errors
/// As these have.
pub fn pack(
    path: &Path,
    plan: &TablePlan,
    options: &PackOptions,
    watch: Watch,
    fill: impl Fn(Colour, Range<u64>, &mut [i16]) + Sync,
) -> Result<Header, WriteError> {
    let pending = prepare(path, plan, options, watch, &fill)?;
    if options.codec == Codec::Learned {
        prove(&pending.open()?, plan, &fill)?;
    }
    pending.publish()
}

/// The bytes of a table, made in memory; see [`pack`].
///
/// # Errors
/// See [`WriteError`].
pub fn pack_to_bytes(
    plan: &TablePlan,
    options: &PackOptions,
    watch: Watch,
    fill: impl Fn(Colour, Range<u64>, &mut [i16]) + Sync,
) -> Result<Vec<u8>, WriteError> {
    bytes_of(plan, options, watch, &fill)
}

fn bytes_of(
    plan: &TablePlan,
    options: &PackOptions,
    watch: Watch,
    fill: &Fill,
) -> Result<Vec<u8>, WriteError> {
    let mut bytes = Vec::new();
    let cursor = Cursor::new(&mut bytes);
    let given = Given {
        fill,
        results: None,
    };
    write_table(cursor, plan, options, watch, given, Path::new(""), |_| {
        Ok(())
    })?;
    if options.codec == Codec::Learned {
        let table = Table::from_bytes(bytes.as_slice()).map_err(WriteError::unreadable)?;
        prove(&table, plan, fill)?;
    }
    Ok(bytes)
}

/// Writes a table into an empty file; `path` is for error messages only.
fn write_table<F: Read + Write + Seek>(
    mut file: F,
    plan: &TablePlan,
    options: &PackOptions,
    watch: Watch,
    Given { fill, results }: Given,
    path: &Path,
    finish: impl FnOnce(&F) -> Result<(), WriteError>,
) -> Result<Header, WriteError> {
    let io = |source| WriteError::Io {
        path: path.to_owned(),
        action: "write it",
        source,
    };
    let mut blocks = Blocks::new(plan, options, watch, fill)?;
    let survey = Survey::new(plan, watch, fill, results)?;
    let (sections, ready) = match options.codec {
        Codec::Raw | Codec::Zstd => (blocks.sections(&survey)?, Vec::new()),
        Codec::Learned => learned::pack(&survey, plan, options, watch, fill)?,
    };
    let mut header = Header {
        game: plan.game,
        material: *plan.index.material(),
        metric: plan.metric,
        order: plan.index.order().collect(),
        positions: plan.index.len(),
        codec: options.codec,
        sections,
        curves: plan.curves.clone(),
        chapters: plan.chapters.clone(),
        digest: Some(survey.digest),
        needs: Vec::new(),
        has_statistics: survey.statistics.is_some(),
        file_len: 0,
        table_at: 0,
    };
    if let (Some(depends_on), Codec::Learned) = (&plan.depends_on, options.codec) {
        // Where both sides are stored, or one is the other with colours swapped, no successor
        // is asked for.
        let is_whole = header.sides() == Sides::Both || plan.material().is_symmetric(plan.game);
        let is_asked = |need: &&Need| !is_whole || need.material == *plan.material();
        header.needs = depends_on.needs.iter().filter(is_asked).copied().collect();
    }
    // All but the offsets and checksums is known now, so the room that they
    // take is known too.
    let no_sums = vec![0; pages_of(header.entries()) as usize];
    header.table_at = header.to_bytes(&plan.index, &no_sums).len();
    let mut at = header.data_at();
    file.seek(SeekFrom::Start(at)).map_err(io)?;
    let mut table = Vec::new();
    let mut put = |packed: &[u8]| {
        table.extend(at.to_le_bytes());
        table.extend(checksum(packed).to_le_bytes());
        at += packed.len() as u64;
        file.write_all(packed).map_err(io)
    };
    match options.codec {
        Codec::Raw | Codec::Zstd => {
            for section in &header.sections {
                blocks.pack(section, header.blocks(), &mut put)?;
            }
        }
        Codec::Learned => ready.iter().try_for_each(|block| put(block))?,
    }
    if let Some(statistics) = &survey.statistics {
        put(&statistics.to_bytes())?;
    }
    header.file_len = at + CHECKSUM as u64;
    let mut front = header.to_bytes(&plan.index, &page_sums(&table));
    front.extend(table);
    front.extend(checksum(&front).to_le_bytes());
    file.rewind().map_err(io)?;
    file.write_all(&front).map_err(io)?;

    file.rewind().map_err(io)?;
    let mut hasher = xxhash_rust::xxh3::Xxh3::new();
    let mut buffer = vec![0; 1 << 16];
    loop {
        match file.read(&mut buffer) {
            Ok(0) => break,
            Ok(count) => hasher.update(&buffer[..count]),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(io(error)),
        }
    }
    file.write_all(&hasher.digest().to_le_bytes()).map_err(io)?;
    file.flush().map_err(io)?;
    finish(&file)?;
    Ok(header)
}
