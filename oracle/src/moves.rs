//! Generates and plays moves naively, and says whether and how the game has ended.

use crate::betza::Ray;
use crate::game::{
    Bare, CastlingRule, EnPassant, Game, Pass, Promotion, Royal, Ruling, Side, Vital,
};
use crate::position::{Board, End, Man, Position, Reason, men, squares};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Special {
    Ordinary,
    DoubleStep {
        passed: usize,
    },
    EnPassant,
    /// `swap` is the castling of C7, which is written with both squares.
    Castling {
        rook: usize,
        king_to: usize,
        rook_to: usize,
        swap: bool,
    },
    Pass,
}

/// A move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Move {
    from: usize,
    to: usize,
    becomes: Option<u8>,
    /// A waiting pawn is turned into another piece before it moves (C5).
    turned: bool,
    special: Special,
}

fn has(set: u128, square: usize) -> bool {
    set >> square & 1 != 0
}

/// A legal move as far as the placement goes; the counters are not yet settled.
struct Made {
    next: Box<Position>,
    captures: bool,
    zeroes: bool,
    /// The move ends one of the mover's rights to castle (H7).
    ends_right: bool,
}

impl Game {
    /// The square that is `dx` files to the right and `dy` ranks ahead, seen by the player.
    pub(crate) fn step(&self, from: usize, dx: i32, dy: i32, side: Side) -> Option<usize> {
        let (dx, dy) = if side == Side::White {
            (dx, dy)
        } else {
            (-dx, -dy)
        };
        let file = (from % self.files) as i32 + dx;
        let rank = (from / self.files) as i32 + dy;
        let inside =
            (0..self.files as i32).contains(&file) && (0..self.ranks as i32).contains(&rank);
        inside
            .then(|| rank as usize * self.files + file as usize)
            .filter(|&square| !self.is_hole(square))
    }

    /// A side's royal pieces.
    pub(crate) fn royals(&self, board: &Board, side: Side) -> u128 {
        let kings = || {
            men(board, side)
                .filter(|(_, kind)| Some(*kind) == self.king)
                .map(|(square, _)| square)
        };
        match self.royal[side as usize] {
            Royal::Nothing => 0,
            Royal::King => kings().fold(0, |set, square| set | 1 << square),
            Royal::FirstKing => {
                // K1: the lowest (or highest) file counts first, then the rank.
                let nearest =
                    |value: usize, low: bool| if low { value } else { usize::MAX - value };
                let place = |square: &usize| {
                    let file = nearest(square % self.files, self.low_file[side as usize]);
                    (
                        file,
                        nearest(square / self.files, self.low_rank[side as usize]),
                    )
                };
                kings().min_by_key(place).map_or(0, |square| 1 << square)
            }
            // E2
            Royal::OnlyOfType => {
                let mut counts = vec![0usize; self.kinds.len()];
                men(board, side).for_each(|(_, kind)| counts[usize::from(kind)] += 1);
                let last = men(board, side).filter(|(_, kind)| {
                    self.royal_kinds.contains(kind)
                        && counts[usize::from(*kind)] <= self.royal_at_most
                });
                last.fold(0, |set, (square, _)| set | 1 << square)
            }
        }
    }

    /// The rays of a man that is no pawn. Kings move by their role (K2).
    fn rays(&self, board: &Board, square: usize, man: Man) -> &[Ray] {
        if Some(man.kind()) == self.king {
            match self.royal[man.side() as usize] {
                Royal::King => return &self.royal_rays,
                Royal::FirstKing if has(self.royals(board, man.side()), square) => {
                    return &self.royal_rays;
                }
                Royal::FirstKing => return &self.spare_rays,
                _ => {}
            }
        }
        &self.kinds[usize::from(man.kind())].rays
    }

    /// The empty squares that a man may go to, and the enemies that it may take.
    fn reach_of(&self, board: &Board, from: usize, rays: &[Ray], side: Side) -> (u128, u128) {
        let (mut quiet, mut captures) = (0, 0);
        for ray in rays {
            let mut at = from;
            let mut steps = 0;
            while steps < ray.limit {
                let Some(to) = self.step(at, ray.dx, ray.dy, side) else {
                    break;
                };
                match board[to] {
                    None if ray.quiet => quiet |= 1 << to,
                    None => {}
                    Some(man) => {
                        if man.side() != side && ray.captures {
                            captures |= 1 << to;
                        }
                        break;
                    }
                }
                at = to;
                steps += 1;
            }
        }
        (quiet, captures)
    }

