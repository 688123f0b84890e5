//! Handles of game records, with the questions that the rest of the program asks about a game.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::ptr;

use crate::betza::Mover;
use crate::board::Board;
use crate::definition::GameOption;
use crate::features::{BareKings, End, Goal, KingOrder, LastOfType, Pawns, Royalty};
use crate::geometry::Geometry;
use crate::keys::{Bare, Checkmate, EnPassant, Outcome, Pass, Stalemate};
use crate::piece::{Colour, Piece, PieceType};
use crate::record::{Record, steps_from_brink};
use crate::square::SquareSet;
use crate::vitality::{CounterRange, Counters, VitalityRules};

/// A game with its rule options: a handle that is as cheap as a number.
///
/// The games that are built in are written down like all others, in `games/*.toml`; further ones
/// come from [`Game::define`].
#[derive(Clone, Copy)]
pub struct Game(pub(crate) &'static Record);

/// Games of the same name and rules are equal, whatever their arrays.
impl PartialEq for Game {
    #[inline]
    fn eq(&self, other: &Game) -> bool {
        ptr::eq(self.0, other.0) || self.0.id == other.0.id && self.0.normal == other.0.normal
    }
}

impl Eq for Game {}

impl Hash for Game {
    #[inline]
    fn hash<H: Hasher>(&self, state: &mut H) {
        // Few games meet in one map.
        self.0.normal.len().hash(state);
    }
}

impl fmt::Debug for Game {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Game").field(&self.0.id).finish()
    }
}

/// The full id: see [`Game::id`].
impl fmt::Display for Game {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0.id)
    }
}

