//! Checks the keys of a definition, and makes the record of the game, which the rules read.
//!
//! Everything that asks about a game asks its record.

use std::cmp::Ordering;

use crate::betza::{Mover, Parts, Transforms};
use crate::board::Board;
use crate::castling::Castling;
use crate::definition::GameOption;
use crate::features::{Destination, End, Goal, KingOrder, Pawns, Royalty};
use crate::geometry::Geometry;
use crate::keys::{
    Bare, CastlingRule, Checkmate, DoubleStep, EnPassant, End as Low, Keys, Outcome, Pass,
    Promotion, ReachKeys, RoyalRule, Stalemate, mirrored,
};
use crate::piece::{Colour, Piece, PieceType};
use crate::powers::{OtherMoves, Powers};
use crate::reach::{PawnMoves, Reach};
use crate::square::{Square, SquareSet};
use crate::table::{DefinitionError, Entry, Place, Table, Value};
use crate::vitality::VitalityRules;

/// The texts of a definition that are for people.
#[derive(Debug, Default)]
pub(crate) struct Texts {
    pub(crate) title: Option<String>,
    pub(crate) author: Option<String>,
    pub(crate) year: Option<i64>,
    pub(crate) url: Option<String>,
    pub(crate) about: Option<String>,
    pub(crate) aliases: Vec<String>,
    /// The names of pieces by letter.
    pub(crate) pieces: Vec<(char, String)>,
}

impl Texts {
    /// Reads the texts of a table that are for people.
    pub(crate) fn read(table: &Table) -> Result<Texts, DefinitionError> {
        let text = |key: &str| table.text(key).map(str::to_owned);
        let mut texts = Texts {
            title: text("title"),
            author: text("author"),
            year: None,
            url: text("url"),
            about: text("about"),
            aliases: Vec::new(),
            pieces: Vec::new(),
        };
        for (key, Entry { value, place }) in &table.0 {
            let wrong = |what: &str| Err(place.fault(format!("{key} is {what}")));
            match (key.as_str(), value) {
                ("title" | "author" | "url" | "about", Value::Text(_)) => {}
                ("title" | "author" | "url" | "about", _) => return wrong("a text"),
                ("year", Value::Number(year)) => texts.year = Some(*year),
                ("year", _) => return wrong("a number"),
                ("aliases", Value::List(list)) => {
                    let names = list.iter().filter_map(|name| match name {
                        Value::Text(name) => Some(name.clone()),
                        _ => None,
                    });
                    texts.aliases = names.collect();
                }
                ("aliases", _) => return wrong("a list of names"),
                _ => {
                    let Some(letter) = key.strip_prefix("pieces.names.") else {
                        continue;
                    };
                    match (letter.chars().next(), value) {
                        (Some(first), Value::Text(name)) if letter.len() == 1 => {
                            texts.pieces.push((first, name.clone()));
                        }
                        _ => {
                            return wrong(
                                "the name of a piece by its letter, such as A = \"paladin\"",
                            );
                        }
                    }
                }
            }
        }
        Ok(texts)
    }
}

/// A game.
#[derive(Debug)]
pub(crate) struct Record {
    pub(crate) name: String,
    pub(crate) id: String,
    pub(crate) is_built_in: bool,
    /// Whether it was read from a definition; if it is built in nevertheless, with keys that
    /// tables do not depend on, such as those of castling.
    pub(crate) is_defined: bool,
    /// Whether some moves would be written like others without marks.
    pub(crate) marks_moves: bool,
    pub(crate) revision: u16,
    pub(crate) texts: Texts,
    /// The definition as it is written; empty if it was read from a table.
    pub(crate) source: String,
    pub(crate) normal: String,
    pub(crate) offers: Vec<GameOption>,
    /// The options that differ from their defaults, sorted by name.
    pub(crate) chosen: Vec<(String, String)>,
    pub(crate) keys: Keys,

    pub(crate) geometry: Geometry,
    pub(crate) reach: &'static Reach,
    pub(crate) piece_types: Vec<PieceType>,
    pub(crate) letters: [Option<char>; PieceType::COUNT],
    /// The pieces of all letters in ASCII, by their byte.
    pub(crate) pieces: [Option<Piece>; 128],
    pub(crate) movers: [Mover; PieceType::COUNT],
    /// The symmetries that keep how each type moves, whether royal or spare.
    pub(crate) keeps_moves: [Transforms; PieceType::COUNT],
    parts: [Parts; PieceType::COUNT],
    powers: PowerTypes,
    other_moves: OtherMoves,
    /// The moves of kings that are not royal, if not those of the royal one.
    pub(crate) spare: Option<Parts>,
    waiting_parts: Parts,
    /// The squares that pawns may stand on, by side.
    pub(crate) pawn_squares: [SquareSet; 2],
    /// The squares from which pawns may make a double step, by side.
    pub(crate) double_steps: [SquareSet; 2],
    /// The squares from which a double step may be answered en passant, by side.
    pub(crate) ep_steps: [SquareSet; 2],
    /// The squares on which pawns promote, by side.
    pub(crate) promotion_squares: [SquareSet; 2],
    /// The types that White's and Black's pawns may become.
    pub(crate) promotions: [Vec<PieceType>; 2],
    /// The types that the pawns of either side may become.
    pub(crate) all_promotions: Vec<PieceType>,
    pub(crate) pawns: Pawns,
    /// White's and Black's royal pieces.
    pub(crate) royalty: [Royalty; 2],
    /// The rules that the royal pieces call for.
    pub(crate) kind: RulesKind,
    /// The fewest and the most kings of White and of Black.
    pub(crate) kings: [(usize, usize); 2],
    pub(crate) goal: Goal,
    /// Whether no position is [finished](crate::Position::finished): the game ends only where there
    /// is no move, or by exhaustion.
    pub(crate) ends_by_moves_alone: bool,
    /// Whether the rules speak of dead positions (O5).
    pub(crate) has_dead_positions: bool,
    /// The types that a side loses, or wins, the game with (E6).
    pub(crate) extinct_types: [bool; PieceType::COUNT],
    /// The types of which a side's last pieces are royal (E2).
    pub(crate) royal_types: Vec<PieceType>,
    /// The types of the pieces that stay where they are beside an explosion (M1).
    pub(crate) spared: Vec<PieceType>,
    /// The types whose pieces outlive the explosions of their own captures (D11).
    pub(crate) survivors: Vec<PieceType>,
    /// The types whose pieces do not capture each other (D17).
    pub(crate) mutually_immune: Vec<PieceType>,
    pub(crate) vitality: Option<VitalityRules>,
    pub(crate) castling: Option<Castling>,
}

/// The kinds of rules, each of which is compiled by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RulesKind {
    One,
    Several,
    Free,
    Exploding,
}

/// The piece types of a game by the ways in which they move; the pawn is in none.
#[derive(Clone, Debug, Default)]
pub(crate) struct PowerTypes {
    king: Vec<PieceType>,
    knight: Vec<PieceType>,
    diagonal: Vec<PieceType>,
    straight: Vec<PieceType>,
    /// Types that have other moves, too.
    other: Vec<PieceType>,
}