    /// Whether one of the rays leads to a square, with nothing in between.
    fn hits(&self, board: &Board, from: usize, rays: &[Ray], side: Side, target: usize) -> bool {
        let dx = (target % self.files) as i32 - (from % self.files) as i32;
        let dy = (target / self.files) as i32 - (from / self.files) as i32;
        let (dx, dy) = if side == Side::White {
            (dx, dy)
        } else {
            (-dx, -dy)
        };
        let is_ahead = |ray: &&Ray| {
            ray.captures && ray.dx.signum() == dx.signum() && ray.dy.signum() == dy.signum()
        };
        rays.iter().filter(is_ahead).any(|ray| {
            let steps = if ray.dx != 0 {
                dx / ray.dx
            } else {
                dy / ray.dy
            };
            if steps < 1 || steps > ray.limit || steps * ray.dx != dx || steps * ray.dy != dy {
                return false;
            }
            (1..steps).all(|n| {
                self.step(from, n * ray.dx, n * ray.dy, side)
                    .is_some_and(|square| board[square].is_none())
            })
        })
    }

    /// A pawn that may be turned into another piece and moved as that (C5).
    fn waits(&self, from: usize, man: Man) -> bool {
        Some(man.kind()) == self.pawn
            && matches!(self.promotion, Promotion::MayWait | Promotion::MustWait)
            && self.promotes_on[man.side() as usize][from]
    }

    /// A man could capture on a square by its ordinary movement.
    fn attacks(&self, board: &Board, from: usize, man: Man, target: usize) -> bool {
        if self.explodes {
            let royals = self.royals(board, man.side());
            if has(royals, from) || royals & self.blast(target) != 0 {
                return false;
            }
        }
        if Some(man.kind()) == self.pawn {
            let steps = self.pawn_may_stand(man.side(), target)
                && self.hits(board, from, &self.pawn_rays, man.side(), target);
            let as_other = |kind: &u8| {
                self.hits(
                    board,
                    from,
                    &self.kinds[usize::from(*kind)].rays,
                    man.side(),
                    target,
                )
            };
            steps
                || (self.waits(from, man)
                    && self.promotes_to[man.side() as usize].iter().any(as_other))
        } else {
            self.hits(board, from, self.rays(board, from, man), man.side(), target)
        }
    }

    fn is_attacked(&self, board: &Board, target: usize, by: Side) -> bool {
        men(board, by).any(|(from, kind)| self.attacks(board, from, Man::new(by, kind), target))
    }

    /// A square and its neighbours.
    fn blast(&self, centre: usize) -> u128 {
        let around = (-1..=1).flat_map(|dx| (-1..=1).map(move |dy| (dx, dy)));
        around
            .filter_map(|(dx, dy)| self.step(centre, dx, dy, Side::White))
            .fold(0, |set, square| set | 1 << square)
    }

    /// Whether one of a side's royal pieces is attacked.
    pub(crate) fn royal_attacked(&self, position: &Position, side: Side) -> bool {
        let royals = self.royals(&position.board, side);
        // E3: a royal pawn may be taken e.p.
        let pushed = position.en_passant.filter(|_| position.turn != side);
        let pushed = pushed.map(|(_, pushed)| pushed);
        pushed.is_some_and(|pushed| has(royals, pushed))
            || squares(royals).any(|square| self.is_attacked(&position.board, square, side.other()))
    }

    /// A side may not have left a royal piece attacked, but one is.
    pub(crate) fn is_exposed(&self, position: &Position, side: Side) -> bool {
        self.knows_check(side) && self.royal_attacked(position, side)
    }

    /// The side to move is in check.
    pub fn is_check(&self, position: &Position) -> bool {
        self.royal_attacked(position, position.turn)
    }

    // Moves by the placement.

    /// A pawn's arrival, with all promotions that are possible or compulsory.
    fn arrive(&self, from: usize, to: usize, special: Special, side: Side, moves: &mut Vec<Move>) {
        let plain = Move {
            from,
            to,
            becomes: None,
            turned: false,
            special,
        };
        let in_zone = self.promotes_on[side as usize][to];
        if in_zone && self.promotion != Promotion::MustWait {
            moves.extend(self.promotes_to[side as usize].iter().map(|kind| Move {
                becomes: Some(*kind),
                ..plain
            }));
        }
        if !in_zone || self.promotion != Promotion::Compulsory {
            moves.push(plain);
        }
    }

    /// No pawn goes behind its first rank.
    fn pawn_may_stand(&self, side: Side, square: usize) -> bool {
        self.rank_for(side, square) >= self.first_rank[side as usize]
    }

