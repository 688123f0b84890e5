//! The boards, and how pieces move on them. A piece's role is said in letters of
//! piece types: `K` for a king, `KN` for a duke.

use super::super::state::{Side, State, piece_type, side};

/// The most squares.
const MOST: usize = 100;

/// A piece's letter on each square, 0 where there is none.
pub(super) type Board = [u8; MOST];

/// The directions of kings and queens.
const AROUND: [(i8, i8); 8] = [
    (0, 1),
    (1, 1),
    (1, 0),
    (1, -1),
    (0, -1),
    (-1, -1),
    (-1, 0),
    (-1, 1),
];

/// A board, and where pawns start on it.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Shape {
    files: i8,
    pub(super) ranks: i8,
    /// The rank of the array's pawns, as their side counts it from 0.
    pub(super) home: i8,
    /// The file and the rank of each square.
    places: [(i8, i8); MOST],
}

impl Shape {
    pub(super) const EIGHT: Shape = Shape::new(8, 8, 1);
    /// K7.
    pub(super) const TEN_BY_EIGHT: Shape = Shape::new(10, 8, 1);
    pub(super) const TEN: Shape = Shape::new(10, 10, 2);

    const fn new(files: i8, ranks: i8, home: i8) -> Shape {
        let mut places = [(0, 0); MOST];
        let mut square = 0;
        while square < files as usize * ranks as usize {
            let (file, rank) = (square % files as usize, square / files as usize);
            places[square] = (file as i8, rank as i8);
            square += 1;
        }
        Shape {
            files,
            ranks,
            home,
            places,
        }
    }

    pub(super) fn squares(&self) -> std::ops::Range<u8> {
        0..(self.files * self.ranks) as u8
    }

    pub(super) fn file(&self, square: u8) -> i8 {
        self.places[usize::from(square)].0
    }

    pub(super) fn rank(&self, square: u8) -> i8 {
        self.places[usize::from(square)].1
    }

    /// A square's file, counted from the right.
    pub(super) fn file_from_right(&self, square: u8) -> i8 {
        self.files - 1 - self.file(square)
    }

    /// The square so far from another; `None` off the board.
    pub(super) fn beside(&self, square: u8, files: i8, ranks: i8) -> Option<u8> {
        let (file, rank) = (self.file(square) + files, self.rank(square) + ranks);
        let inside = (0..self.files).contains(&file) && (0..self.ranks).contains(&rank);
        inside.then_some((rank * self.files + file) as u8)
    }

    /// A square's rank as a side counts it, its own first rank being 0.
    pub(super) fn rank_of(&self, side: Side, square: u8) -> i8 {
        if side == Side::White {
            self.rank(square)
        } else {
            self.ranks - 1 - self.rank(square)
        }
    }

    /// Whether a piece in a role that stands on `from` could capture on `to`.
    pub(super) fn attacks(&self, board: &Board, role: &[u8], from: u8, to: u8) -> bool {
        let (files, ranks) = (
            self.file(to) - self.file(from),
            self.rank(to) - self.rank(from),
        );
        if (files, ranks) == (0, 0) {
            return false;
        }
        role.iter().any(|piece_type| match piece_type {
            b'K' => files.abs() <= 1 && ranks.abs() <= 1,
            b'N' => files.abs() * ranks.abs() == 2,
            slider => {
                let aims = match slider {
                    b'R' => straight(files, ranks),
                    b'B' => diagonal(files, ranks),
                    _ => straight(files, ranks) || diagonal(files, ranks),
                };
                aims && {
                    let step = (files.signum(), ranks.signum());
                    let mut at = self.beside(from, step.0, step.1);
                    while let Some(square) = at.filter(|&s| s != to && board[usize::from(s)] == 0) {
                        at = self.beside(square, step.0, step.1);
                    }
                    at == Some(to)
                }
            }
        })
    }

    /// Whether a pawn of a side that stands on `from` attacks `to`.
    pub(super) fn pawn_attacks(&self, side: Side, from: u8, to: u8) -> bool {
        self.rank(to) - self.rank(from) == forward(side)
            && (self.file(to) - self.file(from)).abs() == 1
    }

