//! The games once more, from the array to the end and with castling, in the
//! plainest way: letters on a board, walked step by step. It shares nothing
//! with the crate, and is no faster than it needs to be.

use std::collections::BTreeSet;

/// Which game is played, without rule options.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Orthodox,
    HighChess,
    Kings,
    Wild9,
    Mating,
    Extinction,
}

/// A position. Squares are numbered a1, b1, ...; capital letters are White's.
#[derive(Clone, Debug)]
pub(crate) struct State {
    kind: Kind,
    files: i32,
    ranks: i32,
    squares: Vec<char>,
    white: bool,
    /// The squares of kings and rooks that have never moved.
    unmoved: BTreeSet<usize>,
    ep: Option<usize>,
    /// Vitality, White's first.
    points: [u32; 2],
    /// The last piece of a kind is gone (E6).
    over: bool,
    /// Whether pawns may become chancellors.
    chancellors: bool,
}

const EMPTY: char = '.';

const LINES: [(i32, i32); 4] = [(1, 0), (-1, 0), (0, 1), (0, -1)];
const DIAGONALS: [(i32, i32); 4] = [(1, 1), (-1, 1), (1, -1), (-1, -1)];

impl State {
    fn at(&self, file: i32, rank: i32) -> Option<usize> {
        let inside = (0..self.files).contains(&file) && (0..self.ranks).contains(&rank);
        inside.then_some((rank * self.files + file) as usize)
    }

    fn file(&self, square: usize) -> i32 {
        square as i32 % self.files
    }

    fn rank(&self, square: usize) -> i32 {
        square as i32 / self.files
    }

    fn name(&self, square: usize) -> String {
        let file = (b'a' + self.file(square) as u8) as char;
        format!("{file}{}", self.rank(square) + 1)
    }

    fn step(&self, square: usize, (x, y): (i32, i32)) -> Option<usize> {
        self.at(self.file(square) + x, self.rank(square) + y)
    }

    fn squares(&self) -> std::ops::Range<usize> {
        0..self.squares.len()
    }

    /// The rank on which a side's kings and rooks begin: the second on a board
    /// of ten ranks (K7).
    fn home_rank(&self, white: bool) -> i32 {
        let rank = if self.ranks == 10 { 1 } else { 0 };
        if white { rank } else { self.ranks - 1 - rank }
    }

    /// The number of the first square of that rank.
    fn home(&self, white: bool) -> usize {
        (self.home_rank(white) * self.files) as usize
    }

    fn is_home(&self, square: usize, white: bool) -> bool {
        self.rank(square) == self.home_rank(white)
    }

    /// How far a king is from the centre (H1).
    fn distance(&self, square: usize) -> i32 {
        let off = |line: i32| (3 - line).max(line - 4);
        off(self.file(square)).max(off(self.rank(square)))
    }

    /// Reads the first four fields of a FEN that is known to be sound, and
    /// the counters.
    pub(crate) fn read(kind: Kind, fen: &str) -> State {
        let fields: Vec<&str> = fen.split(' ').collect();
        let rows: Vec<&str> = fields[0].split('/').collect();
        let mut squares = Vec::new();
        for row in rows.iter().rev() {
            for letter in row.replace("10", "55").chars() {
                match letter.to_digit(10) {
                    Some(empty) => squares.extend((0..empty).map(|_| EMPTY)),
                    None => squares.push(letter),
                }
            }
        }
        let mut state = State {
            kind,
            files: (squares.len() / rows.len()) as i32,
            ranks: rows.len() as i32,
            squares,
            white: fields[1] == "w",
            unmoved: BTreeSet::new(),
            ep: None,
            points: [50, 50],
            over: false,
            chancellors: false,
        };
        state.ep = state
            .squares()
            .find(|&square| state.name(square) == fields[3]);
        for letter in fields[2].chars().filter(|&letter| letter != '-') {
            let home = state.home(letter.is_ascii_uppercase());
            let letter = letter.to_ascii_lowercase();
            match kind {
                Kind::Kings => {
                    state.unmoved.insert(home + (letter as u8 - b'a') as usize);
                }
                _ => {
                    let rook = if letter == 'k' { 7 } else { 0 };
                    state.unmoved.extend([home + 4, home + rook]);
                }
            }
        }
        if let Some((white, black)) = fields.get(4).and_then(|field| field.split_once('+')) {
            state.points = [white, black].map(|points| points.parse().unwrap());
        }
        state
    }

    /// The same with chancellors in the game (K7).
    pub(crate) fn with_chancellors(mut self) -> State {
        self.chancellors = true;
        self
    }

