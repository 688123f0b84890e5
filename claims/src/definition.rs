//! Reads the `[[claims]]` that a user's definition of a game may have in its TOML file.
//!
//! Such a claim counts positions for which a [predicate](crate::predicate) is true, among those for
//! which another is, and is answered like those of the games that are built in.

use retrograde_index::Index;
use retrograde_rules::{Game, Material};
use serde::Deserialize;
use toml::Spanned;

use crate::claim::{
    Bar, BarChart, Claim, ClassTable, Classes, ExampleKind, OUR_QUESTION, Tables, VerdictRule,
};
use crate::countings::predicates;
use crate::engine::Entry;
use crate::error::ClaimError;
use crate::predicate::Predicate;

/// The part of a definition that claims stand in.
#[derive(Deserialize)]
struct Document {
    #[serde(default)]
    claims: Vec<Written>,
}

/// A claim as the author of a game writes it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Written {
    /// The sentence.
    say: String,
    /// The words of who makes the claim, and the name.
    quote: Option<String>,
    who: Option<String>,
    /// The game that is compared: its id, or keys of this game, `KEY=VALUE`.
    against: Option<Spanned<String>>,
    /// The classes; all by default.
    classes: Option<Spanned<Vec<Spanned<String>>>>,
    /// The positions that bear it out, and those that are asked about.
    count: Spanned<Predicate>,
    of: Option<Predicate>,
    /// The comparison.
    #[serde(default)]
    is: Comparison,
}

/// The share of the positions asked about that has to count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Comparison {
    /// All of them; the claim holds mostly with more than half.
    #[default]
    All,
    /// Any.
    Some,
    /// None of them; the claim holds mostly with less than half.
    None,
    /// A larger share than in the other game.
    More,
    /// A smaller share than in the other game.
    Fewer,
}

impl Comparison {
    /// The rule in words.
    const fn words(self) -> &'static str {
        match self {
            Comparison::All => "The share of the positions asked about that count.",
            Comparison::Some => {
                "The claim is that it happens: it holds if any position counts. If none does, \
                 larger classes may have one."
            }
            Comparison::None => "The share of the positions asked about that do not count.",
            Comparison::More => "Whether a larger share counts than in the other game.",
            Comparison::Fewer => "Whether a smaller share counts than in the other game.",
        }
    }

    fn rule(self) -> VerdictRule {
        let (here, there) = (
            "counted / asked".to_owned(),
            "there_counted / there_asked".to_owned(),
        );
        match self {
            Comparison::All => VerdictRule::Share {
                of: here,
                open_unless: None,
            },
            Comparison::None => VerdictRule::Share {
                of: "asked - counted / asked".to_owned(),
                open_unless: None,
            },
            Comparison::Some => VerdictRule::Occurrence {
                of: "counted".to_owned(),
                excluded: None,
            },
            Comparison::More => VerdictRule::More {
                of: here,
                than: there,
            },
            Comparison::Fewer => VerdictRule::More {
                of: there,
                than: here,
            },
        }
    }

    fn is_of_two(self) -> bool {
        matches!(self, Comparison::More | Comparison::Fewer)
    }
}

/// The claims in the definition of a game, numbered from 1.
///
/// # Errors
/// [`ClaimError::Definition`], with the line and the key that is wrong.
pub(crate) fn claims(game: Game) -> Result<Vec<Entry>, ClaimError> {
    let text = game.definition();
    let document: Document = toml::from_str(text).map_err(|error| {
        let at = error.span().map_or(0, |span| span.start);
        fault(text, at, error.message())
    })?;
    let written = document.claims.into_iter().enumerate();
    written
        .map(|(n, written)| written.entry(game, text, n + 1))
        .collect()
}

/// An error at a place of a text.
fn fault(text: &str, at: usize, message: &str) -> ClaimError {
    let before = text.get(..at).unwrap_or_default();
    let number = before.matches('\n').count();
    let line = text.lines().nth(number).unwrap_or_default();
    let key = line.split_once('=').map_or(line, |(key, _)| key).trim();
    ClaimError::Definition {
        line: number + 1,
        key: key.to_owned(),
        message: message.trim().replace('\n', " "),
    }
}

