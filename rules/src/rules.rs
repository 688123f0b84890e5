//! Decides which placements are positions, and finds moves, check and endings, in any game.
//!
//! All this follows from the record of a game.
//!
//! The royal pieces of a game decide how moves are found. That is compiled four times: for one
//! royal piece a side, whose pins and checks tell which moves are legal ([`One`]); for royal
//! pieces that depend on the placement, where each move is tried ([`Several`]); for games in which
//! check forbids a side nothing ([`Free`]); and where captures explode ([`Exploding`]).

mod castling;
mod exploding;
mod tolls;

use crate::board::Board;
use crate::fault::{EpFault, Fault};
use crate::features::{End, Goal, Royalty};
use crate::keys::{Bare, CaptureInCheck, EnPassant, Outcome, Pass};
use crate::moves::{Move, MoveKind, MoveList};
use crate::piece::{Colour, Piece, PieceType};
use crate::position::{EpRight, Position};
use crate::powers::{Guard, Powers};
use crate::pseudo::{View, moved_pieces};
use crate::reach::Reach;
use crate::record::Record;
use crate::square::{Square, SquareSet};
use crate::vitality::VitalityRules;
pub(crate) use exploding::Exploding;

/// Games in which each side has one royal king, or one side alone has one.
#[derive(Clone, Copy)]
pub(crate) struct One(pub(crate) &'static Record);

/// Games in which the placement decides which pieces are royal (K1, E2).
#[derive(Clone, Copy)]
pub(crate) struct Several(pub(crate) &'static Record);

/// Games in which check forbids no moves (C1, E6).
#[derive(Clone, Copy)]
pub(crate) struct Free(pub(crate) &'static Record);

/// Evaluates an expression with the rules of a game, in code of their own for each kind.
macro_rules! with_rules {
    ($game:expr, $rules:ident => $body:expr) => {{
        let record = $game.record();
        match record.kind {
            $crate::record::RulesKind::One => {
                let $rules = $crate::rules::One(record);
                $body
            }
            $crate::record::RulesKind::Several => {
                let $rules = $crate::rules::Several(record);
                $body
            }
            $crate::record::RulesKind::Free => {
                let $rules = $crate::rules::Free(record);
                $body
            }
            $crate::record::RulesKind::Exploding => {
                let $rules = $crate::rules::Exploding(record);
                $body
            }
        }
    }};
}
pub(crate) use with_rules;

/// The rules of a game. Positions passed in have been checked by [`Rules::faults`], and moves
/// come from [`Rules::legal_moves`]. For others the answers are meaningless, but nothing may
/// panic as long as every piece stands on the board.
pub(crate) trait Rules: Copy {
    /// The record of the game.
    fn record(self) -> &'static Record;

    /// The pieces of a side that decide the game; in most games they may not be attacked after
    /// its move. They depend on the placement alone.
    fn royals(self, board: &Board, colour: Colour) -> SquareSet;

    /// Adds the moves but for passes to a list, and returns whether the mover is in check.
    fn add_moves(self, position: &Position, list: &mut MoveList) -> bool;

    /// Whether there is a legal move that is quick to find, passes apart. If not, there may be
    /// others.
    fn has_quick_move(self, position: &Position) -> bool;

    /// The tables of the board.
    #[inline]
    fn reach(self) -> &'static Reach {
        self.record().reach
    }

    /// The attacks of a side's pieces.
    #[inline]
    fn powers(self, board: &Board, colour: Colour) -> Powers<'_> {
        self.record().powers_of(board, colour)
    }

    /// Reports every reason, except for the e.p. square, why a placement is not a position
    /// of the game. All pieces are of the game's types and stand on its board.
    #[inline]
    fn faults(self, board: &Board, turn: Colour, report: &mut dyn FnMut(Fault)) {
        let record = self.record();
        report_stranded_pawns(record, board, report);
        for colour in Colour::BOTH {
            let (fewest, most) = record.kings[colour.index()];
            let king = Piece::new(colour, PieceType::King);
            let squares = board.of(king);
            if squares.len() < fewest {
                report(Fault::NoKing(colour));
            } else if let (0, Some(square)) = (most, squares.first()) {
                report(Fault::ForeignPiece {
                    piece: king,
                    square,
                });
            } else if squares.len() > most {
                report(Fault::ManyKings { colour, squares });
            } else if fewest == 0 && board.by(colour).is_empty() {
                // Without pieces there is nothing to play for (E1).
                report(Fault::NoPieces(colour));
            } else if record
                .lacks_royal_type(|piece_type| board.of(Piece::new(colour, piece_type)).len())
            {
                report(Fault::NoRoyal(colour));
            }
        }
        if record.goal.check_forbids_moves() {
            let colour = turn.other();
            let royals = self.attacked_royals(board, colour);
            if !royals.is_empty() {
                report(Fault::OppositeCheck { colour, royals });
            }
        }
        if record.keys.no_checks {
            let (colour, royals) = (turn, self.attacked_royals(board, turn));
            if !royals.is_empty() {
                report(Fault::ForbiddenCheck { colour, royals });
            }
        }
        if let Goal::Reach(destination) = record.goal
            && !destination.lingers()
            && !(destination.reply && turn == Colour::White)
        {
            for square in destination.arrived(board, turn) {
                report(Fault::OverBefore(square));
            }
        }
    }

    /// The royal pieces of a side that are attacked.
    #[inline]
    fn attacked_royals(self, board: &Board, colour: Colour) -> SquareSet {
        let enemy = self.powers(board, colour.other());
        let occupied = board.occupied();
        let mut attacked = SquareSet::EMPTY;
        for royal in self.royals(board, colour) {
            if !enemy.attackers(self.reach(), royal, occupied).is_empty() {
                attacked.insert(royal);
            }
        }
        attacked
    }

    /// The squares on which the royal piece of a side is never attacked.
    #[inline]
    fn never_attacked(self, _: &Board, _: Colour) -> SquareSet {
        SquareSet::EMPTY
    }

    /// The pieces after a move.
    #[inline]
    fn after(self, position: &Position, mv: Move) -> Board {
        moved_pieces(&position.board, position.turn, mv)
    }

    /// Whether a move leaves no royal piece of the mover attacked, and gives no check where that
    /// is forbidden (R1).
    #[inline]
    fn is_allowed(self, position: &Position, mv: Move) -> bool {
        self.is_safe(position, mv)
            && !(self.record().keys.no_checks
                && self.in_check(&self.after(position, mv), position.turn.other()))
    }

    /// Takes the pieces off the board that a move has blown up, once it is made.
    #[inline]
    fn explode(self, _: Move, _: &mut Position) {}

    /// Whether a side is in check, whoever is to move: one of its royal pieces is attacked.
    /// False if it has none.
    #[inline]
    fn in_check(self, board: &Board, colour: Colour) -> bool {
        !self.attacked_royals(board, colour).is_empty()
    }

    /// Adds the moves but for passes to a list, but none that gives check where that is forbidden
    /// (R1), and returns whether the mover is in check.
    #[inline]
    fn add_allowed(self, position: &Position, list: &mut MoveList) -> bool {
        let in_check = self.add_moves(position, list);
        if self.record().keys.no_checks {
            let enemy = position.turn.other();
            list.retain(|mv| !self.in_check(&self.after(position, mv), enemy));
        }
        in_check
    }

    /// Adds all legal moves to a list; none if the game has ended.
    #[inline]
    fn legal_moves(self, position: &Position, list: &mut MoveList) {
        if VitalityRules::is_exhausted(position) || self.finished(position).is_some() {
            return;
        }
        let in_check = self.add_allowed(position, list);
        let must_capture = self.record().keys.must_capture && list.iter().any(|mv| mv.is_capture());
        if must_capture {
            list.retain(Move::is_capture);
        }
        let passes = match self.record().keys.pass {
            Pass::Off => false,
            Pass::UnlessInCheck | Pass::Always => !in_check && !must_capture,
            Pass::WhenStuck => !in_check && list.is_empty(),
        };
        if passes {
            let own = position.board.by(position.turn);
            let king = position
                .board
                .of(Piece::new(position.turn, PieceType::King));
            let place = king.first().or(own.first());
            list.push(Move::pass(place.unwrap_or_default()));
        }
    }

    /// Whether the game certainly goes on.
    #[inline]
    fn goes_on(self, position: &Position) -> bool {
        if VitalityRules::is_exhausted(position)
            || self.finished(position).is_some()
            || self.record().keys.no_checks
        {
            return false;
        }
        let passes = match self.record().keys.pass {
            Pass::Off | Pass::WhenStuck => false,
            Pass::UnlessInCheck | Pass::Always => !self.in_check(&position.board, position.turn),
        };
        passes || self.has_quick_move(position)
    }

    /// The right to capture en passant on a square, which is on the board, of the pawn on `pawn` or,
    /// if it is not told, of the only one that can be meant.
    ///
    /// # Errors
    /// The fault of the square, if it is impossible.
    fn ep_right(
        self,
        board: &Board,
        turn: Colour,
        passed: Square,
        pawn: Option<Square>,
    ) -> Result<EpRight, EpFault> {
        let geometry = self.reach().geometry();
        let sign = if turn == Colour::Black { 1 } else { -1 };
        let (mut found, mut why) = (None, pawn.map_or(EpFault::Rank, EpFault::Elsewhere));
        for &(files, ranks) in self.record().keys.pawn.doubled() {
            let beside = |by: i8| geometry.offset(passed, by * files, by * ranks);
            let (Some(origin), Some(arrival)) = (beside(-sign), beside(sign)) else {
                continue;
            };
            if pawn.is_some_and(|pawn| pawn != arrival) {
                continue;
            }
            match (self.ep_fault(board, turn, passed, [origin, arrival]), found) {
                (Some(fault), _) => why = fault,
                (None, Some(_)) => return Err(EpFault::Several),
                (None, None) => {
                    found = Some(EpRight {
                        passed,
                        pawn: arrival,
                    });
                }
            }
        }
        found.ok_or(why)
    }

    /// The fault of an e.p. square that a pawn would have passed over from one square to another.
    fn ep_fault(
        self,
        board: &Board,
        turn: Colour,
        ep: Square,
        [origin, arrival]: [Square; 2],
    ) -> Option<EpFault> {
        let (record, pusher) = (self.record(), turn.other());
        let own = board.by(pusher);
        let is_last = record.last_rank(pusher).contains(arrival);
        let pawn = (own & board.piece_type(PieceType::Pawn)).contains(arrival);
        let promoted = || {
            let mut types = record.promotions[pusher.index()].iter();
            types.any(|&piece_type| (own & board.piece_type(piece_type)).contains(arrival))
        };
        if !record.ep_steps[pusher.index()].contains(origin) {
            Some(EpFault::Rank)
        } else if board.occupied().contains(ep) {
            Some(EpFault::Occupied)
        } else if board.occupied().contains(origin) {
            Some(EpFault::Origin(origin))
        } else if !pawn && !is_last {
            Some(EpFault::NoPusher(arrival))
        } else if !(pawn || record.pawns.promote_on_arrival && promoted()) {
            Some(EpFault::NoArrival(arrival))
        } else if self.may_not_step(board, pusher, ep) {
            Some(EpFault::OnlyPawn(arrival))
        } else {
            None
        }
    }

    /// Whether a side's only pawn is royal and may not make a double step over a square,
    /// because it could be taken there (E3).
    #[inline]
    fn may_not_step(self, board: &Board, pusher: Colour, passed: Square) -> bool {
        let takers = board.of(Piece::new(pusher.other(), PieceType::Pawn));
        self.record().keys.en_passant != EnPassant::Off
            && has_royal_pawn(self.record(), board, pusher)
            && !(self.reach().pawn_takers(pusher.other(), passed) & takers).is_empty()
    }

    /// Whether the position's e.p. square counts (O2); true if it has none. With vitality,
    /// and where check forbids nothing or every type may be royal, a piece need only stand so
    /// as to capture.
    #[inline]
    fn ep_counts(self, position: &Position) -> bool {
        let Some(ep) = position.ep else { return true };
        let record = self.record();
        if self.finished(position).is_some() {
            return false;
        }
        let view = View::new(self.reach(), position);
        let takers = self.ep_takers(&view, ep);
        let vitality = record.vitality.as_ref();
        let royalty = record.royalty[position.turn.index()];
        let stands = vitality.is_some_and(VitalityRules::standing_counts)
            || matches!(royalty, Royalty::OnlyOfType | Royalty::None);
        match stands {
            true => !takers.is_empty(),
            false => takers
                .filter_map(|from| view.ep_capture(from, ep))
                .any(|mv| self.is_allowed(position, mv)),
        }
    }

    /// The pieces of the side to move that stand so as to capture en passant (O2, C6).
    #[inline]
    fn ep_takers(self, view: &View, ep: EpRight) -> SquareSet {
        let record = self.record();
        match record.keys.en_passant {
            EnPassant::Pawns => view.ep_pawns(ep.passed) - record.waiting(view.board, view.turn),
            EnPassant::All => {
                let mut occupied = view.occupied;
                if record.keys.vacates {
                    occupied -= SquareSet::of(ep.pawn);
                }
                let powers = self.powers(view.board, view.turn);
                powers.attackers(view.reach, ep.passed, occupied)
            }
            EnPassant::Off => SquareSet::EMPTY,
        }
    }

    /// Adds the captures en passant, legal or not. A waiting pawn captures as each piece that
    /// it may become and that reaches the square.
    #[inline]
    fn ep_captures(self, view: &View, ep: EpRight, mut add: impl FnMut(Move)) {
        let record = self.record();
        let waiting = record.waiting(view.board, view.turn);
        for from in self.ep_takers(view, ep) {
            let Some(mv) = view.ep_capture(from, ep) else {
                continue;
            };
            if !waiting.contains(from) {
                add(mv);
                continue;
            }
            for &piece_type in &record.promotions[view.turn.index()] {
                let piece = Piece::new(view.turn, piece_type);
                let [_, takes] = record.reach_as(view.board, piece, from, view.occupied);
                if takes.contains(ep.passed) {
                    add(Move {
                        promotion: Some(piece_type),
                        ..mv
                    });
                }
            }
        }
    }

    /// Adds castling without rights (C7), legal or not.
    #[inline]
    fn castles(self, view: &View, mut add: impl FnMut(Move)) {
        let record = self.record();
        if !record.castles_along_first_rank() {
            return;
        }
        for king in view.mine(PieceType::King) & record.first_rank(view.turn) {
            for partner in partners(record, view, king) {
                add(Move {
                    from: king,
                    to: partner,
                    piece: PieceType::King,
                    promotion: None,
                    captured: None,
                    kind: MoveKind::Castling,
                });
            }
        }
    }

    /// Adds all pseudo-legal moves but captures en passant, whatever they leave attacked. The
    /// king moves to `steps`, other pieces within what `allowed` says of their square.
    #[inline]
    fn add_pseudo_legal(
        self,
        view: &View,
        position: &Position,
        promotions: &[PieceType],
        allowed: impl Fn(PieceType, Square) -> SquareSet,
        list: &mut MoveList,
    ) {
        let record = self.record();
        let powers = self.powers(view.board, view.turn);
        for &piece_type in &record.piece_types {
            if piece_type == PieceType::Pawn {
                continue;
            }
            for from in view.mine(piece_type) {
                let targets = powers.targets(view.reach, from, view.occupied);
                view.go(piece_type, from, targets & allowed(piece_type, from), list);
            }
        }
        let waiting = record.waiting(view.board, view.turn);
        for from in view.mine(PieceType::Pawn) - waiting {
            view.go_pawn(
                record,
                from,
                allowed(PieceType::Pawn, from),
                promotions,
                list,
            );
        }
        for from in waiting {
            for &piece_type in &record.promotions[view.turn.index()] {
                let piece = Piece::new(view.turn, piece_type);
                let [targets, _] = record.reach_as(view.board, piece, from, view.occupied);
                view.go_deferred(from, piece_type, targets & allowed(piece_type, from), list);
            }
        }
        if let (false, Some(castling)) = (position.castling.is_empty(), &record.castling) {
            let royals = self.royals(view.board, view.turn);
            let enemy = self.powers(view.board, view.turn.other());
            let against = (&enemy, self.never_attacked(view.board, view.turn));
            castling::add_moves(castling, view, position.castling, royals, against, list);
        }
    }

    /// Whether a move leaves no royal piece of the mover attacked.
    #[inline]
    fn is_safe(self, position: &Position, mv: Move) -> bool {
        let (board, turn) = (&position.board, position.turn);
        // The other side's pieces keep the powers that they had before the move (K2): no move
        // captures a royal piece, so none of them becomes royal.
        let mut enemy = self.powers(board, turn.other());
        if let Some(taken) = mv.captured {
            enemy = enemy.without(SquareSet::of(taken));
        }
        let after = moved_pieces(board, turn, mv);
        let occupied = after.occupied();
        let mut royals = self.royals(&after, turn);
        royals.all(|royal| enemy.attackers(self.reach(), royal, occupied).is_empty())
    }

    /// Completes a legal move. `after` is the position after it, as far as all games
    /// agree; it gets an e.p. square if that counts, and whatever else the game tracks.
    #[inline]
    fn settle(self, before: &Position, mv: Move, after: &mut Position) {
        let record = self.record();
        self.explode(mv, after);
        if record.keys.checks > 0
            && let Some(left) = before.counters
            && self.in_check(&after.board, after.turn)
        {
            let mover = before.turn;
            after.counters = Some(left.with(mover, left.of(mover).saturating_sub(1)));
        }
        if mv.kind == MoveKind::DoubleStep && record.ep_steps[before.turn.index()].contains(mv.from)
        {
            let passed = self.reach().between(mv.from, mv.to).first();
            after.ep = passed.map(|passed| EpRight {
                passed,
                pawn: mv.to,
            });
            if !self.ep_counts(after) {
                after.ep = None;
            }
        }
        if let Some(rules) = &record.vitality {
            let vitality = before.counters.unwrap_or(rules.full());
            let toll = rules.toll(before, mv);
            after.counters = Some(rules.charge(vitality, before.turn, toll));
        }
        if record.keys.extinct != Outcome::Off {
            after.extinct = match record.keys.explodes {
                false => loser_by_extinction(record, before, mv),
                true => record.loser_by_explosion(
                    before.turn,
                    |piece| before.board.of(piece).len(),
                    |piece| after.board.of(piece).len(),
                ),
            };
        }
    }

    /// See [`Position::finished`].
    #[inline]
    fn finished(self, position: &Position) -> Option<End> {
        if self.record().ends_by_moves_alone {
            return None;
        }
        // A lost type comes before squares to reach (E6).
        if let Some(loser) = position.extinct {
            return Some(End::Extinction {
                winner: loser.other(),
            });
        }
        // And so does what an explosion takes (D14).
        if self.record().keys.explodes
            && let Some(end) = self.end_by_loss(position)
        {
            return Some(end);
        }
        let board = &position.board;
        let finished = match self.record().goal {
            Goal::Mate | Goal::Extinction => None,
            Goal::Reach(destination) if destination.reply => {
                let arrived = Colour::BOTH.map(|side| !destination.arrived(board, side).is_empty());
                match (arrived, position.turn) {
                    ([false, false], _) => None,
                    ([true, true], _) => Some(End::HillShared),
                    ([true, false], Colour::White) => Some(End::HillUnanswered),
                    ([false, true], _) => Some(End::Hill),
                    ([true, false], Colour::Black) => {
                        let mut replies = MoveList::new();
                        self.add_allowed(position, &mut replies);
                        let gets_there = |&mv: &Move| {
                            let after = self.after(position, mv);
                            !destination.arrived(&after, Colour::Black).is_empty()
                        };
                        (!replies.iter().any(gets_there)).then_some(End::Hill)
                    }
                }
            }
            Goal::Reach(destination) if destination.lingers() => {
                let stays = destination.stays;
                let [mine, theirs] = [position.turn, position.turn.other()]
                    .map(|side| destination.arrived(board, side));
                let is_safe =
                    |arrived, side| self.are_safe(board, arrived, destination.count, side);
                let mine = !mine.is_empty() && (stays || is_safe(mine, position.turn));
                let theirs = destination.safe
                    && !theirs.is_empty()
                    && is_safe(theirs, position.turn.other());
                match (mine, theirs) {
                    (false, false) => None,
                    (true, true) if !stays => Some(End::HillShared),
                    (true, _) => Some(End::HillUnanswered),
                    (false, true) => Some(End::Hill),
                }
            }
            Goal::Reach(destination) => {
                let arrived = destination.arrived(board, position.turn.other());
                (!arrived.is_empty()).then_some(End::Hill)
            }
            Goal::KingCapture(in_check) => {
                if !self.royals(board, position.turn).is_empty() {
                    return None;
                }
                Some(match in_check {
                    CaptureInCheck::Draw if self.in_check(board, position.turn.other()) => {
                        End::KingCaptureDraw
                    }
                    CaptureInCheck::Loss if self.in_check(board, position.turn.other()) => {
                        End::KingCaptureLoss
                    }
                    _ => End::KingCapture,
                })
            }
        };
        let finished = finished.or_else(|| self.end_by_loss(position));
        let finished = match self.record().keys.bare {
            Bare::Off => finished,
            bare => finished.or_else(|| self.end_by_baring(position, bare)),
        };
        match self.record().keys.checks {
            0 => finished,
            _ => finished.or_else(|| end_by_checks(position)),
        }
    }

    /// Whether enough of the pieces of a side that have arrived will still be there after the next
    /// move: there are more than it takes, or none of them is attacked (D13).
    fn are_safe(self, board: &Board, arrived: SquareSet, count: usize, side: Colour) -> bool {
        let (enemy, occupied) = (self.powers(board, side.other()), board.occupied());
        let mut squares = arrived;
        arrived.len() > count
            || !squares.any(|square| !enemy.attackers(self.reach(), square, occupied).is_empty())
    }

    /// The end of the game if a side has a single piece left; `None` while it may answer (S2,
    /// D10).
    #[cold]
    fn end_by_baring(self, position: &Position, bare: Bare) -> Option<End> {
        let (board, turn) = (&position.board, position.turn);
        let [mine, theirs] = [turn, turn.other()].map(|side| board.by(side).len());
        let winner = match (mine, theirs) {
            (1, 1) => None,
            (1, 2) if bare == Bare::LossUnlessAnswered => return None,
            (1, _) => Some(turn.other()),
            (_, 1) => Some(turn),
            _ => return None,
        };
        let winner = match bare {
            Bare::Win => winner.map(Colour::other),
            Bare::Off | Bare::Loss | Bare::LossUnlessAnswered => winner,
        };
        Some(End::Bare { winner })
    }

    /// The end of the game if the side to move has lost its last piece, or its royal one has
    /// exploded.
    #[inline]
    fn end_by_loss(self, position: &Position) -> Option<End> {
        let turn = position.turn;
        let lost = position.board.by(turn).is_empty();
        lost.then(|| self.record().end_without_pieces(turn))
    }

    /// The end of the game in a position with these legal moves.
    fn end(self, position: &Position, moves: &[Move]) -> Option<End> {
        let record = self.record();
        let first = record
            .vitality
            .as_ref()
            .is_none_or(VitalityRules::mate_comes_first);
        let finished = self.finished(position);
        let finished = finished.filter(|_| first || !VitalityRules::is_exhausted(position));
        if finished.is_some() || !moves.is_empty() {
            return finished;
        }
        let in_check = || self.in_check(&position.board, position.turn);
        if VitalityRules::is_exhausted(position) {
            // A game that ended by exhaustion has no moves either, so they are generated
            // again as if it went on: mate comes first (H6).
            let mut evasions = MoveList::new();
            let in_check = self.add_moves(position, &mut evasions);
            return Some(match first && in_check && evasions.is_empty() {
                true => End::Checkmate,
                false => End::Exhaustion,
            });
        }
        Some(match record.goal.check_forbids_moves() && in_check() {
            true => record.checkmate(),
            false => {
                let men = Colour::BOTH.map(|side| position.board.by(side).len());
                record.stalemate(position.turn, men)
            }
        })
    }
}

impl Rules for One {
    #[inline]
    fn record(self) -> &'static Record {
        self.0
    }

    #[inline]
    fn royals(self, board: &Board, colour: Colour) -> SquareSet {
        board.of(Piece::new(colour, PieceType::King))
    }

    #[inline]
    fn add_moves(self, position: &Position, list: &mut MoveList) -> bool {
        let view = View::of_list(self.reach(), position, list);
        let (reach, occupied) = (view.reach, view.occupied);
        let king = view.mine(PieceType::King).first();
        let enemy = self.powers(view.board, view.turn.other());
        // The king is removed, so that it cannot hide behind itself.
        let attacked = enemy.attacked(
            reach,
            occupied - king.map_or(SquareSet::EMPTY, SquareSet::of),
        );
        let in_check = king.is_some_and(|king| attacked.contains(king));
        let promotions = &self.0.promotions[position.turn.index()];
        match king {
            Some(king) if enemy.other.is_empty() => {
                let guard = Guard::new(reach, king, in_check, view.own, &enemy, occupied);
                let allowed = |piece_type, from| match piece_type {
                    PieceType::King => !attacked,
                    _ => guard.allowed(reach, from),
                };
                self.add_pseudo_legal(&view, position, promotions, allowed, list);
            }
            // Without a king, all moves are safe.
            _ => {
                let all = |_, _| !SquareSet::EMPTY;
                self.add_pseudo_legal(&view, position, promotions, all, list);
                list.retain(|mv| self.is_safe(position, mv));
            }
        }
        self.castles(&view, |mv| {
            if self.is_safe(position, mv) {
                list.push(mv);
            }
        });
        // A capture removes two pieces from their lines at once, so each is tried.
        if let Some(ep) = position.ep {
            self.ep_captures(&view, ep, |mv| {
                if self.is_safe(position, mv) {
                    list.push(mv);
                }
            });
        }
        in_check
    }

    /// A step of the king to an empty square. A capture would take an attacker away.
    #[inline]
    fn has_quick_move(self, position: &Position) -> bool {
        let view = View::new(self.reach(), position);
        let Some(king) = view.mine(PieceType::King).first() else {
            return false;
        };
        let enemy = self.powers(view.board, view.turn.other());
        let powers = self.powers(view.board, view.turn);
        let occupied = view.occupied - SquareSet::of(king);
        let is_safe = |to| enemy.attackers(view.reach, to, occupied).is_empty();
        let mut steps = powers.targets(view.reach, king, view.occupied) - view.occupied;
        steps.any(is_safe)
    }
}

