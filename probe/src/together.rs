//! Many positions at once, in less time than one by one: while what one of them takes is on
//! its way from memory, others go on.

use std::mem;

use retrograde_index::Metric;
use retrograde_learned::{Placement, Question};
use retrograde_rules::{Material, Position};

use crate::Wdl;
use crate::error::{ProbeError, Unsupported};
use crate::format::Table;
use crate::known::{Given, KnownPosition, Named, Placements, Reused};
use crate::resolve::Before;
use crate::store::Squares;
use crate::stored::Stored;
use crate::tablebase::Tablebase;
use crate::value::Value;
use crate::wanted::Wanted;

/// How many positions are looked up before others are: what is found out about them is
/// kept in the meantime.
const AT_ONCE: usize = 128;

impl Tablebase {
    /// What the tables say about each of some positions, in their order: the answers and
    /// errors of [`Tablebase::value`]. It takes less time where tables are packed small; if they
    /// lack the side to move, only who wins is looked up together.
    pub fn values(&self, positions: &[Position]) -> Vec<Result<Value, ProbeError>> {
        let wanted = Wanted::All.metrics(self.game());
        let found = self.plain_values(wanted, positions, |place| positions[place].material());
        let all = positions.iter().zip(found);
        // Whatever is out of the ordinary is left to those who ask for one position.
        all.map(|(position, value)| value.map_or_else(|| self.value(position), Ok))
            .collect()
    }

    /// Who wins in each of some positions, with the half-move clock at 0, and the distances of
    /// these metrics alone: what [`Tablebase::values`] says, without what is not needed. No
    /// tables of other metrics are asked, apart from WDL.
    ///
    /// # Errors
    /// Those of [`Tablebase::wdl`]. A distance that cannot be had because a table is missing is
    /// left out.
    pub fn values_by(
        &self,
        metrics: &[Metric],
        positions: &[Position],
    ) -> Vec<Result<Value, ProbeError>> {
        let wanted = Wanted::All.metrics(self.game()).iter().copied();
        let wanted = wanted.filter(|metric| *metric == Metric::Wdl || metrics.contains(metric));
        let wanted: Vec<Metric> = wanted.collect();
        let found = self.plain_values(&wanted, positions, |place| positions[place].material());
        let all = positions.iter().zip(found);
        all.map(|(position, value)| value.map_or_else(|| self.value_by(&wanted, position), Ok))
            .collect()
    }

    /// The same of a single position.
    fn value_by(&self, wanted: &[Metric], position: &Position) -> Result<Value, ProbeError> {
        fn if_known<D>(found: Result<Option<D>, ProbeError>) -> Result<Option<D>, ProbeError> {
            match found {
                Err(error) if error.is_unknown() => Ok(None),
                found => found,
            }
        }
        let position = &position.with_halfmoves(0);
        Ok(Value {
            wdl: self.wdl(position)?,
            dtm: match wanted.contains(&Metric::Dtm) {
                true => if_known(self.dtm(position))?,
                false => None,
            },
            dtz: match wanted.contains(&Metric::Dtz) {
                true => if_known(self.dtz(position))?,
                false => None,
            },
        })
    }

    /// The values of some positions, by the metrics that are wanted, given the material of each
    /// by its place; `None` for one that is not to be looked up together with others, or that
    /// the tables do not tell.
    pub(crate) fn plain_values(
        &self,
        wanted: &[Metric],
        positions: &[Position],
        material_of: impl Fn(usize) -> Material,
    ) -> Vec<Option<Value>> {
        let plain = positions.iter().enumerate();
        let plain = plain.filter(|(_, position)| self.is_plain(position));
        let mut plain: Vec<_> = plain
            .map(|(place, position)| ((material_of(place), position.turn()), place))
            .collect();
        plain.sort_by_key(|&(group, _)| group);
        let mut values = vec![None; positions.len()];
        let mut memory = Reused::default();
        let placements = &mut memory.get().placements;
        for group in plain.chunk_by(|a, b| a.0 == b.0) {
            let (material, _) = group[0].0;
            if self.game().needs_no_table(&material) {
                continue;
            }
            for group in group.chunks(AT_ONCE) {
                let all = group.iter().map(|&(_, place)| &positions[place]);
                let mut all: Vec<_> = all.map(KnownPosition::new).collect();
                placements.clear();
                let found = self.values_together(wanted, &material, &mut all, placements);
                for (&(_, place), value) in group.iter().zip(found.unwrap_or_default()) {
                    values[place] = value;
                }
            }
        }
        values
    }

    /// Whether the value of a position stands in a table of its material, if there is one, or
    /// follows from those of others of its material.
    fn is_plain(&self, position: &Position) -> bool {
        position.game() == self.game()
            && self.game().vitality().is_none()
            && position.castling().is_empty()
            && position.ep().is_none()
            && position.finished().is_none()
    }

