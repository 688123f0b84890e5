//! Reads and writes EPD: the fields of a diagram, followed by operations such as `bm Qd4;`.

use crate::fen::{FenError, FenErrorKind, Fields, Setup, read_clock, read_diagram};
use crate::game::Game;

/// A diagram with operations. The clocks are operations in EPD (`hmvc`,
/// `fmvn`), but here they are part of the diagram.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Epd {
    /// The diagram.
    pub setup: Setup,
    /// The operations in order, without those of the clocks.
    pub operations: Vec<Operation>,
}

/// An operation: `bm Qd4 Qe5;` has the code `bm` and two operands.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Operation {
    /// The opcode: a letter, then letters, digits and `_`.
    pub code: String,
    /// The operands, if any.
    pub operands: Vec<Operand>,
}

/// An operand of an [`Operation`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Operand {
    /// A word without spaces, quotes, semicolons or backslashes.
    Word(String),
    /// Any text, written in quotes, in which a backslash escapes the next character.
    Text(String),
}

impl Epd {
    /// Reads a line of EPD. The semicolon after the last operation may be
    /// missing. The diagram is not checked: see
    /// [`Position::new`](crate::Position::new).
    ///
    /// # Errors
    /// The first thing that is wrong with the text.
    pub fn parse(game: Game, text: &str) -> Result<Epd, FenError> {
        Epd::read(game, text, |_, _| Ok(()))
    }

    /// Reads a line of a list of positions: a FEN, or EPD with a semicolon after an operation. A
    /// FEN may have such operations behind its clocks.
    ///
    /// # Errors
    /// The first thing that is wrong with the text.
    pub fn from_line(game: Game, text: &str) -> Result<Epd, FenError> {
        if !text.contains(';') {
            let setup = Setup::from_fen(game, text)?;
            let operations = Vec::new();
            return Ok(Epd { setup, operations });
        }
        Epd::read(game, text, |setup, fields| {
            let is_number = |field: &str| field.bytes().all(|b| b.is_ascii_digit());
            for (clock, name) in [
                (&mut setup.halfmoves, "half-move clock"),
                (&mut setup.fullmoves, "move number"),
            ] {
                if let Some((offset, field)) = fields.next_if(is_number) {
                    *clock = read_clock(name, field, offset)?;
                }
            }
            Ok(())
        })
    }

    /// The text of an operation, its operands separated by spaces; the first one of this name
    /// counts.
    pub fn operand(&self, code: &str) -> Option<String> {
        let operation = self.operations.iter().find(|o| o.code == code)?;
        Some(operation.operand())
    }

    /// Reads a line; `clocks` reads what may stand between the diagram and the operations.
    fn read(
        game: Game,
        text: &str,
        clocks: impl FnOnce(&mut Setup, &mut Fields) -> Result<(), FenError>,
    ) -> Result<Epd, FenError> {
        let mut fields = Fields::new(text);
        // An operation begins with a letter.
        let is_counters = |field: &str| {
            field.contains('+') && field.starts_with(|c: char| c.is_ascii_digit() || c == '+')
        };
        let mut setup = read_diagram(game, &mut fields, is_counters)?;
        clocks(&mut setup, &mut fields)?;
        let mut operations = Vec::new();
        let mut reader = EpdReader {
            text,
            at: fields.at(),
        };
        while let Some((offset, operation)) = reader.operation()? {
            let (clock, name) = match operation.code.as_str() {
                "hmvc" => (&mut setup.halfmoves, "operand of hmvc"),
                "fmvn" => (&mut setup.fullmoves, "operand of fmvn"),
                _ => {
                    operations.push(operation);
                    continue;
                }
            };
            *clock = read_clock(name, &operation.operand(), offset)?;
        }
        setup.fullmoves = setup.fullmoves.max(1);
        Ok(Epd { setup, operations })
    }

