//! Reads records of games from PGN: tags, start position, moves and result.

use std::io::{self, Read};

use retrograde_rules::{Game, Position, ReadError, shortened};
use thiserror::Error;

use crate::lexer::{
    Failure, Lexer, MOST_MOVES, Outcome, PgnError, PgnErrorKind, Place, Token, Words,
};

/// A game as recorded; nothing is checked against the rules.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Record {
    /// Tags and their values, in order.
    pub tags: Vec<(String, String)>,
    /// The comments before the first move.
    pub comments: Vec<String>,
    /// The moves; variations are left out.
    pub moves: Vec<RecordMove>,
    /// The outcome of the game, if it stands behind the moves.
    pub outcome: Option<Outcome>,
}

/// A move as recorded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordMove {
    /// The move in algebraic notation or in UCI's long form, without annotations.
    pub text: String,
    /// The line of the move, counted from 1.
    pub line: usize,
    /// The column of the move in characters, counted from 1.
    pub column: usize,
    /// Numeric annotations: 1 for `!`, 2 for `?` and so on.
    pub nags: Vec<u8>,
    /// The comments after it.
    pub comments: Vec<String>,
}

/// The reasons why a record has no starting position in a game.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum StartError {
    /// The tag `Variant` names another game.
    #[error("this is a record of {}, not of {game}", shortened(.variant))]
    Variant {
        /// The text of the tag.
        variant: String,
        /// The game's id.
        game: String,
    },
    /// The tag `FEN` is not a position of the game.
    #[error("the tag FEN: {0}")]
    Fen(#[from] ReadError),
}

impl Record {
    /// The value of the first tag with a name.
    pub fn tag(&self, name: &str) -> Option<&str> {
        let tag = self.tags.iter().find(|(tag, _)| tag == name);
        tag.map(|(_, value)| value.as_str())
    }

    /// The starting position: that of the tag `FEN`, otherwise the array.
    ///
    /// # Errors
    /// The tag `Variant` names another game, or the FEN is not a position of this
    /// one.
    pub fn start(&self, game: Game) -> Result<Position, StartError> {
        // An empty tag says as little as none, and `?` stands for what is not known.
        let named = self
            .tag("Variant")
            .filter(|name| !matches!(*name, "" | "?"));
        if let Some(variant) = named.filter(|name| !game.is_called(name)) {
            let (variant, game) = (variant.to_owned(), game.id());
            return Err(StartError::Variant { variant, game });
        }
        match self.tag("FEN") {
            Some(fen) => Ok(Position::from_fen(game, fen)?),
            None => Ok(game.array()),
        }
    }

    /// Adds a comment on what there is so far.
    fn comment(&mut self, comment: String) {
        let last = self.moves.last_mut();
        last.map_or(&mut self.comments, |last| &mut last.comments)
            .push(comment);
    }

    /// Whether the record is empty.
    fn is_empty(&self) -> bool {
        self.tags.is_empty()
            && self.comments.is_empty()
            && self.moves.is_empty()
            && self.outcome.is_none()
    }
}

/// The errors of reading a record.
#[derive(Debug, Error)]
pub enum RecordError {
    /// The text is not PGN.
    #[error(transparent)]
    Pgn(#[from] PgnError),
    /// The text cannot be read; there is no further record.
    #[error(transparent)]
    Io(#[from] io::Error),
}

impl From<Failure> for RecordError {
    fn from(failure: Failure) -> RecordError {
        match failure {
            Failure::Fault(Place { line, column, .. }, kind) => {
                RecordError::Pgn(PgnError { line, column, kind })
            }
            Failure::Io(error) => RecordError::Io(error),
        }
    }
}

/// An iterator over the records of a text, which is read as far as the next record takes.
/// Bytes that are not UTF-8 are Latin-1. After an error it goes on where the next section of
/// tags begins.
#[derive(Debug)]
pub struct Records<R> {
    lexer: Lexer<R>,
    /// The token behind the last record, if that has been looked at.
    next: Option<Result<Option<(Place, Token)>, Failure>>,
}

impl<R: Read> Records<R> {
    /// The records of a text, which are of a game.
    pub fn new(game: Game, input: R) -> Records<R> {
        Records {
            lexer: Lexer::new(input, Words::of(game)),
            next: None,
        }
    }

    fn record(&mut self) -> Result<Option<Record>, Failure> {
        self.lexer.begin_record();
        let mut record = Record::default();
        // Where each open variation begins.
        let mut open: Vec<Place> = Vec::new();
        while let Some((at, token)) = self.token()? {
            match token {
                Token::OpenVariation => open.push(at),
                Token::CloseVariation => {
                    let begun = open.pop();
                    begun.ok_or(Failure::Fault(at, PgnErrorKind::StrayClose))?;
                }
                Token::Tag {
                    name,
                    value,
                    begins_section,
                } => {
                    if let Some(&begun) = open.first() {
                        self.lexer.back_to(at);
                        return Err(Failure::Fault(begun, PgnErrorKind::OpenVariation));
                    }
                    // Records of positions alone may end with neither moves nor an outcome, but
                    // a section may also have a tag twice.
                    let is_next = begins_section && record.tag(&name).is_some();
                    if !record.moves.is_empty() || is_next {
                        let tag = Token::Tag {
                            name,
                            value,
                            begins_section,
                        };
                        self.next = Some(Ok(Some((at, tag))));
                        return Ok(Some(record));
                    }
                    record.tags.push((name, value));
                }
                _ if !open.is_empty() => {}
                Token::Move(_) if record.moves.len() == MOST_MOVES => {
                    return Err(Failure::Fault(at, PgnErrorKind::TooLong));
                }
                Token::Move(text) => record.moves.push(RecordMove {
                    text,
                    line: at.line,
                    column: at.column,
                    nags: Vec::new(),
                    comments: Vec::new(),
                }),
                Token::Nag(nag) => {
                    if let Some(last) = record.moves.last_mut() {
                        last.nags.push(nag);
                    }
                }
                Token::Comment(comment) => record.comment(comment),
                Token::Outcome(outcome) => {
                    record.outcome = Some(outcome);
                    self.comments_behind(&mut record);
                    return Ok(Some(record));
                }
            }
        }
        match open.first() {
            Some(&begun) => Err(Failure::Fault(begun, PgnErrorKind::OpenVariation)),
            None => Ok(Some(record).filter(|record| !record.is_empty())),
        }
    }

    fn token(&mut self) -> Result<Option<(Place, Token)>, Failure> {
        match self.next.take() {
            Some(token) => token,
            None => self.lexer.next(),
        }
    }

    /// Takes the comments behind the outcome of a record, which are about it. Whatever comes after
    /// them, be it a fault, is for the next record.
    fn comments_behind(&mut self, record: &mut Record) {
        self.next = loop {
            match self.lexer.next() {
                Ok(Some((_, Token::Comment(comment)))) => record.comment(comment),
                next => break Some(next),
            }
        };
    }
}

impl<R: Read> Iterator for Records<R> {
    type Item = Result<Record, RecordError>;

    fn next(&mut self) -> Option<Result<Record, RecordError>> {
        let record = self.record().map_err(|failure| {
            if matches!(failure, Failure::Fault(..))
                && let Err(unreadable) = self.lexer.skip_record()
            {
                self.next = Some(Err(unreadable));
            }
            RecordError::from(failure)
        });
        record.transpose()
    }
}