    /// The first four fields of the FEN, and the counters.
    pub(crate) fn fen(&self) -> String {
        let mut text = String::new();
        for rank in (0..self.ranks).rev() {
            let mut empty = 0;
            for file in 0..self.files {
                let piece = self.squares[self.at(file, rank).unwrap()];
                if piece == EMPTY {
                    empty += 1;
                } else {
                    if empty > 0 {
                        text += &empty.to_string();
                    }
                    empty = 0;
                    text.push(piece);
                }
            }
            if empty > 0 {
                text += &empty.to_string();
            }
            text.push(if rank == 0 { ' ' } else { '/' });
        }
        text += if self.white { "w " } else { "b " };
        text += &self.rights();
        text.push(' ');
        text += &self.ep.map_or("-".to_owned(), |ep| self.name(ep));
        if self.kind == Kind::HighChess {
            text += &format!(" {}+{}", self.points[0], self.points[1]);
        }
        text
    }

    fn rights(&self) -> String {
        let mut text = String::new();
        for white in [true, false] {
            let home = self.home(white);
            let king = if white { 'K' } else { 'k' };
            let has = |file: usize| self.unmoved.contains(&(home + file));
            let letters: &[(char, bool)] = match self.kind {
                Kind::Wild9 => &[('Q', has(4) && has(0))],
                Kind::Kings => {
                    let last = self.files as usize - 1;
                    let kings = [last / 2, last / 2 + 1];
                    let pairs = (has(0) || has(last)) && kings.into_iter().any(has);
                    let letter = |file: usize| ((b'A' + file as u8) as char, pairs && has(file));
                    &[0, kings[0], kings[1], last].map(letter)
                }
                _ => &[('K', has(4) && has(7)), ('Q', has(4) && has(0))],
            };
            for &(letter, _) in letters.iter().filter(|(_, has)| *has) {
                let small = letter.to_ascii_lowercase();
                text.push(if king == 'K' { letter } else { small });
            }
        }
        if text.is_empty() {
            "-".to_owned()
        } else {
            text
        }
    }

    fn is_side(&self, square: usize, white: bool) -> bool {
        self.squares[square] != EMPTY && self.squares[square].is_ascii_uppercase() == white
    }

    /// Where the pieces of a side and type stand; `letter` is a capital.
    fn of(&self, letter: char, white: bool) -> Vec<usize> {
        let piece = if white {
            letter
        } else {
            letter.to_ascii_lowercase()
        };
        self.squares()
            .filter(|&square| self.squares[square] == piece)
            .collect()
    }

    /// The squares that the piece on a square attacks.
    fn attacks(&self, from: usize) -> Vec<usize> {
        let all = [LINES, DIAGONALS].concat();
        let (directions, far): (Vec<(i32, i32)>, bool) =
            match self.squares[from].to_ascii_uppercase() {
                'K' => (all, false),
                'Q' => (all, true),
                'R' => (LINES.to_vec(), true),
                'C' => return self.chancellor(from),
                'B' => (DIAGONALS.to_vec(), true),
                'N' => {
                    let leaps = |(x, y): (i32, i32)| [(x, 2 * y), (2 * x, y)];
                    (DIAGONALS.into_iter().flat_map(leaps).collect(), false)
                }
                _ => {
                    let ahead = if self.is_side(from, true) { 1 } else { -1 };
                    (vec![(-1, ahead), (1, ahead)], false)
                }
            };
        let mut squares = Vec::new();
        for direction in directions {
            let mut square = from;
            while let Some(next) = self.step(square, direction) {
                squares.push(next);
                if !far || self.squares[next] != EMPTY {
                    break;
                }
                square = next;
            }
        }
        squares
    }

    /// As a rook and as a knight (K7).
    fn chancellor(&self, from: usize) -> Vec<usize> {
        let mut as_other = self.clone();
        let mut squares = Vec::new();
        for letter in ['R', 'N'] {
            let white = self.is_side(from, true);
            as_other.squares[from] = if white {
                letter
            } else {
                letter.to_ascii_lowercase()
            };
            squares.extend(as_other.attacks(from));
        }
        squares
    }

    fn is_attacked(&self, square: usize, by_white: bool) -> bool {
        self.squares()
            .any(|from| self.is_side(from, by_white) && self.attacks(from).contains(&square))
    }

