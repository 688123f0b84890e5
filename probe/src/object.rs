//! Answers as objects for other programs, such as JSON. Names and order of the
//! fields are a contract: every way to ask gives the same.

use retrograde_rules::{Colour, Game, PieceType, Position, ReadError, SquareSet};
use serde::Serialize;

use crate::advice::Advice;
use crate::answer::{Answer, Extra, Line, MoveAnswer};
use crate::error::ProbeError;
use crate::facts::{Facts, MoveFacts};
use crate::high_chess::answer::WinBy;
use crate::tablebase::Tablebase;
use crate::value::Value;
use retrograde_index::{Helpmate, Metric, Wdl};

/// The word for a category that is not known.
pub const UNKNOWN: &str = "unknown";

/// The word for who wins; [`UNKNOWN`] if no table says it.
pub fn category(value: Option<Value>) -> &'static str {
    value.map_or(UNKNOWN, |value| value.wdl.name())
}

/// A position and what is said about it. What a game does not have is left out;
/// what is not known is null.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[non_exhaustive]
pub struct AnswerObject {
    /// The position as it was understood.
    pub fen: String,
    /// The game with its options.
    pub game: String,
    /// The material in normal form.
    pub material: String,
    /// Who wins, for the side to move, at the half-move clock (O7).
    pub category: &'static str,
    /// The half-move clock.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clock: Option<u32>,
    /// The category with the half-move clock at 0; null if unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub category_at_clock_0: Option<Option<&'static str>>,
    /// `white` or `black`.
    pub winner: Option<&'static str>,
    /// See [`Dtm`](crate::Dtm).
    pub depth_plies: Option<u32>,
    /// See [`Dtz`](crate::Dtz).
    pub dtz_plies: Option<u32>,
    /// High Chess; null if unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub vitality: Option<Option<VitalityObject>>,
    /// High Chess: `mate` or `exhaustion`; null if unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub win_by: Option<Option<&'static str>>,
    /// See [`Facts::check`].
    pub check: bool,
    /// See [`Facts::checks`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub checks: Option<ChecksObject>,
    /// Whether both kings are attacked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub double_check: Option<bool>,
    /// See [`Facts::checkmate`].
    pub checkmate: bool,
    /// See [`Facts::stalemate`].
    pub stalemate: bool,
    /// See [`Facts::royals`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub royal: Option<RoyalObject>,
    /// See [`Facts::dead`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dead: Option<bool>,
    /// Beside `dead`: see [`Tablebase::helpmate`]; null if no table tells.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub helpmate: Option<Option<HelpmateObject>>,
    /// See [`Facts::high`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub high: Option<HighObject>,
    /// How the game has ended.
    pub end: Option<&'static str>,
    /// The legal moves, if they were asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub moves: Option<Vec<MoveObject>>,
    /// The moves of best play, if they were asked for; null if a table along
    /// the line is missing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<Option<Vec<String>>>,
    /// How the line ends.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line_end: Option<Option<&'static str>>,
    /// Why the category is unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<ErrorObject>,
}

/// Whether either side can be mated by any moves of both (O5).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct HelpmateObject {
    /// White.
    pub white: bool,
    /// Black.
    pub black: bool,
}

/// Which side is High.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct HighObject {
    /// `white` or `black`.
    pub side: &'static str,
    /// Steps of White's king from the centre.
    pub white_distance: u8,
    /// Steps of Black's king from the centre.
    pub black_distance: u8,
}

/// The counters of High Chess, and how many each side needs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct VitalityObject {
    /// White's points.
    pub white: u8,
    /// Black's points.
    pub black: u8,
    /// For each vitality of Black from 1, the least with which White wins.
    pub thresholds: Vec<u8>,
    /// The points that White needs to win; one more than all for never.
    pub white_needs: u8,
    /// The points that Black needs to win.
    pub black_needs: u8,
    /// The points with which White forces mate; null if unknown.
    pub white_mates: Option<u8>,
    /// The points with which Black forces mate; null if unknown.
    pub black_mates: Option<u8>,
}

/// Whose king is attacked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ChecksObject {
    /// White's.
    pub white: bool,
    /// Black's.
    pub black: bool,
}