    /// The files by which the step ahead goes that a pawn makes twice: straight, or else aslant.
    pub(crate) fn steps_twice(&self) -> Vec<i32> {
        let goes = |dx: &i32| {
            let mut rays = self.pawn_rays.iter();
            rays.any(|ray| ray.quiet && (ray.dx, ray.dy) == (*dx, 1))
        };
        match goes(&0) {
            true => vec![0],
            false => [-1, 1].into_iter().filter(goes).collect(),
        }
    }

    fn pawn_moves(&self, board: &Board, from: usize, side: Side, moves: &mut Vec<Move>) {
        let (quiet, captures) = self.reach_of(board, from, &self.pawn_rays, side);
        for to in squares(quiet).filter(|to| self.pawn_may_stand(side, *to)) {
            self.arrive(from, to, Special::Ordinary, side, moves);
        }
        if self.double_step[self.rank_for(side, from)] {
            for dx in self.steps_twice() {
                let empty = |square: &usize| board[*square].is_none();
                let passed = self.step(from, dx, 1, side).filter(empty);
                let Some(passed) = passed else { continue };
                if let Some(to) = self.step(passed, dx, 1, side).filter(empty) {
                    self.arrive(from, to, Special::DoubleStep { passed }, side, moves);
                }
            }
        }
        for to in squares(captures).filter(|to| self.pawn_may_stand(side, *to)) {
            self.arrive(from, to, Special::Ordinary, side, moves);
        }
    }

    /// Captures e.p. by all men that stand so as to take (O2, C6).
    fn en_passant_moves(&self, position: &Position, moves: &mut Vec<Move>) {
        let Some((to, pushed)) = position.en_passant else {
            return;
        };
        let side = position.turn;
        let mut board = position.board.clone();
        if self.en_passant_vacates {
            board.put(pushed, None);
        }
        let special = Special::EnPassant;
        for (from, kind) in men(&position.board, side) {
            let man = Man::new(side, kind);
            if self.explodes && has(self.royals(&board, side), from) {
                continue;
            }
            if Some(kind) == self.pawn {
                if self.pawn_may_stand(side, to)
                    && self.hits(&board, from, &self.pawn_rays, side, to)
                {
                    self.arrive(from, to, special, side, moves);
                }
                if self.en_passant == EnPassant::All && self.waits(from, man) {
                    for turned in &self.promotes_to[man.side() as usize] {
                        if self.hits(
                            &board,
                            from,
                            &self.kinds[usize::from(*turned)].rays,
                            side,
                            to,
                        ) {
                            moves.push(Move {
                                from,
                                to,
                                becomes: Some(*turned),
                                turned: true,
                                special,
                            });
                        }
                    }
                }
            } else if self.en_passant == EnPassant::All
                && self.hits(&board, from, self.rays(&board, from, man), side, to)
            {
                moves.push(Move {
                    from,
                    to,
                    becomes: None,
                    turned: false,
                    special,
                });
            }
        }
    }

    /// An e.p. square counts if a capture is legal, and in some games as soon as a man stands
    /// so as to take (O2).
    pub(crate) fn en_passant_counts(&self, position: &Position) -> bool {
        let mut takes = Vec::new();
        self.en_passant_moves(position, &mut takes);
        if self.standing_counts(position.turn) {
            !takes.is_empty()
        } else {
            takes.iter().any(|take| self.make(position, take).is_some())
        }
    }

    fn standing_counts(&self, taker: Side) -> bool {
        let standing = |vitality: &crate::game::Vitality| vitality.en_passant == Vital::Standing;
        !self.knows_check(taker)
            || self.royal.contains(&Royal::OnlyOfType)
            || self.vitality.as_ref().is_some_and(standing)
    }

    fn pseudo_moves(&self, position: &Position) -> Vec<Move> {
        let mut moves = Vec::new();
        let board = &position.board;
        let side = position.turn;
        for (from, kind) in men(board, side) {
            let man = Man::new(side, kind);
            let mut go = |rays: &[Ray], becomes: Option<u8>| {
                let (quiet, captures) = self.reach_of(board, from, rays, side);
                let still = self.explodes && has(self.royals(board, side), from);
                for to in squares(if still { quiet } else { quiet | captures }) {
                    moves.push(Move {
                        from,
                        to,
                        becomes,
                        turned: becomes.is_some(),
                        special: Special::Ordinary,
                    });
                }
            };
            if self.waits(from, man) {
                for turned in &self.promotes_to[man.side() as usize] {
                    go(&self.kinds[usize::from(*turned)].rays, Some(*turned));
                }
            }
            if Some(kind) == self.pawn {
                self.pawn_moves(board, from, side, &mut moves);
            } else {
                go(self.rays(board, from, man), None);
            }
        }
        self.en_passant_moves(position, &mut moves);
        self.castling_moves(position, &mut moves);
        let may_pass = match self.pass {
            Pass::Off | Pass::WhenStuck => false,
            Pass::UnlessInCheck => !self.is_check(position),
            Pass::Always => true,
        };
        if may_pass {
            moves.push(PASS);
        }
        moves
    }

