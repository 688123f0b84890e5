//! Proving helpmate tables: which sides can be mated by some series of legal moves.
//!
//! Two things are shown. One ply deep, a side can be mated in a position if and only if it
//! is mated there or some move leads to a position in which it can be. And none of this
//! rests on itself: starting from the mates, and from the moves that leave the material for
//! one that is proved on its own, moves are taken back until nothing is added; then all
//! positions that are stored as leading to a mate have been reached.

mod reach;
mod stored;

use std::path::Path;

use retrograde_folder::{ReadError, open, open_needed};
use retrograde_probe::{Helpmate, Metric};
use retrograde_rules::{Colour, Game, Material, Move, MoveKind, MoveList, Position, Square};

use super::journal::State;
use super::scores::{place_as, successors};
use super::traversal::{Found, Traversal, each_position, moved};
use super::{VerifyError, VerifyObserver, VerifyOptions, Wrong};
use reach::Reach;
use stored::StoredHelpmates;

/// A material whose helpmate table is to be verified.
pub(super) struct HelpmateProof {
    game: Game,
    own: StoredHelpmates,
    smaller: Vec<StoredHelpmates>,
}

/// What the moves of a position lead to.
#[derive(Clone, Copy, Default)]
struct Derived {
    /// Which sides can be mated.
    all: Helpmate,
    /// Likewise if moves within the material are left out: by a mate in the position
    /// itself, or by a conversion.
    at_once: Helpmate,
}

impl HelpmateProof {
    /// Opens the tables of a material and of its successors; `None` if the material has
    /// none.
    pub(super) fn open(
        game: Game,
        material: &Material,
        folders: &[&Path],
        options: &VerifyOptions,
    ) -> Result<Option<HelpmateProof>, VerifyError> {
        if !Metric::on_request(game).contains(&Metric::Helpmate) {
            return Ok(None);
        }
        let table = open(game, material, Metric::Helpmate, folders.iter().copied())?;
        let Some(table) = table else { return Ok(None) };
        let mut own = StoredHelpmates::new(game, material, table)?;
        let mut smaller = Vec::new();
        for successor in successors(game, material) {
            if game.needs_no_table(&successor) {
                continue;
            }
            let table = open_needed(game, &successor, Metric::Helpmate, folders)?;
            smaller.push(StoredHelpmates::new(game, &successor, table)?);
        }
        // As for other metrics, all blocks are unpacked once unless the sample is small.
        if options.sample.is_none_or(|n| n >= own.blocks() / 64) {
            let unpacked = smaller.iter().map(StoredHelpmates::unpacked_bytes);
            let needed = unpacked.sum::<u64>() + own.unpacked_bytes() + Reach::bytes(&own.index);
            let limit = options.memory();
            if needed > limit {
                return Err(VerifyError::Memory {
                    material: material.name(game),
                    needed,
                    limit,
                });
            }
            for values in std::iter::once(&mut own).chain(&mut smaller) {
                values.unpack()?;
            }
        }
        Ok(Some(HelpmateProof { game, own, smaller }))
    }

    /// What was found, and whether the work came to its end. A sample shows the first half
    /// of the proof only.
    pub(super) fn verify(
        &self,
        sample: Option<u64>,
        observer: &dyn VerifyObserver,
    ) -> Result<(State, bool), VerifyError> {
        let traversal = Traversal::new(self.own.index.len(), sample, self.own.is_unpacked());
        let reach = (traversal.is_complete() && self.own.is_unpacked())
            .then(|| Reach::new(self.game, &self.own));
        let mut state = State::default();
        let finished = traversal.run(&mut state, observer, &mut |_| (), |places| {
            self.verify_chunk(traversal.indices(places), reach.as_ref())
        })?;
        // What disagrees one ply deep need not be looked at again.
        let Some(reach) = reach.filter(|_| finished && state.wrong == 0) else {
            return Ok((state, finished));
        };
        if !reach.settle(observer) {
            return Ok((state, false));
        }
        let without = reach.without();
        state.wrong += without.wrong;
        without.examples.iter().for_each(|wrong| state.push(wrong));
        Ok((state, true))
    }

