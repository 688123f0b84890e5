//! Proves tables of vitality: the curves of a material, and what a side needs to force mate.
//!
//! *Curves.* For every position the winner for all pairs of counters is derived
//! from the positions one turn on: through free and paid turns (H5, H6), vital
//! turns (H4, H7) and mates. If this agrees everywhere, the curves are right,
//! because every game ends (H8): captures and pawn moves are limited in number,
//! there are only as many paid turns as points, and free turns in a row lower the
//! distances of the kings. A curve gives every pair of counters a winner, and more
//! points never hurt; nothing else can be stored, and what is derived is compared
//! with the curve as a whole.
//!
//! *Mates.* What a side needs to force mate even if the other's vitality is never
//! lowered is derived in the same way. Here play can go on for ever without being
//! mate, so agreement is not enough, and [`circular_needs`] shows that no need rests on
//! itself.

mod circular_needs;
mod rows;

use std::path::Path;

use retrograde_folder::{ReadError, Reader, open_needed, read_side};
use retrograde_probe::{Index, Metric, Reindexing, VitalityAnswer, Wdl, WinBy, needs};
use retrograde_rules::{
    Colour, CounterRange, Game, Material, Move, MoveKind, MoveList, Piece, PieceType, Position,
    Square, Toll, VitalityRules,
};

use super::journal::{Found, State};
use super::placements::{moved, place_as, position_of, successors};
use super::statistics::Proved;
use super::traversal::Traversal;
use super::{VerifyError, VerifyObserver, VerifyOptions, Wrong};
use circular_needs::{Footing, Ground};
use rows::{CurveRows, Gathered, Restored, Row, vital_rows};
pub(super) use rows::{LARGE, SMALL};

/// A material to verify.
pub(super) struct VitalityProof<const N: usize> {
    game: Game,
    rules: &'static VitalityRules,
    own: StoredCurves<N>,
    smaller: Vec<StoredCurves<N>>,
    vital_rows: [Vec<Row<N>>; 2],
}

/// Buffers that are used again for each position.
struct Scratch {
    squares: Vec<Square>,
    moves: MoveList,
}

impl<const N: usize> VitalityProof<N> {
    /// Opens the tables of a material and of its successors, to verify all
    /// positions or a sample.
    ///
    /// What needs rest on concerns all positions of the material together: to
    /// prove them all, the material itself must fit into memory.
    pub(super) fn open(
        game: Game,
        rules: &'static VitalityRules,
        material: &Material,
        folders: &[&Path],
        options: &VerifyOptions,
    ) -> Result<VitalityProof<N>, VerifyError> {
        let mut own = StoredCurves::open(game, rules, material, folders)?;
        let mut smaller = successors(game, material)
            .iter()
            .map(|m| StoredCurves::open(game, rules, m, folders))
            .collect::<Result<Vec<_>, _>>()?;
        let mut room = options.memory();
        let indices = own.index.len();
        if options.sample.is_none_or(|n| n >= 2 * indices) {
            let needed = own.unpacked_bytes() + Ground::bytes(indices);
            if needed > room {
                return Err(VerifyError::Memory {
                    material: material.name(game),
                    needed,
                    limit: room,
                });
            }
            room -= Ground::bytes(indices);
        }
        if options.sample.is_none_or(|n| n >= own.blocks() / 32) {
            for stored in std::iter::once(&mut own).chain(&mut smaller) {
                if let Some(left) = room.checked_sub(stored.unpacked_bytes()) {
                    stored.unpack()?;
                    room = left;
                }
            }
        }
        Ok(VitalityProof {
            game,
            rules,
            own,
            smaller,
            vital_rows: vital_rows(rules.counters()),
        })
    }

    /// Continues from `state`; returns it and whether the material is finished.
    /// What needs rest on is known for all of them or not at all, so an
    /// interrupted proof of all positions starts from the beginning.
    pub(super) fn verify(
        &self,
        mut state: State,
        sample: Option<u64>,
        observer: &dyn VerifyObserver,
        save: &mut dyn FnMut(&State),
    ) -> Result<(State, bool), VerifyError> {
        let indices = self.own.index.len();
        let traversal = Traversal::new(indices, sample, self.own.is_unpacked());
        if state.settled {
            return Ok((state, true));
        }
        if !traversal.is_complete() {
            let look = |places| self.look(traversal.indices(places), None);
            state.settled = traversal.run(&mut state, observer, save, look)?;
            let finished = state.settled;
            return Ok((state, finished));
        }
        state = state.anew();
        let ground = Ground::new(indices);
        let look = |places| self.look(traversal.indices(places), Some(&ground));
        if !traversal.run(&mut state, observer, &mut |_| (), look)? {
            return Ok((state, false));
        }
        // If needs do not even follow from each other, it does not matter what
        // they rest on.
        if state.wrong == 0 {
            let footing = Footing::new(self.game, self.rules, &self.own, &ground);
            if !footing.settle(observer) {
                return Ok((state, false));
            }
            state.add(footing.without());
        }
        let mut finished = true;
        if state.wrong == 0 {
            (state, finished) =
                state.with_statistics(self.own.proved(self.game, self.rules).compare(observer)?);
        }
        state.settled = finished;
        Ok((state, finished))
    }

