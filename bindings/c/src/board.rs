//! Probing orthodox chess by bitboards, as engines have them.
#![allow(unsafe_code, reason = "pointers come from C")]

use retrograde_probe::{Dtm, Dtz, ProbeError, Unsupported, Wdl};
use retrograde_rules::{
    Board, CastlingRights, Colour, Forgive, Game, Piece, PieceType, Position, ReadError, Setup,
    Square, SquareSet,
};

use crate::error::{Failure, RetrogradeStatus, guarded};
use crate::handle::{RetrogradeTablebase, tablebase};

/// A position as an engine has it: sets of squares, a1 being bit 0, b1 bit 1, h8 bit 63.
#[derive(Clone, Copy)]
struct Bitboards {
    white: u64,
    black: u64,
    /// By type of piece: K Q R B N P.
    sets: [u64; 6],
    rule50: u32,
    castling: u32,
    ep: u32,
    turn: bool,
}

const PIECE_TYPES: [PieceType; 6] = [
    PieceType::King,
    PieceType::Queen,
    PieceType::Rook,
    PieceType::Bishop,
    PieceType::Knight,
    PieceType::Pawn,
];

impl Bitboards {
    /// The colours are White's and Black's pieces; the sets are in the order of
    /// [`PIECE_TYPES`].
    fn new(
        [white, black]: [u64; 2],
        sets: [u64; 6],
        [rule50, castling, ep]: [u32; 3],
        turn: bool,
    ) -> Bitboards {
        Bitboards {
            white,
            black,
            sets,
            rule50,
            castling,
            ep,
            turn,
        }
    }

    fn pieces(&self) -> impl Iterator<Item = (Piece, Square)> {
        let white = self.white;
        let sets = PIECE_TYPES.into_iter().zip(self.sets);
        sets.flat_map(move |(piece_type, set)| {
            SquareSet(set.into()).map(move |square| {
                let colour = match white >> square.0 & 1 {
                    0 => Colour::Black,
                    _ => Colour::White,
                };
                (Piece::new(colour, piece_type), square)
            })
        })
    }

    /// That every piece has one colour and one type.
    fn check(&self) -> Result<(), Failure> {
        let (mut all, mut twice) = (0, self.white & self.black);
        for set in self.sets {
            twice |= all & set;
            all |= set;
        }
        match twice == 0 && all == self.white | self.black {
            true => Ok(()),
            false => Err(Failure::Usage(
                "the bitboards contradict each other: every piece has one colour and one type",
            )),
        }
    }

    #[inline]
    fn position(&self, game: Game) -> Result<Position, Failure> {
        self.check()?;
        if self.castling != 0 {
            let why = Unsupported::CastlingRights;
            return Err(Failure::Probe(ProbeError::Unsupported(why)));
        }
        if game != Game::Orthodox {
            return Err(Failure::Usage(
                "bitboards are of orthodox chess; ask for other games by FEN",
            ));
        }
        if self.ep > 63 {
            return Err(Failure::Usage(
                "ep is the square that a pawn has passed over, from 1 to 63, or 0 for none",
            ));
        }
        if self.ep == 0
            && self.rule50 == 0
            && let Some(position) = Position::from_pieces(game, self.pieces(), self.turn())
        {
            return Ok(position);
        }
        self.slowly(game)
    }

    fn turn(&self) -> Colour {
        match self.turn {
            true => Colour::White,
            false => Colour::Black,
        }
    }

    /// With clock and e.p. right, and a reason if it is no position.
    fn slowly(&self, game: Game) -> Result<Position, Failure> {
        let mut board = Board::empty();
        for (piece, square) in self.pieces() {
            board.set(square, Some(piece));
        }
        let setup = Setup {
            board,
            turn: self.turn(),
            castling: CastlingRights::NONE,
            ep: match self.ep {
                0 => None,
                ep => Some(Square(ep.min(63) as u8)),
            },
            vitality: None,
            halfmoves: self.rule50,
            fullmoves: 1,
        };
        let position = Position::forgiving(game, &setup, Forgive::EN_PASSANT);
        Ok(position.map_err(ReadError::from)?)
    }
}

/// From a win at 2 to a loss at -2.
pub(crate) fn number(wdl: Wdl) -> i32 {
    match wdl {
        Wdl::Win => 2,
        Wdl::CursedWin => 1,
        Wdl::Draw => 0,
        Wdl::BlessedLoss => -1,
        Wdl::Loss => -2,
    }
}

