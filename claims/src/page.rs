//! The report as files: JSON for programs, Markdown and one HTML page for people.

mod board;
mod html;
mod json;
mod markdown;
mod picture;
mod style;
mod words;

use std::fs;
use std::path::Path;

use crate::error::ClaimError;
use crate::kept::{at, write};
use crate::run::Report;

impl Report {
    /// Writes `claims.json`, `CLAIMS.md` and `claims.html` into a folder, which is made if
    /// it is not there.
    ///
    /// # Errors
    /// [`ClaimError::Io`]; [`ClaimError::Picture`] if a chart cannot be drawn.
    pub fn write(&self, out: &Path) -> Result<(), ClaimError> {
        fs::create_dir_all(out).map_err(at(out))?;
        write(&out.join("claims.json"), &self.json())?;
        write(&out.join("CLAIMS.md"), &self.markdown())?;
        write(&out.join("claims.html"), &self.html()?)
    }

    /// What the report is worked out from, as a sentence, with the command between backticks.
    fn basis(&self) -> String {
        let game = self.game.map_or("all games".to_owned(), |game| game.id());
        let selection = match self.only.is_empty() {
            false => " These are the claims that were asked for by their tags; there are more.",
            true => "",
        };
        let only: String = self
            .only
            .iter()
            .map(|tag| format!(" --only {tag}"))
            .collect();
        format!(
            "Worked out by Retrograde {} for {game} from all tables of up to {} men, by the \
             command `retrograde claims{} --men {}{only}`.{selection}",
            env!("CARGO_PKG_VERSION"),
            self.men,
            self.game
                .map_or(String::new(), |game| format!(" {}", game.id())),
            self.men,
        )
    }
}

/// Tables of more rows are folded away.
const LONG: usize = 12;

/// What a table position is and is not, for the head of the report.
const CAVEAT: &str = "Every legal position of a class counts once, on the whole board, including \
    mirror images and positions that nobody would ever reach. A share of positions is not a share \
    of games: it does not say how often something happens over the board, and positions are not \
    weighted by how likely they are. Where a claim about whole games cannot be settled by \
    endings, the report says so instead of giving a verdict. A claim holds if every case bears it \
    out, holds mostly if more than half do, and otherwise fails, unless a rule of its own is \
    given with it. Anyone can check: each example can be probed by its FEN, and each figure \
    follows from the tables.";
