//! Holds pieces on a board as bitboards, with an independent test of legality.

use anyhow::{Context, Result, bail};
use pyrrhic_rs::{Color, EngineAdapter};

use crate::attacks::Attacks;

/// The letters of the piece types, in the order of [`Diagram::piece_types`].
const LETTERS: &[u8; 6] = b"KQRBNP";

/// A diagram and the side to move.
#[derive(Clone, Copy, Default)]
pub struct Diagram {
    /// White's pieces, then Black's.
    pub sides: [u64; 2],
    /// The pieces of each piece type: king, queen, rook, bishop, knight, pawn.
    pub piece_types: [u64; 6],
    /// 0 if White is to move, 1 if Black is.
    pub turn: usize,
    /// The square that a pawn has just passed over; 0 for none.
    pub ep: u32,
}

impl Diagram {
    /// Puts a piece, given by its FEN letter, on a square. `false` if another
    /// stands there.
    pub fn put(&mut self, letter: u8, square: u64) -> bool {
        let bit = 1 << square;
        let piece_type = LETTERS
            .iter()
            .position(|&l| l == letter.to_ascii_uppercase());
        let (Some(piece_type), 0) = (piece_type, (self.sides[0] | self.sides[1]) & bit) else {
            return false;
        };
        self.sides[usize::from(letter.is_ascii_lowercase())] |= bit;
        self.piece_types[piece_type] |= bit;
        true
    }

    /// Reads the first four fields of a FEN.
    pub fn parse(fen: &str) -> Result<Diagram> {
        let mut fields = fen.split_ascii_whitespace();
        let mut next = || {
            fields
                .next()
                .with_context(|| format!("\"{fen}\" is too short"))
        };
        let mut diagram = Diagram::default();
        for (line, rank) in next()?.split('/').zip((0..8u64).rev()) {
            let mut file = 0;
            for letter in line.bytes() {
                if letter.is_ascii_digit() {
                    file += u64::from(letter - b'0');
                } else if file < 8 && diagram.put(letter, rank * 8 + file) {
                    file += 1;
                } else {
                    bail!("\"{fen}\" has a bad board");
                }
            }
        }
        diagram.turn = usize::from(next()? == "b");
        next()?;
        if let [file @ b'a'..=b'h', rank @ (b'3' | b'6')] = *next()?.as_bytes() {
            diagram.ep = u32::from((rank - b'1') * 8 + file - b'a');
        }
        Ok(diagram)
    }

    /// The pieces of both sides, as letters in the order of material names.
    pub fn letters(&self) -> [Vec<u8>; 2] {
        self.sides.map(|side| {
            let piece_types = LETTERS.iter().zip(self.piece_types);
            piece_types
                .flat_map(|(&letter, piece_type)| {
                    vec![letter; (piece_type & side).count_ones() as usize]
                })
                .collect()
        })
    }

    /// The squares of a side's pieces of a piece type, given by its letter.
    pub fn squares(&self, letter: u8, side: usize) -> u64 {
        let piece_type = LETTERS.iter().position(|&l| l == letter);
        piece_type.map_or(0, |piece_type| self.piece_types[piece_type]) & self.sides[side]
    }

    /// The diagram with the colours swapped and the ranks mirrored; without the e.p. square.
    pub fn swapped(&self) -> Diagram {
        let [white, black] = self.sides.map(u64::swap_bytes);
        Diagram {
            sides: [black, white],
            piece_types: self.piece_types.map(u64::swap_bytes),
            turn: 1 - self.turn,
            ep: 0,
        }
    }

    /// Whether no pawn is on a last rank and the side that has moved is not
    /// in check.
    pub fn is_legal(&self) -> bool {
        const LAST: u64 = 0xff00_0000_0000_00ff;
        let occupied = self.sides[0] | self.sides[1];
        let [kings, queens, rooks, bishops, knights, pawns] = self.piece_types;
        let (mine, theirs) = (self.sides[self.turn], self.sides[1 - self.turn]);
        let king = u64::from((kings & theirs).trailing_zeros());
        // A pawn attacks the king if the king, as a pawn, attacks the pawn.
        let colour = if self.turn == 0 {
            Color::Black
        } else {
            Color::White
        };
        let attackers = Attacks::king_attacks(king) & kings
            | Attacks::rook_attacks(king, occupied) & (rooks | queens)
            | Attacks::bishop_attacks(king, occupied) & (bishops | queens)
            | Attacks::knight_attacks(king) & knights
            | Attacks::pawn_attacks(colour, king) & pawns;
        attackers & mine == 0 && pawns & LAST == 0
    }
}