impl Written {
    /// The claim, with its number among those of the game.
    fn entry(self, game: Game, text: &str, number: usize) -> Result<Entry, ClaimError> {
        let mut games = vec![game];
        if let Some(against) = &self.against {
            let (at, id) = (against.span().start, against.get_ref().as_str());
            let other = match id.contains(':') || !id.contains('=') {
                true => Game::parse(id),
                false => game.with_sets(&id.split(',').map(str::trim).collect::<Vec<&str>>()),
            };
            let other = other.map_err(|error| fault(text, at, &error.to_string()))?;
            if other.geometry() != game.geometry() {
                return Err(fault(text, at, &other_board(game, other)));
            }
            games.push(other);
        }
        let all = Predicate::default();
        let of = self.of.as_ref().unwrap_or(&all);
        let count = of.and(self.count.get_ref());
        if games.len() == 1 && (count.asks_there() || self.is.is_of_two()) {
            let why = "this takes two games: name the other one with against = \"orthodox\"";
            return Err(fault(text, self.count.span().start, why));
        }
        let mut counts = vec![("asked", of.clone()), ("counted", count.clone())];
        if self.is.is_of_two() {
            counts.push(("there_asked", of.swapped()));
            counts.push(("there_counted", count.swapped()));
        }
        let counts = counts
            .into_iter()
            .map(|(name, predicate)| (name.to_owned(), predicate));
        let (figures, answer) = match self.is.is_of_two() {
            false => (
                "asked, counted/asked",
                "{counted} of {asked} positions ({counted % asked}).",
            ),
            true => (
                "asked, counted/asked, there_asked, there_counted/there_asked",
                "{counted % asked} of {asked} positions, and {there_counted % there_asked} of \
                 {there_asked} in the other game.",
            ),
        };
        let example = |of: &str, caption: &str| ExampleKind {
            of: of.to_owned(),
            caption: caption.to_owned(),
            also: (1..games.len()).collect(),
        };
        let chart = BarChart {
            title: self.say.clone(),
            parts: vec!["counts".to_owned(), "does not".to_owned()],
            bars: vec![Bar {
                suffix: String::new(),
                condition: None,
                whole: "asked".to_owned(),
                of: "counted, asked - counted".to_owned(),
            }],
        };
        let claim = Claim {
            tag: format!("{}-{number}", game.name()),
            games: games.iter().map(|game| game.id()).collect(),
            classes: classes(self.classes.as_ref(), game, text)?,
            title: self.say,
            quote: self.quote,
            who: self
                .who
                .or(game.author().map(str::to_owned))
                .unwrap_or(OUR_QUESTION.to_owned()),
            method: "The claim counts positions as the definition of the game says, each legal \
                     position of a class once."
                .to_owned(),
            rule: self.is.words().to_owned(),
            limits: "A share of positions is no share of games.".to_owned(),
            tables: Tables::Colourings,
            counts: counts
                .chain([("exceptions".to_owned(), of.and_not(self.count.get_ref()))])
                .collect(),
            verdict: self.is.rule(),
            positions: "positions".to_owned(),
            answer: answer.to_owned(),
            figures: format!("positions, {figures}, by_class"),
            rows: vec![ClassTable::by_class(format!("positions, {figures}"))],
            charts: vec![chart],
            examples: vec![
                example("counted", "a position that counts"),
                example("exceptions", "one that is asked about and does not count"),
            ],
            ..Claim::default()
        };
        Ok(Entry::of_games(claim, &predicates::COUNTING, games))
    }
}

/// Why two games cannot be compared.
pub(crate) fn other_board(first: Game, second: Game) -> String {
    let board = |game: Game| {
        let geometry = game.geometry();
        format!(
            "{} is played on {}x{}",
            game.id(),
            geometry.files,
            geometry.ranks
        )
    };
    format!(
        "{} and {}: only games on boards of one size have placements in common",
        board(first),
        board(second)
    )
}

/// The classes of a claim.
fn classes(
    named: Option<&Spanned<Vec<Spanned<String>>>>,
    game: Game,
    text: &str,
) -> Result<Classes, ClaimError> {
    let Some(named) = named else {
        return Ok(Classes::default());
    };
    for name in named.get_ref() {
        let found = Material::parse(game, name.get_ref()).map_err(|error| error.to_string());
        let found = found.and_then(|material| {
            let index = Index::new(game, &material.normal(game).0);
            index.map_err(|error| error.to_string())
        });
        found.map_err(|message| fault(text, name.span().start, &message))?;
    }
    let names = named.get_ref().iter();
    Ok(Classes::Named(
        names.map(|name| name.get_ref().clone()).collect(),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The claims of a game in whose definition some lines stand.
    fn read(lines: &str) -> Result<Vec<Entry>, String> {
        let text = format!("format = 1\nname = \"mine\"\n\n[end]\nstalemate = \"loss\"\n\n{lines}");
        let none = |_: &str, _: &str| Err(String::new());
        let game = Game::define("mine.toml", &text, "", &[], &none).unwrap();
        claims(game).map_err(|error| error.to_string())
    }

    #[test]
    fn errors_name_key_and_line() {
        for (lines, words) in [
            ("say = \"x\"", &["line 7", "count"][..]),
            (
                "say = \"x\"\ncount = \"wonn\"",
                &["line 9", "count", "\"wonn\""],
            ),
            (
                "say = \"x\"\ncount = \"won\"\ncout = 1",
                &["line 10", "cout"],
            ),
            (
                "say = \"x\"\ncount = \"won\"\nclasses = [\"KXvK\"]",
                &["line 10", "classes", "X"],
            ),
            (
                "say = \"x\"\ncount = \"won\"\nagainst = \"chess\"",
                &["line 10", "against", "chess"],
            ),
            (
                "say = \"x\"\ncount = \"won\"\nagainst = \"chess99\"",
                &["line 10", "9x9"],
            ),
            (
                "say = \"x\"\ncount = \"won\"\nis = \"often\"",
                &["line 10", "often"],
            ),
            (
                "say = \"x\"\ncount = \"there won\"",
                &["line 9", "count", "against"],
            ),
        ] {
            let error = read(&format!("[[claims]]\n{lines}\n"))
                .map(|_| ())
                .unwrap_err();
            for word in words {
                assert!(error.contains(word), "{error}: {word}");
            }
        }
    }

    #[test]
    fn claims_are_numbered_and_take_the_tables_of_both_games() {
        let text = "[[claims]]\nsay = \"A\"\ncount = \"won\"\n\n[[claims]]\nsay = \"B\"\n\
                    count = \"drawn\"\nis = \"fewer\"\nagainst = \"end.stalemate=draw\"\n";
        let entries = read(text).unwrap();
        let tags: Vec<&str> = entries
            .iter()
            .map(|entry| entry.claim.tag.as_str())
            .collect();
        assert_eq!(tags, ["mine-1", "mine-2"]);
        assert_eq!(entries[1].games.as_ref().unwrap().len(), 2);
        assert_eq!(entries[0].claim.who, OUR_QUESTION);
    }
}