    /// The line of EPD. The clocks come last, as `hmvc` and `fmvn`, if they
    /// are not those of a fresh game.
    pub fn text(&self, game: Game) -> String {
        let mut text = self.setup.diagram(game);
        for operation in &self.operations {
            text.push(' ');
            text.push_str(&operation.text());
        }
        for (code, clock, fresh) in [
            ("hmvc", self.setup.halfmoves, 0),
            ("fmvn", self.setup.fullmoves, 1),
        ] {
            if clock != fresh {
                text.push_str(&format!(" {code} {clock};"));
            }
        }
        text
    }
}

impl Operation {
    /// The text of the operands, separated by spaces.
    fn operand(&self) -> String {
        let operands = self.operands.iter().map(|operand| match operand {
            Operand::Word(text) | Operand::Text(text) => text.as_str(),
        });
        operands.collect::<Vec<_>>().join(" ")
    }

    fn text(&self) -> String {
        let mut text = self.code.clone();
        for operand in &self.operands {
            text.push(' ');
            match operand {
                Operand::Word(word) if is_word(word) => text.push_str(word),
                Operand::Word(quoted) | Operand::Text(quoted) => {
                    text.push('"');
                    for c in quoted.chars() {
                        if matches!(c, '"' | '\\') {
                            text.push('\\');
                        }
                        text.push(c);
                    }
                    text.push('"');
                }
            }
        }
        text.push(';');
        text
    }
}

fn ends_word(c: char) -> bool {
    c.is_ascii_whitespace() || matches!(c, ';' | '"' | '\\')
}

fn is_word(word: &str) -> bool {
    !word.is_empty() && !word.contains(ends_word)
}