    /// The pieces of a side that may not be left attacked.
    fn royals(&self, white: bool) -> Vec<usize> {
        let kings = self.of('K', white);
        match self.kind {
            Kind::Orthodox | Kind::HighChess => kings,
            Kind::Kings | Kind::Wild9 => {
                let upwards = white || self.kind == Kind::Wild9;
                let place = |&king: &usize| {
                    let rank = self.rank(king);
                    (self.file(king), if upwards { rank } else { -rank })
                };
                kings.into_iter().min_by_key(place).into_iter().collect()
            }
            Kind::Mating => "KQRBNP"
                .chars()
                .map(|letter| self.of(letter, white))
                .filter(|squares| squares.len() == 1)
                .flatten()
                .collect(),
            Kind::Extinction => Vec::new(),
        }
    }

    fn in_check(&self, white: bool) -> bool {
        self.royals(white)
            .into_iter()
            .any(|royal| self.is_attacked(royal, !white))
    }

    /// The legal moves and where they lead, in the order of their names.
    pub(crate) fn moves(&self) -> Vec<(String, State)> {
        if self.over || self.points.contains(&0) {
            return Vec::new();
        }
        let mut list = Vec::new();
        for from in self
            .squares()
            .filter(|&from| self.is_side(from, self.white))
        {
            if self.squares[from].eq_ignore_ascii_case(&'P') {
                self.pawn_moves(from, &mut list);
            } else {
                for to in self.attacks(from) {
                    if !self.is_side(to, self.white) {
                        list.push((self.name(from) + &self.name(to), self.after(from, to)));
                    }
                }
            }
        }
        self.castling(&mut list);
        let mut legal: Vec<(String, State)> = list
            .into_iter()
            .filter(|(_, after)| !after.in_check(self.white) && self.keeps_pawns(after))
            .collect();
        if self.kind == Kind::HighChess && !self.in_check(self.white) {
            let mut after = self.clone();
            after.white = !self.white;
            after.ep = None;
            legal.push(("0000".to_owned(), after));
        }
        for (_, after) in &mut legal {
            self.settle(after);
        }
        legal.sort_by(|a, b| a.0.cmp(&b.0));
        legal
    }

    /// A piece goes, and takes what stands there. The right to take en passant
    /// and the counters are left for later.
    fn after(&self, from: usize, to: usize) -> State {
        let mut after = self.clone();
        after.squares[to] = after.squares[from];
        after.squares[from] = EMPTY;
        after.white = !self.white;
        after.ep = None;
        after.unmoved.remove(&from);
        after.unmoved.remove(&to);
        if self.kind == Kind::Wild9 && self.squares[from].eq_ignore_ascii_case(&'K') {
            after
                .unmoved
                .retain(|&square| !self.is_home(square, self.white));
        }
        after
    }

    fn pawn_moves(&self, from: usize, list: &mut Vec<(String, State)>) {
        let (ahead, last) = if self.white {
            (1, self.ranks - 1)
        } else {
            (-1, 0)
        };
        let start = self.home_rank(self.white) + ahead;
        let mut arrive = |to: usize, after: State| {
            if self.rank(to) != last {
                list.push((self.name(from) + &self.name(to), after));
                return;
            }
            let letters = match self.kind {
                Kind::Orthodox | Kind::HighChess | Kind::Wild9 => "qrbn",
                Kind::Kings if self.chancellors => "kqcrbn",
                Kind::Kings | Kind::Mating | Kind::Extinction => "kqrbn",
            };
            for letter in letters.chars() {
                let mut after = after.clone();
                after.squares[to] = if self.white {
                    letter.to_ascii_uppercase()
                } else {
                    letter
                };
                list.push((
                    self.name(from) + &self.name(to) + &letter.to_string(),
                    after,
                ));
            }
        };
        for side in [-1, 1] {
            let Some(to) = self.step(from, (side, ahead)) else {
                continue;
            };
            if self.is_side(to, !self.white) {
                arrive(to, self.after(from, to));
            } else if self.ep == Some(to) {
                let mut after = self.after(from, to);
                after.squares[self.at(self.file(to), self.rank(from)).unwrap()] = EMPTY;
                arrive(to, after);
            }
        }
        let one = self.step(from, (0, ahead)).unwrap();
        if self.squares[one] != EMPTY {
            return;
        }
        arrive(one, self.after(from, one));
        let two = self.at(self.file(from), self.rank(from) + 2 * ahead);
        if let Some(two) = two.filter(|&two| self.rank(from) == start && self.squares[two] == EMPTY)
        {
            let mut after = self.after(from, two);
            after.ep = Some(one);
            list.push((self.name(from) + &self.name(two), after));
        }
    }