    fn castling_moves(&self, position: &Position, moves: &mut Vec<Move>) {
        let board = &position.board;
        let side = position.turn;
        let home = self.home(side);
        let is_empty = |square: usize| board[square].is_none() && !self.is_hole(square);
        let empty_between = |a: usize, b: usize| (a.min(b) + 1..a.max(b)).all(is_empty);
        let safe = |square: usize| {
            self.castling.through_check || !self.is_attacked(board, square, side.other())
        };
        let path = |a: usize, b: usize| a.min(b)..=a.max(b);
        match self.castling.rule {
            CastlingRule::Off => {}
            // X1
            CastlingRule::Chess => {
                let Some((king, rooks)) = self.castling_squares(side) else {
                    return;
                };
                for (rook, to) in rooks.into_iter().zip(self.castling.to) {
                    let Some(rook) = rook else { continue };
                    if !has(position.unmoved, king) || !has(position.unmoved, rook) {
                        continue;
                    }
                    let king_to = home.start + to;
                    let rook_to = if rook < king {
                        king_to + 1
                    } else {
                        king_to - 1
                    };
                    let (low, high) = (
                        king.min(rook).min(king_to).min(rook_to),
                        king.max(rook).max(king_to).max(rook_to),
                    );
                    let free = (low..=high).all(|s| s == king || s == rook || is_empty(s));
                    if free && path(king, king_to).all(safe) {
                        moves.push(castle(king, rook, king_to, rook_to));
                    }
                }
            }
            // X2, X3
            CastlingRule::RoyalKing => {
                let royal = self.royals(board, side) & position.unmoved;
                for king in squares(royal).filter(|king| home.contains(king)) {
                    for rook in home.clone().filter(|rook| has(position.unmoved, *rook)) {
                        let is_rook = board[rook].is_some_and(|man| Some(man.kind()) != self.king);
                        let right = match self.castling_squares(side) {
                            Some((only, rooks)) if self.castling.any_king_ends => {
                                king == only && rooks.contains(&Some(rook))
                            }
                            _ => !(self.castling.side_a_only && rook > king),
                        };
                        let leap = self.castling.leap;
                        if !is_rook
                            || !right
                            || rook.abs_diff(king) < leap
                            || !empty_between(king, rook)
                        {
                            continue;
                        }
                        let (king_to, rook_to) = if rook < king {
                            (king - leap, king - leap + 1)
                        } else {
                            (king + leap, king + leap - 1)
                        };
                        if path(king, king_to)
                            .filter(|square| *square != king_to)
                            .all(safe)
                        {
                            moves.push(castle(king, rook, king_to, rook_to));
                        }
                    }
                }
            }
            // C7
            CastlingRule::FirstRank => {
                let first_king = self.royal[side as usize] == Royal::FirstKing;
                let may = |king: &usize| {
                    board[*king]
                        .is_some_and(|man| man.side() == side && Some(man.kind()) == self.king)
                        && (!first_king || has(self.royals(board, side), *king))
                };
                for king in home.clone().filter(may) {
                    for partner in home.clone().filter(|partner| *partner != king) {
                        let own = board[partner].is_some_and(|man| man.side() == side);
                        let king_to = if partner < king { king - 1 } else { king + 1 };
                        let free = if self.castling.past_men {
                            king_to == partner || board[king_to].is_none()
                        } else {
                            empty_between(king, partner)
                        };
                        if own && free {
                            let special = Special::Castling {
                                rook: partner,
                                king_to,
                                rook_to: king,
                                swap: true,
                            };
                            moves.push(Move {
                                from: king,
                                to: partner,
                                becomes: None,
                                turned: false,
                                special,
                            });
                        }
                    }
                }
            }
        }
    }

    // What a move leads to.