    /// The squares that a piece in a role can go to: empty ones, and those of pieces
    /// that are not on its side.
    pub(super) fn goals(
        &self,
        board: &Board,
        role: &[u8],
        mover: Side,
        from: u8,
        mut found: impl FnMut(u8),
    ) {
        let mut go = |to: u8| {
            let there = board[usize::from(to)];
            if there == 0 || side(there) != mover {
                found(to);
            }
            there == 0
        };
        for piece_type in role {
            match piece_type {
                b'K' => AROUND.iter().for_each(|&(x, y)| {
                    self.beside(from, x, y).map(&mut go);
                }),
                b'N' => {
                    for (x, y) in [1, -1, 2, -2].into_iter().flat_map(|x: i8| {
                        let y = 3 - x.abs();
                        [(x, y), (x, -y)]
                    }) {
                        self.beside(from, x, y).map(&mut go);
                    }
                }
                slider => {
                    for &(x, y) in &AROUND {
                        let fits = match slider {
                            b'R' => straight(x, y),
                            b'B' => diagonal(x, y),
                            _ => true,
                        };
                        let mut at = if fits { self.beside(from, x, y) } else { None };
                        while let Some(to) = at {
                            at = if go(to) { self.beside(to, x, y) } else { None };
                        }
                    }
                }
            }
        }
    }

    /// What a right to take the pawn in a slot en passant needs: the pawn, of the
    /// side that has just moved, stands where a double step ends, and the square
    /// that it passed and the one it came from are empty. Gives the passed square.
    pub(super) fn passed_by(&self, state: &State, board: &Board, slot: usize) -> Option<u8> {
        let (piece, at) = (state.pieces[slot], state.squares[slot]);
        let pusher = state.turn.other();
        if piece_type(piece) != b'P'
            || side(piece) != pusher
            || self.rank_of(pusher, at) != self.home + 2
        {
            return None;
        }
        let passed = self.beside(at, 0, -forward(pusher))?;
        let origin = self.beside(passed, 0, -forward(pusher))?;
        let empty = |square: u8| board[usize::from(square)] == 0;
        (empty(passed) && empty(origin)).then_some(passed)
    }

    /// The state of a FEN of four fields.
    pub(super) fn parse(&self, fen: &str) -> State {
        let fields: Vec<&str> = fen.split(' ').collect();
        let mut pieces = Vec::new();
        for (row, ranks) in fields[0].split('/').zip((0..self.ranks).rev()) {
            let mut square = (ranks * self.files) as u8;
            let mut run = 0;
            for letter in row.bytes() {
                if letter.is_ascii_digit() {
                    run = 10 * run + (letter - b'0');
                } else {
                    square += std::mem::take(&mut run);
                    pieces.push((letter, square));
                    square += 1;
                }
            }
        }
        let turn = if fields[1] == "w" {
            Side::White
        } else {
            Side::Black
        };
        let mut state = State::new(&pieces, turn, 0);
        if let [file, rank @ ..] = fields[3].as_bytes()
            && *file != b'-'
        {
            let rank: i8 = String::from_utf8_lossy(rank).parse().unwrap();
            let passed = ((rank - 1) * self.files) as u8 + (file - b'a');
            let pawn = self.beside(passed, 0, -forward(turn)).unwrap();
            let found = state.iter().find(|&(_, _, square)| square == pawn);
            state.extra = 1 + found.unwrap().0 as u32;
        }
        state
    }

    /// The FEN of a state, of four fields.
    pub(super) fn diagram(&self, state: &State) -> String {
        let board = board_of(state);
        let rows: Vec<String> = (0..self.ranks)
            .rev()
            .map(|rank| self.row(&board, rank))
            .collect();
        let turn = if state.turn == Side::White { 'w' } else { 'b' };
        let ep = match state.extra {
            0 => "-".to_owned(),
            pawn => {
                let at = state.squares[pawn as usize - 1];
                let file = (b'a' + self.file(at) as u8) as char;
                // The rank that was passed, counted from 1.
                format!("{file}{}", self.rank(at) + 1 + forward(state.turn))
            }
        };
        format!("{} {turn} - {ep}", rows.join("/"))
    }

    fn row(&self, board: &Board, rank: i8) -> String {
        let mut text = String::new();
        let mut empty = 0;
        for file in 0..self.files {
            match board[(rank * self.files + file) as usize] {
                0 => empty += 1,
                piece => {
                    if empty > 0 {
                        text += &std::mem::take(&mut empty).to_string();
                    }
                    text.push(piece as char);
                }
            }
        }
        if empty > 0 {
            text += &empty.to_string();
        }
        text
    }
}

/// One rank forward for a side.
pub(super) fn forward(side: Side) -> i8 {
    if side == Side::White { 1 } else { -1 }
}

pub(super) fn board_of(state: &State) -> Board {
    let mut board = [0; MOST];
    for (_, piece, square) in state.iter() {
        board[usize::from(square)] = piece;
    }
    board
}

fn straight(files: i8, ranks: i8) -> bool {
    files == 0 || ranks == 0
}

fn diagonal(files: i8, ranks: i8) -> bool {
    files.abs() == ranks.abs()
}
