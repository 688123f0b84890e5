//! Ranks the legal moves of a position of orthodox chess for the root of an engine's search, for C.
#![allow(unsafe_code, reason = "pointers come from C")]

use std::cmp::Reverse;

use retrograde_probe::{Dtm, Dtz, Tablebase, Value, Wdl};
use retrograde_rules::{Move, MoveKind, PieceType, Position};

use crate::answer::RETROGRADE_UNKNOWN;
use crate::board::{bitboards, number, probe};
use crate::error::{Failure, RetrogradeStatus};
use crate::handle::RetrogradeTablebase;

/// The most moves of a position that tables can have.
pub const RETROGRADE_MOST_MOVES: usize = 256;

/// The rank of a move that surely wins. A sure loss has the rank below 0 that is as far from it.
pub const RETROGRADE_RANK_WIN: i32 = 1 << 18;

/// The plies that the fifty-move rule allows, the last of which may still zero the clock or mate.
const LIMIT: i32 = 100;

/// A legal move at the root, from the view of the side that makes it. Distances are counted from
/// the position before it, so that they include it.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RetrogradeRootMove {
    /// The square that the piece leaves: 0 is a1, 1 b1, 63 h8.
    pub from: u8,
    /// The square that the piece goes to.
    pub to: u8,
    /// The piece that a pawn becomes: 1 queen, 2 rook, 3 bishop, 4 knight; 0 if it is no promotion.
    pub promotion: u8,
    /// Whether it captures en passant.
    pub en_passant: bool,
    /// Whether it is a capture or a pawn move, which restart the half-move clock.
    pub zeroing: bool,
    /// The result at the half-move clock that the move leaves: 2 win, 1 cursed win, 0 draw, -1
    /// blessed loss, -2 loss. Without the fifty-move rule there are no cursed and blessed ones.
    /// `RETROGRADE_UNKNOWN` where only a DTZ table could tell.
    pub wdl: i32,
    /// The result with the half-move clock at 0 after the move, always by the fifty-move rule.
    pub wdl_at_clock_0: i32,
    /// Plies to the next capture, pawn move or mate with the half-move clock at 0, negative for a
    /// loss, 0 for a draw. Cursed results have 100 more. `RETROGRADE_UNKNOWN` where a DTZ table is
    /// missing.
    pub dtz: i32,
    /// Plies to mate, negative for a loss, 0 for a draw, ignoring the fifty-move rule;
    /// `RETROGRADE_UNKNOWN` without a DTM table.
    pub dtm: i32,
    /// The rank: the greater, the better, and equal for moves that a filter of moves need not tell
    /// apart. Negative for losses, 0 for draws.
    pub rank: i32,
}

/// The legal moves of a position at the root, the best first.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RetrogradeRoot {
    /// The number of moves; 0 if the side to move is mated or stalemated.
    pub moves_len: u32,
    /// Whether the side to move is attacked.
    pub check: bool,
    /// Whether the ranks are those by DTZ. If not, they are by WDL alone, because a DTZ table is
    /// missing, and do not lead to the end: an engine has to find the way.
    pub ranked_by_dtz: bool,
    /// The moves: wins by smaller DTZ, draws, losses by larger DTZ; then by DTM.
    pub moves: [RetrogradeRootMove; RETROGRADE_MOST_MOVES],
}

/// The circumstances that decide on ranks.
#[derive(Clone, Copy)]
struct Circumstances {
    clock: u32,
    repeated: bool,
    fifty_moves: bool,
}

impl Circumstances {
    /// The rank of a move by its DTZ. Wins that surely come within the fifty-move rule, with a ply
    /// to spare, are all alike, unless positions have been repeated: then the way to the next
    /// zeroing move must become shorter. Losses are alike unless the rule may save the loser.
    fn rank_by_dtz(self, dtz: i32) -> i32 {
        let clock = i32::try_from(self.clock).unwrap_or(i32::MAX);
        let plies = dtz.abs();
        let reached = plies.saturating_add(clock);
        let near = RETROGRADE_RANK_WIN - reached.min(RETROGRADE_RANK_WIN - 1);
        match dtz {
            0 => 0,
            1.. if reached < LIMIT && !self.repeated => RETROGRADE_RANK_WIN,
            1.. => near,
            _ if reached.saturating_add(plies) < LIMIT => -RETROGRADE_RANK_WIN,
            _ => -near,
        }
    }

    /// The rank of a move by its result with the half-move clock at 0.
    fn rank_by_wdl(self, wdl: i32) -> i32 {
        match wdl.abs() {
            1 if self.fifty_moves => wdl * (RETROGRADE_RANK_WIN - LIMIT - 1),
            _ => wdl.signum() * RETROGRADE_RANK_WIN,
        }
    }

    /// The number of a result; without the fifty-move rule, cursed results count as full ones.
    fn counted(self, wdl: Wdl) -> i32 {
        match self.fifty_moves {
            true => number(wdl),
            false => 2 * number(wdl).signum(),
        }
    }

