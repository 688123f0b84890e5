//! Proving a material with WDL, DTM and DTZ, or some of them.

use std::path::Path;

use retrograde_folder::ReadError;
use retrograde_probe::{Metric, Stop, Wdl, score};
use retrograde_rules::{
    Colour, Game, LastOfType, Material, Move, MoveKind, MoveList, Piece, PieceType, Position,
    Square,
};

use super::derive::{Derived, derive};
use super::journal::State;
use super::statistics::{MOST_TABLES, Proved};
use super::traversal::{Found, Traversal, each_position, moved};
use super::values::{Cell, StoredValues, provable, taken};
use super::{VerifyError, VerifyObserver, VerifyOptions, Wrong};

/// A material to verify.
pub(super) struct ScoreProof {
    game: Game,
    /// The limit of the fifty-move rule in plies, if the game has it.
    limit: Option<i16>,
    /// The metrics to prove.
    metrics: Vec<Metric>,
    own: StoredValues,
    smaller: Vec<StoredValues>,
}

impl ScoreProof {
    /// Opens the tables of a material and of its successors, to verify all
    /// positions or a sample; gives up if `stop` says so.
    pub(super) fn open(
        game: Game,
        material: &Material,
        folders: &[&Path],
        options: &VerifyOptions,
        stop: Stop<'_>,
    ) -> Result<ScoreProof, VerifyError> {
        let metrics = provable(game, material, folders)?;
        let mut own = StoredValues::open(game, material, &metrics, folders)?;
        let taken = match game.zeroing_limit() {
            Some(_) => taken(&metrics),
            // WDL follows from DTM.
            None => vec![Metric::Dtm],
        };
        let mut smaller = successors(game, material)
            .iter()
            .filter(|m| !game.needs_no_table(m))
            .map(|m| StoredValues::open(game, m, &taken, folders))
            .collect::<Result<Vec<_>, _>>()?;
        // A position has dozens of moves, each leading to another block: beyond a
        // small sample, it is cheaper to unpack all blocks once.
        let least = std::iter::once(&own).chain(&smaller);
        let least = least.map(StoredValues::worth_unpacking).max();
        if options.sample.is_none_or(|n| Some(n) >= least) {
            let mut room = options.memory();
            for values in std::iter::once(&mut own).chain(&mut smaller) {
                if let Some(left) = room.checked_sub(values.unpacked_bytes()) {
                    values.unpack(stop)?;
                    room = left;
                }
            }
        }
        let limit = options.limit.or(game.zeroing_limit());
        Ok(ScoreProof {
            game,
            limit: limit.map(|limit| i16::try_from(limit).unwrap_or(i16::MAX)),
            metrics,
            own,
            smaller,
        })
    }

    /// Continues from `state`; returns it and whether the material is finished.
    pub(super) fn verify(
        &self,
        mut state: State,
        sample: Option<u64>,
        observer: &dyn VerifyObserver,
        save: &mut dyn FnMut(&State),
    ) -> Result<(State, bool), VerifyError> {
        let traversal = Traversal::new(self.own.index.len(), sample, self.own.is_unpacked());
        let finished = traversal.run(&mut state, observer, save, |places| {
            self.verify_chunk(traversal.indices(places))
        })?;
        if !finished || !traversal.is_complete() || state.wrong > 0 {
            return Ok((state, finished));
        }
        let compared = self.proved().compare(observer)?;
        Ok(state.with_statistics(compared))
    }

