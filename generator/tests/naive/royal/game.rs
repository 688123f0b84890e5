//! The games: which pieces are royal, what is legal, how games end.

use super::super::rules::{Next, Rules};
use super::super::state::{MOST, Pieces, Side, State, Value, piece, piece_type, side};
use super::board::{Board, Shape, board_of, forward};

/// A game with its options.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Game {
    /// K1-K7; wild 9 is kings with two options set.
    Kings(Options),
    /// Extinction with mating rules (E1-E5).
    Mating,
    /// Extinction (E6).
    Extinction,
    /// King of the Hill (T1-T3).
    Hill,
}

/// K6, K7.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Options {
    /// Black's royal king is the one on the highest file.
    pub(super) h8: bool,
    pub(super) to_king: bool,
    /// The role of a spare king.
    pub(super) spare: &'static [u8],
    pub(super) rank1: bool,
    shape: &'static Shape,
    chancellor: bool,
}

impl Game {
    /// The game of an id, which need not be in its one form.
    pub(super) fn of(id: &str) -> Game {
        let (name, options) = id.split_once(':').unwrap_or((id, ""));
        let on = |option: &str| options.split(',').any(|given| given == option);
        match name {
            "kings" => Game::Kings(Options {
                h8: on("black-corner=h8"),
                to_king: !on("promote-to-king=off"),
                spare: if on("spare-king=queen") {
                    b"Q"
                } else if on("spare-king=duke") {
                    b"KN"
                } else {
                    b"K"
                },
                rank1: on("tie-break=rank1"),
                shape: if on("board=10x8") {
                    &Shape::TEN_BY_EIGHT
                } else if on("board=10x10") {
                    &Shape::TEN
                } else {
                    &Shape::EIGHT
                },
                chancellor: on("chancellor=on"),
            }),
            "wild9" => Game::of("kings:promote-to-king=off,tie-break=rank1"),
            "extinction-mating" => Game::Mating,
            "extinction" => Game::Extinction,
            "king-of-the-hill" => Game::Hill,
            _ => panic!("no game {id}"),
        }
    }

