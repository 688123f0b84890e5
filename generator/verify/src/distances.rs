//! Proves the tables of a material for WDL, DTM and DTZ, or some of them.
//!
//! The values of a position are derived from those after its moves by the plain rules, one position
//! at a time.

use std::path::Path;

use retrograde_folder::ReadError;
use retrograde_probe::whole::Stop;
use retrograde_probe::{Metric, Wdl, score};
use retrograde_rules::{
    Colour, Counters, End, Game, Material, Move, MoveKind, MoveList, Position, Square,
};

use super::journal::{Found, State};
use super::placements::{each_position, moved, place_as, successors};
use super::statistics::{MOST_TABLES, Proved};
use super::traversal::Traversal;
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
                let cell = self.own.get(turn, squares, None)?;
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
                let stored = self.own.get(turn, squares, position.counters())?;
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
            let found = self.own.get(after.turn(), child, after.counters())?;
            return Ok(Derived::of_stored(found));
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
        place_as(self.game, after, &material, swapped, &smaller.pieces, child);
        let turn = if swapped {
            after.turn().other()
        } else {
            after.turn()
        };
        let counters = match swapped {
            true => after.counters().map(Counters::swapped),
            false => after.counters(),
        };
        Ok(Derived::of_stored(smaller.get(turn, child, counters)?))
    }
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

/// A value of each metric, for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Derived {
    /// The depth as stored in tables of DTM.
    dtm: i16,
    wdl: Wdl,
    /// Plies to the next zeroing move; meaningless for a draw.
    dtz: i16,
}

impl Derived {
    const DRAW: Derived = Derived {
        dtm: score::DRAW,
        wdl: Wdl::Draw,
        dtz: 0,
    };

    /// The game is over with this side to move: nobody has won, or the other side
    /// has with the last move.
    fn of_end(end: End, turn: Colour) -> Derived {
        let (dtm, wdl) = match end.winner(turn) {
            None => (score::DRAW, Wdl::Draw),
            Some(winner) if winner != turn => (score::loss(0), Wdl::Loss),
            Some(_) => (score::WON, Wdl::Win),
        };
        Derived { dtm, wdl, dtz: 0 }
    }

    /// Two bare kings, which have no table. In extinction chess a king that can be
    /// taken is taken.
    fn of_kings(position: &Position) -> Derived {
        let moves = position.legal_moves();
        let takes = |&mv: &Move| position.play(mv).extinct() == Some(position.turn().other());
        match moves.iter().any(takes) {
            true => Derived {
                dtm: score::win(1),
                wdl: Wdl::Win,
                dtz: 1,
            },
            false => Derived::DRAW,
        }
    }

    /// The values of a table.
    #[inline]
    fn of_stored(cell: Cell) -> Derived {
        Derived {
            dtm: cell.dtm,
            wdl: Wdl::from_value(cell.wdl.into()),
            dtz: cell.dtz,
        }
    }

    /// The value, for the side that moves, of a move to a position with this
    /// value.
    #[inline]
    fn one_ply_back(self, zeroing: bool, limit: Option<i16>) -> Derived {
        let dtz = if zeroing {
            1
        } else {
            self.dtz.saturating_add(1)
        };
        let wdl = match self.wdl.reversed() {
            Wdl::Win if limit.is_some_and(|limit| dtz > limit) => Wdl::CursedWin,
            Wdl::Loss if limit.is_some_and(|limit| dtz > limit) => Wdl::BlessedLoss,
            wdl => wdl,
        };
        Derived {
            dtm: one_ply_back(self.dtm),
            wdl,
            dtz,
        }
    }

    /// The better of two moves, metric by metric.
    #[inline]
    fn or(self, other: Derived) -> Derived {
        let dtm = better(self.dtm, other.dtm);
        let wdl = self.wdl.min(other.wdl);
        let dtz = match (self.wdl == wdl, other.wdl == wdl) {
            (true, false) => self.dtz,
            (false, true) => other.dtz,
            // The side that gains hurries, the other holds out.
            _ if wdl < Wdl::Draw => self.dtz.min(other.dtz),
            _ => self.dtz.max(other.dtz),
        };
        Derived { dtm, wdl, dtz }
    }
}

