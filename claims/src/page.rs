//! Writes the report on claims as files: JSON for programs, Markdown for a glance, and HTML pages, one
//! for each game and one to start with.

mod board;
mod example;
mod html;
mod picture;
mod sheet;

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use retrograde_rules::Game;
use serde::Serialize;
use serde_json::{Map, Value};

use crate::catalogue::{chapter, chapters};
use crate::claim::{Answer, OUR_QUESTION, Verdict};
use crate::error::ClaimError;
use crate::example::Example;
use crate::report::{Report, at, write};

use sheet::{capitalised, sheets};

/// The tag of what is no claim, but a comparison of two games.
const COMPARISON: &str = "compare";

/// The folder of the pages beside the other files of the report.
const PAGES: &str = "claims";

/// The page to start with.
const START: &str = "index.html";

/// A caveat for the head of the report: a table position is not a game.
const CAVEAT: &str = "Every legal position of a class counts once, on the whole board, including \
    mirror images and positions that nobody would ever reach. A share of positions is not a share \
    of games: it does not say how often something happens over the board, and positions are not \
    weighted by how likely they are. Anyone can check: each example can be probed by its FEN, and \
    each figure follows from the tables.";

/// The answers about a game, which share a page.
struct Chapter<'a> {
    game: Game,
    /// The answers, what surprises first.
    answers: Vec<&'a Answer>,
}

impl Chapter<'_> {
    /// The name of the page.
    fn file(&self) -> String {
        format!("{}.html", self.game.id().replace([':', ','], "+"))
    }

    /// The maker of the game and the year, as far as its definition says.
    fn origin(&self) -> String {
        let (author, year) = (self.game.author(), self.game.year());
        let parts = author.map(str::to_owned).into_iter();
        let parts = parts.chain(year.map(|year| year.to_string()));
        parts.collect::<Vec<String>>().join(", ")
    }

    /// The answers that surprise most: those that tables gave, and to designers before those to
    /// ourselves.
    fn striking(&self) -> Vec<&Answer> {
        let mut list = self.answers.clone();
        list.sort_by_key(|answer| {
            let is_found = !matches!(answer.verdict(), Verdict::Follows | Verdict::NotDecidable);
            (!is_found, answer.claim.who == OUR_QUESTION)
        });
        list.truncate(3);
        list
    }
}

impl Report {
    /// Writes `claims.json` and `CLAIMS.md` into a folder, which is made if it is not there, and
    /// into its folder `claims` a page for each game; one to start with too, unless the report is
    /// about one game. The page to begin with is returned.
    ///
    /// # Errors
    /// [`ClaimError::Io`].
    pub fn write(&self, out: &Path) -> Result<PathBuf, ClaimError> {
        let pages = out.join(PAGES);
        fs::create_dir_all(&pages).map_err(at(&pages))?;
        write(&out.join("claims.json"), &self.json())?;
        write(&out.join("CLAIMS.md"), &self.markdown())?;
        let texts = self.pages();
        for (name, text) in &texts {
            write(&pages.join(name), text)?;
        }
        let first = texts.first().map_or(START, |(name, _)| name);
        Ok(pages.join(first))
    }

    /// Writes `compare.json`, `compare.md` and `compare.html`, of a comparison, into a folder,
    /// which is made if it is not there.
    ///
    /// # Errors
    /// [`ClaimError::Io`].
    pub fn write_comparison(&self, out: &Path) -> Result<(), ClaimError> {
        fs::create_dir_all(out).map_err(at(out))?;
        write(&out.join("compare.json"), &self.json())?;
        write(&out.join("compare.md"), &self.comparison_in_markdown())?;
        write(&out.join("compare.html"), &self.comparison_page())
    }

    /// The HTML pages by their names.
    fn pages(&self) -> Vec<(String, String)> {
        let chapters = self.chapters();
        let pages = chapters.iter();
        let pages = pages.map(|chapter| (chapter.file(), self.chapter_page(chapter)));
        let start = match self.game {
            None => Some((START.to_owned(), self.start_page(&chapters))),
            Some(_) => None,
        };
        start.into_iter().chain(pages).collect()
    }