/// Two keys that do not go together, and why.
struct Conflict([&'static str; 2], &'static str);

/// The first pair of keys of a definition that do not go together; `None` if all is well. The
/// solver, the verifier and the reader rely on it.
fn conflict(keys: &Keys) -> Option<Conflict> {
    let mut conflicts = conflicts(keys).into_iter();
    conflicts.find_map(|(holds, conflict)| holds.then_some(conflict))
}

/// The reason why pawns have to be those of orthodox chess.
macro_rules! orthodox_pawns {
    ($where:literal) => {
        concat!(
            $where,
            ", pawns are those of orthodox chess so far: they step twice from their first rank, which \
             is not the first of the board and has no hole behind it, and not to the last, do not \
             wait, and are taken en passant by pawns"
        )
    };
}

/// All conflicts that there can be, each with whether a definition has it. The first of several is
/// reported, so those that name the key at fault come before those that name a default.
fn conflicts(keys: &Keys) -> Vec<(bool, Conflict)> {
    let pawns = keys.order.contains(&'P');
    let one_king = keys.royal == [RoyalRule::King; 2];
    let first_king = keys.royal == [RoyalRule::FirstKing; 2];
    let without_royal = keys.royal.contains(&RoyalRule::None);
    let kingless = keys.royal == [RoyalRule::None; 2];
    let reply = keys.reach.as_ref().is_some_and(|reach| reach.reply);
    let safe = keys.reach.as_ref().is_some_and(|reach| reach.safe);
    let lingers = keys.reach.as_ref().is_some_and(ReachKeys::lingers);
    let several = keys.reach.as_ref().is_some_and(|reach| reach.count > 1);
    let reach_key = if safe {
        "end.reach.safe"
    } else if lingers {
        "end.reach.stays"
    } else {
        "end.reach.count"
    };
    let captures_king = keys.king_capture == Outcome::Win;
    let waits = pawns && matches!(keys.promotion, Promotion::MayWait | Promotion::MustWait);
    let by_all = pawns && keys.en_passant == EnPassant::All;
    let vitality = keys.vitality.is_some();
    let checks = keys.checks > 0;
    let counts = keys.no_progress > 0;
    let extinct = keys.extinct != Outcome::Off;
    // Whether a side that has lost all its pieces has lost a type that decides, too.
    let counted = usize::from(keys.extinct_count);
    let tells_loss_of_all = keys.all_lost != Outcome::Off
        || extinct
            && (counted == 0 && keys.extinct_types.len() == keys.order.len()
                || usize::from(keys.kings.0) > counted
                    && keys.extinct_types.contains(&keys.royal_piece));
    let (steps, from_home) = match &keys.double_step {
        DoubleStep::Ranks(ranks) => (pawns && !ranks.is_empty(), is_home(keys, ranks)),
        DoubleStep::Anywhere => (pawns, false),
    };
    // Whether a double step begins on the first rank or may reach the last.
    let is_short = |rank: u8| rank == 1 || rank + 2 >= keys.size.ranks;
    let holes = !keys.size.holes.is_empty();
    let on_brink = steps && steps_from_brink(keys.size, keys.first_rank.map(|rank| rank - 1));
    let short = steps && keys.first_rank.into_iter().any(is_short) || on_brink;
    let zone = keys.promotion_zone();
    let on_squares = pawns && keys.promotion_squares.is_some();
    let differ = pawns && keys.promotes_black.is_some();
    // Whether a double step may lead to where pawns promote, or pass where those that take
    // en passant do.
    let deep = pawns
        && !on_squares
        && zone > 1
        && match &keys.double_step {
            DoubleStep::Anywhere => true,
            DoubleStep::Ranks(ranks) => ranks.iter().any(|&rank| {
                let passes = keys.en_passant != EnPassant::Off && rank < zone;
                passes || rank + 2 + zone > keys.size.ranks
            }),
        };
    // Whether a double step may lead to where pawns promote.
    let far = !on_squares
        && match &keys.double_step {
            DoubleStep::Anywhere => true,
            DoubleStep::Ranks(ranks) => ranks.iter().any(|&rank| rank + 2 + zone > keys.size.ranks),
        };
    let unusual_pawns = steps && !from_home || waits || by_all;
    // Pawns that move in another way, and their double steps, if they make any.
    let moves = keys.moves_pawns();
    let own_steps = moves && steps;
    let doubled = keys.pawn.doubled();
    let own_passes = own_steps && keys.en_passant != EnPassant::Off;
    // Whether the pawns of a side have fewer and fewer moves to make.
    let advances = keys.pawn.only_advances() && !own_passes;
    let unusual_key = match () {
        () if waits => "pawns.promotion",
        () if by_all => "pawns.en-passant",
        () => "pawns.double-step",
    };
    let pawn_key = match () {
        () if unusual_pawns || !short => unusual_key,
        () if on_brink => "board.holes",
        () if keys.first_rank != [2; 2] => "pawns.first-rank",
        () => "board.size",
    };
    let own = |holds: bool, key: &'static str| {
        let why = "pawns that move in another way than orthodox ones do not go with it so far";
        (moves && holds, Conflict(["pawns.moves", key], why))
    };
    let squares = |holds: bool, key: &'static str| {
        let why = "squares of promotion that are not whole ranks do not go with it so far";
        (
            on_squares && holds,
            Conflict(["pawns.promotion-squares", key], why),
        )
    };
    let by_side = |holds: bool, key: &'static str| {
        let why = "promotions that differ by side do not go with it so far";
        (differ && holds, Conflict(["pawns.promotes-to", key], why))
    };
    let immune = |holds: bool, key: &'static str| {
        let why = "pieces that do not capture each other do not go with it so far";
        (
            !keys.mutually_immune.is_empty() && holds,
            Conflict(["capture.mutually-immune", key], why),
        )
    };
    let royal_type = keys.royal.contains(&RoyalRule::OnlyOfType) || first_king;
    vec![
        (
            holes && vitality,
            Conflict(
                ["board.holes", "counters.vitality"],
                "holes do not go with vitality so far",
            ),
        ),
        (
            holes && first_king,
            Conflict(
                ["board.holes", "royal.rule"],
                "which of several kings is the first is not known so far on a board with holes",
            ),
        ),
        (
            holes && keys.castling == CastlingRule::FirstRank,
            Conflict(
                ["board.holes", "castling.rule"],
                "holes do not go with castling on the first rank so far",
            ),
        ),
        squares(waits, "pawns.promotion"),
        squares(promoting_double_steps(keys), "pawns.double-step"),
        squares(royal_type, "royal.rule"),
        squares(keys.must_capture, "turn.must-capture"),
        squares(keys.no_checks, "turn.no-checks"),
        squares(keys.explodes, "capture.explodes"),
        squares(keys.reach.is_some(), "end.reach"),
        squares(keys.bare != Bare::Off, "end.bare"),
        squares(checks, "counters.checks"),
        squares(vitality, "counters.vitality"),
        by_side(waits, "pawns.promotion"),
        by_side(royal_type, "royal.rule"),
        by_side(keys.must_capture, "turn.must-capture"),
        by_side(keys.no_checks, "turn.no-checks"),
        by_side(keys.explodes, "capture.explodes"),
        by_side(keys.reach.is_some(), "end.reach"),
        by_side(keys.bare != Bare::Off, "end.bare"),
        by_side(checks, "counters.checks"),
        by_side(vitality, "counters.vitality"),
        own(checks, "counters.checks"),
        own(vitality, "counters.vitality"),
        own(keys.royal.contains(&RoyalRule::OnlyOfType), "royal.rule"),
        own(keys.must_capture, "turn.must-capture"),
        own(keys.no_checks, "turn.no-checks"),
        own(keys.explodes, "capture.explodes"),
        own(reply, "end.reach.reply"),
        own(lingers || several, reach_key),
        own(keys.bare != Bare::Off, "end.bare"),
        own(waits, "pawns.promotion"),
        (
            moves && counts && !advances,
            Conflict(
                ["pawns.moves", "end.no-progress"],
                "where pawns may also go aside or back, or are taken en passant, moves without \
                 progress are not counted so far: write no-progress = 0",
            ),
        ),
        (
            own_steps && doubled.is_empty(),
            Conflict(
                ["pawns.moves", "pawns.double-step"],
                "no step ahead can be made twice: write double-step = \"off\"",
            ),
        ),
        (
            own_steps && far,
            Conflict(
                ["pawns.moves", "pawns.double-step"],
                "double steps to where pawns promote are known so far only for orthodox \
                 pawns: write double-step = \"off\"",
            ),
        ),
        (
            moves && (by_all || own_passes && keys.pawn.captures_as_it_moves()),
            Conflict(
                ["pawns.moves", "pawns.en-passant"],
                "pawns are taken en passant by steps of other pawns that only capture: write \
                 en-passant = \"off\"",
            ),
        ),
        (
            keys.has_royal_types() && keys.royal_at_most > 1 && keys.royal_types.contains(&'P'),
            Conflict(
                ["royal.at-most", "royal.types"],
                "of pawns the last one alone is royal so far: name other types",
            ),
        ),
        (
            checks && vitality,
            Conflict(
                ["counters.checks", "counters.vitality"],
                "checks are not counted beside vitality so far",
            ),
        ),
        (
            checks && (without_royal || captures_king),
            Conflict(
                ["counters.checks", "royal.rule"],
                "without royal pieces that check forbids to leave there is nothing to count",
            ),
        ),
        (
            checks && counts,
            Conflict(
                ["counters.checks", "end.no-progress"],
                "checks are counted without a limit so far: write no-progress = 0",
            ),
        ),
        (
            checks && keys.no_checks,
            Conflict(
                ["counters.checks", "turn.no-checks"],
                "checks that are forbidden cannot be counted",
            ),
        ),
        (
            checks && keys.must_capture,
            Conflict(
                ["counters.checks", "turn.must-capture"],
                "checks do not go with compulsory captures so far",
            ),
        ),
        (
            checks && keys.checkmate == Checkmate::Win,
            Conflict(
                ["counters.checks", "end.checkmate"],
                "checks do not go with a mate that wins so far",
            ),
        ),
        (
            checks && !matches!(keys.bare, Bare::Off | Bare::Loss),
            Conflict(
                ["counters.checks", "end.bare"],
                "checks go with bare kings that have lost at once, and with no others so far",
            ),
        ),
        (
            checks && reply,
            Conflict(
                ["counters.checks", "end.reach.reply"],
                "checks do not go with a reply on squares to reach so far",
            ),
        ),
        (
            checks && keys.pass == Pass::WhenStuck,
            Conflict(
                ["counters.checks", "turn.pass"],
                "checks do not go with passes of stalemated sides so far",
            ),
        ),
        (
            checks && (unusual_pawns || short),
            Conflict(
                [pawn_key, "counters.checks"],
                orthodox_pawns!("where checks are counted"),
            ),
        ),
        (
            keys.all_lost != Outcome::Off && captures_king,
            Conflict(
                ["end.all-lost", "end.king-capture"],
                "the game ends before a side has lost its last piece: leave one of the two out",
            ),
        ),
        (
            keys.all_lost != Outcome::Off && !without_royal,
            Conflict(
                ["end.all-lost", "royal.rule"],
                "a royal piece is never the last that is lost: write royal.rule = \"none\"",
            ),
        ),
        (
            without_royal
                && !captures_king
                && keys.pass != Pass::Off
                && keys.all_lost == Outcome::Off
                && keys.bare == Bare::Off
                && !(extinct && counted == 0 && keys.extinct_types.len() == keys.order.len()),
            Conflict(
                ["turn.pass", "end.all-lost"],
                "a side without pieces would pass for ever: say what losing the last piece means",
            ),
        ),
        (
            waits && zone > 1,
            Conflict(
                ["pawns.promotion", "pawns.promotion-ranks"],
                "pawns that wait promote on the last rank alone so far",
            ),
        ),
        (
            deep,
            Conflict(
                ["pawns.promotion-ranks", "pawns.double-step"],
                "double steps neither lead to ranks of promotion so far, if there are several, nor \
                 pass those of the other side: write double-step = \"off\"",
            ),
        ),
        (
            captures_king && !one_king,
            Conflict(
                ["end.king-capture", "royal.rule"],
                "only the one king of a side can be captured",
            ),
        ),
        (
            captures_king && extinct,
            Conflict(
                ["end.king-capture", "end.extinct"],
                "a captured king is an extinct type: one of the two says it",
            ),
        ),
        (
            extinct && !kingless,
            Conflict(
                ["end.extinct", "royal.rule"],
                "where a type can become extinct no check forbids moves: write royal.rule = \
                 \"none\"",
            ),
        ),
        (
            kingless
                && !extinct
                && !captures_king
                && keys.all_lost == Outcome::Off
                && keys.bare == Bare::Off
                && keys.stalemate == Stalemate::Draw
                && keys.reach.is_none(),
            Conflict(
                ["royal.rule", "end.all-lost"],
                "without royal pieces something else has to win the game, such as all-lost = \
                 \"loss\"",
            ),
        ),
        (
            (unusual_pawns || short) && counts,
            Conflict(
                [pawn_key, "end.no-progress"],
                "where pawns step twice from other ranks than their first, from the first of the \
                 board, from before a hole or to the last rank, wait, or are taken en passant by all pieces, moves without \
                 progress are not counted so far: write no-progress = 0",
            ),
        ),
        (
            (unusual_pawns || short) && keys.royal.contains(&RoyalRule::OnlyOfType),
            Conflict(
                [pawn_key, "royal.rule"],
                orthodox_pawns!("where the only pawn is royal"),
            ),
        ),
        (
            unusual_pawns && vitality,
            Conflict(
                [unusual_key, "counters.vitality"],
                "vitality needs the pawns of orthodox chess so far: they step twice from their \
                 first rank alone, do not wait, and are taken en passant by pawns",
            ),
        ),
        (
            keys.kings.1.is_some() && keys.promotes_to.contains(&keys.royal_piece),
            Conflict(
                ["royal.kings", "pawns.promotes-to"],
                "where pawns become kings, their number has no limit so far: write \"any\"",
            ),
        ),
        (
            keys.castling == CastlingRule::FirstRank && !one_king,
            Conflict(
                ["castling.rule", "royal.rule"],
                "castling on the first rank needs one king a side so far",
            ),
        ),
        (
            vitality && captures_king,
            Conflict(
                ["counters.vitality", "end.king-capture"],
                "who is High depends on where the royal pieces stand, and they are never taken",
            ),
        ),
        (
            vitality && without_royal,
            Conflict(
                ["counters.vitality", "royal.rule"],
                "who is High depends on where the royal pieces stand, and they are never taken",
            ),
        ),
        (
            captures_king && keys.pass != Pass::Off,
            Conflict(
                ["turn.pass", "end.king-capture"],
                "passes where kings are captured come later",
            ),
        ),
        (
            vitality && keys.stalemate != Stalemate::Draw,
            Conflict(
                ["counters.vitality", "end.stalemate"],
                "with vitality a side that would be stalemated passes: leave end.stalemate out",
            ),
        ),
        (
            vitality && keys.pass == Pass::Off,
            Conflict(
                ["counters.vitality", "turn.pass"],
                "with vitality a side that would be stalemated passes: say when, as in pass = \
                 \"unless-in-check\"",
            ),
        ),
        (
            vitality && counts,
            Conflict(
                ["counters.vitality", "end.no-progress"],
                "vitality takes the place of a limit without progress: write no-progress = 0",
            ),
        ),
        (
            captures_king && counts,
            Conflict(
                ["end.king-capture", "end.no-progress"],
                "captured kings with a limit without progress come later: write no-progress = 0",
            ),
        ),
        (
            captures_king && keys.stalemate != Stalemate::Draw,
            Conflict(
                ["end.king-capture", "end.stalemate"],
                "where kings are captured, a side without moves draws so far",
            ),
        ),
        (
            keys.reach.is_some() && captures_king,
            Conflict(
                ["end.reach", "end.king-capture"],
                "squares to reach do not go with captured kings so far",
            ),
        ),
        (
            keys.reach.is_some() && vitality,
            Conflict(
                ["end.reach", "counters.vitality"],
                "squares to reach do not go with vitality so far",
            ),
        ),
        (
            keys.must_capture && (unusual_pawns || short),
            Conflict(
                [pawn_key, "turn.must-capture"],
                orthodox_pawns!("where captures are compulsory"),
            ),
        ),
        (
            keys.must_capture && vitality,
            Conflict(
                ["turn.must-capture", "counters.vitality"],
                "compulsory captures do not go with vitality so far",
            ),
        ),
        (
            keys.must_capture && captures_king,
            Conflict(
                ["turn.must-capture", "end.king-capture"],
                "compulsory captures do not go with captured kings so far",
            ),
        ),
        (
            keys.bare != Bare::Off && (!one_king && !kingless || captures_king),
            Conflict(
                ["end.bare", "royal.rule"],
                "a side can only be bare if it has one royal king, which is not captured, or if \
                 neither side has royal pieces",
            ),
        ),
        (
            keys.bare != Bare::Off && keys.all_lost != Outcome::Off,
            Conflict(
                ["end.bare", "end.all-lost"],
                "the game ends before a side has lost its last piece: leave one of the two out",
            ),
        ),
        (
            keys.bare != Bare::Off && keys.reach.is_some(),
            Conflict(
                ["end.bare", "end.reach"],
                "bare kings do not go with squares to reach so far",
            ),
        ),
        (
            keys.bare != Bare::Off && keys.explodes,
            Conflict(
                ["end.bare", "capture.explodes"],
                "bare kings do not go with explosions so far",
            ),
        ),
        (
            keys.bare != Bare::Off && vitality,
            Conflict(
                ["end.bare", "counters.vitality"],
                "bare kings do not go with vitality so far",
            ),
        ),
        (
            keys.bare != Bare::Off && (unusual_pawns || short),
            Conflict(
                [pawn_key, "end.bare"],
                orthodox_pawns!("where a bare king loses"),
            ),
        ),
        (
            keys.no_checks && (!first_king && !one_king || captures_king),
            Conflict(
                ["turn.no-checks", "royal.rule"],
                "without royal kings there are no checks that could be forbidden, and where \
                 other pieces are royal they are not supported yet",
            ),
        ),
        (
            keys.no_checks && (unusual_pawns || short),
            Conflict(
                [pawn_key, "turn.no-checks"],
                orthodox_pawns!("where checks are forbidden"),
            ),
        ),
        (
            keys.no_checks && vitality,
            Conflict(
                ["turn.no-checks", "counters.vitality"],
                "forbidden checks do not go with vitality so far",
            ),
        ),
        (
            reply && (lingers || several),
            Conflict(
                ["end.reach.reply", reach_key],
                "a reply is known so far only where one piece has to arrive, and has won by that",
            ),
        ),
        (
            safe && (keys.royal.contains(&RoyalRule::FirstKing) || keys.explodes),
            Conflict(
                [
                    "end.reach.safe",
                    if keys.explodes {
                        "capture.explodes"
                    } else {
                        "royal.rule"
                    },
                ],
                "which pieces could be taken is known so far where captures do not explode, and \
                 all kings move alike",
            ),
        ),
        (
            (lingers || several) && checks,
            Conflict(
                [reach_key, "counters.checks"],
                "checks go so far only with squares to reach that one piece wins on at once",
            ),
        ),
        (
            (lingers || several) && (unusual_pawns || short),
            Conflict(
                [pawn_key, reach_key],
                orthodox_pawns!("where several pieces have to arrive, to be safe or to stay"),
            ),
        ),
        (
            reply && !one_king,
            Conflict(
                ["end.reach.reply", "royal.rule"],
                "a reply on squares to reach needs one king a side so far",
            ),
        ),
        (
            reply && (keys.reach.as_ref()).is_some_and(|reach| reach.pieces != [keys.royal_piece]),
            Conflict(
                ["end.reach.reply", "end.reach.piece"],
                "a reply is known so far for squares that the royal piece reaches",
            ),
        ),
        (
            reply && (unusual_pawns || short),
            Conflict(
                [pawn_key, "end.reach.reply"],
                orthodox_pawns!("where Black may reply on squares to reach"),
            ),
        ),
        (
            keys.explodes && (!one_king && !kingless || captures_king),
            Conflict(
                ["capture.explodes", "royal.rule"],
                "explosions need one royal king a side so far, which is not captured, or no royal \
                 pieces at all",
            ),
        ),
        (
            keys.explodes && !kingless && keys.spares.contains(&keys.royal_piece),
            Conflict(
                ["capture.spares", "royal.rule"],
                "royal pieces explode so far: spare others",
            ),
        ),
        (
            keys.explodes && !kingless && keys.survives.contains(&keys.royal_piece),
            Conflict(
                ["capture.survives", "royal.rule"],
                "royal pieces do not capture where captures explode",
            ),
        ),
        (
            keys.explodes && !keys.survives.is_empty() && keys.reach.is_some(),
            Conflict(
                ["capture.survives", "end.reach"],
                "pieces that outlive their captures do not go with squares to reach so far",
            ),
        ),
        immune(!kingless, "royal.rule"),
        immune(captures_king, "end.king-capture"),
        immune(keys.must_capture, "turn.must-capture"),
        immune(keys.reach.is_some(), "end.reach"),
        immune(keys.bare != Bare::Off, "end.bare"),
        immune(waits, "pawns.promotion"),
        (
            keys.explodes && kingless && !tells_loss_of_all,
            Conflict(
                ["capture.explodes", "end.all-lost"],
                "a side may explode altogether: say what losing the last piece means, or what \
                 losing a type that each side has does",
            ),
        ),
        (
            keys.explodes && (unusual_pawns || short),
            Conflict(
                [pawn_key, "capture.explodes"],
                orthodox_pawns!("where captures explode"),
            ),
        ),
        (
            keys.explodes && vitality,
            Conflict(
                ["capture.explodes", "counters.vitality"],
                "explosions do not go with vitality so far",
            ),
        ),
        (
            keys.explodes && keys.castling == CastlingRule::FirstRank,
            Conflict(
                ["capture.explodes", "castling.rule"],
                "explosions do not go with castling on the first rank so far",
            ),
        ),
        (
            keys.checkmate == Checkmate::Win && vitality,
            Conflict(
                ["end.checkmate", "counters.vitality"],
                "a mate that wins does not go with vitality so far",
            ),
        ),
        (
            keys.castling == CastlingRule::FirstRank && vitality,
            Conflict(
                ["castling.rule", "counters.vitality"],
                "castling on the first rank does not go with vitality so far",
            ),
        ),
    ]
}

