//! Reads and writes moves in standard algebraic notation, for people: `Nbd2`, `exd6`, `a8=Q#`.
//!
//! There are forms for moves that the standard leaves open, too: `--` for a pass, and in Chess 99
//! `f1=Nd2` for a waiting pawn that moves as a knight, `K&Rh1` for castling with the rook on h1,
//! `Bxb4*` for a capture en passant.

use crate::castling::Castling;
use crate::features::End;
use crate::game::Game;
use crate::geometry::Geometry;
use crate::moves::{Move, MoveKind};
use crate::piece::PieceType;
use crate::position::Position;
use crate::square::Square;
use crate::uci::MoveError;

/// The text of a pass; many programs write a null move like this.
const PASS: &str = "--";

/// The ways to write a pass, which is a null move in games without passes.
const PASSES: [&str; 8] = [PASS, "0000", "@@@@", "Z0", "z0", "<>", "pass", "null"];

/// The beginning of the text of castling (C7).
const CASTLING: &str = "K&";

/// Castling to the right and to the left (X1).
const O_O: [&str; 2] = ["O-O", "O-O-O"];

/// The mark after captures en passant in Chess 99 (C6).
const EN_PASSANT: char = '*';

impl Move {
    /// The move of `position`, distinguished from the other `legal` moves.
    fn san_without_mark(self, position: &Position, legal: &[Move]) -> String {
        let game = position.game;
        let geometry = game.geometry();
        match self.kind {
            MoveKind::Pass => return PASS.to_owned(),
            MoveKind::Castling => {
                let partner = position
                    .board()
                    .piece_type_at(self.to)
                    .map(|piece_type| game.letter(piece_type));
                let partner = partner.map(String::from).unwrap_or_default();
                return format!("{CASTLING}{partner}{}", geometry.name(self.to));
            }
            MoveKind::CastlingByRight if writes_o_o(game) => {
                return O_O[usize::from(self.to < self.from)].to_owned();
            }
            _ => {}
        }
        let from = geometry.name(self.from);
        let (file, rank) = from.split_at(1);
        let mut text = String::new();
        if let (true, Some(promotion)) = (self.is_deferred_promotion(), self.promotion) {
            text = format!("{from}={}", game.letter(promotion));
        } else if self.piece != PieceType::Pawn {
            text.push(game.letter(self.piece));
            text.push_str(self.origin_needed(game, legal, file, rank).as_str());
        } else {
            text.push_str(&self.pawn_origin(game, legal, file, rank));
        }
        if self.is_capture() {
            text.push('x');
        }
        text.push_str(&geometry.name(self.to));
        if let (false, Some(promotion)) = (self.is_deferred_promotion(), self.promotion) {
            text.push('=');
            text.push(game.letter(promotion));
        }
        if self.kind == MoveKind::EnPassant && is_marked(game) {
            text.push(EN_PASSANT);
        }
        text
    }

    /// The origin of a pawn's move as far as it is written: the file for captures. Where pawns of
    /// another kind get to a square in several ways, the square that distinguishes them.
    fn pawn_origin(self, game: Game, legal: &[Move], file: &str, rank: &str) -> String {
        let needed = match game.has_usual_pawns() {
            true => String::new(),
            false => self.origin_needed(game, legal, file, rank),
        };
        match self.is_capture() {
            _ if !needed.is_empty() && needed != file => format!("{file}{rank}"),
            true => file.to_owned(),
            false if needed.is_empty() => needed,
            false => format!("{file}{rank}"),
        }
    }

    /// The least part of the origin that distinguishes the move: nothing, the file, the
    /// rank, or both.
    fn origin_needed(self, game: Game, legal: &[Move], file: &str, rank: &str) -> String {
        let geometry = game.geometry();
        let (mut others, mut same_file, mut same_rank) = (false, false, false);
        for mv in legal {
            let same = (mv.piece, mv.to, mv.captured) == (self.piece, self.to, self.captured);
            if same && mv.from != self.from && !is_o_o(game, *mv) {
                others = true;
                same_file |= geometry.file(mv.from) == geometry.file(self.from);
                same_rank |= geometry.rank(mv.from) == geometry.rank(self.from);
            }
        }
        match (others, same_file, same_rank) {
            (false, ..) => String::new(),
            (true, false, _) => file.to_owned(),
            (true, true, false) => rank.to_owned(),
            (true, true, true) => format!("{file}{rank}"),
        }
    }
}