    /// The answers by game: all of them are about one if only that was asked for.
    fn chapters(&self) -> Vec<Chapter<'_>> {
        let mut chapters: Vec<Chapter> = Vec::new();
        if let Some(game) = self.game {
            let answers = self.answers.iter().collect();
            return vec![Chapter { game, answers }];
        }
        for answer in &self.answers {
            let claim = &answer.claim;
            let home = chapter(&claim.tag).or(claim.games.first().map(String::as_str));
            let Some(game) = home.and_then(|id| Game::parse(id).ok()) else {
                continue;
            };
            match chapters.iter_mut().find(|known| known.game == game) {
                Some(known) => known.answers.push(answer),
                None => chapters.push(Chapter {
                    game,
                    answers: vec![answer],
                }),
            }
        }
        let order = |known: &Chapter| self::chapters().position(|id| id == known.game.name());
        chapters.sort_by_key(order);
        chapters
    }

    /// The basis of the report as a sentence.
    fn basis(&self) -> String {
        let game = self.game.map_or("all games".to_owned(), Game::id);
        let selection = match self.only.is_empty() {
            false => " These are the claims that were asked for by their tags; there are more.",
            true => "",
        };
        format!(
            "Worked out by Retrograde {} for {game} from all tables of up to {} \
             men.{selection}",
            env!("CARGO_PKG_VERSION"),
            self.men,
        )
    }

    /// The command that works the report out.
    fn command(&self) -> String {
        if let [answer] = &self.answers[..]
            && answer.claim.tag == COMPARISON
        {
            let games = answer.claim.games.join(" ");
            return format!("retrograde {COMPARISON} {games} --men {}", self.men);
        }
        let game = self.game.map(|game| format!(" {}", game.id()));
        let only = self.only.iter().map(|tag| format!(" --only {tag}"));
        format!(
            "retrograde claims{} --men {}{}",
            game.unwrap_or_default(),
            self.men,
            only.collect::<String>()
        )
    }
}

/// An answer. Names and order of the fields are a contract.
#[derive(Serialize)]
struct AnswerObject<'a> {
    tag: &'a str,
    games: &'a [String],
    claim: &'a str,
    quote: Option<&'a str>,
    who: &'a str,
    verdict: Verdict,
    answer: &'a str,
    support_share: Option<f64>,
    version: &'a str,
    men: usize,
    options: Option<String>,
    tables: &'a [String],
    positions: u64,
    figures: &'a Map<String, Value>,
    examples: &'a [Example],
    method: &'a str,
    rule: &'a str,
    limits: &'a str,
}

impl Report {
    /// The report as a JSON array.
    pub fn json(&self) -> String {
        let entries: Vec<AnswerObject> = self
            .answers
            .iter()
            .map(|answer| AnswerObject {
                tag: &answer.claim.tag,
                games: &answer.claim.games,
                claim: &answer.claim.title,
                quote: answer.claim.quote.as_deref(),
                who: &answer.claim.who,
                verdict: answer.outcome.verdict,
                answer: &answer.outcome.answer,
                support_share: answer.outcome.support,
                version: env!("CARGO_PKG_VERSION"),
                men: self.men,
                options: self
                    .game
                    .map(|game| game.id())
                    .filter(|id| id.contains(':')),
                tables: &answer.tables,
                positions: answer.outcome.positions,
                figures: &answer.outcome.figures,
                examples: &answer.outcome.examples,
                method: &answer.claim.method,
                rule: &answer.claim.rule,
                limits: &answer.claim.limits,
            })
            .collect();
        // With one claim per line, diffs would be unreadable.
        let text = serde_json::to_string_pretty(&entries);
        text.unwrap_or_else(|error| unreachable!("names are texts: {error}")) + "\n"
    }
}