/// Whether a pawn of a side steps twice from its first rank, counted from 0, with a hole right
/// behind it.
pub(crate) fn steps_from_brink(board: Geometry, first_ranks: [u8; 2]) -> bool {
    let ways = first_ranks.into_iter().zip([1, -1]);
    let mut brinks = ways.flat_map(|(first, way)| {
        let rank = if way > 0 {
            first
        } else {
            board.ranks.saturating_sub(first + 1)
        };
        board
            .rank_squares(rank.min(board.ranks - 1))
            .filter(move |&square| {
                let filled = board.filled();
                let behind = filled.offset(square, 0, -way);
                let ahead = [1, 2].map(|ranks| board.offset(square, 0, ranks * way));
                behind.is_some_and(|square| board.holes.contains(square))
                    && ahead.iter().all(Option::is_some)
            })
    });
    brinks.next().is_some()
}

/// Whether ranks are the one on which the pawns of both sides start.
fn is_home(keys: &Keys, ranks: &[u8]) -> bool {
    keys.first_rank.into_iter().all(|home| *ranks == [home])
}

/// Whether pawns that promote on single squares may get there by a double step, or pass over a
/// square where those that take them en passant promote.
fn promoting_double_steps(keys: &Keys) -> bool {
    let (Some(promote), board) = (keys.promotion_squares, keys.size) else {
        return false;
    };
    let passes = keys.en_passant != EnPassant::Off;
    Colour::BOTH.into_iter().any(|side| {
        let (own, other) = (promote[side.index()], promote[side.other().index()]);
        let (sign, doubled) = (
            if side == Colour::White { 1 } else { -1 },
            keys.pawn.doubled(),
        );
        let from = |square: Square| {
            let rank = match side {
                Colour::White => board.rank(square) + 1,
                Colour::Black => board.ranks - board.rank(square),
            };
            let steps = match &keys.double_step {
                DoubleStep::Anywhere => true,
                DoubleStep::Ranks(ranks) => ranks.contains(&rank),
            };
            steps && rank >= keys.first_rank[side.index()]
        };
        board.all().filter(|&square| from(square)).any(|square| {
            doubled.iter().any(|&(files, ranks)| {
                let step = |from| board.offset(from, sign * files, sign * ranks);
                let passed = step(square);
                passed.is_some_and(|passed| passes && other.contains(passed))
                    || passed.and_then(step).is_some_and(|to| own.contains(to))
            })
        })
    })
}