impl Rules for Several {
    #[inline]
    fn record(self) -> &'static Record {
        self.0
    }

    #[inline]
    fn royals(self, board: &Board, colour: Colour) -> SquareSet {
        match self.0.royalty[colour.index()] {
            Royalty::FirstKing(order) => {
                let kings = board.of(Piece::new(colour, PieceType::King));
                let first = self.0.first_king(order, colour, kings);
                first.into_iter().collect()
            }
            _ => last_ones(self.0, board, colour),
        }
    }

    #[inline]
    fn powers(self, board: &Board, colour: Colour) -> Powers<'_> {
        let mut powers = self.0.powers_of(board, colour);
        let royalty = self.0.royalty[colour.index()];
        if let (Royalty::FirstKing(_), Some(spare)) = (royalty, &self.0.spare) {
            let kings = board.of(Piece::new(colour, PieceType::King));
            let others = kings - self.royals(board, colour);
            powers.change(others, spare);
        }
        powers
    }

    /// The last pawn of a side may not promote where its type would be gone (E2), and may not
    /// step to where it can be taken en passant (E3).
    #[inline]
    fn add_moves(self, position: &Position, list: &mut MoveList) -> bool {
        let view = View::of_list(self.reach(), position, list);
        let is_bound = has_royal_pawn(self.0, view.board, view.turn);
        let promotions: &[PieceType] = match is_bound {
            true => &[],
            false => &self.0.promotions[position.turn.index()],
        };
        let all = |_, _| !SquareSet::EMPTY;
        self.add_pseudo_legal(&view, position, promotions, all, list);
        self.castles(&view, |mv| list.push(mv));
        if let Some(ep) = position.ep {
            self.ep_captures(&view, ep, |mv| list.push(mv));
        }
        list.retain(|mv| self.is_safe(position, mv));
        if is_bound {
            list.retain(|mv| {
                let passed = self.reach().between(mv.from, mv.to).first();
                mv.kind != MoveKind::DoubleStep
                    || passed.is_none_or(|p| !self.may_not_step(view.board, view.turn, p))
            });
        }
        self.0.keys.pass != Pass::Off && self.in_check(view.board, view.turn)
    }

    /// Whether there is a move that does not promote. A last pawn has none here, as it may not do
    /// all that others may.
    #[inline]
    fn has_quick_move(self, position: &Position) -> bool {
        if has_royal_pawn(self.0, &position.board, position.turn) {
            return false;
        }
        let mut list = MoveList::new();
        let view = View::of_list(self.reach(), position, &list);
        let all = |_, _| !SquareSet::EMPTY;
        self.add_pseudo_legal(&view, position, &[], all, &mut list);
        if let Some(ep) = position.ep {
            self.ep_captures(&view, ep, |mv| list.push(mv));
        }
        list.iter().any(|&mv| self.is_safe(position, mv))
    }
}

