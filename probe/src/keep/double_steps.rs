//! Double steps after which the pawn may be captured en passant: they do not lead to a
//! position of the table.

use retrograde_rules::{
    Colour, DoubleStep, EnPassant, Game, Geometry, Material, PieceType, Square,
};

/// The double steps of a side to move. Only for games in which pawns make them from their home
/// rank, and pawns alone capture en passant: for others [`OnePly`] has no values.
///
/// [`OnePly`]: super::OnePly
pub(super) struct DoubleSteps {
    geometry: Geometry,
    /// The rank from which they are made, and how far they go.
    home: u8,
    by: i8,
    /// The places of the side's pawns among the pieces, and of the other side's.
    pawns: [Vec<usize>; 2],
}

impl DoubleSteps {
    /// `None` if no pawn can be captured en passant, for want of pawns on either side.
    pub(super) fn new(game: Game, material: &Material, turn: Colour) -> Option<DoubleSteps> {
        let geometry = game.geometry();
        let (home, by) = match turn {
            Colour::White => (game.pawn_home(), 2),
            Colour::Black => (geometry.ranks.checked_sub(1 + game.pawn_home())?, -2),
        };
        let pawns = [turn, turn.other()].map(|colour| {
            let pieces = material.pieces().enumerate();
            let pawns =
                pieces.filter(|(_, p)| p.colour == colour && p.piece_type == PieceType::Pawn);
            pawns.map(|(place, _)| place).collect::<Vec<_>>()
        });
        let any = game.pawns().double_step != DoubleStep::None
            && game.ep_by() != EnPassant::Off
            && pawns.iter().all(|pawns| !pawns.is_empty());
        any.then_some(DoubleSteps {
            geometry,
            home,
            by,
            pawns,
        })
    }

    /// Whether a pawn may stand beside one of the other side after a double step, given the
    /// squares of all pieces. There may be no such step all the same.
    pub(super) fn may_be_taken(&self, squares: &[Square]) -> bool {
        let on = |places: &[usize]| {
            let squares = places.iter().filter_map(|&place| squares.get(place));
            squares.copied().collect::<Vec<_>>()
        };
        let [mine, theirs] = self.pawns.each_ref().map(|places| on(places));
        mine.into_iter()
            .filter(|&pawn| self.geometry.rank(pawn) == self.home)
            .any(|pawn| {
                [-1, 1].into_iter().any(|files| {
                    let beside = self.geometry.offset(pawn, files, self.by);
                    beside.is_some_and(|square| theirs.contains(&square))
                })
            })
    }
}

#[cfg(test)]
mod tests {
    use retrograde_rules::Position;

    use super::*;

    #[test]
    fn every_right_comes_from_such_a_step() {
        let game = Game::default();
        let material = Material::parse(game, "KPvKP").unwrap();
        let kings = [Square(0), Square(63)];
        for turn in Colour::BOTH {
            let steps = DoubleSteps::new(game, &material, turn).unwrap();
            let mut rights = 0;
            for (white, black) in (8..56).flat_map(|w| (8..56).map(move |b| (w, b))) {
                let squares = [kings[0], Square(white), kings[1], Square(black)];
                let pieces = material.pieces().zip(squares);
                let Some(position) = Position::from_pieces(game, pieces, turn) else {
                    continue;
                };
                let moves = position.legal_moves();
                let gives = |&mv: &_| position.play(mv).ep().is_some();
                let given = moves.iter().any(gives);
                assert!(!given || steps.may_be_taken(&squares), "{}", position.fen());
                rights += usize::from(given);
            }
            assert_eq!(rights, 14);
        }
        let alone = Material::parse(game, "KPvK").unwrap();
        assert!(DoubleSteps::new(game, &alone, Colour::White).is_none());
    }
}
