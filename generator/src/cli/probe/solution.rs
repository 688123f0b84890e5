//! Writes the solution of a mate problem for people: keys, threats and variations.

use retrograde_rules::{Colour, Move, Position};
use retrograde_search::{Key, Solution};

/// The most moves with the same answer that are written out.
const WRITTEN: usize = 6;

/// The lines of a solution: one for each key and each variation.
pub(super) fn lines(position: &Position, solution: &Solution) -> Vec<String> {
    let mut tree = Tree { lines: Vec::new() };
    for key in &solution.keys {
        tree.key(position, key);
    }
    if solution.is_complete && solution.keys.len() > 1 {
        let count = solution.keys.len();
        tree.lines.push(format!("  {count} keys"));
    }
    tree.lines
}

struct Tree {
    lines: Vec<String>,
}

impl Tree {
    /// A move that solves the position, and what follows.
    fn key(&mut self, position: &Position, key: &Key) {
        let words = format!("  {}{}", self.numbered(position, &[key.mv]), mark(key));
        let threats = self.threats(key);
        self.lines.push(words + &threats);
        self.variations(position, key, 2);
    }

    fn variations(&mut self, position: &Position, key: &Key, depth: usize) {
        let after = position.play(key.mv);
        for variation in &key.variations {
            let Some(&reply) = variation.replies.first() else {
                continue;
            };
            let next = after.play(reply);
            let answer = &variation.answer;
            let words = format!(
                "{}{} {}{}",
                "  ".repeat(depth),
                self.numbered(&after, &variation.replies),
                self.numbered(&next, &[answer.mv]),
                self.threats(answer),
            );
            self.lines.push(words);
            self.variations(&next, answer, depth + 1);
        }
    }

    /// The threats of a move, or the remark that the other side is in zugzwang.
    fn threats(&self, key: &Key) -> String {
        match &key.threats {
            None => String::new(),
            Some(threats) if threats.moves.is_empty() => " (zugzwang)".to_owned(),
            Some(threats) => {
                let moves = self.names(&threats.position, &threats.moves);
                format!(" (threat {moves})")
            }
        }
    }

    /// Moves of a position with their number: `1. Rh7`, `1... Ka4, Kb5`.
    fn numbered(&self, position: &Position, moves: &[Move]) -> String {
        let dots = match position.turn() {
            Colour::White => ".",
            Colour::Black => "...",
        };
        format!(
            "{}{dots} {}",
            position.fullmoves(),
            self.names(position, moves)
        )
    }

    fn names(&self, position: &Position, moves: &[Move]) -> String {
        let written = moves.iter().take(WRITTEN);
        let names: Vec<String> = written.map(|mv| position.san(*mv)).collect();
        let mut names = names.join(", ");
        if moves.len() > WRITTEN {
            names.push_str(&format!(" and {} more", moves.len() - WRITTEN));
        }
        names
    }
}

/// A key that does not win at once is marked as such.
fn mark(key: &Key) -> &'static str {
    if key.plies > 1 { "!" } else { "" }
}