impl Position {
    /// A legal move in algebraic notation, with the mark of check, or that of mate or of
    /// another win by or against a king.
    pub fn san(&self, mv: Move) -> String {
        let mut text = mv.san_without_mark(self, &self.legal_moves());
        let next = self.play(mv);
        if let Some(
            End::Checkmate
            | End::CheckmateWins
            | End::Checks
            | End::Explosion
            | End::Hill
            | End::KingCapture,
        ) = next.end()
        {
            text.push('#');
        } else if next.is_check() {
            text.push('+');
        }
        text
    }

    /// Reads a legal move in algebraic notation, as people and programs write it. Marks of check
    /// and mate, `!` and `?` are skipped, right or wrong; the `x` of a capture and the `=` of a
    /// promotion may be left out; more of the origin than necessary is accepted, also with a
    /// hyphen (`Ng1-f3`), and so are `exd6e.p.`, a promotion with a small letter or in
    /// parentheses, figurines, and castling written as the king's two squares or as a king that
    /// takes its rook. A pass is `--`, or what other programs write for it. In Chess 99 `P` is the
    /// paladin, as its designer writes it, unless only a pawn can be meant.
    ///
    /// A text that is exactly that of one move means that move: in Chess 99, `b9` is the
    /// pawn that waits, and `Re3` the rook that goes to e3 without capturing.
    ///
    /// # Errors
    /// The text is not a move, not a legal one, or fits several legal ones.
    pub fn parse_san(&self, text: &str) -> Result<Move, MoveError> {
        let game = self.game;
        let legal = self.legal_moves();
        let in_words = |moves: &[Move]| {
            let mut names: Vec<String> = moves
                .iter()
                .map(|mv| mv.san_without_mark(self, &legal))
                .collect();
            names.sort();
            names.join(" ")
        };
        let bare = &bare(game, text);
        if PASSES.contains(&bare.as_str()) && !game.has_pass() {
            return Err(MoveError::NullMove {
                text: text.to_owned(),
                game: game.name(),
            });
        }
        let pattern = Pattern::read(game, bare).ok_or_else(|| MoveError::Syntax {
            text: text.to_owned(),
            example: match game.record().marks_moves {
                true => {
                    "Nf3, exd5, a9=B, a9=Ng6 (a waiting pawn moves as a knight), \
                     Bxf4* (en passant) or K&Rh1 (castling)"
                }
                false if game.has_pass() => "Nf3, exd5, a8=Q or O-O, or -- for a pass",
                false if writes_o_o(game) => "Nf3, exd5, a8=Q or O-O",
                false => "Nf3, exd5 or a8=Q",
            },
        })?;
        let those = |fits: &dyn Fn(Move) -> bool| -> Vec<Move> {
            legal.iter().copied().filter(|&mv| fits(mv)).collect()
        };
        let mut fitting = Vec::new();
        if let Some(paladin) = pattern.of_paladin(game, bare) {
            fitting = those(&|mv| paladin.fits(game, mv));
        }
        if fitting.is_empty() {
            fitting = those(&|mv| pattern.fits(game, mv));
        }
        if fitting.is_empty() {
            fitting = those(&|mv| pattern.castles(self, mv));
        }
        match fitting[..] {
            [mv] => Ok(mv),
            [] => Err(MoveError::Illegal {
                text: text.to_owned(),
                legal: in_words(&legal),
            }),
            _ => {
                let exact = |mv: &&Move| mv.san_without_mark(self, &legal) == *bare;
                let ambiguous = || MoveError::Ambiguous {
                    text: text.to_owned(),
                    candidates: in_words(&fitting),
                };
                fitting.iter().find(exact).copied().ok_or_else(ambiguous)
            }
        }
    }
}