/// The most kinds of piece that a game may have beside the pawn: one type is left for what kings
/// move like that are not royal.
const MOST_KINDS: usize = PieceType::COUNT - 2;

/// The slots of letters: those that the letter usually has if that keeps their order, otherwise
/// one after the other. The royal piece has the first, the pawn the last.
fn slots(keys: &Keys) -> Result<Vec<(char, PieceType)>, String> {
    let pieces: Vec<char> = keys.order.iter().copied().filter(|&c| c != 'P').collect();
    if keys.order.contains(&'P') && keys.order.last() != Some(&'P') {
        return Err("pieces.order: write the pawn P last".to_owned());
    }
    if pieces.len() > MOST_KINDS {
        return Err(format!(
            "pieces.order: a game has at most {} kinds of piece, the pawn and {MOST_KINDS} others",
            MOST_KINDS + 1
        ));
    }
    let has_royal = keys.order.contains(&keys.royal_piece);
    if has_royal && keys.order.first() != Some(&keys.royal_piece) {
        return Err(format!(
            "pieces.order: write the royal piece {} first",
            keys.royal_piece
        ));
    }
    let usual = |&c: &char| PieceType::from_letter(c).filter(|t| !t.is_own());
    let usual: Option<Vec<PieceType>> = pieces.iter().map(usual).collect();
    let is_usual = |types: &Vec<PieceType>| {
        types.is_sorted() && (!has_royal || types.first() == Some(&PieceType::King))
    };
    let types = usual
        .filter(is_usual)
        .unwrap_or_else(|| PieceType::ALL[usize::from(!has_royal)..][..pieces.len()].to_vec());
    let mut slots: Vec<(char, PieceType)> = pieces.into_iter().zip(types).collect();
    if keys.order.contains(&'P') {
        slots.push(('P', PieceType::Pawn));
    }
    match slots.is_empty() {
        true => Err("pieces.order: a game needs pieces".to_owned()),
        false => Ok(slots),
    }
}