/// Reads operations one by one.
struct EpdReader<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> EpdReader<'a> {
    /// The next operation with its place; `None` at the end.
    fn operation(&mut self) -> Result<Option<(usize, Operation)>, FenError> {
        // Some lists begin an operation with a semicolon instead.
        while self.peek() == Some(';') {
            self.at += 1;
        }
        if self.peek().is_none() {
            return Ok(None);
        }
        let start = self.at;
        let code = self.take_while(|c| c.is_ascii_alphanumeric() || c == '_');
        if !code.starts_with(|c: char| c.is_ascii_alphabetic()) {
            return Err(FenErrorKind::Opcode.at(start));
        }
        let mut operands = Vec::new();
        loop {
            match self.peek() {
                None => break,
                Some(';') => {
                    self.at += 1;
                    break;
                }
                Some('"') => operands.push(Operand::Text(self.quoted()?)),
                Some('\\') => return Err(FenErrorKind::Backslash.at(self.at)),
                Some(_) => {
                    operands.push(Operand::Word(self.take_while(|c| !ends_word(c)).to_owned()));
                }
            }
        }
        let code = code.to_owned();
        Ok(Some((start, Operation { code, operands })))
    }

    /// The next character other than a space, without consuming it.
    fn peek(&mut self) -> Option<char> {
        self.take_while(|c| c.is_ascii_whitespace());
        self.text[self.at..].chars().next()
    }

    fn take_while(&mut self, wanted: impl Fn(char) -> bool) -> &'a str {
        let rest = &self.text[self.at..];
        let length = rest.find(|c| !wanted(c)).unwrap_or(rest.len());
        self.at += length;
        &rest[..length]
    }

    /// The text from the quote here to the next one that is not escaped.
    fn quoted(&mut self) -> Result<String, FenError> {
        let start = self.at;
        let mut text = String::new();
        let mut escaped = false;
        for (place, c) in self.text[start..].char_indices().skip(1) {
            match c {
                '\\' if !escaped => escaped = true,
                '"' if !escaped => {
                    self.at = start + place + 1;
                    return Ok(text);
                }
                _ => {
                    text.push(c);
                    escaped = false;
                }
            }
        }
        Err(FenErrorKind::OpenQuote.at(start))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn word(text: &str) -> Operand {
        Operand::Word(text.to_owned())
    }

    #[test]
    fn operations_are_kept() {
        let text =
            "8/8/8/8/8/4k3/8/4K2R b - - bm Kd3 Kf3; id \"a;b \\\"c\\\" é\"; noop; hmvc 7; fmvn 40;";
        let epd = Epd::parse(Game::default(), text).unwrap();
        assert_eq!((epd.setup.halfmoves, epd.setup.fullmoves), (7, 40));
        let operations: Vec<_> = epd
            .operations
            .iter()
            .map(|o| (o.code.as_str(), o.operands.clone()))
            .collect();
        assert_eq!(
            operations,
            [
                ("bm", vec![word("Kd3"), word("Kf3")]),
                ("id", vec![Operand::Text("a;b \"c\" é".to_owned())]),
                ("noop", vec![]),
            ]
        );
        assert_eq!(epd.text(Game::default()), text);
    }

    #[test]
    fn operations_are_optional_and_so_is_the_last_semicolon() {
        let diagram = "8/8/8/8/8/4k3/8/4K2R w - -";
        let bare = Epd::parse(Game::default(), diagram).unwrap();
        assert_eq!(bare.operations, []);
        assert_eq!(bare.text(Game::default()), diagram);
        let open = Epd::parse(Game::default(), &format!("{diagram} acd 3")).unwrap();
        assert_eq!(open.text(Game::default()), format!("{diagram} acd 3;"));
    }

    #[test]
    fn lines_of_lists() {
        let diagram = "8/8/8/8/8/4k3/8/4K2R w - -";
        for (rest, clocks, codes) in [
            ("", (0, 1), &[][..]),
            (" 3", (3, 1), &[]),
            (" 3 40", (3, 40), &[]),
            (" bm Kd1;", (0, 1), &["bm"]),
            (" hmvc 90; fmvn 3;", (90, 3), &[]),
            (" 3 40 bm Kd1; id \"a b\";", (3, 40), &["bm", "id"]),
            (" 3 bm Kd1; hmvc 7", (7, 1), &["bm"]),
            (" 0 0 ;D1 8 ;D2 40", (0, 1), &["D1", "D2"]),
        ] {
            let epd = Epd::from_line(Game::default(), &format!("{diagram}{rest}")).unwrap();
            let setup = &epd.setup;
            assert_eq!((setup.halfmoves, setup.fullmoves), clocks, "{rest}");
            let found: Vec<_> = epd.operations.iter().map(|o| o.code.as_str()).collect();
            assert_eq!(found, codes, "{rest}");
        }
        let epd =
            Epd::from_line(Game::default(), &format!("{diagram} id \"a b\" c; id d;")).unwrap();
        assert_eq!(epd.operand("id").as_deref(), Some("a b c"));
        assert_eq!(epd.operand("bm"), None);
        for (rest, words) in [
            (" bm Kd1", "operation of EPD"),
            (" 0 1 bm Kd1", "operation of EPD"),
            (" x", "half-move clock"),
            (" -1 1; bm Kd1;", "an operation must begin here"),
            (" id \"a;", "no closing quote"),
            (" hmvc x;", "operand of hmvc"),
        ] {
            let error = Epd::from_line(Game::default(), &format!("{diagram}{rest}")).unwrap_err();
            let error = error.to_string();
            assert!(error.contains(words), "{rest}: {error}");
        }
    }

    #[test]
    fn errors_tell_the_place() {
        let diagram = "8/8/8/8/8/4k3/8/4K2R w - -";
        let fails = |rest: &str, offset: usize, kind: FenErrorKind| {
            let error = Epd::parse(Game::default(), &format!("{diagram}{rest}")).unwrap_err();
            assert_eq!((error.offset - diagram.len(), error.kind), (offset, kind));
        };
        fails(" 0 1", 1, FenErrorKind::Opcode);
        fails(" bm Kd2; 3;", 9, FenErrorKind::Opcode);
        fails(" id \"open", 4, FenErrorKind::OpenQuote);
        fails(" id \"open\\\"", 4, FenErrorKind::OpenQuote);
        fails(" id a\\b;", 5, FenErrorKind::Backslash);
        for (rest, operand) in [(" hmvc x;", "x"), (" hmvc;", ""), (" hmvc 1 2;", "1 2")] {
            let kind = FenErrorKind::Clock {
                name: "operand of hmvc",
                text: operand.to_owned(),
            };
            fails(rest, 1, kind);
        }
    }
}