    /// The values of positions of one material with the same side to move; `None` for one
    /// that the tables do not tell.
    fn values_together(
        &self,
        wanted: &[Metric],
        material: &Material,
        positions: &mut [KnownPosition<&Position>],
        placements: &mut Placements,
    ) -> Result<Vec<Option<Value>>, ProbeError> {
        let mut stored = vec![Stored::default(); positions.len()];
        let (Some(entry), Some(first)) = (self.store.entry(material), positions.first()) else {
            return Ok(Vec::new());
        };
        let turn = entry.turn(first.name.turn());
        let mut one_by_one = Vec::new();
        for &metric in wanted {
            let Some(table) = self.table_of(entry, metric)? else {
                continue;
            };
            if table.header().section(turn).is_none() {
                self.check_needs(table)?;
                one_by_one.push(table);
                continue;
            }
            positions.iter_mut().for_each(|one| one.asked = true);
            let visit = |place, value, _: &_| {
                if let Some(stored) = stored.get_mut::<usize>(place) {
                    stored.set(metric, value);
                }
            };
            self.entries((material, metric), &Given, positions, placements, visit)?;
        }
        // All metrics of a position at once, while what its moves lead to is in the caches.
        for (one, stored) in positions.iter_mut().zip(&mut stored) {
            if one.known.result == Some(Wdl::Draw) {
                continue;
            }
            // Its memory is for the next one.
            let mut known = mem::take(&mut one.known);
            for table in &one_by_one {
                let found = self.entry_in(entry, table, one.name, material, &mut known);
                stored.set(table.header().metric, found?.0);
            }
        }
        let limit = Wanted::All.limit(self.limit);
        Ok(stored.into_iter().map(|s| s.value(limit)).collect())
    }

    /// What the tables of a metric have for those of some positions that are asked for: all
    /// of one material, with the same side to move and without e.p. right. Calls `visit` with
    /// the place of each, its value, and the position. Where their pieces stand is noted in
    /// `placements`, for other metrics.
    pub(crate) fn entries<P>(
        &self,
        (material, metric): (&Material, Metric),
        names: &impl Named<P>,
        positions: &mut [KnownPosition<P>],
        placements: &mut Placements,
        mut visit: impl FnMut(usize, i16, &KnownPosition<P>),
    ) -> Result<(), ProbeError> {
        let Some(first) = positions.iter().find(|one| one.asked) else {
            return Ok(());
        };
        let (entry, table) = self.table_for(material, metric)?;
        let turn = entry.turn(names.turn(&first.name));
        let mut asked = Vec::with_capacity(positions.len());
        let places = placements.of(table.index(), positions.len());
        for ((number, one), place) in positions.iter_mut().enumerate().zip(places) {
            if !one.asked {
                continue;
            }
            let (name, known) = (&one.name, &mut one.known);
            let index = match place.index {
                Some(index) => index,
                None => {
                    let find = |squares: &mut _| names.squares(name, entry, squares);
                    let index = self.noted_index(table, find, &mut place.placement)?;
                    *place.index.insert(index)
                }
            };
            let position = || names.position(name);
            match self.before(position, material, (table, turn, index), known)? {
                Before::Value(value) => {
                    one.asked = false;
                    visit(number, value, one);
                }
                Before::Asks(context) => asked.push(Question {
                    index,
                    placement: &mut place.placement,
                    context,
                }),
            }
        }
        // There may be no values of this side to move.
        if asked.is_empty() {
            return Ok(());
        }
        let mut stored = vec![0; asked.len()];
        table
            .get_together(turn, &mut asked, &mut stored)
            .map_err(|error| self.table_error(&table.header().material, error.into()))?;
        let left = positions
            .iter_mut()
            .enumerate()
            .filter(|(_, one)| one.asked);
        for ((number, one), value) in left.zip(stored) {
            one.asked = false;
            one.known.note(metric, value);
            visit(number, value, one);
        }
        Ok(())
    }

    /// The index of a position in a table of its material. Where its pieces stand is the same
    /// in all of them, so it is noted in `placement` and looked for there.
    fn noted_index(
        &self,
        table: &Table,
        find: impl FnOnce(&mut Squares) -> Option<usize>,
        placement: &mut Placement,
    ) -> Result<u64, ProbeError> {
        let known = placement.squares();
        let mut squares = Squares::default();
        for (square, &known) in squares.iter_mut().zip(known) {
            square.0 = known;
        }
        let found = match known.len() {
            0 => find(&mut squares),
            pieces => Some(pieces),
        };
        let index = found.and_then(|pieces| {
            let squares = squares.get_mut(..pieces)?;
            let index = table.index().normalize(squares)?;
            if placement.squares().is_empty() {
                placement.set(squares.iter().map(|square| square.0));
            }
            Some(index)
        });
        index.ok_or(ProbeError::Unsupported(Unsupported::Placement))
    }
}