/// The better of two depths for the side to move: wins before draws before
/// losses, short wins and long losses first.
fn better(a: i16, b: i16) -> i16 {
    match (a, b) {
        (1.., 1..) => a.min(b),
        (..=-1, ..=-1) => a.min(b),
        _ => a.max(b),
    }
}

/// The depth for the side that moved to a position, counted one ply earlier, from
/// the depth for the side to move there.
fn one_ply_back(child: i16) -> i16 {
    match child {
        score::WON => score::loss(1),
        score::DRAW => score::DRAW,
        // Won in n plies: lost in n + 1.
        1.. => -child - 2,
        // Lost in n plies: won in n + 1.
        _ => -child,
    }
}

/// The function by which [`derive`] looks up the values of the next position.
type Lookup<'a, E> = dyn FnMut(Option<Move>, &Position) -> Result<Derived, E> + 'a;

/// The values of a position from those after its moves. `lookup` gives the values
/// of a position without an e.p. right, for the side to move there; it is also
/// given the move if that was made in `position` itself. A position with an e.p.
/// right is derived in turn (O2). `limit` is that of the fifty-move rule in plies,
/// if the game has it (O4).
///
/// # Errors
/// Those of `lookup`.
fn derive<E>(
    limit: Option<i16>,
    position: &Position,
    moves: &mut MoveList,
    lookup: &mut Lookup<'_, E>,
) -> Result<Derived, E> {
    moves.clear();
    position.legal_moves_into(moves);
    let best = best(limit, position, moves, lookup)?;
    Ok(best.unwrap_or_else(|| match position.end_with(moves) {
        Some(end) => Derived::of_end(end, position.turn()),
        None => Derived::DRAW,
    }))
}

/// The best value of some moves of a position.
fn best<E>(
    limit: Option<i16>,
    position: &Position,
    moves: &[Move],
    lookup: &mut Lookup<'_, E>,
) -> Result<Option<Derived>, E> {
    let mut best: Option<Derived> = None;
    for &mv in moves {
        let after = position.play(mv);
        let child = if let Some(end) = after.finished() {
            Derived::of_end(end, after.turn())
        } else if after.ep().is_none() {
            lookup(Some(mv), &after)?
        } else {
            let mut lookup = |_: Option<Move>, after: &Position| lookup(None, after);
            if mv.promotion.is_some() {
                promoted(limit, &after, &mut lookup)?
            } else {
                let moves = &mut MoveList::new();
                derive(limit, &after, moves, &mut lookup)?
            }
        };
        let value = child.one_ply_back(mv.is_zeroing(), limit);
        best = Some(best.map_or(value, |best| best.or(value)));
    }
    Ok(best)
}

/// The value of a position with a pawn that has promoted at the end of a
/// double step and can be taken en passant (C6): that of the position without
/// the right, from the table of its new material, or that of a capture that is
/// better or the only move. Its other moves lead to materials whose tables are
/// not open here.
fn promoted<E>(
    limit: Option<i16>,
    position: &Position,
    lookup: &mut Lookup<'_, E>,
) -> Result<Derived, E> {
    let moves = position.legal_moves();
    let en_passant = |mv: &Move| mv.kind == MoveKind::EnPassant;
    let takes: Vec<Move> = moves.iter().copied().filter(en_passant).collect();
    let captures = best(limit, position, &takes, lookup)?;
    if let Some(captures) = captures
        && takes.len() == moves.len()
    {
        return Ok(captures);
    }
    let pieces = position.board().pieces();
    let Some(without) = Position::from_pieces(position.game(), pieces, position.turn()) else {
        unreachable!("a position remains one without its right");
    };
    let without = lookup(None, &without)?;
    Ok(captures.map_or(without, |captures| captures.or(without)))
}

#[cfg(test)]
mod tests {
    use retrograde_rules::Game;

    use super::*;

    #[test]
    fn depths_step_back_one_ply() {
        assert_eq!(one_ply_back(score::loss(0)), score::win(1));
        assert_eq!(one_ply_back(score::loss(4)), score::win(5));
        assert_eq!(one_ply_back(score::win(5)), score::loss(6));
        assert_eq!(one_ply_back(score::DRAW), score::DRAW);
        assert_eq!(one_ply_back(score::WON), score::loss(1));
    }