/// The pieces of the letters of a FEN.
fn pieces_by_letter(slots: &[(char, PieceType)]) -> [Option<Piece>; 128] {
    let mut pieces = [None; 128];
    for &(letter, piece_type) in slots {
        for (letter, colour) in [
            (letter, Colour::White),
            (letter.to_ascii_lowercase(), Colour::Black),
        ] {
            if let Some(piece) = pieces.get_mut(letter as usize) {
                *piece = Some(Piece::new(colour, piece_type));
            }
        }
    }
    pieces
}

/// The array of a game without castling: without the rights of one that is extended.
fn without_rights(fen: &str) -> String {
    let mut fields: Vec<&str> = fen.split_ascii_whitespace().collect();
    if let Some(rights) = fields.get_mut(2) {
        *rights = "-";
    }
    fields.join(" ")
}

impl Record {
    /// A record without names and texts.
    ///
    /// # Errors
    /// Keys that contradict each other or do not go together.
    pub(crate) fn new(mut keys: Keys, place: &Place) -> Result<Record, DefinitionError> {
        let fault = |why: String| place.fault(why);
        let slots = slots(&keys).map_err(fault)?;
        let type_of = |letter: char| {
            let found = slots.iter().find(|&&(known, _)| known == letter);
            found.map(|&(_, piece_type)| piece_type)
        };
        let order = keys.order.clone();
        let in_order = |letters: &mut Vec<char>, key: &str| -> Result<(), String> {
            if let Some(letter) = letters.iter().find(|letter| !order.contains(letter)) {
                return Err(format!(
                    "{key}: the game has no piece {letter}; its pieces are {}",
                    order.iter().collect::<String>()
                ));
            }
            *letters = (order.iter().copied())
                .filter(|letter| letters.contains(letter))
                .collect();
            Ok(())
        };
        let has_pawns = order.contains(&'P');
        if !has_pawns {
            // Tables do not say what pawns would do, so it must not make a difference.
            let usual = Keys::default();
            keys.pawn = usual.pawn;
            keys.promotes_to.clear();
            keys.promotes_black = None;
            keys.promotion_squares = None;
            keys.first_rank = usual.first_rank;
            keys.double_step = usual.double_step;
            keys.promotion_ranks = usual.promotion_ranks;
            keys.promotion = usual.promotion;
            keys.en_passant = usual.en_passant;
            keys.en_passant_from = usual.en_passant_from;
            keys.vacates = usual.vacates;
            if keys.spares.is_empty() {
                keys.spares = usual.spares;
            }
        }
        if keys.castling == CastlingRule::Off {
            keys.array = keys.array.as_deref().map(without_rights);
        }
        // Nor need pawns be there that are spared by default.
        if keys.spares != ['P'] {
            in_order(&mut keys.spares, "capture.spares").map_err(fault)?;
        }
        in_order(&mut keys.survives, "capture.survives").map_err(fault)?;
        in_order(&mut keys.mutually_immune, "capture.mutually-immune").map_err(fault)?;
        if keys.mutually_immune.contains(&'P') {
            return Err(fault(
                "capture.mutually-immune: pawns capture each other so far; name other pieces"
                    .to_owned(),
            ));
        }
        // The rooks that are meant by default need not be there: then nothing castles.
        if keys.castling_with != ['R'] {
            in_order(&mut keys.castling_with, "castling.with").map_err(fault)?;
        }
        if keys.castling_with.contains(&keys.royal_piece) {
            return Err(fault(
                "castling.with: a king does not castle with a king".to_owned(),
            ));
        }
        in_order(&mut keys.promotes_to, "pawns.promotes-to").map_err(fault)?;
        if let Some(black) = &mut keys.promotes_black {
            in_order(black, "pawns.promotes-to").map_err(fault)?;
        }
        keys.simplify_promotions();
        in_order(&mut keys.extinct_types, "end.extinct-types").map_err(fault)?;
        in_order(&mut keys.royal_types, "royal.types").map_err(fault)?;
        if keys.has_royal_types() && keys.royal_types.is_empty() {
            return Err(fault(
                "royal.types: name the types of which the last piece is royal".to_owned(),
            ));
        }
        if let Some(reach) = &mut keys.reach {
            in_order(&mut reach.pieces, "end.reach.piece").map_err(fault)?;
        }
        // What a pawn of either side may become.
        let mut promotes_to = keys.promotes_to.clone();
        promotes_to.extend(keys.promotes_black.iter().flatten());
        in_order(&mut promotes_to, "pawns.promotes-to").map_err(fault)?;
        if promotes_to.contains(&'P') {
            return Err(fault(
                "pawns.promotes-to: a pawn does not become a pawn".to_owned(),
            ));
        }
        let has_royal = type_of(keys.royal_piece).is_some();
        let needs_royal = keys.has_royal_king() || keys.king_capture != Outcome::Off;
        if needs_royal && !has_royal {
            return Err(fault(format!(
                "royal.piece: the game has no piece {}; name the royal piece, or write \
                 royal.rule = \"none\"",
                keys.royal_piece
            )));
        }
        if keys.royal[0] != keys.royal[1]
            && !(keys.royal.contains(&RoyalRule::King) && keys.royal.contains(&RoyalRule::None))
        {
            return Err(fault(
                "royal.rule: if the rules of the two sides differ, one is \"king\" and the other \
                 \"none\" so far"
                    .to_owned(),
            ));
        }
        let one_king = keys.royal.contains(&RoyalRule::King);
        if one_king && keys.kings != (1, Some(1)) {
            return Err(fault(
                "royal.kings: where royal.rule is \"king\" each side has one; \"first-king\" \
                 allows more"
                    .to_owned(),
            ));
        }
        if one_king && promotes_to.contains(&keys.royal_piece) {
            return Err(fault(
                "pawns.promotes-to: where royal.rule is \"king\" no pawn becomes a king".to_owned(),
            ));
        }
        let first_king = keys.royal.contains(&RoyalRule::FirstKing);
        if first_king && keys.kings.0 == 0 {
            return Err(fault(
                "royal.kings: each side needs at least one king; write [1, \"any\"]".to_owned(),
            ));
        }
        let decides =
            keys.extinct != Outcome::Off && keys.extinct_types.contains(&keys.royal_piece);
        // The fewest that a side may have, if it is not none.
        let fewest = if decides { keys.extinct_count + 1 } else { 0 };
        if keys.royal == [RoyalRule::None; 2] && has_royal && ![0, fewest].contains(&keys.kings.0) {
            let piece = keys.royal_piece;
            let lost = match fewest {
                0 | 1 => format!("a side may lose its last {piece}"),
                _ => format!("a side may lose a {piece}; write [{fewest}, \"any\"], or"),
            };
            return Err(fault(format!(
                "royal.kings: where nothing is royal, {lost}; write [0, \"any\"]"
            )));
        }
        let ranks = keys.size.ranks;
        let [nearest, farther] = {
            let [white, black] = keys.first_rank;
            [white.min(black), white.max(black)]
        };
        if has_pawns && farther >= ranks {
            return Err(fault(format!(
                "pawns.first-rank: the board has {ranks} ranks, and a pawn has to move"
            )));
        }
        if let DoubleStep::Ranks(list) = &keys.double_step
            && let Some(rank) = list.iter().find(|&&rank| rank < nearest)
            && has_pawns
        {
            return Err(fault(format!(
                "pawns.double-step: no pawn stands on rank {rank}, behind pawns.first-rank"
            )));
        }
        if let Some(list) = &keys.en_passant_from {
            let steps = |rank: &u8| match &keys.double_step {
                DoubleStep::Ranks(ranks) => ranks.contains(rank),
                DoubleStep::Anywhere => true,
            };
            if let Some(rank) = list.iter().find(|&rank| !steps(rank)) {
                return Err(fault(format!(
                    "pawns.en-passant-from: no pawn steps twice from rank {rank}; see \
                     pawns.double-step"
                )));
            }
            // A list of all that there are says nothing.
            if keys.double_step == DoubleStep::Ranks(list.clone()) {
                keys.en_passant_from = None;
            }
        }
        if let Some(Conflict([a, b], why)) = conflict(&keys) {
            return Err(fault(format!("{a} and {b} do not go together: {why}")));
        }
        let marks_moves = keys.en_passant == EnPassant::All
            || matches!(keys.promotion, Promotion::MayWait | Promotion::MustWait)
            || keys.castling == CastlingRule::FirstRank;
        let board = keys.size;
        let mut letters = [None; PieceType::COUNT];
        let mut movers = [Mover::default(); PieceType::COUNT];
        for &(letter, piece_type) in &slots {
            letters[piece_type.index()] = Some(letter);
        }
        for &(letter, mover) in &keys.movers {
            if mover.rides_two_ways() {
                return Err(fault(format!(
                    "pieces.{letter}: a piece that rides in steps of two squares and in steps of \
                     three is not supported here yet; limit one of them, as in \"DDH\""
                )));
            }
            if let Some(piece_type) = type_of(letter) {
                movers[piece_type.index()] = mover;
            }
        }
        let royal = movers[PieceType::King.index()];
        if first_king && (!keys.spare.includes(royal) || keys.spare.rides_two_ways()) {
            return Err(fault(format!(
                "royal.spare: a king that is not royal moves at least like the royal one, {royal}, \
                 and does not ride in steps of two squares and of three"
            )));
        }
        let piece_types: Vec<PieceType> = slots.iter().map(|&(_, piece_type)| piece_type).collect();
        let types = |letters: &[char]| -> Vec<PieceType> {
            letters
                .iter()
                .filter_map(|&letter| type_of(letter))
                .collect()
        };
        let mut extinct_types = [false; PieceType::COUNT];
        if keys.extinct != Outcome::Off {
            for piece_type in types(&keys.extinct_types) {
                extinct_types[piece_type.index()] = true;
            }
        }
        // As a side sees them, holes or not.
        let filled = board.filled();
        let on_ranks = |ranks: &[u8]| {
            let mut squares = SquareSet::EMPTY;
            (ranks.iter()).for_each(|&rank| squares |= filled.rank_squares(rank - 1));
            squares
        };
        let double_steps = match (&keys.double_step, has_pawns) {
            (_, false) => SquareSet::EMPTY,
            (DoubleStep::Anywhere, _) => filled.full(),
            (DoubleStep::Ranks(list), _) => on_ranks(list),
        };
        let last = ranks - 1;
        let [home, black_home] = keys.first_rank.map(|rank| rank - 1);
        let waits = matches!(keys.promotion, Promotion::MayWait | Promotion::MustWait);
        let stays = waits || keys.promotion == Promotion::Optional;
        let on_squares = keys.promotion_squares.is_some();
        if has_pawns && !on_squares && keys.promotion_ranks > ranks - farther {
            return Err(fault(format!(
                "pawns.promotion-ranks: pawns begin on rank {} of {ranks}, before the ranks of \
                 promotion, of which there can be at most {}",
                farther,
                ranks - farther
            )));
        }
        let seen = |[white, black]: [SquareSet; 2]| [white, mirrored(board, black)];
        let on_board = |both: [SquareSet; 2]| both.map(|squares| squares & board.full());
        let promotion_squares = keys.promotion_squares.unwrap_or_else(|| {
            let mut squares = SquareSet::EMPTY;
            (ranks - keys.promotion_ranks..ranks).for_each(|r| squares |= filled.rank_squares(r));
            [squares, mirrored(board, squares)]
        });
        // As their own side sees them.
        let promote = seen(promotion_squares);
        let mut pawn_squares = [SquareSet::EMPTY; 2];
        for (side, home) in [home, black_home].into_iter().enumerate() {
            let squares = &mut pawn_squares[side];
            (home..ranks).for_each(|rank| *squares |= filled.rank_squares(rank));
            if on_squares && !(promote[side] - *squares).is_empty() {
                return Err(fault(
                    "pawns.promotion-squares: no pawn promotes behind pawns.first-rank".to_owned(),
                ));
            }
            if !stays {
                *squares -= promote[side];
            }
            if has_pawns && SquareSet::is_empty(*squares) {
                return Err(fault(
                    "pawns.promotion-squares: leave squares where pawns may stand".to_owned(),
                ));
            }
        }
        let farthest = (pawn_squares[0] | pawn_squares[1]).map(|square| board.rank(square));
        let farthest = farthest.max().unwrap_or(last - keys.promotion_zone());
        if has_pawns && on_board(seen(pawn_squares)).contains(&SquareSet::EMPTY) {
            return Err(fault(
                "board.holes: they leave no square for pawns; leave out P in pieces.order"
                    .to_owned(),
            ));
        }
        let double_steps = pawn_squares.map(|pawn_squares| {
            let mut steps = double_steps & pawn_squares;
            // From the last two ranks there is no room for one.
            (ranks.saturating_sub(2)..ranks).for_each(|rank| steps -= filled.rank_squares(rank));
            steps
        });
        let ep_steps = match (keys.en_passant, &keys.en_passant_from) {
            (EnPassant::Off, _) => [SquareSet::EMPTY; 2],
            (_, None) => double_steps,
            (_, Some(list)) => double_steps.map(|steps| steps & on_ranks(list)),
        };
        let mut keeps_moves = movers.map(Transforms::keeping);
        let mut pawn = PawnMoves {
            mover: keys.pawn,
            squares: [board.full(); 2],
        };
        if keys.moves_pawns() {
            keeps_moves[PieceType::Pawn.index()] = Transforms::keeping(keys.pawn);
            // Where pawns stand or promote: nowhere behind their first rank.
            pawn.squares = on_board(seen([home, black_home].map(|home| {
                let mut squares = SquareSet::EMPTY;
                (home..ranks).for_each(|rank| squares |= filled.rank_squares(rank));
                squares
            })));
        }
        if first_king {
            let spare = Transforms::keeping(keys.spare);
            keeps_moves[PieceType::King.index()] = keeps_moves[PieceType::King.index()].and(spare);
        }
        let parts = movers.map(Parts::of);
        let waiting = types(&promotes_to).into_iter();
        let waiting = waiting.fold(Mover::default(), |m, t| m.with(movers[t.index()]));
        let (spare, waiting_parts) = (Parts::of(keys.spare), Parts::of(waiting));
        let mut rest = parts.map(|parts| parts.rest);
        rest[PieceType::Pawn.index()] = waiting_parts.rest;
        let pawn_squares = on_board(seen(pawn_squares));
        let goal = match (&keys.reach, keys.king_capture, keys.extinct) {
            (Some(reach), ..) => {
                let mut piece_types = [false; PieceType::COUNT];
                for piece_type in types(&reach.pieces) {
                    piece_types[piece_type.index()] = true;
                }
                let squares = [reach.squares, reach.black_squares(board)];
                let mut squares = on_board(squares);
                if squares.contains(&SquareSet::EMPTY) {
                    return Err(fault(
                        "end.reach.squares: a side has holes alone to reach, see board.holes"
                            .to_owned(),
                    ));
                }
                if reach.pieces == ['P'] {
                    squares[0] &= pawn_squares[0];
                    squares[1] &= pawn_squares[1];
                }
                if squares == [SquareSet::EMPTY; 2] {
                    return Err(fault(
                        "end.reach and pawns.promotion do not go together: no pawn ever stands on \
                         those squares, since it is promoted where it arrives; write promotion = \
                         \"optional\" or \"must-wait\" for a pawn that may stay one"
                            .to_owned(),
                    ));
                }
                let most = squares.into_iter().map(SquareSet::len).max();
                if most < Some(reach.count.into()) {
                    return Err(fault(
                        "end.reach.count: there are not so many squares to reach".to_owned(),
                    ));
                }
                Goal::Reach(Destination {
                    piece_types,
                    squares,
                    pawn_squares,
                    reply: reach.reply,
                    count: reach.count.into(),
                    safe: reach.safe,
                    stays: reach.stays,
                })
            }
            (_, Outcome::Win, _) => Goal::KingCapture(keys.king_capture_in_check),
            (_, _, Outcome::Off) => Goal::Mate,
            (_, _, Outcome::Loss | Outcome::Win) => Goal::Extinction,
        };
        let royalty = keys.royal.map(|rule| match rule {
            RoyalRule::King if keys.king_capture != Outcome::Off => Royalty::None,
            RoyalRule::King => Royalty::King,
            RoyalRule::FirstKing => {
                let way = |end: Low| if end == Low::Low { 1 } else { -1 };
                Royalty::FirstKing(KingOrder {
                    files: keys.files.map(way),
                    ranks: keys.ranks.map(way),
                    spare: keys.spare,
                })
            }
            RoyalRule::OnlyOfType => Royalty::OnlyOfType,
            RoyalRule::None => Royalty::None,
        });
        let kind = match royalty {
            _ if keys.explodes => RulesKind::Exploding,
            [Royalty::None, Royalty::None] => RulesKind::Free,
            [Royalty::King | Royalty::None, Royalty::King | Royalty::None] => RulesKind::One,
            _ => RulesKind::Several,
        };
        let kings = keys.royal.map(|rule| match (has_royal, rule) {
            // Where the other side alone has a royal king, this one has none of them.
            (true, RoyalRule::None) if one_king => (0, 0),
            (true, _) => (
                keys.kings.0.into(),
                keys.kings.1.map_or(usize::MAX, usize::from),
            ),
            (false, _) => (0, usize::MAX),
        });
        // Only endings of kings, bishops and knights are dead: other pieces may be as they like.
        let is_usual = |piece_type: PieceType| {
            let mover = Mover::parse(&piece_type.letter().to_string());
            letters[piece_type.index()] == Some(piece_type.letter())
                && mover == Ok(movers[piece_type.index()])
        };
        let has_dead_positions = board == Geometry::EIGHT
            && matches!(goal, Goal::Mate)
            && royalty == [Royalty::King; 2]
            && keys.vitality.is_none()
            && keys.checks == 0
            && keys.no_progress > 0
            && keys.pass == Pass::Off
            && keys.stalemate == Stalemate::Draw
            && keys.checkmate == Checkmate::Loss
            && !keys.must_capture
            && !keys.explodes
            && !keys.no_checks
            && keys.bare == Bare::Off
            && [PieceType::King, PieceType::Bishop, PieceType::Knight]
                .into_iter()
                .all(is_usual);
        Ok(Record {
            name: String::new(),
            id: String::new(),
            is_built_in: false,
            is_defined: false,
            marks_moves,
            revision: 1,
            texts: Texts::default(),
            source: String::new(),
            normal: keys.normal(),
            offers: Vec::new(),
            chosen: Vec::new(),
            geometry: board,
            reach: Reach::with(board, pawn),
            letters,
            powers: PowerTypes::new(&piece_types, &parts),
            other_moves: OtherMoves::new(board, &rest, spare.rest),
            spare: (keys.spare != movers[0]).then_some(spare),
            waiting_parts,
            pieces: pieces_by_letter(&slots),
            movers,
            keeps_moves,
            parts,
            double_steps: on_board(seen(double_steps)),
            ep_steps: on_board(seen(ep_steps)),
            pawn_squares,
            promotion_squares: on_board(promotion_squares),
            promotions: keys.promotes().map(types),
            all_promotions: types(&promotes_to),
            pawns: Pawns {
                ranks: [(home, farthest), (last - farthest, last - black_home)],
                double_step: match keys.double_step {
                    _ if double_steps == [SquareSet::EMPTY; 2] => crate::features::DoubleStep::None,
                    DoubleStep::Anywhere => crate::features::DoubleStep::FromAnywhere,
                    DoubleStep::Ranks(ref ranks) if is_home(&keys, ranks) => {
                        crate::features::DoubleStep::FromHome
                    }
                    DoubleStep::Ranks(_) => crate::features::DoubleStep::FromRanks,
                },
                promotion_ranks: keys.promotion_zone(),
                on_squares,
                stay: stays,
                wait: waits,
                promote_on_arrival: keys.promotion != Promotion::MustWait,
            },
            piece_types,
            royalty,
            kind,
            kings,
            goal,
            ends_by_moves_alone: matches!(goal, Goal::Mate)
                && kind == RulesKind::One
                && royalty == [Royalty::King; 2]
                && keys.bare == Bare::Off
                && keys.checks == 0,
            has_dead_positions,
            extinct_types,
            royal_types: match keys.has_royal_types() {
                true => types(&keys.royal_types),
                false => Vec::new(),
            },
            spared: types(&keys.spares),
            survivors: types(&keys.survives),
            mutually_immune: types(&keys.mutually_immune),
            vitality: (keys.vitality.as_ref())
                .map(|vitality| VitalityRules::new(board, vitality, one_king)),
            castling: Castling::new(&keys, type_of),
            keys,
        })
    }