/// Whether some moves carry special marks.
fn is_marked(game: Game) -> bool {
    game.record().marks_moves
}

/// Whether castling by right is written `O-O` and `O-O-O`, not as a king's move.
fn writes_o_o(game: Game) -> bool {
    let castling = game.record().castling.as_ref();
    castling.is_some_and(|castling| castling.writes_o_o)
}

/// Whether a move is written `O-O` or `O-O-O`.
fn is_o_o(game: Game, mv: Move) -> bool {
    mv.kind == MoveKind::CastlingByRight && writes_o_o(game)
}

/// A text in the letters of this notation: without marks of check and mate, `!`, `?` and
/// `e.p.`; a piece for its figurine; `-` and `x` for what else is written between squares.
fn bare(game: Game, text: &str) -> String {
    let mut bare = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '♔' | '♚' => bare.push('K'),
            '♕' | '♛' => bare.push('Q'),
            '♖' | '♜' => bare.push('R'),
            '♗' | '♝' => bare.push('B'),
            '♘' | '♞' => bare.push('N'),
            // How the figurines before are to be drawn.
            '♙' | '♟' | '\u{fe0e}' | '\u{fe0f}' => {}
            '\u{2010}'..='\u{2015}' | '−' => bare.push('-'),
            '×' | ':' => bare.push('x'),
            'X' if game.piece_type_of('X').is_none() => bare.push('x'),
            letter => bare.push(letter),
        }
    }
    loop {
        let rest = bare.trim_end_matches(['+', '#', '!', '?', '†', '‡']);
        let ep = ["e.p.", "ep.", "e.p", "ep"]
            .iter()
            .find_map(|ep| rest.strip_suffix(ep));
        let len = ep.map_or(rest, str::trim_end).len();
        if len == bare.len() {
            return bare;
        }
        bare.truncate(len);
    }
}

/// A move as far as a text in algebraic notation describes it.
#[derive(Debug)]
enum Pattern {
    Pass,
    Castling(Square),
    /// Castling by right, to the left or not.
    ByRight {
        left: bool,
    },
    Piece(Moving),
    /// A pawn of one file that takes on another, wherever that is: `ed`.
    PawnTakes {
        from: u8,
        to: u8,
    },
}

impl Pattern {
    fn read(game: Game, text: &str) -> Option<Pattern> {
        if game.has_pass() && PASSES.contains(&text) {
            return Some(Pattern::Pass);
        }
        if let (true, Some(partner)) = (is_marked(game), text.strip_prefix(CASTLING)) {
            // The letter of the partner is optional.
            let letter = |c: char| game.piece_type_of(c).is_some();
            let square = partner.strip_prefix(letter).unwrap_or(partner);
            return game.geometry().parse(square).map(Pattern::Castling);
        }
        // With zeros, small letters and without hyphens, too.
        let os = |c: char| matches!(c, 'O' | 'o' | '0');
        if text.starts_with(os)
            && text
                .split('-')
                .all(|o| o.starts_with(os) && o.chars().all(os))
            && game
                .record()
                .castling
                .as_ref()
                .is_some_and(Castling::is_by_side)
        {
            let left = match text.matches(os).count() {
                2 => false,
                3 => true,
                _ => return None,
            };
            return Some(Pattern::ByRight { left });
        }
        let moving = Moving::read(game, text).map(Pattern::Piece);
        moving.or_else(|| Pattern::pawn_takes(game, text))
    }

    /// Reads the two files of a pawn's capture, `ed` or `exd`.
    fn pawn_takes(game: Game, text: &str) -> Option<Pattern> {
        let geometry = game.geometry();
        let file =
            |letter: char| Some(geometry.file(geometry.filled().parse(&format!("{letter}1"))?));
        let mut letters = text.chars().filter(|&letter| letter != 'x');
        let (from, to) = (file(letters.next()?)?, file(letters.next()?)?);
        let is_whole = letters.next().is_none() && !text.ends_with('x');
        is_whole.then_some(Pattern::PawnTakes { from, to })
    }