    #[test]
    fn the_better_depth_is_the_shorter_win_or_the_longer_loss() {
        assert_eq!(better(score::win(3), score::win(5)), score::win(3));
        assert_eq!(better(score::loss(2), score::loss(8)), score::loss(8));
        assert_eq!(better(score::loss(8), score::DRAW), score::DRAW);
        assert_eq!(better(score::win(99), score::DRAW), score::win(99));
        assert_eq!(better(score::loss(8), score::win(99)), score::win(99));
    }

    fn value(wdl: Wdl, dtz: i16) -> Derived {
        Derived { dtm: 0, wdl, dtz }
    }

    #[test]
    fn the_last_ply_of_the_limit_undoes_a_win() {
        use Wdl::{BlessedLoss, CursedWin, Loss, Win};
        for (child, zeroing, expected) in [
            ((Loss, 99), false, (Win, 100)),
            ((Loss, 100), false, (CursedWin, 101)),
            ((Loss, 100), true, (Win, 1)),
            ((Win, 99), false, (Loss, 100)),
            ((Win, 100), false, (BlessedLoss, 101)),
            ((BlessedLoss, 3), false, (CursedWin, 4)),
            ((BlessedLoss, 3), true, (CursedWin, 1)),
            ((CursedWin, 250), false, (BlessedLoss, 251)),
        ] {
            let found = value(child.0, child.1).one_ply_back(zeroing, Some(100));
            assert_eq!((found.wdl, found.dtz), expected, "{child:?}");
        }
        let found = value(Loss, 100).one_ply_back(false, None);
        assert_eq!(found.wdl, Win);
    }

    #[test]
    fn the_better_result_comes_before_the_distance() {
        use Wdl::{BlessedLoss, CursedWin, Loss, Win};
        for (a, b, expected) in [
            ((Win, 90), (CursedWin, 2), (Win, 90)),
            ((Win, 90), (Win, 2), (Win, 2)),
            ((CursedWin, 101), (CursedWin, 7), (CursedWin, 7)),
            ((BlessedLoss, 3), (Loss, 50), (BlessedLoss, 3)),
            ((BlessedLoss, 3), (BlessedLoss, 101), (BlessedLoss, 101)),
            ((Loss, 3), (Loss, 1), (Loss, 3)),
        ] {
            let [a, b] = [a, b].map(|(wdl, dtz)| value(wdl, dtz));
            for found in [a.or(b), b.or(a)] {
                assert_eq!((found.wdl, found.dtz), expected);
            }
        }
    }

    /// C6: after e7-e9=B Black's king may take the bishop en passant, or the
    /// queen; the value of taking the queen is in the table of KQBvK.
    #[test]
    fn a_pawn_that_promotes_by_a_double_step_leads_to_its_new_material() {
        let game = Game::parse("chess99").unwrap();
        let fen = "5kQ2/9/4P4/9/9/9/9/9/K8 w - -";
        let before = Position::from_fen(game, fen).unwrap();
        let mut materials = successors(game, &before.material());
        materials.push(before.material());
        derive(None, &before, &mut MoveList::new(), &mut |_, after| {
            let proof = after.material().normal(game).0;
            assert!(materials.contains(&proof), "{proof}");
            Ok::<_, ()>(Derived::DRAW)
        })
        .unwrap();

        let step = before.parse_uci("e7e9b").unwrap();
        let after = before.play(step);
        assert!(after.ep().is_some());
        // The depth without the right, the depth after the capture, and the better.
        for (without, taken, best) in [
            (score::DRAW, score::loss(4), score::win(5)),
            (score::loss(6), score::DRAW, score::DRAW),
            (score::loss(6), score::win(8), score::loss(9)),
            (score::win(3), score::win(8), score::win(3)),
        ] {
            let mut lookup = |_: Option<Move>, at: &Position| {
                assert!(at.ep().is_none());
                let dtm = if at.turn() == after.turn() {
                    without
                } else {
                    taken
                };
                Ok::<_, ()>(Derived {
                    dtm,
                    ..Derived::DRAW
                })
            };
            assert_eq!(promoted(None, &after, &mut lookup).unwrap().dtm, best);
        }
    }
}