    fn castling(&self, list: &mut Vec<(String, State)>) {
        let unmoved = |letter: char| -> Vec<usize> {
            let mut squares = self.of(letter, self.white);
            squares
                .retain(|piece| self.is_home(*piece, self.white) && self.unmoved.contains(piece));
            squares
        };
        let leap = if self.ranks == 10 { 3 } else { 2 };
        for king in unmoved('K') {
            for rook in unmoved('R') {
                let side = if rook > king { 1 } else { -1 };
                let square = |steps: i32| (king as i32 + side * steps) as usize;
                let mut between = (1..).map(square).take_while(|&square| square != rook);
                if !between.all(|square| self.squares[square] == EMPTY) {
                    continue;
                }
                let watched = match self.kind {
                    Kind::Extinction => 0,
                    Kind::Kings | Kind::Wild9 => leap,
                    Kind::Orthodox | Kind::HighChess | Kind::Mating => leap + 1,
                };
                if (0..watched).any(|steps| self.is_attacked(square(steps), !self.white)) {
                    continue;
                }
                let several = matches!(self.kind, Kind::Kings | Kind::Wild9);
                if several && !self.royals(self.white).contains(&king) {
                    continue;
                }
                let to = square(leap);
                let mut after = self.after(king, to);
                after.squares[square(leap - 1)] = after.squares[rook];
                after.squares[rook] = EMPTY;
                after.unmoved.remove(&rook);
                list.push((self.name(king) + &self.name(to), after));
            }
        }
    }

    /// Of extinction chess with mating rules, what is not seen by looking for
    /// attacks: the last pawn may not promote (E2), nor step to where it can
    /// be taken en passant (E3).
    fn keeps_pawns(&self, after: &State) -> bool {
        let pawns = self.of('P', self.white);
        if self.kind != Kind::Mating || pawns.len() != 1 {
            return true;
        }
        let stepped = after.ep.is_some_and(|ep| after.stands_to_take(ep));
        !after.of('P', self.white).is_empty() && !stepped
    }

    fn stands_to_take(&self, ep: usize) -> bool {
        self.of('P', self.white)
            .into_iter()
            .any(|pawn| self.attacks(pawn).contains(&ep))
    }

    /// Whether the right to take en passant counts (O2).
    fn ep_counts(&self) -> bool {
        let Some(ep) = self.ep else { return false };
        match self.kind {
            Kind::Orthodox | Kind::Kings | Kind::Wild9 => {
                let mut list = Vec::new();
                for pawn in self.of('P', self.white) {
                    if self.file(pawn) != self.file(ep) && self.attacks(pawn).contains(&ep) {
                        self.pawn_moves(pawn, &mut list);
                    }
                }
                list.iter().any(|(text, after)| {
                    text.ends_with(&self.name(ep)) && !after.in_check(self.white)
                })
            }
            Kind::HighChess | Kind::Mating | Kind::Extinction => self.stands_to_take(ep),
        }
    }

    /// Counts pieces, points and rights once a legal move has been made.
    fn settle(&self, after: &mut State) {
        if !after.ep_counts() {
            after.ep = None;
        }
        match self.kind {
            Kind::HighChess => self.charge(after),
            Kind::Extinction => {
                after.over = [true, false].into_iter().any(|white| {
                    let gone = |letter| {
                        !self.of(letter, white).is_empty() && after.of(letter, white).is_empty()
                    };
                    "KQRBNP".chars().any(gone)
                });
            }
            _ => {}
        }
    }

    /// What a turn of High Chess costs (H4-H7).
    fn charge(&self, after: &mut State) {
        let count =
            |state: &State, white| self.squares().filter(|&s| state.is_side(s, white)).count();
        let captures = count(self, !self.white) != count(after, !self.white);
        let pawns = self.of('P', self.white) != after.of('P', self.white);
        // Before the move a king and a rook of its had never moved; now they
        // are fewer (3)(4).
        let home = self.home(self.white);
        let rights = |state: &State| {
            let rooks = [0, 7].into_iter().filter(|file| {
                state.unmoved.contains(&(home + file)) && state.unmoved.contains(&(home + 4))
            });
            rooks.count()
        };
        let vital = captures || pawns || self.ep.is_some() || rights(self) != rights(after);
        let [white, black] = [true, false].map(|white| self.distance(after.of('K', white)[0]));
        let white_is_high = white < black;
        let mine = &mut after.points[usize::from(!self.white)];
        if vital {
            *mine = 50;
        } else if white_is_high != self.white {
            *mine -= 1;
        }
        // A move that mates wins, though the last point is spent; either way
        // there are no more moves.
    }

    pub(crate) fn perft(&self, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        let moves = self.moves();
        moves.iter().map(|(_, after)| after.perft(depth - 1)).sum()
    }
}