    /// The board.
    pub(super) fn shape(self) -> &'static Shape {
        match self {
            Game::Kings(options) => options.shape,
            Game::Mating | Game::Extinction | Game::Hill => &Shape::EIGHT,
        }
    }

    /// T1: whether a side's king stands on d4, e4, d5 or e5.
    fn on_hill(self, state: &State, owner: Side) -> bool {
        let king = piece(b'K', owner);
        let reached =
            |&(_, m, square): &(usize, u8, u8)| m == king && [27, 28, 35, 36].contains(&square);
        self == Game::Hill && state.iter().any(|at| reached(&at))
    }

    /// How many of a side's pieces are of a piece type.
    fn count(state: &State, side: Side, of: u8) -> usize {
        state
            .pieces
            .iter()
            .filter(|&&m| m == piece(of, side))
            .count()
    }

    /// Whether the piece in a slot is royal.
    fn is_royal(self, state: &State, slot: usize) -> bool {
        let this = state.pieces[slot];
        let owner = side(this);
        match self {
            Game::Extinction => false,
            Game::Hill => piece_type(this) == b'K',
            // E2: the only piece of its type.
            Game::Mating => Game::count(state, owner, piece_type(this)) == 1,
            // K1: no other king of the side is ahead of it.
            Game::Kings(options) => {
                let place = |square: u8| {
                    let from_right = options.h8 && owner == Side::Black;
                    let files = if from_right {
                        options.shape.file_from_right(square)
                    } else {
                        options.shape.file(square)
                    };
                    let by = if options.rank1 { Side::White } else { owner };
                    (files, options.shape.rank_of(by, square))
                };
                let mine = place(state.squares[slot]);
                piece_type(this) == b'K'
                    && state
                        .iter()
                        .filter(|&(_, other, _)| other == this)
                        .all(|(_, _, square)| mine <= place(square))
            }
        }
    }

    /// What the piece in a slot moves like.
    fn role(self, state: &State, slot: usize) -> &'static [u8] {
        match piece_type(state.pieces[slot]) {
            b'K' => match self {
                Game::Kings(options) if !self.is_royal(state, slot) => options.spare,
                _ => b"K",
            },
            b'Q' => b"Q",
            b'C' => b"RN",
            b'R' => b"R",
            b'B' => b"B",
            _ => b"N",
        }
    }

    /// Whether a side could capture on a square next.
    fn attacks(self, state: &State, board: &Board, by: Side, target: u8) -> bool {
        let shape = self.shape();
        state
            .iter()
            .filter(|&(_, piece, _)| side(piece) == by)
            .any(|(slot, piece, from)| match piece_type(piece) {
                b'P' => shape.pawn_attacks(by, from, target),
                _ => shape.attacks(board, self.role(state, slot), from, target),
            })
    }

    /// Whether a royal piece of a side is attacked, e.p. apart.
    pub(super) fn in_check(self, state: &State, side_in_check: Side) -> bool {
        let board = board_of(state);
        state
            .iter()
            .filter(|&(slot, piece, _)| side(piece) == side_in_check && self.is_royal(state, slot))
            .any(|(_, _, square)| self.attacks(state, &board, side_in_check.other(), square))
    }

    fn promotions(self) -> &'static [u8] {
        match self {
            Game::Kings(options) => match (options.to_king, options.chancellor) {
                (true, false) => b"KQRBN",
                (true, true) => b"KQCRBN",
                (false, false) => b"QRBN",
                (false, true) => b"QCRBN",
            },
            Game::Hill => b"QRBN",
            _ => b"KQRBN",
        }
    }

    /// Where a move leads that is made by the piece in `slot`, takes the piece in
    /// `takes` and turns a pawn into `becomes`.
    fn next(
        self,
        state: &State,
        slot: usize,
        to: u8,
        takes: Option<usize>,
        becomes: Option<u8>,
    ) -> Next {
        if self == Game::Extinction {
            let last = |slot: usize| {
                let piece = state.pieces[slot];
                Game::count(state, side(piece), piece_type(piece)) == 1
            };
            // E6, for the side then to move.
            if takes.is_some_and(last) {
                return Next::Over(Value::Loss(0));
            }
            if becomes.is_some() && last(slot) {
                return Next::Over(Value::Win(0));
            }
        }
        Next::State(state.moved(slot, to, takes, becomes))
    }

    /// The moves of the pawn in `slot`, en passant apart.
    fn pawn_moves(self, state: &State, board: &Board, slot: usize, out: &mut Vec<Next>) {
        let shape = self.shape();
        let (mover, from) = (state.turn, state.squares[slot]);
        let up = forward(mover);
        let slot_on = |square: u8| state.iter().find(|&(_, _, s)| s == square).map(|(n, ..)| n);
        let lone = self == Game::Mating && Game::count(state, mover, b'P') == 1;
        let mut arrive = |to: u8, takes: Option<usize>| {
            if shape.rank_of(mover, to) < shape.ranks - 1 {
                out.push(self.next(state, slot, to, takes, None));
            } else if !lone {
                // E2: the last pawn may not promote.
                for &piece_type in self.promotions() {
                    out.push(self.next(state, slot, to, takes, Some(piece_type)));
                }
            }
        };
        for files in [-1, 1] {
            let Some(to) = shape.beside(from, files, up) else {
                continue;
            };
            let there = board[usize::from(to)];
            if there != 0 && side(there) != mover {
                arrive(to, slot_on(to));
            }
        }
        let empty = |&square: &u8| board[usize::from(square)] == 0;
        let Some(passed) = shape.beside(from, 0, up).filter(empty) else {
            return;
        };
        arrive(passed, None);
        if shape.rank_of(mover, from) != shape.home {
            return;
        }
        let Some(to) = shape.beside(passed, 0, up).filter(empty) else {
            return;
        };
        let quiet = state.moved(slot, to, None, None);
        let open = State {
            extra: 1 + slot as u32,
            ..quiet
        };
        let stands = takers(shape, &open, passed).next().is_some();
        if lone && stands {
            // E3: it would be attacked.
        } else if self.counts(&open) {
            out.push(Next::State(open));
        } else {
            out.push(Next::State(quiet));
        }
    }

    /// The captures en passant to which a state gives the right.
    fn ep_captures(self, state: &State, out: &mut Vec<Next>) {
        let Some(taken) = (state.extra as usize).checked_sub(1) else {
            return;
        };
        let Some(passed) = self.shape().passed_by(state, &board_of(state), taken) else {
            return;
        };
        for slot in takers(self.shape(), state, passed) {
            out.push(self.next(state, slot, passed, Some(taken), None));
        }
    }

    /// Whether the right of a state counts (O2): a capture is legal, or in the
    /// extinction games a pawn stands so as to take.
    fn counts(self, state: &State) -> bool {
        let mut captures = Vec::new();
        self.ep_captures(state, &mut captures);
        captures.iter().any(|next| match (self, next) {
            (Game::Kings(_) | Game::Hill, Next::State(next)) => self.legal(next),
            _ => true,
        })
    }
}