/// The squares of the royal pieces.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct RoyalObject {
    /// White's.
    pub white: Vec<String>,
    /// Black's.
    pub black: Vec<String>,
}

/// A legal move and what it leads to, from the view of the side that makes it,
/// distances counted from the position after it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[non_exhaustive]
pub struct MoveObject {
    /// In UCI's long form.
    pub uci: String,
    /// In algebraic notation.
    pub san: String,
    /// As [`AnswerObject::category`].
    pub category: &'static str,
    /// `white` or `black`.
    pub winner: Option<&'static str>,
    /// See [`Dtm`](crate::Dtm).
    pub depth_plies: Option<u32>,
    /// See [`Dtz`](crate::Dtz).
    pub dtz_plies: Option<u32>,
    /// How the move ends the game.
    pub end: Option<&'static str>,
    /// High Chess: White's vitality after the move.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub white: Option<u8>,
    /// High Chess: Black's vitality after the move.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub black: Option<u8>,
    /// See [`MoveFacts::vital`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub vital: Option<bool>,
    /// See [`MoveFacts::zeroing`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub zeroing: Option<bool>,
    /// See [`MoveFacts::double_check`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub double_check: Option<bool>,
    /// See [`MoveFacts::royals_after`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub royal_after: Option<RoyalObject>,
}

/// Best play to the end.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct LineObject {
    /// The moves in UCI's long form; none for a draw.
    pub moves: Vec<String>,
    /// How the line ends; null for a draw that is not the end of the game.
    pub end: Option<&'static str>,
}

impl LineObject {
    /// Best play from a position.
    pub fn new(position: &Position, line: &Line) -> LineObject {
        LineObject {
            moves: line.moves.iter().map(|&mv| position.uci(mv)).collect(),
            end: line.end.map(|end| end.name()),
        }
    }
}

/// A game that there can be tables of.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct GameObject {
    /// The name, without options.
    pub id: &'static str,
    /// Files and ranks: `8x8`.
    pub board: String,
    /// The letters of its pieces.
    pub pieces: String,
    /// The names of the metrics.
    pub metrics: Vec<&'static str>,
    /// The rule options.
    pub options: Vec<OptionObject>,
}

/// A rule option of a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct OptionObject {
    /// The name.
    pub name: &'static str,
    /// What it can be.
    pub values: Vec<String>,
    /// What it is unless said.
    pub default: &'static str,
}

impl GameObject {
    /// What there is to say about a game.
    pub fn new(game: Game) -> GameObject {
        let geometry = game.geometry();
        let letters = game.piece_types().iter().copied().map(PieceType::letter);
        let options = game.offers().iter().map(|offer| OptionObject {
            name: offer.name,
            values: offer.values.list(),
            default: offer.default,
        });
        GameObject {
            id: game.name(),
            board: format!("{}x{}", geometry.files, geometry.ranks),
            pieces: letters.collect(),
            metrics: Metric::of(game)
                .iter()
                .map(|metric| metric.name())
                .collect(),
            options: options.collect(),
        }
    }
}

/// A FEN that has no answer, and why.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct RefusalObject {
    /// The FEN as it was given.
    pub fen: String,
    /// What is wrong, and what to do.
    pub error: ErrorObject,
}

impl RefusalObject {
    /// Why a FEN has no answer.
    pub fn new(fen: &str, error: impl Into<ErrorObject>) -> RefusalObject {
        RefusalObject {
            fen: fen.to_owned(),
            error: error.into(),
        }
    }
}

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ErrorObject {
    /// `bad-fen`, `illegal-position`, or see [`ProbeError::kind`].
    pub kind: &'static str,
    /// What is wrong, and what to do.
    pub message: String,
    /// Where in the FEN, in bytes.
    pub offset: Option<usize>,
}

impl From<&ReadError> for ErrorObject {
    fn from(error: &ReadError) -> ErrorObject {
        let (kind, offset) = match error {
            ReadError::Fen(error) => ("bad-fen", Some(error.offset)),
            ReadError::Position(_) => ("illegal-position", None),
        };
        ErrorObject {
            kind,
            message: error.to_string(),
            offset,
        }
    }
}

impl From<&ProbeError> for ErrorObject {
    fn from(error: &ProbeError) -> ErrorObject {
        ErrorObject {
            kind: error.kind(),
            message: error.to_string(),
            offset: None,
        }
    }
}

