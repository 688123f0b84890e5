//! Defines positions on a plain mailbox, and reads and writes them as FEN.

use std::fmt::Write;
use std::num::NonZeroU8;

use crate::game::{self, CastlingRule, Game, Promotion, Reach, Resolve, Royal, Ruling, Side};

/// A piece of a side, in a byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Man(NonZeroU8);

impl Man {
    pub(crate) fn new(side: Side, kind: u8) -> Man {
        Man(NonZeroU8::MIN.saturating_add(kind + if side == Side::White { 0 } else { 64 }))
    }

    pub(crate) fn side(self) -> Side {
        if self.0.get() <= 64 {
            Side::White
        } else {
            Side::Black
        }
    }

    pub(crate) fn kind(self) -> u8 {
        (self.0.get() - 1) % 64
    }
}

/// The reason for the end of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reason {
    /// The side to move is in check and has no legal move.
    Checkmate,
    /// The side to move is not in check, or check is unknown, and it has no legal move.
    Stalemate,
    /// A royal piece has been captured.
    KingCapture,
    /// A kind of piece is gone.
    Extinction,
    /// A side has no piece left.
    AllLost,
    /// A piece stands on a square that it was to reach.
    Reach,
    /// A side has spent its vitality.
    Exhaustion,
    /// A side has been stripped to its royal piece.
    Bare,
    /// A side has given check as often as is needed.
    Checks,
}

/// The end of a game, and who has won it if it is not a draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct End {
    /// The rule that ends the game.
    pub reason: Reason,
    /// The winner, or none for a draw.
    pub winner: Option<Side>,
}

/// The men by square, and the squares of each side's men.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Board {
    squares: [Option<Man>; 128],
    sides: [u128; 2],
}

impl Board {
    pub(crate) const EMPTY: Board = Board {
        squares: [None; 128],
        sides: [0; 2],
    };

    /// Puts a man on a square, or clears it, and returns what stood there.
    pub(crate) fn put(&mut self, square: usize, man: Option<Man>) -> Option<Man> {
        let old = std::mem::replace(&mut self.squares[square], man);
        for set in &mut self.sides {
            *set &= !(1 << square);
        }
        if let Some(man) = man {
            self.sides[man.side() as usize] |= 1 << square;
        }
        old
    }
}

impl std::ops::Index<usize> for Board {
    type Output = Option<Man>;

    fn index(&self, square: usize) -> &Option<Man> {
        &self.squares[square]
    }
}

/// A set of squares, smallest first.
pub(crate) fn squares(mut set: u128) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let square = set.trailing_zeros() as usize;
        set &= set.checked_sub(1)?;
        Some(square)
    })
}

/// A position of a game.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    pub(crate) board: Board,
    pub(crate) turn: Side,
    /// The square that a double step has just passed over, if that counts, and the one that it led
    /// to.
    pub(crate) en_passant: Option<(usize, usize)>,
    /// Kings and rooks with which castling is still possible.
    pub(crate) unmoved: u128,
    /// White's and Black's vitality, or the checks that they still have to give.
    pub(crate) counters: [u8; 2],
    pub(crate) clock: u32,
    pub(crate) number: u32,
    /// Set by the move that ended the game, where the placement does not tell.
    pub(crate) ended: Option<End>,
}

impl Position {
    /// The side to move.
    pub fn turn(&self) -> Side {
        self.turn
    }

    /// The position without the counters of plies and moves, which are set to 0 and 1.
    pub fn without_clocks(mut self) -> Position {
        (self.clock, self.number) = (0, 1);
        self
    }
}

/// A side's men with their squares, smallest first.
pub(crate) fn men(board: &Board, side: Side) -> impl Iterator<Item = (usize, u8)> + '_ {
    squares(board.sides[side as usize]).filter_map(|square| Some((square, board[square]?.kind())))
}

type Result<T> = std::result::Result<T, String>;

impl Game {
    /// The counters at the start of a game; 0 where there are none.
    pub(crate) fn full(&self) -> [u8; 2] {
        self.vitality
            .as_ref()
            .map_or([self.checks; 2], |vitality| vitality.full)
    }

    pub(crate) fn has_counters(&self) -> bool {
        self.full() != [0, 0]
    }

    /// The least that a counter can be while the game goes on.
    pub(crate) fn least(&self) -> u8 {
        u8::from(
            !self
                .vitality
                .as_ref()
                .is_some_and(|vitality| vitality.both_pay),
        )
    }