impl Game {
    /// The record.
    #[inline]
    pub(crate) fn record(self) -> &'static Record {
        self.0
    }

    /// The full id: options sorted, defaults dropped, or the name with a digest of the rules.
    pub fn id(self) -> String {
        self.0.id.clone()
    }

    /// The value that an option, one of [`Game::offers`], has in this game.
    pub fn value_of(self, option: &GameOption) -> String {
        let mut chosen = self.0.chosen.iter();
        let chosen = chosen.find(|(name, _)| *name == option.name);
        chosen.map_or_else(|| option.default.clone(), |(_, value)| value.clone())
    }

    /// The name without options.
    pub fn name(self) -> &'static str {
        &self.0.name
    }

    /// Whether the game is built in, with whatever options.
    pub fn is_built_in(self) -> bool {
        self.0.is_built_in
    }

    /// The definition as it is written; for a game that was read from a table, its normal form.
    pub fn definition(self) -> &'static str {
        match self.0.source.is_empty() {
            true => &self.0.normal,
            false => &self.0.source,
        }
    }

    /// The keys that tables depend on and that differ from their defaults, in TOML, sorted, a
    /// line each. Two games have the same tables if, and only if, this is the same.
    pub fn normal(self) -> &'static str {
        &self.0.normal
    }

    /// The game as TOML in full: every key with its value, a line each, sorted.
    pub fn in_full(self) -> String {
        let listed = self.0.keys.listed().into_iter();
        listed
            .map(|listed| format!("{} = {}\n", listed.key, listed.value))
            .collect()
    }

    /// The title, for people; the name if there is none.
    pub fn title(self) -> &'static str {
        self.0.texts.title.as_deref().unwrap_or(&self.0.name)
    }

    /// A few sentences on the game, for people.
    pub fn about(self) -> Option<&'static str> {
        self.0.texts.about.as_deref()
    }

    /// The inventor of the game, for people.
    pub fn author(self) -> Option<&'static str> {
        self.0.texts.author.as_deref()
    }

    /// The year of the game, for people.
    pub fn year(self) -> Option<i64> {
        self.0.texts.year
    }

    /// The address of a description of the game, for people.
    pub fn url(self) -> Option<&'static str> {
        self.0.texts.url.as_deref()
    }

    /// Names that other programs use in PGN and engine protocols for a game with the
    /// same rules: lower case, no spaces.
    pub fn other_names(self) -> &'static [String] {
        &self.0.texts.aliases
    }

    /// Whether the name of a variant, as other programs give it, means this game: its id, or its
    /// name in any spelling (`King of the Hill`), without the options.
    pub fn is_called(self, variant: &str) -> bool {
        let plain = |name: &str| -> String {
            let letters = name.chars().filter(char::is_ascii_alphanumeric);
            letters.map(|c| c.to_ascii_lowercase()).collect()
        };
        let found = plain(variant);
        variant == self.0.id || found == plain(self.name()) || self.0.texts.aliases.contains(&found)
    }

    /// The available options, sorted by name; [`Game::value_of`] tells which value each has in
    /// this game.
    pub fn offers(self) -> &'static [GameOption] {
        &self.0.offers
    }

    /// The revision of the rules that tables are made by. It is raised when a
    /// ruling changes, so that older files are refused.
    pub fn revision(self) -> u16 {
        self.0.revision
    }

    /// The number of plies within which a win must reach its next capture, pawn move or
    /// end: 100 under the fifty-move rule (O4); `None` in games without such a limit.
    pub fn zeroing_limit(self) -> Option<u32> {
        let limit = self.0.keys.no_progress;
        (limit > 0).then_some(limit.into())
    }

    /// The name of the rule behind [`Game::zeroing_limit`], for people; `None` in games without it.
    pub fn zeroing_rule(self) -> Option<String> {
        self.zeroing_limit().map(|limit| match limit {
            100 => "fifty-move rule".to_owned(),
            1 => "limit of 1 ply without progress".to_owned(),
            _ => format!("limit of {limit} plies without progress"),
        })
    }

    /// Whether the rules speak of dead positions (O5): see [`Position::dead`].
    ///
    /// [`Position::dead`]: crate::Position::dead
    pub fn has_dead_positions(self) -> bool {
        self.0.has_dead_positions
    }

    /// The board.
    #[inline]
    pub fn geometry(self) -> Geometry {
        self.0.geometry
    }

    /// The rank on which pawns start, counted from 0 on their own side; the nearer one if it is not
    /// the same for both sides. Unless [`Game::pawns`] says otherwise, they make double steps only
    /// from there. They never stand behind it.
    pub fn pawn_home(self) -> u8 {
        let [(white, _), (_, black)] = self.0.pawns.ranks;
        white.min(self.geometry().ranks - 1 - black)
    }

    /// Whether there is a hole right behind a square on the first rank of pawns from which they step
    /// twice.
    pub fn steps_from_brink(self) -> bool {
        let ranks = self.geometry().ranks;
        let [(white, _), (_, black)] = self.0.pawns.ranks;
        steps_from_brink(self.geometry(), [white, ranks - 1 - black])
    }

    /// The piece types, in the order of material names.
    #[inline]
    pub fn piece_types(self) -> &'static [PieceType] {
        &self.0.piece_types
    }

    /// The moves of the pieces of a type, pawns apart.
    #[inline]
    pub fn mover(self, piece_type: PieceType) -> Mover {
        self.0.movers[piece_type.index()]
    }

    /// The moves of pawns, double steps and captures en passant apart.
    pub fn pawn_mover(self) -> Mover {
        self.0.keys.pawn
    }

    /// Whether pawns move as in orthodox chess, double steps apart.
    pub fn has_usual_pawns(self) -> bool {
        !self.0.keys.moves_pawns()
    }

    /// Whether double steps go aslant, so that it takes two squares to tell a right to capture en
    /// passant: see [`Setup::ep_pawn`](crate::Setup::ep_pawn).
    pub fn steps_aslant(self) -> bool {
        self.0.keys.moves_pawns() && self.0.keys.pawn.doubled() != [(0, 1)]
    }

    /// Whether each pawn move takes the pawn ahead, so that no position comes again after one.
    pub fn pawns_only_advance(self) -> bool {
        self.0.keys.pawn.only_advances()
    }

    /// The usual value of a piece, in pawns, for ordering and estimates. A piece that decides
    /// the game is worth more than any other.
    pub fn worth(self, piece_type: PieceType) -> u32 {
        match (piece_type, self.last_of_type(piece_type)) {
            (PieceType::King, LastOfType::Decides) => 12,
            (PieceType::Pawn, _) => 1,
            _ => self.mover(piece_type).worth(self.geometry()).max(1),
        }
    }

    /// The piece type of a capital letter; `None` if the game has none of that letter.
    pub fn piece_type_of(self, letter: char) -> Option<PieceType> {
        self.0.type_of(letter)
    }

    /// The piece of a letter in a FEN; `None` if the game has none of that letter.
    pub fn piece_of_letter(self, letter: char) -> Option<Piece> {
        self.piece_of(u8::try_from(letter).ok()?)
    }

    /// The piece of a letter in a FEN, as a byte.
    #[inline]
    pub(crate) fn piece_of(self, byte: u8) -> Option<Piece> {
        self.0.pieces.get(usize::from(byte)).copied().flatten()
    }

    /// The capital letter of a piece type; `?` if the game has no such piece.
    #[inline]
    pub fn letter(self, piece_type: PieceType) -> char {
        self.0.letters[piece_type.index()].unwrap_or('?')
    }

    /// The letter of a piece in a FEN: upper case for White, lower case for Black.
    #[inline]
    pub fn piece_letter(self, piece: Piece) -> char {
        let letter = self.letter(piece.piece_type);
        match piece.colour {
            Colour::White => letter,
            Colour::Black => letter.to_ascii_lowercase(),
        }
    }

    /// The name of a piece type, for people; its letter if it has none.
    pub fn piece_name(self, piece_type: PieceType) -> String {
        let letter = self.letter(piece_type);
        let named = self
            .0
            .texts
            .pieces
            .iter()
            .find(|(known, _)| *known == letter);
        match named {
            Some((_, name)) => name.clone(),
            None if piece_type.letter() == letter => piece_type.name().to_owned(),
            None => letter.to_string(),
        }
    }

    /// The letters of the piece types, in the order of material names: `KQRBNP`.
    pub fn letters(self) -> String {
        self.piece_types().iter().map(|&t| self.letter(t)).collect()
    }

    /// The fewest and the most kings that a side may have: 1 and 1 in
    /// orthodox chess.
    pub fn kings(self, side: Colour) -> (usize, usize) {
        self.0.kings[side.index()]
    }

    /// The piece types that a side's pawn may become, some only in some positions (E2).
    pub fn promotions(self, side: Colour) -> &'static [PieceType] {
        &self.0.promotions[side.index()]
    }

    /// The piece types that a pawn of either side may become.
    pub fn all_promotions(self) -> &'static [PieceType] {
        &self.0.all_promotions
    }

    /// The squares on which a side's pawns promote.
    pub fn promotion_squares(self, side: Colour) -> SquareSet {
        self.0.promotion_squares[side.index()]
    }

    /// The squares on which a side's pawns may stand.
    pub fn pawn_squares(self, side: Colour) -> SquareSet {
        self.0.pawn_squares[side.index()]
    }

    /// The royal pieces of a side: those that must not be attacked after its move.
    #[inline]
    pub fn royalty(self, side: Colour) -> Royalty {
        self.0.royalty[side.index()]
    }

    /// Whether a side may have no royal piece, so that check never forbids it a move.
    pub fn lacks_royals(self) -> bool {
        self.0.royalty.contains(&Royalty::None)
    }

    /// The order that tells which of several kings is royal (K1); `None` in most games.
    #[inline]
    pub fn king_order(self) -> Option<KingOrder> {
        match self.0.royalty {
            [Royalty::FirstKing(order), _] => Some(order),
            _ => None,
        }
    }

    /// Whether the placement decides which pieces are royal: in kings, wild 9 and
    /// extinction chess with mating rules. Elsewhere it is the one king of each side,
    /// or none.
    pub fn royals_vary(self) -> bool {
        self.0.royalty.iter().any(|royalty| match royalty {
            Royalty::King | Royalty::None => false,
            Royalty::FirstKing(_) | Royalty::OnlyOfType => true,
        })
    }

    /// The goal of the game.
    #[inline]
    pub fn goal(self) -> Goal {
        self.0.goal
    }

    /// The squares on which a piece wins the game by arriving (T1); none in most games.
    pub fn goal_squares(self, piece: Piece) -> SquareSet {
        match self.goal() {
            Goal::Reach(goal) => goal.squares_of(piece),
            _ => SquareSet::default(),
        }
    }

    /// The end of a game in which a side has no move, in check or not, given how many men White
    /// and Black have.
    pub fn end_without_moves(self, side: Colour, in_check: bool, men: [usize; 2]) -> End {
        match in_check && self.0.goal.check_forbids_moves() {
            true => self.0.checkmate(),
            false => self.0.stalemate(side, men),
        }
    }

    /// Whether a side may lose for want of moves though it is not in check.
    #[inline]
    pub fn stalemate_may_lose(self) -> bool {
        matches!(self.0.keys.stalemate, Stalemate::Loss | Stalemate::FewerMen)
    }

    /// Whether a side may win for want of moves, in check or not.
    #[inline]
    pub fn stuck_may_win(self) -> bool {
        let keys = &self.0.keys;
        matches!(keys.stalemate, Stalemate::Win | Stalemate::FewerMen)
            || keys.checkmate == Checkmate::Win && self.0.royalty != [Royalty::None; 2]
    }

    /// The value of being stripped to a single piece (S2, D10).
    #[inline]
    pub fn bare(self) -> Bare {
        self.0.keys.bare
    }

    /// Whether no move may give check (R1).
    #[inline]
    pub fn forbids_checks(self) -> bool {
        self.0.keys.no_checks
    }

    /// Whether Black may still reach its goal right after White, which is a draw (R2).
    #[inline]
    pub fn has_reply(self) -> bool {
        matches!(self.goal(), Goal::Reach(destination) if destination.reply)
    }

    /// Whether the game may go on although pieces have arrived where they win (D13, D14).
    #[inline]
    pub fn arrivals_linger(self) -> bool {
        matches!(self.goal(), Goal::Reach(destination) if destination.lingers())
    }

    /// Whether captures explode (M1).
    #[inline]
    pub fn explodes(self) -> bool {
        self.0.keys.explodes
    }

    /// Whether pieces of a type stay where they are if a capture explodes beside them (M1).
    #[inline]
    pub fn is_spared(self, piece_type: PieceType) -> bool {
        self.0.spared.contains(&piece_type)
    }

    /// Whether pieces of a type that capture outlive the explosion (D11).
    #[inline]
    pub fn survives_captures(self, piece_type: PieceType) -> bool {
        self.0.survivors.contains(&piece_type)
    }

    /// Whether pieces of a type do not capture each other (D17).
    #[inline]
    pub fn is_mutually_immune(self, piece_type: PieceType) -> bool {
        self.0.mutually_immune.contains(&piece_type)
    }

    /// Whether a side that can capture has to.
    #[inline]
    pub fn must_capture(self) -> bool {
        self.0.keys.must_capture
    }

    /// The meaning of losing a piece of a type of which its side has so many: that of losing the
    /// [last one](Game::last_of_type), unless a type counts as lost with some left (D3).
    pub fn one_of_type(self, piece_type: PieceType, count: usize) -> LastOfType {
        let (least, most) = match self.has_extinction() {
            true => (usize::from(self.0.keys.extinct_count) + 1, 1),
            false => (1, self.royal_at_most()),
        };
        match (least..=least.max(most)).contains(&count) {
            true => self.last_of_type(piece_type),
            false => LastOfType::Free,
        }
    }

    /// The types of which a side's last pieces are royal (E2, D18); empty in games in which other
    /// pieces are royal, or none.
    pub fn royal_types(self) -> &'static [PieceType] {
        &self.0.royal_types
    }

    /// How many pieces of one of the [royal types](Game::royal_types) a side has at most while they
    /// are royal (D18), from 1 to 9.
    pub fn royal_at_most(self) -> usize {
        self.0.keys.royal_at_most.into()
    }

    /// The meaning of a side's last piece of a type.
    pub fn last_of_type(self, piece_type: PieceType) -> LastOfType {
        let royalty = self.0.royalty;
        match self.goal() {
            Goal::KingCapture(_) if piece_type == PieceType::King => LastOfType::Decides,
            _ if self.0.extinct_types[piece_type.index()] => LastOfType::Decides,
            _ if royalty.contains(&Royalty::OnlyOfType) => {
                match self.0.royal_types.contains(&piece_type) {
                    true => LastOfType::Stays,
                    false => LastOfType::Free,
                }
            }
            _ if royalty != [Royalty::None; 2] && piece_type == PieceType::King => {
                LastOfType::Stays
            }
            _ => LastOfType::Free,
        }
    }

    /// The end of a game in which a side has lost its last piece, and is to move; `None` where a
    /// side never does.
    pub fn end_without_pieces(self, side: Colour) -> Option<End> {
        let is_possible =
            self.royalty(side) == Royalty::None && !matches!(self.goal(), Goal::KingCapture(_));
        is_possible.then(|| self.0.end_without_pieces(side))
    }

    /// Whether a side may lose its last piece of a type, which ends the game (E6).
    #[inline]
    pub fn has_extinction(self) -> bool {
        self.0.keys.extinct != Outcome::Off
    }

    /// Whether losing the last piece of a type wins, where it [decides](LastOfType::Decides) the
    /// game (E6).
    pub fn extinction_wins(self) -> bool {
        self.0.keys.extinct == Outcome::Win
    }

    /// The value of positions with two bare kings. A king never attacks another one that does
    /// not attack it, so they are drawn unless something else than mate decides; and orthodox
    /// kings always have a square that the other one does not attack.
    pub fn bare_kings(self) -> BareKings {
        let keys = &self.0.keys;
        let moves_end_in_draws = keys.stalemate == Stalemate::Draw || keys.bare != Bare::Off;
        match self.goal() {
            Goal::Mate if moves_end_in_draws && keys.vitality.is_none() && !self.lacks_royals() => {
                BareKings::Drawn
            }
            Goal::Extinction
                if keys.stalemate == Stalemate::Draw
                    && keys.bare == Bare::Off
                    && keys.extinct_count == 0
                    && !keys.explodes
                    && keys.extinct == Outcome::Loss
                    && self.mover(PieceType::King) == Mover::KING
                    && self.geometry().holes.is_empty()
                    && !self.is_mutually_immune(PieceType::King)
                    && self.last_of_type(PieceType::King) == LastOfType::Decides =>
            {
                BareKings::DrawnUnlessTaken
            }
            _ => BareKings::Table,
        }
    }

    /// The ranks from which a side's pawns make double steps, counted from 0 on their own side.
    pub fn double_step_ranks(self, side: Colour) -> impl Iterator<Item = u8> {
        self.own_ranks(side, self.0.double_steps[side.index()])
    }

    /// The ranks from which a side's double steps may be answered en passant (O2), counted from 0 on
    /// its own side.
    pub fn ep_step_ranks(self, side: Colour) -> impl Iterator<Item = u8> {
        self.own_ranks(side, self.0.ep_steps[side.index()])
    }

    /// The ranks with squares of a set, counted from 0 on a side.
    fn own_ranks(self, side: Colour, squares: SquareSet) -> impl Iterator<Item = u8> {
        let board = self.geometry();
        (0..board.ranks).filter(move |&rank| {
            let rank = match side {
                Colour::White => rank,
                Colour::Black => board.ranks - 1 - rank,
            };
            !(board.rank_squares(rank) & squares).is_empty()
        })
    }

    /// The rights of pawns.
    pub fn pawns(self) -> Pawns {
        self.0.pawns
    }

    /// The pieces that may capture en passant.
    pub fn ep_by(self) -> EnPassant {
        self.0.keys.en_passant
    }

    /// Whether an attack en passant is worked out with the square empty on which the pawn has
    /// arrived (C6).
    pub fn ep_vacates(self) -> bool {
        self.0.keys.vacates
    }

    /// The pawns of a side that wait on its last rank (C5): they attack as each piece that they
    /// may become, and move by turning into one.
    pub fn waiting(self, board: &Board, colour: Colour) -> SquareSet {
        self.0.waiting(board, colour)
    }

    /// Whether a king on its first rank castles with the nearest piece there, at any
    /// time and without rights, so that castling is part of the tables (C7).
    pub fn castles_along_first_rank(self) -> bool {
        self.0.castles_along_first_rank()
    }

    /// Whether such a king may castle with a piece that has others between them.
    pub fn castles_past_men(self) -> bool {
        self.0.keys.past_men
    }

    /// The rules of vitality (H3); `None` in games without it.
    #[inline]
    pub fn vitality(self) -> Option<&'static VitalityRules> {
        self.0.vitality.as_ref()
    }

    /// The vitality that both sides start with (H3); `None` in games without it.
    #[inline]
    pub fn full_vitality(self) -> Option<Counters> {
        self.vitality().map(VitalityRules::full)
    }

    /// The number of checks that win the game (V1); 0 in games in which checks are not counted.
    #[inline]
    pub fn checks(self) -> u8 {
        self.0.keys.checks
    }

    /// The range of the counters, be they vitality (H3) or checks still to be given (V1); `None` in
    /// games without any.
    #[inline]
    pub fn counters(self) -> Option<CounterRange> {
        match self.checks() {
            0 => self.vitality().map(VitalityRules::counters),
            checks => Some(CounterRange::up_to(checks)),
        }
    }

    /// The counters that a game starts with; `None` in games without any.
    #[inline]
    pub fn full_counters(self) -> Option<Counters> {
        self.counters().map(|counters| counters.full)
    }

    /// Whether a side may pass in some positions (H2).
    pub fn has_pass(self) -> bool {
        self.pass() != Pass::Off
    }

    /// The condition under which a side may pass.
    #[inline]
    pub fn pass(self) -> Pass {
        self.0.keys.pass
    }

    /// Whether the definition has an array.
    pub fn has_array(self) -> bool {
        self.0.keys.array.is_some()
    }
}