impl ErrorObject {
    /// Why a position has no answer, and what to do about it.
    pub fn with_advice(error: &ProbeError, advice: &dyn Advice) -> ErrorObject {
        ErrorObject {
            message: error.with_advice(advice),
            ..ErrorObject::from(error)
        }
    }
}

impl AnswerObject {
    /// What rules and tables say about a position; `None` for what the tables do
    /// not tell.
    pub fn new(position: &Position, facts: &Facts, answer: Option<&Answer>) -> AnswerObject {
        let game = position.game();
        let value = answer.map(|answer| answer.value);
        let (mut at_0, mut vitality, mut by) = (None, None, None);
        match answer.map(|answer| answer.extra) {
            Some(Extra::Clock { wdl_at_clock_0 }) => at_0 = Some(wdl_at_clock_0),
            Some(Extra::Vitality { answer, win_by }) => {
                (vitality, by) = (Some(answer), win_by);
            }
            _ => {}
        }
        AnswerObject {
            fen: position.fen(),
            game: game.id(),
            material: facts.material.to_string(),
            category: category(value),
            clock: game.zeroing_limit().map(|_| position.halfmoves()),
            category_at_clock_0: game.zeroing_limit().map(|_| at_0.map(Wdl::name)),
            winner: value
                .and_then(|value| value.winner(position.turn()))
                .map(Colour::name),
            depth_plies: value.and_then(depth_plies),
            dtz_plies: value.and_then(dtz_plies),
            vitality: position.vitality().map(|counters| {
                vitality.map(|answer| VitalityObject {
                    white: counters.white,
                    black: counters.black,
                    thresholds: answer.curve.iter().collect(),
                    white_needs: answer.needs(Colour::White, counters),
                    black_needs: answer.needs(Colour::Black, counters),
                    white_mates: answer.mates.map(|[white, _]| white),
                    black_mates: answer.mates.map(|[_, black]| black),
                })
            }),
            win_by: position.vitality().map(|_| {
                // That much the rules know.
                let mated = facts.checkmate.then_some(WinBy::Mate);
                by.or(mated).map(WinBy::name)
            }),
            check: facts.check,
            checks: facts
                .checks
                .map(|[white, black]| ChecksObject { white, black }),
            double_check: facts.checks.map(|checks| checks == [true; 2]),
            checkmate: facts.checkmate,
            stalemate: facts.stalemate,
            royal: facts.royals.map(|royals| royal(game, royals)),
            dead: facts.dead,
            helpmate: facts.dead.map(|_| None),
            high: facts.high.map(|high| HighObject {
                side: high.side.name(),
                white_distance: high.distances[0],
                black_distance: high.distances[1],
            }),
            end: facts.end.map(|end| end.name()),
            moves: None,
            line: None,
            line_end: None,
            error: None,
        }
    }

    /// The same with what tables of help-mates say, in games that have `dead`.
    #[must_use]
    pub fn with_helpmate(self, helpmate: Option<Helpmate>) -> AnswerObject {
        let object = helpmate.map(|Helpmate { white, black }| HelpmateObject { white, black });
        AnswerObject {
            helpmate: self.helpmate.map(|_| object),
            ..self
        }
    }

    /// The same with what holds at any clock: the category at clock 0 and the depth, if
    /// they are not there yet ([`Tablebase::value_at_clock_0`]).
    #[must_use]
    pub fn with_value_at_clock_0(self, value: Option<Value>) -> AnswerObject {
        AnswerObject {
            category_at_clock_0: self
                .category_at_clock_0
                .map(|category| category.or(value.map(|value| value.wdl.name()))),
            depth_plies: self.depth_plies.or(value.and_then(depth_plies)),
            ..self
        }
    }

    /// The same with the legal moves of the position.
    #[must_use]
    pub fn with_moves(self, position: &Position, moves: &[MoveAnswer]) -> AnswerObject {
        let moves = moves.iter().map(|mv| MoveObject::new(position, mv));
        AnswerObject {
            moves: Some(moves.collect()),
            ..self
        }
    }