    /// Reads a FEN. Fields after the e.p. square may be left out.
    pub fn position(&self, fen: &str) -> Result<Position> {
        let mut fields = fen.split_ascii_whitespace().peekable();
        let mut position = Position {
            board: Board::EMPTY,
            turn: Side::White,
            en_passant: None,
            unmoved: 0,
            counters: self.full(),
            clock: 0,
            number: 1,
            ended: None,
        };
        self.read_board(
            fields.next().ok_or("the board is missing")?,
            &mut position.board,
        )?;
        position.turn = match fields.next() {
            Some("w") => Side::White,
            Some("b") => Side::Black,
            other => return Err(format!("the side to move is {other:?}, not w or b")),
        };
        let castling = fields.next().ok_or("the castling field is missing")?;
        position.unmoved = self.read_castling(castling, &position.board)?;
        let square = fields.next().ok_or("the e.p. field is missing")?;
        let mut passed = None;
        if square != "-" {
            // Where pawns step twice aslant, the square where the pawn is now may follow.
            let wrong = || format!("{square} is no square");
            let starts = square
                .char_indices()
                .filter(|(_, c)| c.is_ascii_lowercase());
            let second = starts.map(|(at, _)| at).nth(1);
            let (first, second) = match second.filter(|_| self.steps_twice() != [0]) {
                Some(at) => (&square[..at], Some(&square[at..])),
                None => (square, None),
            };
            let first = self.square(first).ok_or_else(wrong)?;
            let second = match second {
                Some(name) => Some(self.square(name).ok_or_else(wrong)?),
                None => None,
            };
            passed = Some((first, second));
        }
        if self.has_counters() {
            let counters = fields.next_if(|field| field.contains('+') && !field.starts_with('+'));
            if let Some((white, black)) = counters.and_then(|field| field.split_once('+')) {
                position.counters = [white, black].map(|text| text.parse().unwrap_or(u8::MAX));
            }
        }
        if let Some(clock) = fields.next_if(|field| !field.starts_with('+')) {
            position.clock = clock.parse().map_err(|_| format!("the clock is {clock}"))?;
        }
        if let Some(number) = fields.next_if(|field| !field.starts_with('+')) {
            position.number = number
                .parse()
                .map_err(|_| format!("the move number is {number}"))?;
            position.number = position.number.max(1);
        }
        // Checks that have been given stand at the end.
        if let Some(given) = fields.next_if(|field| self.checks > 0 && field.starts_with('+')) {
            let mut given = given.split('+').skip(1).map(|text| text.parse::<u8>().ok());
            for counter in &mut position.counters {
                let left = given
                    .next()
                    .flatten()
                    .and_then(|given| self.checks.checked_sub(given));
                *counter = left.ok_or("the checks given must be like +0+0")?;
            }
        }
        if let Some(field) = fields.next() {
            return Err(format!("there is more: {field}"));
        }
        for (counter, full) in position.counters.iter().zip(self.full()) {
            if self.has_counters() && !(self.least()..=full).contains(counter) {
                return Err("a counter is 0 or above what is full".into());
            }
        }
        if let Some((square, pawn)) = passed {
            let pusher = position.turn.other();
            let mut pushed: Vec<usize> = Vec::new();
            let mut fault = "no pawn comes from there";
            for dx in self.steps_twice() {
                let Some(to) = self.step(square, dx, 1, pusher) else {
                    continue;
                };
                match self.en_passant_fault(&position, square, dx) {
                    _ if pawn.is_some_and(|pawn| pawn != to) => {}
                    None => pushed.push(to),
                    Some(found) => fault = found,
                }
            }
            match pushed[..] {
                [pawn] => position.en_passant = Some((square, pawn)),
                [] => {
                    return Err(format!(
                        "the e.p. square {} is impossible: {fault}",
                        self.square_name(square)
                    ));
                }
                _ => return Err("several pawns may have stepped twice".into()),
            }
            if self.finished(&position).is_some() || !self.en_passant_counts(&position) {
                position.en_passant = None;
            }
        }
        self.fault(&position).map_or(Ok(position), Err)
    }