impl Rules for Free {
    #[inline]
    fn record(self) -> &'static Record {
        self.0
    }

    /// The king that can be captured (C2); none in other games.
    #[inline]
    fn royals(self, board: &Board, colour: Colour) -> SquareSet {
        match self.0.goal {
            Goal::KingCapture(_) => board.of(Piece::new(colour, PieceType::King)),
            _ => SquareSet::EMPTY,
        }
    }

    #[inline]
    fn add_moves(self, position: &Position, list: &mut MoveList) -> bool {
        let view = View::of_list(self.reach(), position, list);
        let all = |piece_type, _| !view.immune(self.0, piece_type);
        let promotions = &self.0.promotions[position.turn.index()];
        self.add_pseudo_legal(&view, position, promotions, all, list);
        self.castles(&view, |mv| list.push(mv));
        if let Some(ep) = position.ep {
            self.ep_captures(&view, ep, |mv| list.push(mv));
        }
        if self.0.goal == Goal::KingCapture(CaptureInCheck::Illegal) {
            let kings = self.royals(view.board, view.turn.other());
            list.retain(|mv| {
                let takes_king = mv.captured.is_some_and(|square| kings.contains(square));
                !takes_king || self.is_safe(position, mv)
            });
        }
        self.0.keys.pass != Pass::Off && self.in_check(view.board, view.turn)
    }

    /// A step of the king to an empty square, which may leave it under attack (C1).
    #[inline]
    fn has_quick_move(self, position: &Position) -> bool {
        let view = View::new(self.reach(), position);
        let powers = self.powers(view.board, view.turn);
        let mut kings = view.mine(PieceType::King);
        let targets = |king| powers.targets(view.reach, king, view.occupied) - view.occupied;
        kings.any(|king| !targets(king).is_empty())
    }
}

