//! Records of games.

use retrograde_rules::{Game, Position, ReadError, shortened};
use thiserror::Error;

use crate::lexer::{Fault, Lexer, Outcome, PgnError, PgnErrorKind, Token};

/// A game as recorded; nothing is checked against the rules.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Record {
    /// Tags and their values, in order.
    pub tags: Vec<(String, String)>,
    /// The comments before the first move.
    pub comments: Vec<String>,
    /// The moves; variations are left out.
    pub moves: Vec<RecordMove>,
    /// How the game ended, if the record says so after its moves.
    pub outcome: Option<Outcome>,
}

/// A move as recorded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordMove {
    /// The move in algebraic notation or in UCI's long form, without `!` and `?`.
    pub text: String,
    /// Its line, counted from 1.
    pub line: usize,
    /// Its column in characters, counted from 1.
    pub column: usize,
    /// Numeric annotations: 1 for `!`, 2 for `?` and so on.
    pub nags: Vec<u8>,
    /// The comments after it.
    pub comments: Vec<String>,
}

/// Why a record has no starting position in a game.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum StartError {
    /// The tag `Variant` names another game.
    #[error("this is a record of {}, not of {game}", shortened(.variant))]
    Variant {
        /// What the tag says.
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
    fn comment(&mut self, comment: &str) {
        let last = self.moves.last_mut();
        last.map_or(&mut self.comments, |last| &mut last.comments)
            .push(comment.to_owned());
    }

    /// Whether the record is empty.
    fn is_empty(&self) -> bool {
        self.tags.is_empty()
            && self.comments.is_empty()
            && self.moves.is_empty()
            && self.outcome.is_none()
    }
}

/// An iterator over the records of a text. After an error it goes on where the next section of
/// tags begins.
#[derive(Debug)]
pub struct Records<'a> {
    lexer: Lexer<'a>,
    /// What comes after the last record, if that has been looked at.
    next: Option<Result<(usize, Token<'a>), Fault>>,
}

impl<'a> Records<'a> {
    /// The records of a text.
    pub fn new(text: &'a str) -> Records<'a> {
        Records {
            lexer: Lexer::new(text),
            next: None,
        }
    }

    fn record(&mut self) -> Result<Option<Record>, Fault> {
        let mut record = Record::default();
        // Where each open variation begins.
        let mut open: Vec<usize> = Vec::new();
        while let Some((at, token)) = self.token()? {
            match token {
                Token::OpenVariation => open.push(at),
                Token::CloseVariation => {
                    let begun = open.pop();
                    begun.ok_or((at, PgnErrorKind::StrayClose))?;
                }
                Token::Tag { name, value } => {
                    if let Some(&begun) = open.first() {
                        self.lexer.back_to(at);
                        return Err((begun, PgnErrorKind::OpenVariation));
                    }
                    // Records of positions alone may end with neither moves nor an outcome, but
                    // a section may also have a tag twice.
                    let is_next = || record.tag(name).is_some() && self.lexer.begins_section(at);
                    if !record.moves.is_empty() || is_next() {
                        self.next = Some(Ok((at, Token::Tag { name, value })));
                        return Ok(Some(record));
                    }
                    record.tags.push((name.to_owned(), value));
                }
                _ if !open.is_empty() => {}
                Token::Move(word) => {
                    let (line, column) = self.lexer.place(at);
                    record.moves.push(RecordMove {
                        text: word.to_owned(),
                        line,
                        column,
                        nags: Vec::new(),
                        comments: Vec::new(),
                    });
                }
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
            Some(&begun) => Err((begun, PgnErrorKind::OpenVariation)),
            None => Ok(Some(record).filter(|record| !record.is_empty())),
        }
    }

    fn token(&mut self) -> Result<Option<(usize, Token<'a>)>, Fault> {
        match self.next.take() {
            Some(token) => token.map(Some),
            None => self.lexer.next(),
        }
    }

    /// Takes the comments behind the outcome of a record, which are about it. Whatever comes after
    /// them, be it a fault, is for the next record.
    fn comments_behind(&mut self, record: &mut Record) {
        self.next = loop {
            match self.lexer.next().transpose() {
                Some(Ok((_, Token::Comment(comment)))) => record.comment(comment),
                next => break next,
            }
        };
    }
}

impl Iterator for Records<'_> {
    type Item = Result<Record, PgnError>;

    fn next(&mut self) -> Option<Result<Record, PgnError>> {
        let record = self.record().map_err(|fault| {
            self.lexer.skip_record();
            self.lexer.error(fault)
        });
        record.transpose()
    }
}
