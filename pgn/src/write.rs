//! Writes a record of a game as PGN, with its moves, marks and comments.

use retrograde_rules::{Colour, Position};

use crate::lexer::Outcome;
use crate::record::Record;

/// The longest line in characters, unless a single word is longer.
const WIDTH: usize = 79;

/// A move to write, with its annotations.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Noted {
    /// The move in algebraic notation.
    pub san: String,
    /// Numeric annotations.
    pub nags: Vec<u8>,
    /// Comments after the move.
    pub comments: Vec<String>,
}

/// Writes a record as PGN: its tags, `FEN` in full, with `Variant`, `FEN` and `SetUp` added
/// where needed (without `Variant`, PGN means standard chess), the comments before the first
/// move, `moves` in place of its own, and its outcome. `start` is the starting position.
pub fn write(record: &Record, start: &Position, moves: &[Noted]) -> String {
    let game = start.game();
    let mut text = String::new();
    for (name, value) in &record.tags {
        match &**name {
            // Programs may rely on all six fields.
            "FEN" => push_tag(&mut text, name, &start.fen()),
            _ => push_tag(&mut text, name, value),
        }
    }
    if record.tag("Variant").is_none() && !game.is_called("standard") {
        push_tag(&mut text, "Variant", &game.id());
    }
    let has_fen = record.tag("FEN").is_some();
    let is_set_up = has_fen || *start != game.array();
    if is_set_up && record.tag("SetUp").is_none() {
        push_tag(&mut text, "SetUp", "1");
    }
    if is_set_up && !has_fen {
        push_tag(&mut text, "FEN", &start.fen());
    }
    if !text.is_empty() {
        text.push('\n');
    }
    let mut lines = Lines::default();
    for comment in &record.comments {
        lines.comment(comment);
    }
    let (mut number, mut turn) = (start.fullmoves(), start.turn());
    // Black's move gets a number if White's does not precede it directly.
    let mut numbered = false;
    for mv in moves {
        match turn {
            Colour::White => lines.word(&format!("{number}.")),
            Colour::Black if !numbered => lines.word(&format!("{number}...")),
            Colour::Black => {}
        }
        lines.word(&mv.san);
        for nag in &mv.nags {
            lines.word(&format!("${nag}"));
        }
        for comment in &mv.comments {
            lines.comment(comment);
        }
        numbered = mv.comments.is_empty();
        number = number.saturating_add(u32::from(turn == Colour::Black));
        turn = turn.other();
    }
    let outcome = record.outcome.unwrap_or(Outcome::Open);
    lines.word(&outcome.to_string());
    text + &lines.finish()
}

/// Writes moves, in algebraic notation, as a PGN of two players of one name.
pub fn write_moves(
    start: &Position,
    moves: impl Iterator<Item = String>,
    outcome: Option<Outcome>,
    players: &str,
) -> String {
    let result = outcome.unwrap_or(Outcome::Open).to_string();
    let tags = [
        ("Event", "Retrograde"),
        ("Site", "?"),
        ("Date", "????.??.??"),
        ("Round", "-"),
        ("White", players),
        ("Black", players),
        ("Result", &result),
    ];
    let record = Record {
        tags: tags
            .map(|(name, value)| (name.to_owned(), value.to_owned()))
            .into(),
        outcome,
        ..Record::default()
    };
    let noted = |san| Noted {
        san,
        ..Noted::default()
    };
    let moves: Vec<Noted> = moves.map(noted).collect();
    write(&record, start, &moves)
}

fn push_tag(text: &mut String, name: &str, value: &str) {
    let value = value.replace('\\', "\\\\").replace('"', "\\\"");
    text.push_str(&format!("[{name} \"{value}\"]\n"));
}

/// Words arranged in lines.
#[derive(Default)]
struct Lines {
    text: String,
    /// Characters in the last line.
    width: usize,
}

impl Lines {
    fn word(&mut self, word: &str) {
        let width = word.chars().count();
        if self.width > 0 && self.width + 1 + width > WIDTH {
            self.text.push('\n');
            self.width = 0;
        } else if self.width > 0 {
            self.text.push(' ');
            self.width += 1;
        }
        self.text.push_str(word);
        self.width += width;
    }

    /// A comment in braces; a closing brace inside would end it too soon.
    fn comment(&mut self, comment: &str) {
        let comment = format!("{{{}}}", comment.replace('}', ")"));
        comment.split_whitespace().for_each(|word| self.word(word));
    }

    fn finish(mut self) -> String {
        self.text.push('\n');
        self.text
    }
}
