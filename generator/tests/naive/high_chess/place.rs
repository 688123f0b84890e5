//! The states that moves which are not vital can tell apart: a material with its
//! pawns in place.

use super::super::state::{MOST, Pieces, Side, State, piece, piece_type, side};

/// What only vital moves change: the pieces, where the pawns stand, and which of
/// them may be taken en passant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Place {
    pieces: Pieces,
    /// By slot; 0 for pieces that are no pawns.
    pawns: [u8; MOST],
    extra: u32,
}

impl Place {
    pub(crate) fn of(state: &State) -> Place {
        let mut pawns = [0; MOST];
        for (slot, piece, square) in state.iter() {
            if piece_type(piece) == b'P' {
                pawns[slot] = square;
            }
        }
        Place {
            pieces: state.pieces,
            pawns,
            extra: state.extra,
        }
    }

    /// The name of its material.
    pub(crate) fn endgame(&self) -> String {
        let pieces = self.pieces.iter().filter(|&&piece| piece != 0);
        let [white, black] = Side::BOTH.map(|of| -> String {
            let pieces = pieces.clone().filter(|&&piece| side(piece) == of);
            pieces.map(|&piece| char::from(piece_type(piece))).collect()
        });
        format!("{white}v{black}")
    }

    /// All places of a material, those with a right to take en passant included
    /// where the pawns allow it.
    pub(crate) fn all(pieces: &Pieces) -> Vec<Place> {
        let mut list = vec![Place {
            pieces: *pieces,
            pawns: [0; MOST],
            extra: 0,
        }];
        let pawns = (0..MOST).filter(|&slot| piece_type(pieces[slot]) == b'P');
        for slot in pawns.clone() {
            let spread = |place: &Place| {
                let place = *place;
                (8..56).map(move |square| {
                    let mut place = place;
                    place.pawns[slot] = square;
                    place
                })
            };
            list = list.iter().flat_map(spread).collect();
        }
        for extra in pawns.map(|slot| 1 + slot as u32) {
            let with = |place: &Place| Place { extra, ..*place };
            let open: Vec<Place> = list.iter().filter(|p| p.extra == 0).map(with).collect();
            list.extend(open.iter().filter(|place| place.may_be_taken()));
        }
        list
    }

    /// Whether the pawn of `extra` stands where a double step ends, with an
    /// enemy pawn beside it.
    fn may_be_taken(&self) -> bool {
        let slot = self.extra as usize - 1;
        let at = self.pawns[slot];
        let (rank, taker) = match self.pieces[slot] {
            b'P' => (3, b'p'),
            _ => (4, b'P'),
        };
        let beside = |&square: &u8| square / 8 == rank && square.abs_diff(at) == 1;
        let takers = (0..MOST).filter(|&slot| self.pieces[slot] == taker);
        at / 8 == rank && takers.map(|slot| self.pawns[slot]).any(|at| beside(&at))
    }
}

/// The states of a place as indices: six bits for each piece that is no pawn -
/// White's king, Black's, the others - and one for the side to move.
pub(crate) struct PlaceIndexing {
    place: Place,
    /// The slots of these pieces.
    slots: Vec<usize>,
}

impl PlaceIndexing {
    pub(crate) fn new(place: Place) -> PlaceIndexing {
        let slots = 0..MOST;
        let rank = |slot: &usize| match piece_type(place.pieces[*slot]) {
            b'K' => 0,
            _ => 1,
        };
        let mut slots: Vec<usize> = slots
            .filter(|&slot| place.pieces[slot] != 0 && piece_type(place.pieces[slot]) != b'P')
            .collect();
        slots.sort_by_key(rank);
        PlaceIndexing { place, slots }
    }

    pub(crate) fn len(&self) -> usize {
        2 << (6 * self.slots.len())
    }

    /// The bit of the index that Black's turn sets.
    pub(crate) fn turn_bit(&self) -> usize {
        self.len() / 2
    }

    /// How far to the left of the index the square of a piece stands that is
    /// the n-th here.
    pub(crate) fn shift(&self, nth: usize) -> usize {
        6 * (self.slots.len() - 1 - nth)
    }

    /// Which of the pieces here are a side's: its king first.
    pub(crate) fn of_side(&self, side: Side) -> Vec<usize> {
        let mine = |&nth: &usize| {
            let letter = self.place.pieces[self.slots[nth]];
            letter == piece(letter, side)
        };
        (0..self.slots.len()).filter(mine).collect()
    }

    /// The slot of the n-th piece here.
    pub(crate) fn slot(&self, nth: usize) -> usize {
        self.slots[nth]
    }

    pub(crate) fn index_of(&self, state: &State) -> usize {
        let turn = match state.turn {
            Side::White => 0,
            Side::Black => self.turn_bit(),
        };
        let squares = (0..self.slots.len())
            .map(|nth| usize::from(state.squares[self.slots[nth]]) << self.shift(nth));
        turn + squares.sum::<usize>()
    }

    /// The state of an index. Pieces may share a square.
    pub(crate) fn state(&self, index: usize) -> State {
        let mut squares = self.place.pawns;
        for (nth, &slot) in self.slots.iter().enumerate() {
            squares[slot] = (index >> self.shift(nth) & 63) as u8;
        }
        let black = index & self.turn_bit() != 0;
        State {
            pieces: self.place.pieces,
            squares,
            turn: if black { Side::Black } else { Side::White },
            extra: self.place.extra,
        }
    }
}
