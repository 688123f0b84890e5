//! High Chess (H1-H8): orthodox chess with a pass, where the side whose king
//! is farther from the centre wears out.

use super::{Orthodox, Rules, mating};
use crate::board::Board;
use crate::castling::Castling;
use crate::end::End;
use crate::features::BareKings;
use crate::game::{GameError, Interchange};
use crate::geometry::Geometry;
use crate::material::Material;
use crate::moves::{Move, MoveList};
use crate::options::{Choice, ChosenOption, GameOption, GivenOptions, OptionValues};
use crate::piece::{Colour, Piece, PieceType};
use crate::position::Position;
use crate::square::Square;
use crate::vitality::Vitality;

/// High Chess with its rule options, and what its rules say beyond moves:
/// who is High, and what a turn costs.
///
/// ```
/// use retrograde_rules::{Game, HighChess, Restores};
///
/// let Game::HighChess(rules) = Game::parse("high-chess:vitality=5")? else {
///     unreachable!()
/// };
/// assert_eq!(Some(rules), HighChess::new(Restores::Mover, 5));
/// # Ok::<(), retrograde_rules::GameError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct HighChess {
    restores: Restores,
    vitality: u8,
}

/// Whose vitality a vital move restores (H4): the option `vital-restores`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Restores {
    /// The mover's.
    #[default]
    Mover,
    /// Both sides', just as a fifty-move count restarts for both.
    Both,
}

/// The effect of a turn on the mover's vitality.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Toll {
    /// A vital move (H7): the counter is full again (H4).
    Vital,
    /// Not vital, and the mover is High after it: nothing changes.
    Free,
    /// Not vital, and the mover is Low after it: one point is lost (H5).
    Paid,
}

const VITAL_RESTORES: Choice<Restores> = Choice::new(
    "vital-restores",
    &["mover", "both"],
    &[Restores::Mover, Restores::Both],
);
const VITALITY: GameOption = GameOption {
    name: "vitality",
    values: OptionValues::Number(1, HighChess::FULL_VITALITY),
    default: "50",
};

impl HighChess {
    /// High Chess without options.
    pub const DEFAULT: HighChess = HighChess {
        restores: Restores::Mover,
        vitality: HighChess::FULL_VITALITY,
    };

    /// The full counter without the option `vitality` (H3).
    pub const FULL_VITALITY: u8 = 50;

    const NAME: &'static str = "high-chess";

    const OFFERS: &'static [GameOption] = &[VITAL_RESTORES.offer, VITALITY];

    /// The game with these options; `None` unless `vitality`, the full counter, is from 1
    /// to [`HighChess::FULL_VITALITY`].
    pub const fn new(restores: Restores, vitality: u8) -> Option<HighChess> {
        if vitality == 0 || vitality > HighChess::FULL_VITALITY {
            return None;
        }
        Some(HighChess { restores, vitality })
    }

    /// The game with the given options changed.
    pub(super) fn with_options(self, options: &GivenOptions) -> Result<HighChess, GameError> {
        Ok(HighChess {
            restores: VITAL_RESTORES.read(options, self.restores)?,
            vitality: options.choose(&VITALITY, self.vitality, |value| {
                // Each number has one spelling, so that an id has one form.
                (1..=HighChess::FULL_VITALITY).find(|points| points.to_string() == value)
            })?,
        })
    }

    /// The counter that both sides start with and that a vital move restores
    /// (H3, H4): 1 to [`HighChess::FULL_VITALITY`].
    #[inline]
    pub const fn vitality(self) -> u8 {
        self.vitality
    }

    /// Whose counter a vital move restores (H4).
    #[inline]
    pub const fn restores(self) -> Restores {
        self.restores
    }

    /// The number of king steps, on an empty board, from a square of the 8x8
    /// board to the nearest of d4, e4, d5 and e5: 0 to 3 (H1).
    #[inline]
    pub const fn distance(square: Square) -> u8 {
        const fn off(line: u8) -> u8 {
            if line < 4 { 3 - line } else { line - 4 }
        }
        let (files, ranks) = (
            off(Geometry::EIGHT.file(square)),
            off(Geometry::EIGHT.rank(square)),
        );
        if files > ranks { files } else { ranks }
    }

    /// The side that is High with the kings on these squares; the other is
    /// Low (H1). With equal distances that is Black.
    #[inline]
    pub const fn high_by_kings(white: Square, black: Square) -> Colour {
        if HighChess::distance(white) < HighChess::distance(black) {
            Colour::White
        } else {
            Colour::Black
        }
    }

    /// The side that is High (H1). For a turn, what counts is who is High in the position
    /// *after* it (H3).
    #[inline]
    pub fn high(board: &Board) -> Colour {
        let [white, black] = Colour::BOTH.map(|colour| king(board, colour));
        HighChess::high_by_kings(white, black)
    }

    /// Whether a side is High; if not, it is Low (H1).
    #[inline]
    pub fn is_high(board: &Board, colour: Colour) -> bool {
        HighChess::high(board) == colour
    }