impl Report {
    /// The report for a terminal: each answer as a sentence, and its tables that have no row for
    /// each class.
    pub fn text(&self) -> String {
        let mut text = String::new();
        for Answer { claim, outcome, .. } in &self.answers {
            let _ = writeln!(text, "{}\n\n{}", claim.title, outcome.answer);
            for sheet in sheets(&outcome.figures) {
                let title = sheet.title.as_deref().unwrap_or("figures");
                if title.contains("by class") || sheet.title.is_none() {
                    continue;
                }
                let _ = writeln!(text, "\n{}:", capitalised(title));
                let rows = std::iter::once(&sheet.head).chain(&sheet.rows);
                let width = |column: usize| {
                    let cells = rows.clone().filter_map(|row| row.get(column));
                    cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
                };
                let widths: Vec<usize> = (0..sheet.head.len()).map(width).collect();
                for row in rows {
                    let cells = row.iter().zip(&widths);
                    let cells = cells.map(|(cell, &width)| format!("  {cell:>width$}"));
                    let _ = writeln!(text, "{}", cells.collect::<String>());
                }
            }
        }
        text
    }

    /// The report as Markdown: a table of claims and answers for each game.
    pub fn markdown(&self) -> String {
        let mut text = format!(
            "# The claims of designers, and the answers of the tables\n\n{} The command is \
             `{}`.\n\n{CAVEAT}\n\n",
            self.basis(),
            self.command()
        );
        let _ = match self.game {
            None => writeln!(
                text,
                "[The pages]({PAGES}/{START}) have boards, figures and charts; \
                 [claims.json](claims.json) has all of it for programs."
            ),
            Some(_) => writeln!(
                text,
                "[claims.json](claims.json) has all of it for programs."
            ),
        };
        for chapter in self.chapters() {
            let file = chapter.file();
            let origin = match chapter.origin() {
                origin if origin.is_empty() => origin,
                origin => format!("{origin}. "),
            };
            let _ = write!(
                text,
                "\n## {}\n\n{origin}[The page]({PAGES}/{file}) has boards, figures and charts.\n\n\
                 | | claim | verdict | answer |\n|---|---|---|---|\n",
                chapter.game.title()
            );
            for Answer { claim, outcome, .. } in &chapter.answers {
                let (tag, verdict) = (&claim.tag, outcome.verdict.words());
                let said = match &claim.quote {
                    Some(quote) => format!("“{quote}” ({}). {}", claim.who, claim.title),
                    None => format!("{} ({})", claim.title, claim.who),
                };
                let _ = writeln!(
                    text,
                    "| [{tag}]({PAGES}/{file}#{tag}) | {} | **{verdict}** | {} |",
                    escaped(&said),
                    escaped(&outcome.answer)
                );
            }
        }
        text
    }
}

impl Report {
    /// A comparison as Markdown, with its tables and examples.
    fn comparison_in_markdown(&self) -> String {
        let mut text = String::new();
        for Answer { claim, outcome, .. } in &self.answers {
            let _ = write!(
                text,
                "# {}\n\n{}\n\n{} The command is `{}`.\n\n{} {}\n",
                claim.title,
                outcome.answer,
                self.basis(),
                self.command(),
                claim.method,
                claim.limits,
            );
            for sheet in sheets(&outcome.figures) {
                let title = sheet.title.as_deref().unwrap_or("figures");
                let line = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
                let _ = write!(text, "\n## {}\n\n{}", capitalised(title), line(&sheet.head));
                let _ = writeln!(text, "|---|{}", "---:|".repeat(sheet.head.len() - 1));
                for row in &sheet.rows {
                    let cells: Vec<String> = row.iter().map(|cell| escaped(cell)).collect();
                    text.push_str(&line(&cells));
                }
            }
            for (kind, examples) in example::kinds(&outcome.examples) {
                let _ = write!(text, "\n## {}\n\n", capitalised(kind));
                for example in examples {
                    let _ = writeln!(text, "- `{}` {}", example.fen, example::in_words(example));
                }
            }
        }
        text
    }
}

/// A text for a cell of a table in Markdown.
fn escaped(text: &str) -> String {
    text.replace('|', "\\|").replace('\n', " ")
}
