//! The values of a material and of all that its moves lead to, by position.

use std::path::Path;
use std::sync::Arc;

use retrograde_index::{Index, Wdl};
use retrograde_probe::ProbeError;
use retrograde_rules::{
    BareKings, Colour, End, Game, Interchange, LastOfType, Material, MoveKind, Piece, PieceType,
    Position, Square, Vitality,
};

use crate::error::ClaimError;

use super::{Curve, Curves, Library, Values};

/// The values of some materials, `V` being [`Values`] or [`Curves`].
pub(crate) struct Ground<V> {
    game: Game,
    entries: Vec<Entry<V>>,
}

struct Entry<V> {
    /// The pieces as they stand on the board.
    colouring: Material,
    /// How the colours are swapped to find them in the table, if they are.
    interchange: Option<Interchange>,
    values: Arc<V>,
}

/// What positions are looked up in.
pub(crate) trait Indexed: Sized {
    fn of(library: &Library, game: Game, material: &Material) -> Result<Arc<Self>, ClaimError>;
    fn index_of(&self) -> &Index;
}

impl Indexed for Values {
    fn of(library: &Library, game: Game, material: &Material) -> Result<Arc<Values>, ClaimError> {
        library.values(game, material)
    }

    fn index_of(&self) -> &Index {
        self.index()
    }
}

impl Indexed for Curves {
    fn of(library: &Library, game: Game, material: &Material) -> Result<Arc<Curves>, ClaimError> {
        library.curves(game, material)
    }

    fn index_of(&self) -> &Index {
        self.index()
    }
}

impl<V: Indexed> Ground<V> {
    /// The values of one material.
    pub(crate) fn only(
        library: &Library,
        game: Game,
        material: &Material,
    ) -> Result<Ground<V>, ClaimError> {
        Ground::of(library, game, &[*material])
    }

    /// The values of one material in both colourings, which may be tables of their own.
    pub(crate) fn both(
        library: &Library,
        game: Game,
        material: &Material,
    ) -> Result<Ground<V>, ClaimError> {
        Ground::of(library, game, &[*material, material.swapped()])
    }

    /// The values of a material and of all that its moves lead to.
    pub(crate) fn around(
        library: &Library,
        game: Game,
        material: &Material,
    ) -> Result<Ground<V>, ClaimError> {
        let mut materials = successors(game, material);
        // Looked up most often.
        materials.insert(0, *material);
        Ground::of(library, game, &materials)
    }

    /// The values of a material and of all that any number of moves leads to.
    pub(crate) fn beyond(
        library: &Library,
        game: Game,
        material: &Material,
    ) -> Result<Ground<V>, ClaimError> {
        Ground::of(library, game, &descendants(game, material))
    }

    fn of(library: &Library, game: Game, materials: &[Material]) -> Result<Ground<V>, ClaimError> {
        let mut entries: Vec<Entry<V>> = Vec::new();
        for material in materials {
            let (normal, _) = material.normal(game);
            if game.needs_no_table(&normal) || entries.iter().any(|e| e.colouring == normal) {
                continue;
            }
            let values = V::of(library, game, &normal)?;
            for colouring in [normal, normal.swapped()] {
                let (same, swapped) = colouring.normal(game);
                if same == normal && !entries.iter().any(|e| e.colouring == colouring) {
                    entries.push(Entry {
                        colouring,
                        interchange: swapped.then(|| game.interchange(&normal)),
                        values: Arc::clone(&values),
                    });
                }
            }
        }
        Ok(Ground { game, entries })
    }

    /// Where the value of a position without an e.p. right stands: in whose values, for which
    /// side to move, at which index.
    #[inline]
    fn find(&self, position: &Position) -> Result<(&V, Colour, u64), ClaimError> {
        let material = position.material();
        let entry = self.entries.iter().find(|e| e.colouring == material);
        let found = entry.and_then(|entry| {
            let (turn, index) = entry.place(self.game, position)?;
            Some((&*entry.values, turn, index))
        });
        found.ok_or_else(|| self.missing(&material))
    }