    fn read_board(&self, text: &str, board: &mut Board) -> Result<()> {
        let rows: Vec<&str> = text.split('/').collect();
        if rows.len() != self.ranks {
            return Err(format!(
                "there are {} ranks and not {}",
                rows.len(),
                self.ranks
            ));
        }
        let mut holes: u128 = 0;
        for (row, text) in rows.iter().enumerate() {
            let mut file = 0;
            let mut run = 0;
            for c in text.chars() {
                if let Some(digit) = c.to_digit(10) {
                    run = run * 10 + digit as usize;
                    continue;
                }
                file += std::mem::take(&mut run);
                if c == '*' {
                    if file < self.files {
                        holes |= 1 << ((self.ranks - 1 - row) * self.files + file);
                    }
                    file += 1;
                    continue;
                }
                let kind = self
                    .kind(c.to_ascii_uppercase())
                    .ok_or_else(|| format!("there is no piece {c}"))?;
                let side = if c.is_ascii_uppercase() {
                    Side::White
                } else {
                    Side::Black
                };
                if file < self.files {
                    board.put(
                        (self.ranks - 1 - row) * self.files + file,
                        Some(Man::new(side, kind)),
                    );
                }
                file += 1;
            }
            if file + run != self.files {
                return Err(format!(
                    "a rank has {} squares and not {}",
                    file + run,
                    self.files
                ));
            }
        }
        if holes != self.holes {
            return Err("the stars are not where the board has holes".into());
        }
        Ok(())
    }

    /// Writes a position as FEN.
    pub fn fen(&self, position: &Position) -> String {
        let mut text = self.fen_board(&position.board);
        let turn = if position.turn == Side::White {
            'w'
        } else {
            'b'
        };
        let square = position.en_passant.map_or_else(
            || "-".into(),
            |(square, pawn)| {
                let passed = self.square_name(square);
                match self.steps_twice()[..] {
                    [0] => passed,
                    _ => passed + &self.square_name(pawn),
                }
            },
        );
        let _ = write!(
            text,
            " {turn} {} {square}",
            self.castling_field(position.unmoved)
        );
        if self.has_counters() {
            let _ = write!(text, " {}+{}", position.counters[0], position.counters[1]);
        }
        let _ = write!(text, " {} {}", position.clock, position.number);
        text
    }

    fn fen_board(&self, board: &Board) -> String {
        let rows = (0..self.ranks).rev().map(|rank| {
            let mut row = String::new();
            let mut run = 0;
            for square in rank * self.files..(rank + 1) * self.files {
                if board[square].is_none() && !self.is_hole(square) {
                    run += 1;
                    continue;
                }
                if run > 0 {
                    let _ = write!(row, "{}", std::mem::take(&mut run));
                }
                let Some(man) = board[square] else {
                    row.push('*');
                    continue;
                };
                let letter = self.kinds[usize::from(man.kind())].letter;
                row.push(if man.side() == Side::White {
                    letter
                } else {
                    letter.to_ascii_lowercase()
                });
            }
            if run > 0 {
                let _ = write!(row, "{run}");
            }
            row
        });
        rows.collect::<Vec<_>>().join("/")
    }

    /// Castling rights are written as `KQkq`, and by files where several kings have them (X2).
    fn rights_by_file(&self) -> bool {
        self.castling.rule == CastlingRule::RoyalKing && !self.castling.any_king_ends
    }

    /// The castling king of a side and its rooks towards file a and away from it, as in the array.
    pub(crate) fn castling_squares(&self, side: Side) -> Option<(usize, [Option<usize>; 2])> {
        let home = self.home(side);
        let unmoved = |square: usize| self.unmoved >> square & 1 != 0;
        let rooks_or_kings: Vec<usize> = home.filter(|square| unmoved(*square)).collect();
        let king = rooks_or_kings
            .iter()
            .position(|square| self.array_king(*square))?;
        let is_rook = |square: &&usize| !self.array_king(**square);
        let a = rooks_or_kings[..king].iter().find(is_rook).copied();
        let h = rooks_or_kings[king..].iter().rev().find(is_rook).copied();
        Some((
            rooks_or_kings[king],
            [a, h.filter(|_| !self.castling.side_a_only)],
        ))
    }

    /// The rank on which a side castles.
    pub(crate) fn home(&self, side: Side) -> std::ops::Range<usize> {
        let rank = match side {
            Side::White => self.castling.rank,
            Side::Black => self.ranks - 1 - self.castling.rank,
        };
        rank * self.files..(rank + 1) * self.files
    }

    fn array_man(&self, square: usize) -> Option<Man> {
        let mut board = Board::EMPTY;
        let text = self.array.as_deref()?.split_ascii_whitespace().next()?;
        self.read_board(text, &mut board).ok()?;
        board[square]
    }

    fn array_king(&self, square: usize) -> bool {
        self.unmoved_kings >> square & 1 != 0
    }