    /// The position after a move, or nothing if the move is illegal.
    fn make(&self, position: &Position, played: &Move) -> Option<Made> {
        let side = position.turn;
        let other = side.other();
        let mut next = Box::new(position.clone());
        next.turn = other;
        next.en_passant = None;
        next.clock += 1;
        next.number += u32::from(side == Side::Black);
        let mut gone = 0u128;
        let mut captures = false;
        let mut zeroes = false;
        match played.special {
            Special::Pass => {}
            Special::Castling {
                rook,
                king_to,
                rook_to,
                ..
            } => {
                let (king, partner) = (
                    next.board.put(played.from, None),
                    next.board.put(rook, None),
                );
                next.board.put(king_to, king);
                next.board.put(rook_to, partner);
                gone |= 1 << played.from | 1 << rook;
            }
            Special::Ordinary | Special::DoubleStep { .. } | Special::EnPassant => {
                let man = next.board.put(played.from, None)?;
                let victim = match played.special {
                    Special::EnPassant => position.en_passant?.1,
                    _ => played.to,
                };
                let taken = next.board.put(victim, None);
                captures = taken.is_some();
                let is_alike = taken.is_some_and(|taken| taken.kind() == man.kind());
                if is_alike && self.mutually_immune.contains(&man.kind()) {
                    return None;
                }
                zeroes = captures || Some(man.kind()) == self.pawn;
                let kind = played.becomes.unwrap_or(man.kind());
                next.board.put(played.to, Some(Man::new(side, kind)));
                gone |= 1 << played.from | 1 << victim;
                if captures && self.explodes {
                    for square in squares(self.blast(played.to)) {
                        let lasting = match square == played.to {
                            true => &self.survives,
                            false => &self.spares,
                        };
                        let stays =
                            next.board[square].is_some_and(|man| lasting.contains(&man.kind()));
                        if !stays {
                            next.board.put(square, None);
                            gone |= 1 << square;
                        }
                    }
                }
                // A royal man that is taken or blown up decides the game.
                let own_royals = self.royals(&position.board, side);
                let royals = self.royals(&position.board, other);
                if self.explodes && captures && own_royals & gone & !(1 << played.from) != 0 {
                    return None;
                }
                if captures && (self.king_capture || self.explodes) && royals & gone != 0 {
                    let answer = self.king_capture && self.royal_attacked(&next, side);
                    let ruling = if answer {
                        self.king_capture_in_check
                    } else {
                        Ruling::Win
                    };
                    if ruling == Ruling::Illegal {
                        return None;
                    }
                    next.ended = Some(self.end_for(ruling, side, Reason::KingCapture, &next.board));
                }
            }
        }
        if zeroes {
            next.clock = 0;
        }
        next.unmoved = self.useful_rights(position.unmoved & !gone);
        let moved_king =
            position.board[played.from].is_some_and(|man| Some(man.kind()) == self.king);
        if self.castling.any_king_ends && moved_king && played.special != Special::Pass {
            let home = self.home(side);
            next.unmoved &= !squares(next.unmoved)
                .filter(|s| home.contains(s))
                .fold(0, |set, s| set | 1 << s);
        }
        if let Special::Castling { rook, .. } = played.special
            && self.castling.opposite_sides
            && let Some((_, rooks)) = self.castling_squares(other)
            && let Some(taken) = rooks[usize::from(rook > played.from)]
        {
            next.unmoved = self.useful_rights(next.unmoved & !(1 << taken));
        }
        let ends_right = squares(position.unmoved & !next.unmoved)
            .any(|square| self.home(side).contains(&square));
        if next.ended.is_none() {
            if let Special::DoubleStep { passed } = played.special
                && self.en_passant != EnPassant::Off
                && self.taken_from[self.rank_for(side, played.from)]
            {
                next.en_passant = Some((passed, played.to));
                let mut takes = Vec::new();
                self.en_passant_moves(&next, &mut takes);
                next.en_passant = next.en_passant.filter(|_| !takes.is_empty());
            }
            if self.is_exposed(&next, side) {
                return None;
            }
            if self.no_checks
                && [side, other]
                    .iter()
                    .any(|side| self.royal_attacked(&next, *side))
            {
                return None;
            }
            if self.royal[side as usize] == Royal::OnlyOfType {
                let lost = self.lost_kinds(position, &next, side, 0);
                if self.royal_kinds.iter().any(|kind| lost >> kind & 1 != 0) {
                    return None;
                }
            }
            // Kings of which too few are left may end the game (E6).
            let decide = self.extinct != Ruling::Off
                && (self.king).is_some_and(|king| self.extinct_types.contains(&king));
            if !decide
                && ![side, other]
                    .iter()
                    .all(|side| self.kings_fit(&next.board, *side))
            {
                return None;
            }
            if next.en_passant.is_some() && !self.en_passant_counts(&next) {
                next.en_passant = None;
            }
        }
        Some(Made {
            next,
            captures,
            zeroes,
            ends_right,
        })
    }

