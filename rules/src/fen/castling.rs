//! Reads and writes the castling field of a FEN.

use super::{FenError, FenErrorKind};
use crate::board::Board;
use crate::castling::{Castling, CastlingRights};
use crate::fault::CastlingFault;
use crate::game::Game;
use crate::piece::Colour;

impl CastlingRights {
    /// The castling field of a FEN: `KQkq`, `ADEHadeh`, or `-`.
    pub fn text(self, game: Game) -> String {
        let letters = game.record().castling.as_ref().map(Castling::letters);
        let text: String = letters
            .into_iter()
            .flatten()
            .filter(|&(_, bits)| self.0 & bits == bits)
            .map(|(letter, _)| letter)
            .collect();
        if text.is_empty() {
            "-".to_owned()
        } else {
            text
        }
    }
}

impl Castling {
    /// Reads the castling field of a FEN, which is not `-`; `offset` is its place in
    /// the text. In wild 9 other programs know more rights, which are dropped (X3).
    pub(crate) fn read(
        &self,
        game: Game,
        board: &Board,
        field: &str,
        offset: usize,
    ) -> Result<CastlingRights, FenError> {
        let letters = self.letters();
        let others = self.other_letters();
        let mut rights = CastlingRights::NONE;
        for (place, letter) in field.char_indices() {
            let offset = offset + place;
            let is_foreign = "KQkq".contains(letter) && self.all_kings.is_some();
            let known = letters.iter().chain(&others).find(|&&(l, _)| l == letter);
            if known.is_none() && is_foreign && !field[..place].contains(letter) {
                continue;
            }
            // Rights to castle to either side have the king in common.
            let Some(&(_, bits)) = known.filter(|&&(_, bits)| bits & !rights.0 != 0) else {
                let letters = letters.iter().map(|&(l, _)| l).collect();
                let field = field.to_owned();
                return Err(FenErrorKind::Castling { field, letters }.at(offset));
            };
            let right = CastlingRights(bits);
            let fault = |colour| self.fault(game.geometry(), board, right, colour);
            match Colour::BOTH.into_iter().find_map(fault) {
                None => rights.0 |= bits,
                // That the move of another king ends the right is not known everywhere.
                Some(CastlingFault::Moved(..)) => {}
                Some(fault) => {
                    let why = fault.describe(game.geometry());
                    return Err(FenErrorKind::CastlingRight { letter, why }.at(offset));
                }
            }
        }
        Ok(rights.paired())
    }
}