/// The end of the game if the side that has just moved has given its last check (V1).
#[cold]
fn end_by_checks(position: &Position) -> Option<End> {
    let left = position.counters?.of(position.turn.other());
    (left == 0).then_some(End::Checks)
}

/// The pieces of the mover with which the king on `king`, on its first rank, may castle: the
/// nearest on either side, if that is its own (C7); with `past_men` each, if the square beside the
/// king is empty or the partner's.
#[inline]
fn partners(record: &Record, view: &View, king: Square) -> SquareSet {
    let pieces = record.first_rank(view.turn) & view.occupied;
    let left = SquareSet((1 << king.0) - 1);
    let right = SquareSet(!1 << king.0);
    let mut partners = SquareSet::EMPTY;
    for (side, nearest, step) in [
        (left, (pieces & left).last(), -1),
        (right, (pieces & right).first(), 1),
    ] {
        let Some(nearest) = nearest else { continue };
        let beside = view.reach.geometry().offset(king, step, 0);
        partners |= match record.keys.past_men && beside != Some(nearest) {
            true => pieces & side,
            false => SquareSet::of(nearest),
        };
    }
    partners & view.own
}

/// Whether a side's only pawn is royal (E2).
#[inline]
fn has_royal_pawn(record: &Record, board: &Board, colour: Colour) -> bool {
    record.royal_types.contains(&PieceType::Pawn)
        && board.of(Piece::new(colour, PieceType::Pawn)).len() == 1
}