    /// The kinds of which a side had more men than so many and has not any more.
    fn lost_kinds(&self, before: &Position, after: &Position, side: Side, most: usize) -> u32 {
        let kinds = |board: &Board| {
            let mut counts = [0usize; u32::BITS as usize];
            men(board, side).for_each(|(_, kind)| counts[usize::from(kind)] += 1);
            let more = counts
                .iter()
                .enumerate()
                .filter(|(_, count)| **count > most);
            more.fold(0u32, |set, (kind, _)| set | 1 << kind)
        };
        kinds(&before.board) & !kinds(&after.board)
    }

    /// The end of a game by a ruling seen from one side.
    fn end_for(&self, ruling: Ruling, side: Side, reason: Reason, board: &Board) -> End {
        let count = |side: Side| men(board, side).count();
        let winner = match ruling {
            Ruling::Win => Some(side),
            Ruling::Loss => Some(side.other()),
            Ruling::FewerMen if count(side) < count(side.other()) => Some(side),
            Ruling::FewerMen if count(side) > count(side.other()) => Some(side.other()),
            Ruling::FewerMen | Ruling::Draw | Ruling::Off | Ruling::Illegal => None,
        };
        End { reason, winner }
    }

    /// Settles what depends on more than legality: kinds that are gone, and counters.
    fn settle(&self, position: &Position, mut made: Made) -> Box<Position> {
        let side = position.turn;
        let other = side.other();
        let next = &mut made.next;
        if next.ended.is_none() && self.extinct != Ruling::Off {
            // E6: if both sides lose a kind, the mover is the one that gains; but where captures
            // explode, what the mover has lost comes first (D11).
            let counts = self
                .extinct_types
                .iter()
                .fold(0u32, |set, kind| set | 1 << kind);
            let most = self.extinct_count;
            let own = self.lost_kinds(position, next, side, most) & counts != 0;
            let enemy = self.lost_kinds(position, next, other, most) & counts != 0;
            let subject = match self.extinct {
                _ if self.explodes && own => side,
                Ruling::Loss if enemy => other,
                Ruling::Win if !own => other,
                _ => side,
            };
            if own || enemy {
                next.ended =
                    Some(self.end_for(self.extinct, subject, Reason::Extinction, &next.board));
            }
        }
        let bare = men(&next.board, other).next().is_none();
        if next.ended.is_none()
            && bare
            && self
                .reach
                .as_ref()
                .is_some_and(|reach| reach.safe || !reach.stays)
            && self.has_reached(&next.board, side)
        {
            // Arriving on a goal comes before whatever else is true of the position (T2).
            next.ended = Some(End {
                reason: Reason::Reach,
                winner: Some(side),
            });
        }
        if next.ended.is_none() && self.all_lost != Ruling::Off {
            let lost = |side: &Side| men(&next.board, *side).next().is_none();
            next.ended = match (lost(&side), lost(&other)) {
                (false, false) => None,
                // The other side cannot move.
                (true, true) if self.all_lost_alone => {
                    Some(self.end_for(self.stalemate, other, Reason::Stalemate, &next.board))
                }
                (own, _) => {
                    let loser = if own { side } else { other };
                    Some(self.end_for(self.all_lost, loser, Reason::AllLost, &next.board))
                }
            };
        }
        if next.ended.is_none() && self.checks > 0 && self.royal_attacked(next, other) {
            let left = &mut next.counters[side as usize];
            *left = left.saturating_sub(1);
            if *left == 0 {
                next.ended = Some(End {
                    reason: Reason::Checks,
                    winner: Some(side),
                });
            }
        }
        if next.ended.is_none() && self.vitality.is_some() {
            self.settle_vitality(position, &mut made);
        }
        let next = &mut made.next;
        if next.ended.is_some() || (next.en_passant.is_some() && self.finished(next).is_some()) {
            next.en_passant = None;
        }
        made.next
    }