    fn verify_chunk(
        &self,
        indices: impl Iterator<Item = (Colour, u64)>,
        reach: Option<&Reach>,
    ) -> Result<Found, ReadError> {
        let mut found = Found::default();
        let mut moves = MoveList::new();
        each_position(
            self.game,
            &self.own.index,
            indices,
            |turn, index, position, squares| {
                found.positions += 1;
                let derived = self.derive(position, squares, &mut moves)?;
                let stored = self.own.get(turn, squares)?;
                if stored != derived.all {
                    found.push(|| wrong(position, stored, words(derived.all)));
                }
                if let Some(reach) = reach {
                    reach.note(turn, index, stored, derived.at_once);
                }
                Ok::<_, ReadError>(())
            },
        )?;
        Ok(found)
    }

    /// What follows from the moves of a position without an e.p. right.
    fn derive(
        &self,
        position: &Position,
        squares: &[Square],
        moves: &mut MoveList,
    ) -> Result<Derived, ReadError> {
        moves.clear();
        position.legal_moves_into(moves);
        let mut derived = Derived::default();
        if moves.is_empty() && position.is_check() {
            let mated = Helpmate::of_mated(position.turn());
            (derived.all, derived.at_once) = (mated, mated);
        }
        for &mv in moves.iter() {
            let after = position.play(mv);
            if after.ep().is_some() {
                let next = self.with_right(&after)?;
                derived.all = derived.all.or(next.all);
                derived.at_once = derived.at_once.or(next.at_once);
            } else if mv.captured.is_none() && mv.promotion.is_none() {
                let next = self.after_quiet_move(squares, mv, &after)?;
                derived.all = derived.all.or(next);
            } else {
                let next = self.lookup(&after)?;
                derived.all = derived.all.or(next);
                derived.at_once = derived.at_once.or(next);
            }
        }
        Ok(derived)
    }

    /// What follows from the moves of a position with an e.p. right (O2); of those the
    /// captures en passant are its own, the others those of the placement without it.
    fn with_right(&self, position: &Position) -> Result<Derived, ReadError> {
        let mut derived = Derived::default();
        for &mv in &position.legal_moves() {
            let after = position.play(mv);
            let next = match after.ep() {
                Some(_) => self.with_right(&after)?.all,
                None => self.lookup(&after)?,
            };
            derived.all = derived.all.or(next);
            if mv.kind == MoveKind::EnPassant {
                derived.at_once = derived.at_once.or(next);
            }
        }
        Ok(derived)
    }

    fn after_quiet_move(
        &self,
        squares: &[Square],
        mv: Move,
        after: &Position,
    ) -> Result<Helpmate, ReadError> {
        let mut child = [Square(0); Material::MOST_PIECES];
        let child = &mut child[..squares.len()];
        moved(squares, mv, child);
        self.own.get(after.turn(), child)
    }

    /// What is stored of a position without an e.p. right.
    fn lookup(&self, position: &Position) -> Result<Helpmate, ReadError> {
        let (material, swapped) = position.material().normal(self.game);
        if self.game.needs_no_table(&material) {
            return Ok(Helpmate::DEAD);
        }
        let mut tables = std::iter::once(&self.own).chain(&self.smaller);
        let Some(table) = tables.find(|table| table.material == material) else {
            unreachable!("{material:?} is neither the material nor among its successors");
        };
        let mut buffer = [Square(0); Material::MOST_PIECES];
        let squares = &mut buffer[..table.pieces.len()];
        place_as(
            self.game,
            position,
            (&material, swapped),
            &table.pieces,
            squares,
        );
        match swapped {
            true => Ok(table.get(position.turn().other(), squares)?.swapped()),
            false => table.get(position.turn(), squares),
        }
    }
}

/// A wrong value.
fn wrong(position: &Position, stored: Helpmate, derived: String) -> Wrong {
    Wrong {
        fen: position.fen(),
        metric: Metric::Helpmate,
        stored: words(stored),
        derived,
    }
}

/// Which sides can be mated, in words.
fn words(helpmate: Helpmate) -> String {
    match (helpmate.white, helpmate.black) {
        (true, true) => "that either side can be mated",
        (true, false) => "that White can be mated, but not Black",
        (false, true) => "that Black can be mated, but not White",
        (false, false) => "that neither side can be mated",
    }
    .to_owned()
}