/// The pawns of the side to move that attack a square.
fn takers<'a>(
    shape: &'static Shape,
    state: &'a State,
    target: u8,
) -> impl Iterator<Item = usize> + 'a {
    state
        .iter()
        .filter(move |&(_, m, from)| {
            m == piece(b'P', state.turn) && shape.pawn_attacks(state.turn, from, target)
        })
        .map(|(slot, ..)| slot)
}

impl Rules for Game {
    fn squares(&self, pieces: &Pieces, slot: usize, _folded: bool) -> Vec<u8> {
        let (shape, piece) = (self.shape(), pieces[slot]);
        let ranks = shape.home..shape.ranks - 1;
        let fits = |&square: &u8| {
            piece_type(piece) != b'P' || ranks.contains(&shape.rank_of(side(piece), square))
        };
        shape.squares().filter(fits).collect()
    }

    fn extras(&self, pieces: &Pieces, turn: Side) -> Vec<u32> {
        let mut extras = vec![0];
        if pieces.contains(&piece(b'P', turn)) {
            let theirs = (0..MOST).filter(|&slot| pieces[slot] == piece(b'P', turn.other()));
            extras.extend(theirs.map(|slot| 1 + slot as u32));
        }
        extras
    }

    fn legal(&self, state: &State) -> bool {
        // T2: it was over before.
        if self.on_hill(state, state.turn) {
            return false;
        }
        // K2, E5.
        if state.overlaps() || self.in_check(state, state.turn.other()) {
            return false;
        }
        if state.extra == 0 {
            return true;
        }
        // T2: nothing is left to be taken.
        if self.on_hill(state, state.turn.other()) {
            return false;
        }
        // E3: a lone pawn does not stand to be taken.
        let lone = *self == Game::Mating && Game::count(state, state.turn.other(), b'P') == 1;
        !lone && self.counts(state)
    }

    fn moves(&self, state: &State, out: &mut Vec<Next>) {
        // T1: there are no further moves.
        if self.on_hill(state, state.turn.other()) {
            return;
        }
        let board = board_of(state);
        for (slot, piece, from) in state.iter() {
            if side(piece) != state.turn {
                continue;
            }
            if piece_type(piece) == b'P' {
                self.pawn_moves(state, &board, slot, out);
                continue;
            }
            self.shape()
                .goals(&board, self.role(state, slot), state.turn, from, |to| {
                    let takes = match board[usize::from(to)] {
                        0 => None,
                        _ => state.iter().find(|&(_, _, s)| s == to).map(|(n, ..)| n),
                    };
                    out.push(self.next(state, slot, to, takes, None));
                });
        }
        self.ep_captures(state, out);
    }

    fn stuck(&self, state: &State) -> Value {
        // Without royal pieces nobody is in check: blocked (E6).
        if self.on_hill(state, state.turn.other()) || self.in_check(state, state.turn) {
            Value::Loss(0)
        } else {
            Value::Draw
        }
    }

    fn is_zeroing(&self, _: &State, _: &State) -> bool {
        unimplemented!("no fifty moves are counted (K5)")
    }

    fn pawn_steps(&self, _: &State) -> usize {
        unimplemented!("no fifty moves are counted (K5)")
    }

    fn fold(&self, state: &State) -> State {
        *state
    }
}