    #[cold]
    fn missing(&self, material: &Material) -> ClaimError {
        let nowhere: [&Path; 0] = [];
        ProbeError::missing(self.game, material, None, &nowhere).into()
    }
}

impl<V: Indexed> Entry<V> {
    #[inline]
    fn place(&self, game: Game, position: &Position) -> Option<(Colour, u64)> {
        let geometry = game.geometry();
        let mut squares = [Square(0); Material::MOST_PIECES];
        let mut pieces = 0;
        let board = position.board();
        for colour in Colour::BOTH {
            let colour = self.interchange.map_or(colour, |_| colour.other());
            let mine = board.by(colour);
            for &piece_type in game.piece_types() {
                for square in mine & board.piece_type(piece_type) {
                    *squares.get_mut(pieces)? = match self.interchange {
                        Some(how) => how.image(geometry, square),
                        None => square,
                    };
                    pieces += 1;
                }
            }
        }
        let turn = self
            .interchange
            .map_or(position.turn(), |_| position.turn().other());
        let index = self.values.index_of().encode(squares.get(..pieces)?)?;
        Some((turn, index))
    }
}

impl Ground<Values> {
    /// Who wins, for the side to move, with the half-move clock at 0. A position with an e.p.
    /// right is resolved from its successors (O2).
    #[inline]
    pub(crate) fn wdl(&self, position: &Position) -> Result<Wdl, ClaimError> {
        if let Some(end) = position.finished() {
            return Ok(of_end(end, position.turn()));
        }
        if position.ep().is_some() {
            return self.resolved(position);
        }
        if position.board().occupied().len() == 2 && self.game.needs_no_table(&position.material())
        {
            return Ok(of_bare_kings(self.game, position));
        }
        let (values, turn, index) = self.find(position)?;
        Ok(values.wdl(turn, index))
    }

    /// The value of a position with an e.p. right: that of the position without the right, or
    /// that of a capture en passant if that is better or the only move. The other moves are
    /// those of the position without the right, whose value is in its table; after a double
    /// step that promotes (C6) they lead to further materials. Whether the fifty-move rule
    /// spoils it is left open: what cursed results there are stay cursed.
    #[cold]
    fn resolved(&self, position: &Position) -> Result<Wdl, ClaimError> {
        let moves = position.legal_moves();
        let (mut best, mut takes) = (None, 0);
        for &mv in moves.iter().filter(|mv| mv.kind == MoveKind::EnPassant) {
            let value = self.wdl(&position.play(mv))?.reversed();
            best = Some(best.map_or(value, |best: Wdl| best.min(value)));
            takes += 1;
        }
        if let Some(best) = best
            && takes == moves.len()
        {
            return Ok(best);
        }
        let pieces = position.board().pieces();
        let without = Position::from_pieces(position.game(), pieces, position.turn());
        let without = without.ok_or_else(|| self.missing(&position.material()))?;
        let without = self.wdl(&without)?;
        Ok(best.map_or(without, |best| best.min(without)))
    }

    /// Plies to the end of a position without an e.p. right, if depths were read.
    pub(crate) fn plies(&self, position: &Position) -> Result<Option<u32>, ClaimError> {
        let (values, turn, index) = self.find(position)?;
        Ok(values.plies(turn, index))
    }
}

impl Ground<Curves> {
    /// The curve of a position without an e.p. right.
    #[inline]
    pub(crate) fn curve(&self, position: &Position) -> Result<&Curve, ClaimError> {
        let (curves, turn, index) = self.find(position)?;
        Ok(curves.curve(turn, index))
    }