/// The pieces of a side that are royal as the last of their types (E2).
#[inline]
fn last_ones(record: &Record, board: &Board, colour: Colour) -> SquareSet {
    let mut last = SquareSet::EMPTY;
    for &piece_type in &record.royal_types {
        let pieces = board.of(Piece::new(colour, piece_type));
        if pieces.len() <= usize::from(record.keys.royal_at_most) {
            last |= pieces;
        }
    }
    last
}

/// The side that loses the game by a move after which a side has no piece of a type any more.
/// Capturing the last piece of a type wins, even by a move that promotes the last pawn; otherwise
/// promoting the last pawn loses (E6). Where it is good to lose the last of a type, promoting the
/// last pawn wins, even by such a capture.
#[inline]
fn loser_by_extinction(record: &Record, before: &Position, mv: Move) -> Option<Colour> {
    let (mover, enemy) = (before.turn, before.turn.other());
    let last = 1 + usize::from(record.keys.extinct_count);
    let decides = |colour, piece_type: PieceType| {
        record.extinct_types[piece_type.index()]
            && before.board.of(Piece::new(colour, piece_type)).len() == last
    };
    let taken = mv
        .captured
        .and_then(|square| before.board.piece_type_at(square));
    let takes = taken.is_some_and(|piece_type| decides(enemy, piece_type));
    let promotes = mv.promotion.is_some() && decides(mover, PieceType::Pawn);
    match (record.keys.extinct, takes, promotes) {
        (_, false, false) => None,
        (Outcome::Win, _, true) | (Outcome::Loss | Outcome::Off, true, _) => Some(enemy),
        (Outcome::Win, true, false) | (Outcome::Loss | Outcome::Off, false, true) => Some(mover),
    }
}