    /// The same with best play from the position; `None` if a table along the
    /// line is missing.
    #[must_use]
    pub fn with_line(self, position: &Position, line: Option<&Line>) -> AnswerObject {
        let line = line.map(|line| LineObject::new(position, line));
        AnswerObject {
            line_end: Some(line.as_ref().and_then(|line| line.end)),
            line: Some(line.map(|line| line.moves)),
            ..self
        }
    }
}

impl MoveObject {
    /// What is said about a move of a position.
    pub fn new(position: &Position, mv: &MoveAnswer) -> MoveObject {
        let game = position.game();
        let facts = MoveFacts::of(position, mv.mv, &mv.after);
        MoveObject {
            uci: mv.uci.clone(),
            san: position.san(mv.mv),
            category: category(mv.value),
            winner: mv.winner().map(Colour::name),
            depth_plies: mv.value.and_then(depth_plies),
            dtz_plies: mv.value.and_then(dtz_plies),
            end: mv.end.map(|end| end.name()),
            white: mv.after.vitality().map(|v| v.white),
            black: mv.after.vitality().map(|v| v.black),
            vital: facts.vital,
            zeroing: facts.zeroing,
            double_check: facts.double_check,
            royal_after: facts.royals_after.map(|royals| royal(game, royals)),
        }
    }
}

/// What to say about a position beside its value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Include {
    /// The legal moves, best first.
    pub moves: bool,
    /// Best play to the end.
    pub line: bool,
}

impl Tablebase {
    /// The value with the half-move clock at 0, for the side to move, where
    /// [`Tablebase::probe`] has no answer because it takes DTZ to tell what holds at the
    /// clock of the position (O7). Its depth holds at any clock (O4). `None` where no table
    /// tells, and in games without the fifty-move rule.
    ///
    /// # Errors
    /// [`ProbeError`], but not for missing tables and positions that no table has.
    pub fn value_at_clock_0(&self, position: &Position) -> Result<Option<Value>, ProbeError> {
        if self.game().zeroing_limit().is_none() {
            return Ok(None);
        }
        match self.value(position) {
            Ok(value) => Ok(Some(value)),
            Err(ProbeError::Missing { .. } | ProbeError::Unsupported(_)) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Everything that is said about a position, as an object. Where no table has
    /// the answer, [`AnswerObject::error`] says why, beside what the rules know.
    ///
    /// # Errors
    /// [`ProbeError`], but not for missing tables and positions that no table has.
    pub fn answer_object(
        &self,
        position: &Position,
        include: Include,
    ) -> Result<AnswerObject, ProbeError> {
        let (mut object, error) = self.answer_object_or_error(position, include)?;
        object.error = error.as_ref().map(ErrorObject::from);
        Ok(object)
    }

    /// The same, with the error itself beside the object, which leaves it out.
    ///
    /// # Errors
    /// As [`Tablebase::answer_object`].
    pub fn answer_object_or_error(
        &self,
        position: &Position,
        include: Include,
    ) -> Result<(AnswerObject, Option<ProbeError>), ProbeError> {
        let (answer, error) = match self.probe(position) {
            Ok(answer) => (Some(answer), None),
            Err(error @ (ProbeError::Missing { .. } | ProbeError::Unsupported(_))) => {
                (None, Some(error))
            }
            Err(error) => return Err(error),
        };
        let mut object = AnswerObject::new(position, &Facts::of(position), answer.as_ref())
            .with_helpmate(self.helpmate(position)?);
        if answer.is_none() {
            object = object.with_value_at_clock_0(self.value_at_clock_0(position)?);
        }
        if include.moves {
            object = object.with_moves(position, &self.moves(position)?);
        }
        if include.line {
            let line = match &answer {
                Some(_) => self.line_if_known(position)?,
                None => None,
            };
            object = object.with_line(position, line.as_ref());
        }
        Ok((object, error))
    }
}

fn depth_plies(value: Value) -> Option<u32> {
    value.dtm.map(u32::from)
}

fn dtz_plies(value: Value) -> Option<u32> {
    value.dtz.map(u32::from)
}

fn royal(game: Game, [white, black]: [SquareSet; 2]) -> RoyalObject {
    RoyalObject {
        white: names(game, white),
        black: names(game, black),
    }
}

/// The names of squares.
fn names(game: Game, squares: SquareSet) -> Vec<String> {
    let name = |square| game.geometry().name(square);
    squares.into_iter().map(name).collect()
}