    /// Who wins a position with its counters.
    #[inline]
    pub(crate) fn winner(&self, position: &Position) -> Result<Colour, ClaimError> {
        let turn = position.turn();
        let counters = position.vitality().unwrap_or(Vitality::both(1));
        if counters.of(turn.other()) == 0 {
            // The last point is spent: mate comes first (H6).
            return Ok(match position.end() {
                Some(End::Checkmate) => turn.other(),
                _ => turn,
            });
        }
        if position.ep().is_some() {
            return self.resolved(position);
        }
        let (curves, turn, index) = self.find(position)?;
        Ok(curves.winner(turn, index, counters))
    }

    #[cold]
    fn resolved(&self, position: &Position) -> Result<Colour, ClaimError> {
        let turn = position.turn();
        for &mv in &position.legal_moves() {
            if self.winner(&position.play(mv))? == turn {
                return Ok(turn);
            }
        }
        Ok(turn.other())
    }
}

/// The value of a finished game.
fn of_end(end: End, turn: Colour) -> Wdl {
    match end.winner(turn) {
        None => Wdl::Draw,
        Some(winner) if winner == turn => Wdl::Win,
        Some(_) => Wdl::Loss,
    }
}

/// Two bare kings that have no table: a draw, unless one can be taken (E6).
fn of_bare_kings(game: Game, position: &Position) -> Wdl {
    let takes = match game.bare_kings() {
        BareKings::DrawnUnlessTaken => position.legal_moves().iter().any(|mv| mv.is_capture()),
        BareKings::Drawn | BareKings::Table => false,
    };
    if takes { Wdl::Win } else { Wdl::Draw }
}

/// The materials, in normal form, that captures and promotions lead to.
pub(crate) fn successors(game: Game, material: &Material) -> Vec<Material> {
    let may_go = |of: &Material, piece: Piece| match game.last_of_type(piece.piece_type) {
        LastOfType::Free => true,
        LastOfType::Stays | LastOfType::Decides => of.count(piece) > 1,
    };
    let taken = material.pieces().filter(|&piece| may_go(material, piece));
    let rests: Vec<(Option<Colour>, Material)> = taken
        .filter_map(|piece| Some((Some(piece.colour), material.without(piece)?)))
        .chain([(None, *material)])
        .collect();
    let mut list = Vec::new();
    for (loser, rest) in rests {
        list.push(rest);
        for colour in Colour::BOTH
            .into_iter()
            .filter(|&colour| loser != Some(colour))
        {
            let pawn = Piece::new(colour, PieceType::Pawn);
            if rest.count(pawn) == 0 || !may_go(&rest, pawn) {
                continue;
            }
            for &piece_type in game.promotions() {
                list.extend(rest.without(pawn).map(|mut promoted| {
                    promoted.add(Piece::new(colour, piece_type));
                    promoted
                }));
            }
        }
    }
    let both = |m: &Material| {
        Colour::BOTH
            .into_iter()
            .all(|colour| m.side_len(colour) > 0)
    };
    let mut list: Vec<Material> = list
        .into_iter()
        .filter(both)
        .map(|m| m.normal(game).0)
        .collect();
    list.sort_unstable();
    list.dedup();
    list.retain(|m| m != material);
    list
}

/// A material and all those, in normal form, that any number of captures and promotions lead
/// to, nearer ones first.
fn descendants(game: Game, material: &Material) -> Vec<Material> {
    let mut list = vec![*material];
    let mut next = 0;
    while let Some(material) = list.get(next).copied() {
        next += 1;
        for successor in successors(game, &material) {
            if !list.contains(&successor) {
                list.push(successor);
            }
        }
    }
    list
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn several_moves_lead_further_than_one() {
        let game = Game::parse("chess99").unwrap();
        let material = |name| Material::parse(game, name).unwrap();
        let one = successors(game, &material("KQvKQ"));
        assert_eq!(one, [material("KQvK")]);
        let all = descendants(game, &material("KQvKQ"));
        assert_eq!(all, ["KQvKQ", "KQvK", "KvK"].map(material));
        // Two pawns may both promote, to bishop or knight.
        let pawns = descendants(game, &material("KPvKP"));
        assert!(pawns.contains(&material("KBvKN")) && pawns.contains(&material("KvK")));
    }
}