    fn read_castling(&self, text: &str, board: &Board) -> Result<u128> {
        if text == "-" {
            return Ok(0);
        }
        let mut unmoved = 0;
        for letter in text.chars() {
            let side = if letter.is_ascii_uppercase() {
                Side::White
            } else {
                Side::Black
            };
            let letter = letter.to_ascii_uppercase();
            let wrong = || format!("the castling right {letter} is impossible");
            let squares = if self.rights_by_file() {
                let file = (letter as usize)
                    .checked_sub('A' as usize)
                    .filter(|file| *file < self.files);
                vec![self.home(side).start + file.ok_or_else(wrong)?]
            } else {
                let (king, rooks) = self.castling_squares(side).ok_or_else(wrong)?;
                let rook = match letter {
                    'Q' => rooks[0],
                    'K' => rooks[1],
                    _ => None,
                };
                vec![king, rook.ok_or_else(wrong)?]
            };
            for square in squares {
                let in_array = self
                    .array_man(square)
                    .filter(|_| self.unmoved >> square & 1 != 0);
                if in_array.is_none() || board[square] != in_array {
                    return Err(wrong());
                }
                unmoved |= 1 << square;
            }
        }
        let unmoved = self.useful_rights(unmoved);
        if self.castling.any_king_ends {
            // A king that is not where it began has moved, which ends the right (X3).
            for side in [Side::White, Side::Black] {
                let strays = men(board, side).any(|(square, kind)| {
                    Some(kind) == self.king
                        && !(self.home(side).contains(&square) && self.array_king(square))
                });
                if strays && self.home(side).any(|square| unmoved >> square & 1 != 0) {
                    return Err("a castling right is impossible: another king has moved".into());
                }
            }
        }
        Ok(unmoved)
    }

    /// Drops kings without rooks and rooks without kings.
    pub(crate) fn useful_rights(&self, mut unmoved: u128) -> u128 {
        if unmoved == 0 {
            return 0;
        }
        for side in [Side::White, Side::Black] {
            let own: Vec<usize> = self
                .home(side)
                .filter(|square| unmoved >> square & 1 != 0)
                .collect();
            let kings = own
                .iter()
                .filter(|square| self.array_king(**square))
                .count();
            if kings == 0 || kings == own.len() {
                for square in own {
                    unmoved &= !(1 << square);
                }
            }
        }
        unmoved
    }

    fn castling_field(&self, unmoved: u128) -> String {
        let mut text = String::new();
        let has = |square: usize| unmoved >> square & 1 != 0;
        for side in [Side::White, Side::Black] {
            let mut letters = Vec::new();
            if self.rights_by_file() {
                let home = self.home(side);
                letters.extend(
                    home.clone()
                        .filter(|s| has(*s))
                        .map(|s| char::from(b'A' + (s - home.start) as u8)),
                );
            } else if let Some((_, [a, h])) = self.castling_squares(side) {
                letters.extend(h.filter(|h| has(*h)).map(|_| 'K'));
                letters.extend(a.filter(|a| has(*a)).map(|_| 'Q'));
            }
            for letter in letters {
                text.push(if side == Side::White {
                    letter
                } else {
                    letter.to_ascii_lowercase()
                });
            }
        }
        if text.is_empty() { "-".into() } else { text }
    }