    /// Derives the values of some indices, and notes what their needs rest on.
    fn look(
        &self,
        indices: impl Iterator<Item = (Colour, u64)>,
        ground: Option<&Ground>,
    ) -> Result<Found, ReadError> {
        let game = self.game;
        let counters = self.rules.counters();
        let mut found = Found::default();
        let mut scratch = Scratch {
            squares: vec![Square(0); self.own.pieces.len()],
            moves: MoveList::new(),
        };
        for (turn, index) in indices.filter(|&(_, index)| self.own.index.is_canonical(index)) {
            self.own.index.decode(index, &mut scratch.squares);
            let position = position_of(game, &self.own.pieces, &scratch.squares, turn);
            let Some(position) = position else {
                continue;
            };
            found.positions += 1;
            let stored = if self.own.is_unpacked() {
                self.own.unpacked(turn, index)
            } else {
                self.own.get(turn, &scratch.squares)?.0
            };
            let mut rests = Rests::new(turn, stored.needs);
            let gathered = self.gather(&self.own, &position, &mut scratch, &mut rests)?;
            let row = gathered.row(&self.vital_rows);
            let wrong = |metric, stored, derived| Wrong {
                fen: position.fen(),
                metric,
                stored,
                derived,
            };
            let said = &self.own.curve(stored).row;
            if *said != row {
                found.push(|| {
                    wrong(
                        Metric::Thresholds,
                        said.words(counters),
                        row.words(counters),
                    )
                });
            }
            if stored.needs != gathered.needs {
                let [said, derived] = [stored.needs, gathered.needs].map(|n| words(counters, n));
                found.push(|| wrong(Metric::Mates, said, derived));
            }
            if let Some(ground) = ground {
                ground.note(counters, turn, index, &rests);
            }
        }
        Ok(found)
    }

    /// The value of a position, given the tables of its material.
    #[inline]
    fn gather(
        &self,
        tables: &StoredCurves<N>,
        position: &Position,
        scratch: &mut Scratch,
        rests: &mut Rests,
    ) -> Result<Gathered<N>, ReadError> {
        let mover = position.turn();
        let mut gathered = Gathered::new(self.rules, mover);
        position.legal_moves_into(&mut scratch.moves);
        let mut child = [Square(0); Material::MOST_PIECES];
        let child = &mut child[..scratch.squares.len()];
        for &mv in scratch.moves.iter() {
            if mv.piece == PieceType::Pawn || mv.is_capture() {
                let after = self.after_vital(tables, position, &scratch.squares, mv)?;
                if after.needs[mover.index()] < self.rules.counters().never(mover) {
                    rests.grounded = true;
                }
                gathered.vital(after);
                continue;
            }
            moved(&scratch.squares, mv, child);
            let (entry, index) = tables.get(mover.other(), child)?;
            let curve = tables.curve(entry);
            match self.rules.toll(position, mv) {
                Toll::Paid if self.is_mate(tables, position, mv, entry) => {
                    gathered.mates();
                    rests.grounded = true;
                }
                Toll::Paid => {
                    gathered.paid(curve, entry.needs);
                    rests.on_turn(index, entry.needs, true);
                }
                Toll::PaidByHigh => {
                    gathered.paid_by_high(curve, entry.needs);
                    rests.on_turn(index, entry.needs, true);
                }
                Toll::Free => {
                    gathered.free(curve, entry.needs);
                    rests.on_turn(index, entry.needs, false);
                }
                // A right to capture en passant is open (H7).
                Toll::Vital => gathered.vital(restored(tables, mover, entry)),
            }
        }
        Ok(gathered)
    }