/// Reports pawns on ranks where none can stand.
#[inline]
fn report_stranded_pawns(record: &Record, board: &Board, report: &mut dyn FnMut(Fault)) {
    let pawns = board.piece_type(PieceType::Pawn);
    let (mut stranded, mut beyond) = (SquareSet::EMPTY, SquareSet::EMPTY);
    for colour in Colour::BOTH {
        let own = (pawns & board.by(colour)) - record.pawn_squares[colour.index()];
        stranded |= own;
        beyond |= own & record.last_rank(colour);
    }
    if stranded.is_empty() {
        return;
    }
    let ends = record.first_rank(Colour::White) | record.first_rank(Colour::Black);
    let on_squares = record.pawns.on_squares;
    let (at_ends, beyond) = match on_squares {
        true => ((stranded & ends) - beyond, beyond),
        false => (stranded & ends, beyond - ends),
    };
    let behind = stranded - at_ends - beyond;
    if !at_ends.is_empty() {
        report(match record.pawns.stay || on_squares {
            true => Fault::PawnHome(at_ends),
            false => Fault::PawnRank(at_ends),
        });
    }
    if !beyond.is_empty() {
        report(Fault::PawnBeyond(beyond));
    }
    if !behind.is_empty() {
        report(Fault::PawnBehind(behind));
    }
}