    /// The values to count.
    fn proved(&self) -> Proved<'_> {
        let value = |cell: Cell, metric| {
            let plies = |value| score::plies(value).unwrap_or_default() as u16;
            match metric {
                Metric::Wdl => (Wdl::from_value(cell.wdl.into()), 0),
                Metric::Dtz if cell.wdl == 0 => (Wdl::Draw, 0),
                Metric::Dtz => (Wdl::from_value(cell.wdl.into()), cell.dtz as u16),
                _ => (Wdl::from_value(cell.dtm.signum()), plies(cell.dtm)),
            }
        };
        Proved {
            game: self.game,
            index: &self.own.index,
            tables: self.own.tables().collect(),
            values: Box::new(move |turn, squares: &[Square]| {
                let cell = self.own.get(turn, squares)?;
                let mut values = [(Wdl::Draw, 0); MOST_TABLES];
                for (out, (metric, _)) in values.iter_mut().zip(self.own.tables()) {
                    *out = value(cell, metric);
                }
                Ok(values)
            }),
        }
    }

    fn verify_chunk(
        &self,
        indices: impl Iterator<Item = (Colour, u64)>,
    ) -> Result<Found, ReadError> {
        let mut found = Found::default();
        let mut moves = MoveList::new();
        each_position(
            self.game,
            &self.own.index,
            indices,
            |turn, _, position, squares| {
                found.positions += 1;
                let derived = derive(self.limit, position, &mut moves, &mut |mv, after| {
                    self.lookup(squares, mv, after)
                })?;
                let stored = self.own.get(turn, squares)?;
                for &metric in &self.metrics {
                    let stored = stored.get(metric);
                    let derived = match metric {
                        Metric::Wdl if self.limit.is_none() => derived.dtm.signum(),
                        Metric::Wdl => derived.wdl.to_value(),
                        // For draws the stored DTZ means nothing.
                        Metric::Dtz if derived.wdl == Wdl::Draw => stored,
                        Metric::Dtz => derived.dtz,
                        _ => derived.dtm,
                    };
                    if stored != derived {
                        found.push(|| Wrong {
                            fen: position.fen(),
                            metric,
                            stored: words(metric, stored),
                            derived: words(metric, derived),
                        });
                    }
                }
                Ok::<_, ReadError>(())
            },
        )?;
        Ok(found)
    }

    /// The stored values of the position after a move; `squares` are those of the
    /// pieces before it, if known.
    #[inline]
    fn lookup(
        &self,
        squares: &[Square],
        mv: Option<Move>,
        after: &Position,
    ) -> Result<Derived, ReadError> {
        let mut buffer = [Square(0); Material::MOST_PIECES];
        // Most moves are quiet moves of one piece, so there is no need to search
        // the board.
        let plain = |mv: &Move| {
            mv.captured.is_none() && mv.promotion.is_none() && mv.kind != MoveKind::Castling
        };
        if let Some(mv) = mv.filter(plain) {
            let child = &mut buffer[..squares.len()];
            moved(squares, mv, child);
            return Ok(Derived::of_stored(self.own.get(after.turn(), child)?));
        }
        let (material, swapped) = after.material().normal(self.game);
        if self.game.needs_no_table(&material) {
            return Ok(Derived::of_kings(after));
        }
        let mut materials = std::iter::once(&self.own).chain(&self.smaller);
        let Some(smaller) = materials.find(|m| m.material == material) else {
            unreachable!("{material:?} is neither the material nor among its successors");
        };
        let child = &mut buffer[..smaller.pieces.len()];
        place_as(
            self.game,
            after,
            (&material, swapped),
            &smaller.pieces,
            child,
        );
        let turn = if swapped {
            after.turn().other()
        } else {
            after.turn()
        };
        Ok(Derived::of_stored(smaller.get(turn, child)?))
    }
}

/// Writes the squares of a position as its table has them, in the order of `pieces`, the
/// material being in normal form, with the colours swapped or not.
pub(super) fn place_as(
    game: Game,
    position: &Position,
    (material, swapped): (&Material, bool),
    pieces: &[Piece],
    squares: &mut [Square],
) {
    let geometry = game.geometry();
    let interchange = game.interchange(material);
    let mut place = 0;
    while place < squares.len() {
        let piece = pieces[place];
        let colour = if swapped {
            piece.colour.other()
        } else {
            piece.colour
        };
        for square in position.board().of(Piece::new(colour, piece.piece_type)) {
            squares[place] = if swapped {
                interchange.image(geometry, square)
            } else {
                square
            };
            place += 1;
        }
    }
}

/// The materials that a capture or promotion can lead to, in normal form; computed
/// here again, independently of the solver.
pub(super) fn successors(game: Game, material: &Material) -> Vec<Material> {
    let mut list = Vec::new();
    let pieces: Vec<Piece> = material.pieces().collect();
    // The last piece of a type is never taken if it is royal or if the game ends
    // with it.
    let can_go = |pieces: &Material, piece: Piece| match game.last_of_type(piece.piece_type) {
        LastOfType::Free => true,
        LastOfType::Stays | LastOfType::Decides => pieces.count(piece) > 1,
    };
    // Nor does a game go on after the last piece of a side is taken.
    let mut taken: Vec<(Option<Piece>, Option<Material>)> = pieces
        .iter()
        .filter(|&&m| can_go(material, m) && material.side_len(m.colour) > 1)
        .map(|&m| (Some(m), material.without(m)))
        .collect();
    taken.push((None, Some(*material)));
    for (gone, rest) in taken {
        let Some(rest) = rest else { continue };
        list.push(rest);
        let promoting = |pawn: &Piece| {
            pawn.piece_type == PieceType::Pawn
                && gone.is_none_or(|gone| gone.colour != pawn.colour)
                && can_go(&rest, *pawn)
        };
        for pawn in rest.pieces().filter(promoting) {
            for &piece_type in game.promotions() {
                if let Some(mut promoted) = rest.without(pawn) {
                    promoted.add(Piece::new(pawn.colour, piece_type));
                    list.push(promoted);
                }
            }
        }
    }
    let mut list: Vec<Material> = list.into_iter().map(|m| m.normal(game).0).collect();
    list.sort_unstable();
    list.dedup();
    list.retain(|m| m != material);
    list
}

/// A stored value in words.
fn words(metric: Metric, value: i16) -> String {
    let word = match value {
        1.. => "win",
        0 => "draw",
        _ => "loss",
    };
    match (metric, score::plies(value)) {
        (Metric::Wdl, _) => Wdl::from_value(value).name().to_owned(),
        (Metric::Dtz, _) => format!("{value} plies"),
        (_, Some(plies)) => format!("{word} in {plies} plies"),
        (_, None) => word.to_owned(),
    }
}