    fn settle_vitality(&self, position: &Position, made: &mut Made) {
        let Some(rules) = &self.vitality else { return };
        let side = position.turn;
        let next = &mut made.next;
        // H7
        let open = match rules.en_passant {
            Vital::Standing => position.en_passant.is_some(),
            Vital::Legal => {
                let mut takes = Vec::new();
                self.en_passant_moves(position, &mut takes);
                takes.iter().any(|take| self.make(position, take).is_some())
            }
            Vital::OnlyMade => false,
        };
        if made.zeroes || made.captures || made.ends_right || open {
            // H4
            next.counters[side as usize] = rules.full[side as usize];
            if rules.restores_both {
                next.counters = rules.full;
            }
            return;
        }
        if rules.spared == Some(side) {
            return;
        }
        // H5, H6
        let low = self.is_low(&next.board, side);
        if low || rules.both_pay {
            let counter = &mut next.counters[side as usize];
            *counter = counter.saturating_sub(1);
        }
        if low && next.counters[side as usize] == 0 {
            let decided = !rules.before_mate
                && self
                    .end(next)
                    .is_some_and(|end| matches!(end.reason, Reason::Checkmate | Reason::Reach));
            if !decided {
                next.ended = Some(End {
                    reason: Reason::Exhaustion,
                    winner: Some(side.other()),
                });
            }
        }
    }

    /// H6: whether the side that has just moved is Low and has no points left.
    pub(crate) fn is_spent(&self, position: &Position) -> bool {
        let mover = position.turn.other();
        self.vitality.is_some()
            && position.counters[mover as usize] == 0
            && self.is_low(&position.board, mover)
    }

    /// H1: a side whose royal piece is farther from the centre is Low.
    fn is_low(&self, board: &Board, side: Side) -> bool {
        let Some(rules) = &self.vitality else {
            return false;
        };
        let apart = |a: usize, b: usize| {
            let files = (a % self.files).abs_diff(b % self.files);
            files.max((a / self.files).abs_diff(b / self.files))
        };
        let distance = |side: Side| {
            let royals = squares(self.royals(board, side));
            royals
                .flat_map(|royal| rules.centre.iter().map(move |square| apart(royal, *square)))
                .min()
        };
        let (own, enemy) = (distance(side), distance(side.other()));
        if own == enemy {
            rules.ties != side
        } else {
            own > enemy
        }
    }

    // Games.

    /// The legal moves with the positions that they lead to.
    pub fn moves(&self, position: &Position) -> Vec<(Move, Position)> {
        let successors = self.successors(position).into_iter();
        successors.map(|(played, next)| (played, *next)).collect()
    }

    /// The legal moves with what they lead to, on the heap.
    pub(crate) fn successors(&self, position: &Position) -> Vec<(Move, Box<Position>)> {
        if position.ended.is_some() || self.finished(position).is_some() {
            return Vec::new();
        }
        let legal = self.legal(position).into_iter();
        legal
            .map(|(played, made)| (played, self.settle(position, made)))
            .collect()
    }

    fn legal(&self, position: &Position) -> Vec<(Move, Made)> {
        let made = |played: Move| self.make(position, &played).map(|made| (played, made));
        let mut legal: Vec<_> = self
            .pseudo_moves(position)
            .into_iter()
            .filter_map(made)
            .collect();
        if self.must_capture && legal.iter().any(|(_, made)| made.captures) {
            legal.retain(|(_, made)| made.captures);
        }
        if self.pass == Pass::WhenStuck && legal.is_empty() {
            legal.extend(made(PASS));
        }
        legal
    }

    /// The end of the game in a position; `None` while it goes on.
    pub fn end(&self, position: &Position) -> Option<End> {
        if let Some(end) = position.ended.or_else(|| self.finished(position)) {
            return Some(end);
        }
        let can = |played: Move| self.make(position, &played).is_some();
        let can_pass = || self.pass == Pass::WhenStuck && can(PASS);
        if self.pseudo_moves(position).into_iter().any(can) || can_pass() {
            return None;
        }
        let side = position.turn;
        Some(if self.is_exposed(position, side) {
            self.end_for(self.checkmate, side, Reason::Checkmate, &position.board)
        } else {
            self.end_for(self.stalemate, side, Reason::Stalemate, &position.board)
        })
    }