/// Asks about bitboards, and writes the answer to a place in C.
///
/// # Safety
/// The tablebase is null or open; `place` is null or a place for a number.
unsafe fn probe(
    tablebase: *const RetrogradeTablebase,
    bitboards: Bitboards,
    place: *mut i32,
    question: impl FnOnce(&retrograde_probe::Tablebase, &Position) -> Result<i32, ProbeError>,
) -> RetrogradeStatus {
    guarded(|| {
        // SAFETY: the caller promises it.
        let tables = unsafe { self::tablebase(tablebase) }?;
        if place.is_null() {
            return Err(Failure::Usage("the place for the answer is null"));
        }
        let position = bitboards.position(tables.tables.game())?;
        let answer = question(&tables.tables, &position)?;
        // SAFETY: the caller promises that it is a place for a number, which need not hold
        // one yet.
        unsafe { place.write(answer) };
        Ok(())
    })
}

/// Who wins a position of orthodox chess, for the side to move: 2 win, 1 cursed win, 0
/// draw, -1 blessed loss, -2 loss. Bit 0 of a set is a1, bit 1 b1, bit 63 h8; `rule50` is
/// the half-move clock, which counts; `castling` must be 0, `ep` is the e.p. square or 0,
/// `turn` is true for White.
///
/// # Safety
/// The tablebase is null or open; `wdl` is null or a place for a number.
#[unsafe(no_mangle)]
#[allow(clippy::too_many_arguments, reason = "engines know these by heart")]
pub unsafe extern "C" fn retrograde_probe_wdl(
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
    wdl: *mut i32,
) -> RetrogradeStatus {
    let sets = [kings, queens, rooks, bishops, knights, pawns];
    let bitboards = Bitboards::new([white, black], sets, [rule50, castling, ep], turn);
    // SAFETY: the caller promises it.
    unsafe {
        probe(tablebase, bitboards, wdl, |tables, position| {
            Ok(number(tables.wdl(position)?))
        })
    }
}

/// Plies to the next capture, pawn move or mate with the half-move clock at 0, negative
/// for a loss, 0 for a draw; -1 if mated. Cursed results have 100 more. The arguments are
/// those of `retrograde_probe_wdl`.
///
/// # Safety
/// The tablebase is null or open; `dtz` is null or a place for a number.
#[unsafe(no_mangle)]
#[allow(clippy::too_many_arguments, reason = "engines know these by heart")]
pub unsafe extern "C" fn retrograde_probe_dtz(
    tablebase: *const RetrogradeTablebase,
    white: u64,
    black: u64,
    kings: u64,
    queens: u64,
    rooks: u64,
    bishops: u64,
    knights: u64,
    pawns: u64,
    castling: u32,
    ep: u32,
    turn: bool,
    dtz: *mut i32,
) -> RetrogradeStatus {
    let sets = [kings, queens, rooks, bishops, knights, pawns];
    let bitboards = Bitboards::new([white, black], sets, [0, castling, ep], turn);
    // SAFETY: the caller promises it.
    unsafe {
        probe(tablebase, bitboards, dtz, |tables, position| {
            Ok(match tables.dtz(position)? {
                None => 0,
                Some(Dtz(plies)) => {
                    let wdl = tables.wdl(position)?;
                    let plies = i32::try_from(plies).unwrap_or(i32::MAX).max(1);
                    let cursed = wdl.is_cursed() && plies <= 100;
                    (plies + if cursed { 100 } else { 0 }) * number(wdl).signum()
                }
            })
        })
    }
}

/// Plies to mate, negative for a loss, 0 for a draw and if mated. The arguments are those
/// of `retrograde_probe_wdl`.
///
/// # Safety
/// The tablebase is null or open; `dtm` is null or a place for a number.
#[unsafe(no_mangle)]
#[allow(clippy::too_many_arguments, reason = "engines know these by heart")]
pub unsafe extern "C" fn retrograde_probe_dtm(
    tablebase: *const RetrogradeTablebase,
    white: u64,
    black: u64,
    kings: u64,
    queens: u64,
    rooks: u64,
    bishops: u64,
    knights: u64,
    pawns: u64,
    castling: u32,
    ep: u32,
    turn: bool,
    dtm: *mut i32,
) -> RetrogradeStatus {
    let sets = [kings, queens, rooks, bishops, knights, pawns];
    let bitboards = Bitboards::new([white, black], sets, [0, castling, ep], turn);
    // SAFETY: the caller promises it.
    unsafe {
        probe(tablebase, bitboards, dtm, |tables, position| {
            Ok(match tables.dtm(position)? {
                None => 0,
                Some(Dtm(plies)) => {
                    let plies = i32::try_from(plies).unwrap_or(i32::MAX);
                    plies * number(tables.wdl(position)?).signum()
                }
            })
        })
    }
}