    fn fits(&self, game: Game, mv: Move) -> bool {
        match self {
            Pattern::Pass => mv.is_pass(),
            &Pattern::PawnTakes { from, to } => {
                let file = |square| game.geometry().file(square);
                let takes = mv.piece == PieceType::Pawn && mv.is_capture();
                takes && (file(mv.from), file(mv.to)) == (from, to)
            }
            &Pattern::Castling(partner) => mv.kind == MoveKind::Castling && mv.to == partner,
            &Pattern::ByRight { left } => {
                mv.kind == MoveKind::CastlingByRight && (mv.to < mv.from) == left
            }
            Pattern::Piece(moving) => {
                let moves_a_piece = !matches!(mv.kind, MoveKind::Pass | MoveKind::Castling);
                moves_a_piece && !is_o_o(game, mv) && moving.fits(game, mv)
            }
        }
    }

    /// The text read with `P` for the paladin, which it may mean in a game that has one.
    fn of_paladin(&self, game: Game, text: &str) -> Option<Pattern> {
        let has_paladin = game.piece_types().contains(&PieceType::Paladin);
        match self {
            Pattern::Piece(moving) if has_paladin && text.starts_with('P') => {
                Some(Pattern::Piece(Moving {
                    piece: Some(PieceType::Paladin),
                    ..*moving
                }))
            }
            _ => None,
        }
    }

    /// Whether a move is castling, written as the king's two squares, or as a king that takes
    /// the piece that it castles with.
    fn castles(&self, position: &Position, mv: Move) -> bool {
        let Pattern::Piece(moving) = self else {
            return false;
        };
        let partner = match mv.kind {
            MoveKind::Castling => mv.to,
            MoveKind::CastlingByRight => match castling_rook(position, mv) {
                Some(rook) => rook,
                None => return false,
            },
            _ => return false,
        };
        let geometry = position.game.geometry();
        (moving.to == mv.to || moving.to == partner)
            && moving.promotion.is_none()
            && moving.moves(geometry, mv)
    }
}

/// The rook, or other piece, with which a king castles: the nearest one beyond where it goes.
fn castling_rook(position: &Position, mv: Move) -> Option<Square> {
    let geometry = position.game.geometry();
    let step = if mv.to > mv.from { 1 } else { -1 };
    let beyond = (1..=geometry.files as i8).map(|n| geometry.offset(mv.to, n * step, 0));
    let mut beyond = beyond.map_while(|square| square);
    beyond.find(|&square| position.board().occupied().contains(square))
}

/// The piece that moves, as far as the text describes it.
#[derive(Debug)]
struct Moving {
    /// `None` if the text says where the piece comes from, and not which one it is.
    piece: Option<PieceType>,
    file: Option<u8>,
    rank: Option<u8>,
    capture: bool,
    /// Whether the text says that the capture is en passant.
    ep: bool,
    to: Square,
    promotion: Option<PieceType>,
    /// Whether the piece turns into another before it moves (C5).
    deferred: bool,
}