    /// A move, given the value for the side that makes it, counted from the position after it with
    /// the half-move clock at 0. Its rank is left open.
    fn root_move(self, mv: Move, value: Value) -> RetrogradeRootMove {
        let clock = match mv.is_zeroing() {
            true => 0,
            false => self.clock.saturating_add(1),
        };
        let at_clock = value.at_clock(clock, Some(LIMIT as u32));
        let dtz = match value.dtz {
            _ if value.wdl == Wdl::Draw => 0,
            // The move itself is the distance.
            _ if mv.is_zeroing() => Dtz(1).signed(value.wdl),
            Some(Dtz(0)) => 1,
            Some(dtz) => {
                let signed = dtz.signed(value.wdl);
                signed + signed.signum()
            }
            None => RETROGRADE_UNKNOWN,
        };
        let dtm = match value.dtm {
            _ if value.wdl == Wdl::Draw => 0,
            None => RETROGRADE_UNKNOWN,
            Some(Dtm(plies)) => Dtm(plies.saturating_add(1)).signed(value.wdl),
        };
        RetrogradeRootMove {
            from: mv.from.0,
            to: mv.to.0,
            promotion: match mv.promotion {
                Some(PieceType::Queen) => 1,
                Some(PieceType::Rook) => 2,
                Some(PieceType::Bishop) => 3,
                Some(PieceType::Knight) => 4,
                _ => 0,
            },
            en_passant: mv.kind == MoveKind::EnPassant,
            zeroing: mv.is_zeroing(),
            wdl: at_clock.map_or(RETROGRADE_UNKNOWN, |value| self.counted(value.wdl)),
            wdl_at_clock_0: number(value.wdl),
            dtz,
            dtm,
            rank: 0,
        }
    }

    /// The moves of a position, ranked.
    fn root(self, tables: &Tablebase, position: &Position) -> Result<RetrogradeRoot, Failure> {
        let mut root = RetrogradeRoot {
            moves_len: 0,
            check: position.is_check(),
            ranked_by_dtz: true,
            moves: [RetrogradeRootMove::default(); RETROGRADE_MOST_MOVES],
        };
        let legal = position.legal_moves();
        let moves = root.moves.get_mut(..legal.len());
        let moves = moves.ok_or(Failure::Usage(
            "the position has more moves than any table's",
        ))?;
        for (place, &mv) in moves.iter_mut().zip(&legal) {
            let value = tables.value(&position.play(mv))?.reversed();
            *place = self.root_move(mv, value);
        }
        root.ranked_by_dtz = moves.iter().all(|mv| mv.dtz != RETROGRADE_UNKNOWN);
        for mv in &mut *moves {
            mv.rank = match root.ranked_by_dtz {
                true => self.rank_by_dtz(mv.dtz),
                false => self.rank_by_wdl(mv.wdl_at_clock_0),
            };
        }
        moves.sort_unstable_by_key(|mv| {
            let first = match root.ranked_by_dtz {
                true => merit(mv.dtz),
                false => mv.rank,
            };
            let place = (mv.from, mv.to, mv.promotion);
            (Reverse((first, merit(mv.dtm))), place)
        });
        root.moves_len = legal.len() as u32;
        Ok(root)
    }
}

/// A sort key for distances, greater for better ones: wins by fewer plies, draws and what is not
/// known, losses by more plies.
fn merit(plies: i32) -> i32 {
    match plies {
        RETROGRADE_UNKNOWN | 0 => 0,
        1.. => i32::MAX - plies,
        _ => i32::MIN - plies,
    }
}

/// Ranks all legal moves of a position of orthodox chess for the root of a search, the best first.
/// The position is given as for `retrograde_probe_wdl`; its half-move clock `rule50` counts.
/// `repeated` says whether a position has occurred twice since the clock was last at 0: then wins
/// rank by how soon they zero it. `fifty_moves` says whether the fifty-move rule is played: if
/// not, cursed wins are wins.
///
/// An engine searches only the moves whose rank is that of the first, or plays the first. Ranks
/// take the DTZ tables of the positions after the moves, and only WDL after captures and pawn
/// moves; if one is missing, they are by WDL alone. Where a WDL table is missing the call fails,
/// and `root` is left as it was. Unless tables have to be read, or a side has more than 64 moves, no
/// memory is allocated.
///
/// # Safety
/// The tablebase is null or open; `root` is null or a place for the answer.
#[unsafe(no_mangle)]
#[allow(clippy::too_many_arguments, reason = "engines know these by heart")]
pub unsafe extern "C" fn retrograde_probe_root(
    tablebase: *const RetrogradeTablebase,
    white: u64,
    black: u64,
    kings: u64,
    queens: u64,
    rooks: u64,
    bishops: u64,
    knights: u64,
    pawns: u64,
    rule50: u32,
    castling: u32,
    ep: u32,
    turn: bool,
    repeated: bool,
    fifty_moves: bool,
    root: *mut RetrogradeRoot,
) -> RetrogradeStatus {
    let sets = [kings, queens, rooks, bishops, knights, pawns];
    let bitboards = bitboards([white, black], sets, [rule50, castling, ep], turn);
    let circumstances = Circumstances {
        clock: rule50,
        repeated,
        fifty_moves,
    };
    // SAFETY: the caller promises it.
    unsafe {
        probe(tablebase, bitboards, root, |tables, position| {
            circumstances.root(tables, position)
        })
    }
}