    /// The squares that mean something to White and to Black, in materials with pawns or without:
    /// a symmetry of the board has to keep them.
    pub(crate) fn marked(&self, has_pawns: bool) -> Vec<[SquareSet; 2]> {
        let mut marked = Vec::new();
        if self.pawns.on_squares && has_pawns {
            marked.push(self.promotion_squares);
        }
        if let Goal::Reach(destination) = self.goal {
            marked.push(destination.squares);
        }
        if let Some(vitality) = &self.keys.vitality {
            marked.push([vitality.centre; 2]);
        }
        let holes = self.geometry.holes;
        if !holes.is_empty() {
            marked.push([holes; 2]);
        }
        marked
    }

    /// The type of a piece's capital letter; `None` if the game has none of that letter.
    pub(crate) fn type_of(&self, letter: char) -> Option<PieceType> {
        let mut types = self.piece_types.iter().copied();
        types.find(|piece_type| self.letters[piece_type.index()] == Some(letter))
    }

    /// The end of a game in which a side has no move and is not in check, given how many men
    /// White and Black have.
    pub(crate) fn stalemate(&self, side: Colour, men: [usize; 2]) -> End {
        let [white, black] = men;
        let winner = match self.keys.stalemate {
            Stalemate::Draw => None,
            Stalemate::Loss => Some(side.other()),
            Stalemate::Win => Some(side),
            Stalemate::FewerMen => match white.cmp(&black) {
                Ordering::Less => Some(Colour::White),
                Ordering::Equal => None,
                Ordering::Greater => Some(Colour::Black),
            },
        };
        match self.goal.check_forbids_moves() || winner.is_some() {
            true => End::Stalemate { winner },
            false => End::Blocked,
        }
    }