    /// Whether a legal move of a position is vital (H7): a capture, a pawn move, a move
    /// that ends a right to castle, or any move, a pass included, while a pawn of the
    /// mover stands so as to capture en passant, pinned or not. The presence of such a
    /// pawn is what makes an e.p. square count here (O2).
    #[inline]
    pub fn is_vital(position: &Position, mv: Move) -> bool {
        mv.is_zeroing()
            || position.ep.is_some()
            || Castling::ORTHODOX.is_ended_by(Geometry::EIGHT, position, mv)
    }

    /// What a legal move of a position costs the mover. It depends neither on the options
    /// nor on the counters.
    #[inline]
    pub fn toll(position: &Position, mv: Move) -> Toll {
        if HighChess::is_vital(position, mv) {
            return Toll::Vital;
        }
        let mover = position.turn;
        let [white, black] = Colour::BOTH.map(|colour| {
            if colour == mover && mv.piece == PieceType::King {
                mv.to
            } else {
                king(&position.board, colour)
            }
        });
        if HighChess::high_by_kings(white, black) == mover {
            Toll::Free
        } else {
            Toll::Paid
        }
    }

    /// The counters after a turn (H4, H5), given those before it. The mover has lost by
    /// exhaustion if its counter reaches 0 and it has not mated (H6).
    #[inline]
    pub fn charge(self, before: Vitality, mover: Colour, toll: Toll) -> Vitality {
        match (toll, self.restores) {
            (Toll::Vital, Restores::Mover) => before.with(mover, self.vitality),
            (Toll::Vital, Restores::Both) => Vitality::both(self.vitality),
            (Toll::Free, _) => before,
            (Toll::Paid, _) => before.with(mover, before.of(mover).saturating_sub(1)),
        }
    }

    /// Whether the side that has just moved has no points left (H6).
    #[inline]
    fn is_exhausted(position: &Position) -> bool {
        let mover = position.turn.other();
        position.vitality.is_some_and(|left| left.of(mover) == 0)
    }
}

/// The square of a side's king. Every position has one; for a board without it the
/// answer is meaningless.
#[inline]
fn king(board: &Board, colour: Colour) -> Square {
    let king = board.of(Piece::new(colour, PieceType::King));
    king.first().unwrap_or_default()
}

impl Default for HighChess {
    fn default() -> HighChess {
        HighChess::DEFAULT
    }
}

impl Rules for HighChess {
    fn name(&self) -> &'static str {
        HighChess::NAME
    }

    fn options(&self) -> Vec<ChosenOption> {
        let points = self.vitality;
        let is_default = points == HighChess::FULL_VITALITY;
        let vitality = (!is_default).then(|| ("vitality", points.to_string()));
        let options = [VITAL_RESTORES.chosen(self.restores), vitality];
        options.into_iter().flatten().collect()
    }

    fn revision(&self) -> u16 {
        1
    }

    fn offers(&self) -> &'static [GameOption] {
        HighChess::OFFERS
    }

    #[inline]
    fn vitality_rules(&self) -> Option<HighChess> {
        Some(*self)
    }

    fn bare_kings(&self) -> BareKings {
        BareKings::Table
    }

    fn has_pass(&self) -> bool {
        true
    }

    // At equal distances Black is High (H1). The symmetries of orthodox chess remain:
    // the four central squares are placed symmetrically.
    fn interchange(&self, _material: &Material) -> Interchange {
        Interchange::Never
    }

    /// A pawn need only stand so as to capture (O2): the right makes moves vital (H7)
    /// even if the capture is illegal.
    #[inline]
    fn ep_counts(&self, position: &Position) -> bool {
        mating::ep_stands(self, position)
    }

    #[inline]
    fn legal_moves(&self, position: &Position, list: &mut MoveList) {
        if HighChess::is_exhausted(position) {
            return;
        }
        let in_check = Orthodox.add_moves(position, list);
        if !in_check {
            list.push(Move::pass(king(&position.board, position.turn)));
        }
    }

    /// The pass.
    #[inline]
    fn has_quick_move(&self, position: &Position) -> bool {
        !HighChess::is_exhausted(position) && !self.in_check(&position.board, position.turn)
    }

    #[inline]
    fn settle(&self, before: &Position, mv: Move, after: &mut Position) {
        mating::settle_ep(self, mv, after);
        let vitality = before.vitality.unwrap_or(Vitality::both(self.vitality));
        let toll = HighChess::toll(before, mv);
        after.vitality = Some(self.charge(vitality, before.turn, toll));
    }

    fn end(&self, position: &Position, moves: &[Move]) -> Option<End> {
        if !moves.is_empty() {
            return None;
        }
        // A game that ended by exhaustion has no moves either, so they are generated
        // again as if it went on: mate comes first (H6).
        let mut evasions = MoveList::new();
        let in_check = Orthodox.add_moves(position, &mut evasions);
        if in_check && evasions.is_empty() {
            Some(End::Checkmate)
        } else if HighChess::is_exhausted(position) {
            Some(End::Exhaustion)
        } else {
            None
        }
    }
}