    /// The end that a placement shows although there may be moves.
    pub(crate) fn finished(&self, position: &Position) -> Option<End> {
        let board = &position.board;
        let (turn, other) = (position.turn, position.turn.other());
        let won = |reason, side| {
            Some(End {
                reason,
                winner: Some(side),
            })
        };
        if let Some(reach) = &self.reach
            && (reach.safe || reach.stays)
        {
            // D13, D14
            let safely = |side: Side| {
                let there = self.arrivals(board, side);
                let can_be_taken = |square: &usize| self.is_attacked(board, *square, side.other());
                there.len() > reach.count
                    || there.len() == reach.count && !there.iter().any(can_be_taken)
            };
            let has_stayed = reach.stays && self.has_reached(board, turn);
            if has_stayed {
                return won(Reason::Reach, turn);
            }
            let own = reach.safe && !reach.stays && safely(turn);
            let enemy = reach.safe && safely(other);
            if own && enemy {
                return Some(End {
                    reason: Reason::Reach,
                    winner: None,
                });
            }
            if own || enemy {
                return won(Reason::Reach, if own { turn } else { other });
            }
        } else if let Some(reach) = &self.reach {
            let (own, enemy) = (
                self.has_reached(board, turn),
                self.has_reached(board, other),
            );
            match (own, enemy, reach.reply) {
                (false, false, _) => {}
                (true, true, _) => {
                    return Some(End {
                        reason: Reason::Reach,
                        winner: None,
                    });
                }
                (true, false, _) => return won(Reason::Reach, turn),
                (false, true, true) if turn == Side::Black => {
                    let answers =
                        |(_, made): &(Move, Made)| self.has_reached(&made.next.board, turn);
                    if !self.legal(position).iter().any(answers) {
                        return won(Reason::Reach, other);
                    }
                }
                (false, true, _) => return won(Reason::Reach, other),
            }
        }
        if self.bare != Bare::Off {
            let count = |side: Side| men(board, side).count();
            // A single man: the royal one where there is one (S2, D10).
            let bare = |side: Side| count(side) == 1;
            let gains = self.bare == Bare::Win;
            match (bare(turn), bare(other)) {
                (false, false) => {}
                (true, false) if gains => return won(Reason::Bare, turn),
                (false, true) if gains => return won(Reason::Bare, other),
                (true, true) => {
                    return Some(End {
                        reason: Reason::Bare,
                        winner: None,
                    });
                }
                (false, true) => return won(Reason::Bare, turn),
                // Only the last man beside the royal piece can be taken at once.
                (true, false) if self.bare == Bare::LossUnlessAnswered && count(other) == 2 => {}
                (true, false) => return won(Reason::Bare, other),
            }
        }
        None
    }

    /// White may be on its aim although it is to move, if Black was allowed an answer.
    pub(crate) fn may_answer_reach(&self, position: &Position) -> bool {
        position.turn == Side::White && self.reach.as_ref().is_some_and(|reach| reach.reply)
    }

    /// The number of lines of play of a number of plies.
    pub fn perft(&self, position: &Position, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        let moves = self.moves(position);
        if depth == 1 {
            return moves.len() as u64;
        }
        moves
            .iter()
            .map(|(_, next)| self.perft(next, depth - 1))
            .sum()
    }

    /// A move in the notation of the project: `e2e4`, `a7a8q`, `f1=nd2`, `f8b4*`, `e1&h1`, `0000`.
    pub fn text(&self, played: &Move) -> String {
        let (from, to) = (self.square_name(played.from), self.square_name(played.to));
        let kind = |kind: u8| self.kinds[usize::from(kind)].letter.to_ascii_lowercase();
        let becomes = played.becomes.map(kind);
        let mut text = match (played.special, becomes) {
            (Special::Pass, _) => "0000".into(),
            (Special::Castling { swap: true, .. }, _) => format!("{from}&{to}"),
            (_, Some(letter)) if played.turned => format!("{from}={letter}{to}"),
            (_, Some(letter)) => format!("{from}{to}{letter}"),
            (_, None) => format!("{from}{to}"),
        };
        // Where other moves need marks, captures e.p. have a star.
        let marks = self.en_passant == EnPassant::All
            || matches!(self.promotion, Promotion::MayWait | Promotion::MustWait)
            || self.castling.rule == CastlingRule::FirstRank;
        if marks && played.special == Special::EnPassant {
            text.push('*');
        }
        text
    }

    /// The position after a move that is given as text.
    pub fn play(&self, position: &Position, text: &str) -> Option<Position> {
        let found = self
            .moves(position)
            .into_iter()
            .find(|(played, _)| self.text(played) == text);
        found.map(|(_, next)| next)
    }
}

const PASS: Move = Move {
    from: 0,
    to: 0,
    becomes: None,
    turned: false,
    special: Special::Pass,
};

fn castle(king: usize, rook: usize, king_to: usize, rook_to: usize) -> Move {
    let special = Special::Castling {
        rook,
        king_to,
        rook_to,
        swap: false,
    };
    Move {
        from: king,
        to: king_to,
        becomes: None,
        turned: false,
        special,
    }
}