    /// Whether a paid turn mates, so that it may cost the last point (H6). If the
    /// table does not tell that of the mated position, it is wrong there.
    #[inline]
    fn is_mate(
        &self,
        tables: &StoredCurves<N>,
        position: &Position,
        mv: Move,
        after: Entry,
    ) -> bool {
        let mover = position.turn();
        let least = self.rules.counters().least;
        let certain = after.needs[mover.index()] == least && tables.curve(after).is_certain(mover);
        self.rules.mate_comes_first() && certain && {
            let after = position.play(mv);
            // Who is not in check is not mated.
            after.is_check() && after.end() == Some(retrograde_rules::End::Checkmate)
        }
    }

    /// The value of a capture or a pawn move.
    #[inline]
    fn after_vital(
        &self,
        tables: &StoredCurves<N>,
        position: &Position,
        squares: &[Square],
        mv: Move,
    ) -> Result<Restored, ReadError> {
        let mover = position.turn();
        let step = mv.kind == MoveKind::Ordinary && !mv.is_capture() && mv.promotion.is_none();
        if step {
            let mut child = [Square(0); Material::MOST_PIECES];
            let child = &mut child[..squares.len()];
            moved(squares, mv, child);
            let (entry, _) = tables.get(mover.other(), child)?;
            return Ok(restored(tables, mover, entry));
        }
        self.restored(&position.play(mv))
    }

    /// The value of a vital move to this position for the side that made it.
    fn restored(&self, after: &Position) -> Result<Restored, ReadError> {
        let material = after.material();
        let mut materials = std::iter::once(&self.own).chain(&self.smaller);
        let Some(tables) = materials.find(|m| m.material == material) else {
            unreachable!("{material:?} is neither the material nor among its successors");
        };
        let mut squares = [Square(0); Material::MOST_PIECES];
        let squares = &mut squares[..tables.pieces.len()];
        place_as(self.game, after, &material, false, &tables.pieces, squares);
        if after.ep().is_some() {
            let mut scratch = Scratch {
                squares: squares.to_vec(),
                moves: MoveList::new(),
            };
            let never = Colour::BOTH.map(|side| self.rules.counters().never(side));
            let rests = &mut Rests::new(after.turn(), never);
            let gathered = self.gather(tables, after, &mut scratch, rests)?;
            return Ok(gathered.restored(&self.vital_rows));
        }
        let (entry, _) = tables.get(after.turn(), squares)?;
        Ok(restored(tables, after.turn().other(), entry))
    }
}

/// The value of a vital move by `mover` to a position with these values.
#[inline]
fn restored<const N: usize>(proof: &StoredCurves<N>, mover: Colour, entry: Entry) -> Restored {
    Restored {
        against: proof.curve(entry).against[mover.index()],
        needs: entry.needs,
    }
}

/// The ground of the needs of a position, as far as one turn shows.
struct Rests {
    turn: Colour,
    needs: [u8; 2],
    /// The mover's need comes from a mate, a vital turn or a paid turn.
    grounded: bool,
    /// The index that a turn leads to that is not vital and leaves the other side's need the same,
    /// if there is one.
    same: Option<u64>,
}

impl Rests {
    fn new(turn: Colour, needs: [u8; 2]) -> Rests {
        Rests {
            turn,
            needs,
            grounded: false,
            same: None,
        }
    }

    /// A turn that is not vital leads to this index.
    #[inline]
    fn on_turn(&mut self, index: u64, needs: [u8; 2], paid: bool) {
        let [mover, other] = [self.turn, self.turn.other()].map(Colour::index);
        if paid {
            self.grounded |= needs[mover] < self.needs[mover];
        }
        if needs[other] == self.needs[other] {
            self.same.get_or_insert(index);
        }
    }
}

/// A side's name as a sentence has it.
fn name(side: Colour) -> &'static str {
    match side {
        Colour::White => "White",
        Colour::Black => "Black",
    }
}

/// The points with which each side can force mate, in words.
fn words(counters: CounterRange, needs: [u8; 2]) -> String {
    let [white, black] = Colour::BOTH.map(|side| {
        let name = name(side);
        match needs[side.index()] {
            need if need < counters.never(side) => format!("{name} mates with {need}"),
            _ => format!("{name} cannot force mate"),
        }
    });
    format!("{white}, {black}")
}

/// The stored values of a position.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Entry {
    /// The place of its curve among those of the material.
    curve: u32,
    /// The counters that White and Black need to force mate.
    needs: [u8; 2],
}

/// The tables of a material.
struct StoredCurves<const N: usize> {
    material: Material,
    pieces: Vec<Piece>,
    index: Index,
    curves: Vec<CurveRows<N>>,
    thresholds: Reader,
    mates: Reader,
    /// The values by side to move, if unpacked.
    entries: Option<[Vec<Entry>; 2]>,
}