    /// The end of a game in which a side has no move and is in check, where check forbids moves.
    pub(crate) fn checkmate(&self) -> End {
        match self.keys.checkmate {
            Checkmate::Loss => End::Checkmate,
            Checkmate::Win => End::CheckmateWins,
        }
    }

    /// The end of a game in which a side has lost its last piece, and is to move: by itself, or
    /// because it has no move.
    #[cold]
    #[inline(never)]
    pub(crate) fn end_without_pieces(&self, side: Colour) -> End {
        match self.keys.all_lost {
            Outcome::Off => {
                let mut men = [1; 2];
                men[side.index()] = 0;
                self.stalemate(side, men)
            }
            Outcome::Loss => End::Extinction {
                winner: side.other(),
            },
            Outcome::Win => End::Extinction { winner: side },
        }
    }

    /// The end of a game in which captures explode and nothing is royal, given how many men White
    /// and Black have, if a side has lost them all. The side that has just moved comes first.
    pub(crate) fn end_without_some(&self, turn: Colour, men: [usize; 2]) -> Option<End> {
        let has_none = |side: Colour| men[side.index()] == 0;
        let alone = self.keys.all_lost_alone && men == [0; 2];
        let mut sides = [turn.other(), turn].into_iter();
        match sides.find(|&side| has_none(side))? {
            side if self.keys.all_lost != Outcome::Off && !alone => {
                Some(self.end_without_pieces(side))
            }
            _ => Some(self.stalemate(turn, men)),
        }
    }