impl Moving {
    fn read(game: Game, text: &str) -> Option<Moving> {
        let geometry = game.geometry();
        let piece_type = |letter: char| game.piece_type_of(letter);
        let starred = text.strip_suffix(EN_PASSANT);
        let (text, ep) = match starred.filter(|_| is_marked(game)) {
            Some(text) => (text, true),
            None => (text, false),
        };
        // The square of a waiting pawn, what it becomes, and where it goes.
        if let (true, Some((from, rest))) = (is_marked(game), text.split_once('='))
            && let Some(promotion) = rest.chars().next().and_then(piece_type)
            && rest.len() > 1
        {
            let rest = &rest[1..];
            let from = geometry.parse(from)?;
            let to = rest.strip_prefix('x');
            return Some(Moving {
                piece: Some(PieceType::Pawn),
                file: Some(geometry.file(from)),
                rank: Some(geometry.rank(from)),
                capture: to.is_some(),
                ep,
                to: geometry.parse(to.unwrap_or(rest))?,
                promotion: Some(promotion),
                deferred: true,
            });
        }
        let (text, promotion) = match promotion(game, text) {
            Some((text, promotion)) => (text, Some(promotion)),
            None => (text, None),
        };
        let to_at = text.rfind(|c: char| c.is_ascii_lowercase())?;
        let (text, to) = (&text[..to_at], geometry.parse(&text[to_at..])?);
        let (text, capture) = match text.strip_suffix('x') {
            Some(text) => (text, true),
            None => (text, false),
        };
        let text = text.strip_suffix('-').unwrap_or(text);
        let (text, piece) = match text.chars().next().and_then(|c| piece_of(game, c)) {
            Some(piece) => (&text[1..], Some(piece)),
            None => (text, None),
        };
        // What is left is a file, a rank, both or nothing.
        let digits_at = text
            .find(|c: char| c.is_ascii_digit())
            .unwrap_or(text.len());
        let (file, rank) = text.split_at(digits_at);
        let on_first_file = |rank: &str| geometry.filled().parse(&format!("a{rank}"));
        let on_first_rank = |file: &str| geometry.filled().parse(&format!("{file}1"));
        let whole = !file.is_empty() && !rank.is_empty();
        Some(Moving {
            piece: piece.or(Some(PieceType::Pawn).filter(|_| !whole)),
            file: match file {
                "" => None,
                _ => Some(geometry.file(on_first_rank(file)?)),
            },
            rank: match rank {
                "" => None,
                _ => Some(geometry.rank(on_first_file(rank)?)),
            },
            capture,
            ep,
            to,
            promotion,
            deferred: false,
        })
    }

    fn fits(&self, game: Game, mv: Move) -> bool {
        mv.to == self.to
            && self.moves(game.geometry(), mv)
            && (mv.promotion == self.promotion
                || self.promotion.is_none() && mv.promotion.is_some())
            && (mv.is_capture() || !self.capture)
            && (mv.kind == MoveKind::EnPassant || !self.ep)
            && mv.is_deferred_promotion() == self.deferred
    }

    /// Whether a move moves such a piece from there.
    fn moves(&self, geometry: Geometry, mv: Move) -> bool {
        self.piece.is_none_or(|piece| mv.piece == piece)
            && self.file.is_none_or(|file| geometry.file(mv.from) == file)
            && self.rank.is_none_or(|rank| geometry.rank(mv.from) == rank)
    }
}

/// The piece of a letter: also of a small one that names no file, and of those of German and Dutch
/// in games that have no pieces of these names.
fn piece_of(game: Game, letter: char) -> Option<PieceType> {
    let is_file = (b'a'..b'a' + game.geometry().files).any(|file| letter == char::from(file));
    let capital = match letter {
        'k' | 'q' | 'r' | 'n' if !is_file => letter.to_ascii_uppercase(),
        _ => letter,
    };
    let foreign = || {
        Some(match letter {
            'D' => PieceType::Queen,
            'T' => PieceType::Rook,
            'L' => PieceType::Bishop,
            'S' => PieceType::Knight,
            _ => return None,
        })
    };
    game.piece_type_of(capital).or_else(foreign)
}

/// Splits what a pawn becomes off the end of a text: `e8Q`, `e8=Q`, `e8/Q`, `e8(Q)`, also with a
/// small letter.
fn promotion(game: Game, text: &str) -> Option<(&str, PieceType)> {
    let inner = text.strip_suffix(')').unwrap_or(text);
    let letter = inner.chars().next_back()?;
    let before = &inner[..inner.len() - letter.len_utf8()];
    let square = before.trim_end_matches(['=', '/', '(']);
    if letter.is_ascii_lowercase() && !square.ends_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    Some((square, piece_of(game, letter.to_ascii_uppercase())?))
}