    /// The reason why no double step, by so many files each time, can just have passed over a square
    /// (O2, C6); `None` if one can.
    pub(crate) fn en_passant_fault(
        &self,
        position: &Position,
        square: usize,
        dx: i32,
    ) -> Option<&'static str> {
        let pusher = position.turn.other();
        let (Some(origin), Some(arrival)) = (
            self.step(square, -dx, -1, pusher),
            self.step(square, dx, 1, pusher),
        ) else {
            return Some("no pawn comes from there");
        };
        let rank = self.rank_for(pusher, origin);
        if self.en_passant == crate::game::EnPassant::Off
            || !self.double_step[rank]
            || rank < self.first_rank[pusher as usize]
            || !self.taken_from[rank]
        {
            return Some("no pawn may step twice from there");
        }
        if position.board[square].is_some() || position.board[origin].is_some() {
            return Some("it, or the square that the pawn came from, is occupied");
        }
        let man = position.board[arrival]
            .filter(|man| man.side() == pusher)
            .map(|man| man.kind());
        let in_zone = self.promotes_on[pusher as usize][arrival];
        let may_promote = in_zone && self.promotion != Promotion::MustWait;
        match man {
            Some(kind) if Some(kind) == self.pawn => None,
            Some(kind) if may_promote && self.promotes_to[pusher as usize].contains(&kind) => None,
            _ => Some("no pawn has arrived"),
        }
    }

    /// The reason why a position cannot occur in the game; `None` if it can.
    pub(crate) fn fault(&self, position: &Position) -> Option<String> {
        let board = &position.board;
        let (turn, other) = (position.turn, position.turn.other());
        for side in [Side::White, Side::Black] {
            if men(board, side).next().is_none() && self.ends_without_men(side) {
                return Some("a side has no men".into());
            }
            let is_royal = |(_, kind): (usize, u8)| self.royal_kinds.contains(&kind);
            if self.royal[side as usize] == Royal::OnlyOfType && !men(board, side).any(is_royal) {
                return Some("a side has nothing royal".into());
            }
            if !self.kings_fit(board, side) {
                return Some("a side has too many kings or too few".into());
            }
            for (square, kind) in men(board, side) {
                if self.is_hole(square) {
                    return Some("a man stands in a hole".into());
                }
                let rank = self.rank_for(side, square);
                let waits = self.promotion != Promotion::Compulsory;
                if Some(kind) == self.pawn
                    && (rank < self.first_rank[side as usize]
                        || (self.promotes_on[side as usize][square] && !waits))
                {
                    return Some("a pawn stands where it cannot".into());
                }
            }
        }
        let waits = |reach: &Reach| reach.safe || reach.stays;
        let may_be_there =
            self.may_answer_reach(position) || self.reach.as_ref().is_some_and(waits);
        if self.has_reached(board, turn) && !may_be_there {
            return Some("the side to move has already reached its aim".into());
        }
        if self.is_exposed(position, other) {
            return Some("the side that is not to move is in check".into());
        }
        if self.no_checks
            && [turn, other]
                .iter()
                .any(|side| self.royal_attacked(position, *side))
        {
            return Some("nobody may give check".into());
        }
        None
    }

    /// A side that loses its last man ends the game by that, so none goes on without.
    fn ends_without_men(&self, side: Side) -> bool {
        let all_kinds = self.extinct_types.len() == self.kinds.len();
        self.all_lost != Ruling::Off
            || (self.extinct != Ruling::Off && all_kinds && self.extinct_count == 0)
            || self.royal[side as usize] == Royal::OnlyOfType
    }

    pub(crate) fn kings_fit(&self, board: &Board, side: Side) -> bool {
        let count = men(board, side)
            .filter(|(_, kind)| Some(*kind) == self.king)
            .count();
        let rule = self.royal[side as usize];
        let decides = matches!(rule, Royal::King | Royal::FirstKing);
        // Where the other side alone has a royal king, this one has none at all.
        if !decides
            && self
                .royal
                .iter()
                .any(|rule| matches!(rule, Royal::King | Royal::FirstKing))
        {
            return count == 0;
        }
        (self.kings.0..=self.kings.1).contains(&count)
    }

    /// The squares on which a side has pieces that were to reach them.
    pub(crate) fn arrivals(&self, board: &Board, side: Side) -> Vec<usize> {
        let Some(reach) = &self.reach else {
            return Vec::new();
        };
        let there = men(board, side).filter(|(square, kind)| {
            reach.pieces.contains(kind) && reach.squares[side as usize] >> square & 1 != 0
        });
        there.map(|(square, _)| square).collect()
    }

    /// As many of a side's pieces as it takes stand on squares that they were to reach.
    pub(crate) fn has_reached(&self, board: &Board, side: Side) -> bool {
        let count = self.reach.as_ref().map_or(1, |reach| reach.count);
        self.arrivals(board, side).len() >= count
    }
}

impl Game {
    /// Reads a definition.
    ///
    /// `options` are names of the definition's own options with a value each; a name with a
    /// dot in it is the path of a key that is set instead, to a TOML value or else a bare string.
    pub fn read(text: &str, resolve: &Resolve, options: &[(&str, &str)]) -> Result<Game> {
        let mut game = game::read(text, resolve, options)?;
        let rights = [CastlingRule::Chess, CastlingRule::RoyalKing];
        if let Some(array) = game
            .array()
            .filter(|_| rights.contains(&game.castling.rule))
        {
            (game.unmoved, game.unmoved_kings) = unmoved_in_array(&game, array)?;
        }
        Ok(game)
    }
}

/// The kings and rooks that can castle in the array, and the kings among them.
fn unmoved_in_array(game: &Game, array: &str) -> Result<(u128, u128)> {
    let mut board = Board::EMPTY;
    let mut fields = array.split_ascii_whitespace();
    game.read_board(fields.next().ok_or("board.array: is empty")?, &mut board)?;
    let (mut unmoved, mut kings) = (0, 0);
    for side in [Side::White, Side::Black] {
        for square in game.home(side) {
            let kind = board[square]
                .filter(|man| man.side() == side)
                .map(|man| man.kind());
            if kind.is_some() && kind == game.king {
                kings |= 1 << square;
            }
            let castles = |kind| Some(kind) == game.king || game.castling.with.contains(&kind);
            if kind.is_some_and(castles) {
                unmoved |= 1 << square;
            }
        }
    }
    Ok((unmoved, kings))
}