    /// The side that loses the game by a move after which there are fewer pieces of some types,
    /// given how many there were and are. If both sides lose a type, it is what happens to the
    /// mover that counts (D11).
    pub(crate) fn loser_by_explosion(
        &self,
        mover: Colour,
        before: impl Fn(Piece) -> usize,
        after: impl Fn(Piece) -> usize,
    ) -> Option<Colour> {
        let most = usize::from(self.keys.extinct_count);
        let has_lost = |colour| {
            let types = self.piece_types.iter().copied();
            let mut types = types.filter(|piece_type| self.extinct_types[piece_type.index()]);
            types.any(|piece_type| {
                let piece = Piece::new(colour, piece_type);
                before(piece) > most && after(piece) <= most
            })
        };
        let mut sides = [mover, mover.other()].into_iter();
        let side = sides.find(|&side| has_lost(side))?;
        match self.keys.extinct {
            Outcome::Win => Some(side.other()),
            Outcome::Off | Outcome::Loss => Some(side),
        }
    }

    /// Whether a side has no piece of the types that may be royal, where types are, given how many
    /// pieces of each it has (E2).
    pub(crate) fn lacks_royal_type(&self, count: impl Fn(PieceType) -> usize) -> bool {
        !self.royal_types.is_empty() && self.royal_types.iter().all(|&royal| count(royal) == 0)
    }

    /// The squares where a side's pawns promote, its last ranks.
    #[inline]
    pub(crate) fn last_rank(&self, colour: Colour) -> SquareSet {
        self.promotion_squares[colour.index()]
    }

    /// The squares of a side's first rank.
    #[inline]
    pub(crate) fn first_rank(&self, colour: Colour) -> SquareSet {
        self.geometry.rank_squares(match colour {
            Colour::White => 0,
            Colour::Black => self.geometry.ranks - 1,
        })
    }

    /// The royal king of a side whose kings stand on these squares (K1); `None` if there is no
    /// king.
    #[inline]
    pub(crate) fn first_king(
        &self,
        order: KingOrder,
        colour: Colour,
        kings: SquareSet,
    ) -> Option<Square> {
        let (board, side) = (self.geometry, colour.index());
        let place = |square: Square| {
            let (file, rank) = (board.file(square) as i8, board.rank(square) as i8);
            (order.files[side] * file, order.ranks[side] * rank)
        };
        match kings.len() {
            0 | 1 => kings.first(),
            _ => kings.min_by_key(|&king| place(king)),
        }
    }
}

impl PowerTypes {
    fn new(piece_types: &[PieceType], parts: &[Parts]) -> PowerTypes {
        let having = |has: fn(&Parts) -> bool| -> Vec<PieceType> {
            let types = piece_types.iter().copied();
            types
                .filter(|piece_type| has(&parts[piece_type.index()]))
                .collect()
        };
        PowerTypes {
            king: having(|parts| parts.king),
            knight: having(|parts| parts.knight),
            diagonal: having(|parts| parts.diagonal),
            straight: having(|parts| parts.straight),
            other: having(|parts| !parts.rest.is_empty()),
        }
    }

    /// The pieces of a side that step like kings, leap like knights, slide diagonally, slide along
    /// files and ranks, and that have other moves.
    #[inline]
    fn of(&self, board: &Board, own: SquareSet) -> [SquareSet; 5] {
        let of = |types: &[PieceType]| {
            let sets = types.iter().map(|&piece_type| board.piece_type(piece_type));
            own & sets.fold(SquareSet::EMPTY, |all, set| all | set)
        };
        // Not by `map`, which the compiler does not inline.
        [
            of(&self.king),
            of(&self.knight),
            of(&self.diagonal),
            of(&self.straight),
            of(&self.other),
        ]
    }
}

impl Record {
    /// The attacks of a side's pieces, if none but waiting pawns moves in another way because of
    /// where it stands.
    #[inline]
    pub(crate) fn powers_of<'a>(&'a self, board: &'a Board, colour: Colour) -> Powers<'a> {
        let own = board.by(colour);
        let [king, knight, diagonal, straight, other] = self.powers.of(board, own);
        let mut powers = Powers {
            colour,
            king,
            knight,
            diagonal,
            straight,
            pawn: own & board.piece_type(PieceType::Pawn),
            other,
            special: SquareSet::EMPTY,
            moves: &self.other_moves,
            board,
        };
        if self.pawns.wait {
            powers.change(self.waiting(board, colour), &self.waiting_parts);
        }
        powers
    }

    /// The pawns of a side that wait on its last rank (C5): they attack as each piece that they
    /// may become, and move by turning into one.
    #[inline]
    pub(crate) fn waiting(&self, board: &Board, colour: Colour) -> SquareSet {
        match self.pawns.wait {
            true => board.of(Piece::new(colour, PieceType::Pawn)) & self.last_rank(colour),
            false => SquareSet::EMPTY,
        }
    }

    /// The squares that a piece would reach from a square, including those of own pieces, and
    /// those on which it could capture.
    pub(crate) fn reach_as(
        &self,
        board: &Board,
        piece: Piece,
        from: Square,
        occupied: SquareSet,
    ) -> [SquareSet; 2] {
        let parts = &self.parts[piece.piece_type.index()];
        let one = |has: bool| {
            if has {
                SquareSet::of(from)
            } else {
                SquareSet::EMPTY
            }
        };
        let powers = Powers {
            colour: piece.colour,
            king: one(parts.king),
            knight: one(parts.knight),
            diagonal: one(parts.diagonal),
            straight: one(parts.straight),
            pawn: SquareSet::EMPTY,
            other: SquareSet::EMPTY,
            special: SquareSet::EMPTY,
            moves: &self.other_moves,
            board,
        };
        let common = powers.targets(self.reach, from, occupied);
        let others = self.other_moves.of(piece, self.geometry, from, occupied);
        others.map(|others| common | others)
    }

    /// Whether a king on its first rank castles with the nearest piece there (C7).
    #[inline]
    pub(crate) fn castles_along_first_rank(&self) -> bool {
        self.keys.castling == CastlingRule::FirstRank
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The manual lists whatever may be refused.
    #[test]
    fn conflicts_stand_in_the_manual() {
        let manual = include_str!("../../docs/GAMES.md");
        let (_, section) = manual
            .split_once("## What does not go together yet")
            .unwrap();
        let rows = section.lines().filter(|line| line.starts_with("| `"));
        let rows: Vec<Vec<&str>> = rows.map(|row| row.split(" | ").collect()).collect();
        for keys in [
            Keys {
                promotion: Promotion::MayWait,
                ..Keys::default()
            },
            Keys {
                en_passant: EnPassant::All,
                ..Keys::default()
            },
            Keys {
                double_step: DoubleStep::Anywhere,
                ..Keys::default()
            },
            Keys {
                first_rank: [1; 2],
                double_step: DoubleStep::Ranks(vec![1]),
                ..Keys::default()
            },
            Keys {
                size: Geometry::new(8, 4),
                ..Keys::default()
            },
        ] {
            for (_, Conflict(pair, _)) in conflicts(&keys) {
                let [a, b] = pair.map(|key| format!("`{key}`"));
                let row = |x: &str, y: &str| {
                    rows.iter()
                        .any(|row| row[0].contains(x) && row[1].contains(y))
                };
                assert!(row(&a, &b) || row(&b, &a), "{pair:?}");
            }
        }
    }
}