impl<const N: usize> StoredCurves<N> {
    fn open(
        game: Game,
        rules: &'static VitalityRules,
        material: &Material,
        folders: &[&Path],
    ) -> Result<StoredCurves<N>, VerifyError> {
        let find = |metric| open_needed(game, material, metric, folders);
        let (thresholds, mates) = (find(Metric::Thresholds)?, find(Metric::Mates)?);
        let list = thresholds.header().curves.iter();
        Ok(StoredCurves {
            material: *material,
            pieces: material.pieces().collect(),
            index: Index::new(game, material)?,
            curves: list.map(|&t| CurveRows::new(rules, t)).collect(),
            thresholds,
            mates,
            entries: None,
        })
    }

    /// Unpacks all values, since each will be needed dozens of times and in no
    /// order.
    fn unpack(&mut self) -> Result<(), VerifyError> {
        let mut entries = [(); 2].map(|()| vec![Entry::default(); self.index.len() as usize]);
        for (turn, entries) in Colour::BOTH.into_iter().zip(&mut entries) {
            for table in [&self.thresholds, &self.mates] {
                let Some(reindexing) = Reindexing::new(table.index(), &self.index) else {
                    unreachable!("tables of the material have its index");
                };
                let mut values = (0..).zip(read_side(table, turn)?);
                reindexing.each(0..self.index.len(), |index| {
                    let (at, value) = values.next().unwrap_or_default();
                    let entry = &mut entries[index as usize];
                    match table.header().metric {
                        Metric::Mates => entry.needs = needs::split(value),
                        _ => entry.curve = table.curve_place_or_first(at, value) as u32,
                    }
                });
            }
        }
        self.entries = Some(entries);
        Ok(())
    }

    /// The memory that unpacking all values takes, in bytes.
    fn unpacked_bytes(&self) -> u64 {
        // The entries, and the values of one file for one side to move.
        let bytes = 2 * size_of::<Entry>() + size_of::<i16>();
        self.index.len() * bytes as u64
    }

    fn is_unpacked(&self) -> bool {
        self.entries.is_some()
    }

    /// The number of blocks in both files.
    fn blocks(&self) -> u64 {
        self.thresholds.header().blocks() + self.mates.header().blocks()
    }

    /// The two tables with their metrics.
    fn tables(&self) -> [(Metric, &Reader); 2] {
        [
            (Metric::Thresholds, &self.thresholds),
            (Metric::Mates, &self.mates),
        ]
    }

    /// The values of a position, and its index.
    #[inline]
    fn get(&self, turn: Colour, squares: &[Square]) -> Result<(Entry, u64), ReadError> {
        let index = self.index.encode(squares).unwrap_or_default();
        if let Some(entries) = &self.entries {
            return Ok((entries[turn.index()][index as usize], index));
        }
        let value = |table: &Reader| -> Result<(u64, i16), ReadError> {
            let index = table.index().encode(squares).unwrap_or_default();
            Ok((index, table.get(turn, index)?))
        };
        let (at, place) = value(&self.thresholds)?;
        let entry = Entry {
            curve: self.thresholds.curve_place(at, place)? as u32,
            needs: needs::split(value(&self.mates)?.1),
        };
        Ok((entry, index))
    }

    /// The unpacked values of an index; meaningless if they are not unpacked.
    #[inline]
    fn unpacked(&self, turn: Colour, index: u64) -> Entry {
        let entries = self.entries.as_ref().map(|e| &e[turn.index()]);
        let entry = entries.and_then(|e| e.get(index as usize));
        entry.copied().unwrap_or_default()
    }

    /// The values to count, both sides having full counters.
    fn proved(&self, game: Game, rules: &'static VitalityRules) -> Proved<'_> {
        let full = rules.full();
        Proved {
            game,
            index: &self.index,
            tables: self.tables().into(),
            values: Box::new(move |turn, squares: &[Square]| {
                let (entry, _) = self.get(turn, squares)?;
                let answer = VitalityAnswer {
                    curve: self.thresholds.header().curves[entry.curve as usize],
                    mates: Some(entry.needs),
                };
                let is_won = answer.winner(full) == turn;
                let result = if is_won { Wdl::Win } else { Wdl::Loss };
                let by_mate = answer.win_by(full) == Some(WinBy::Mate);
                Ok([(result, 0), (result, by_mate.into()), (result, 0)])
            }),
        }
    }

    #[inline]
    fn curve(&self, entry: Entry) -> &CurveRows<N> {
        &self.curves[entry.curve as usize]
    }
}
