//! Shows examples: the board, what the tables say, the line of best play and the command that asks
//! again.

use maud::{Markup, html};
use retrograde_rules::{Game, Position};

use crate::example::{Example, Says, UNKNOWN};

use super::board::{self, Played};
use super::sheet::capitalised;

/// An example as a figure; its line can be played through where the page has its script. Of the
/// game is named what is not `here`.
pub(super) fn figure(example: &Example, here: Game) -> Markup {
    let Says { game, category, .. } = &example.says;
    let fen = &example.fen;
    let position = read(game, fen);
    let played = position.map_or(Vec::new(), |start| board::played(&start, &example.line));
    let moves = match category == UNKNOWN {
        true => "--moves",
        false => "--line",
    };
    let is_named = !example.also.is_empty() || *game != here.id();
    html! {
        figure.ex data-line=[line(position, &played)] {
            @if let Some(position) = position { (board::diagram(&position)) }
            figcaption {
                @if let Some(position) = position { p.turn { (board::caption(&position)) } }
                p {
                    b { (capitalised(&says(&example.says))) }
                    @if is_named { " in " (title(game)) }
                    @for other in &example.also { "; " (says(other)) " in " (title(&other.game)) }
                }
                @if !example.line.is_empty() { (moves_of(&example.line, &played)) }
                p.probe { code { "retrograde probe " (game) " \"" (fen) "\" " (moves) } }
            }
        }
    }
}

/// A position that a figure names.
pub(super) fn named(game: Game, fen: &str, about: Markup) -> Markup {
    let position = read(&game.id(), fen);
    html! {
        figure.ex {
            @if let Some(position) = position { (board::diagram(&position)) }
            figcaption {
                @if let Some(position) = position { p.turn { (board::caption(&position)) } }
                p.about { (about) }
                p.probe { code { "retrograde probe " (game.id()) " \"" (fen) "\" --moves" } }
            }
        }
    }
}

/// A position of a game; a FEN of another game counts as far as the game has its fields.
fn read(game: &str, fen: &str) -> Option<Position> {
    let game = Game::parse(game).ok()?;
    Position::from_fen(game, fen).ok()
}

/// The placements before and after each move, for the script; none without moves.
fn line(start: Option<Position>, played: &[Played]) -> Option<String> {
    let start = start.filter(|_| !played.is_empty())?;
    let positions = std::iter::once(&start).chain(played.iter().map(|played| &played.after));
    let placements: Vec<String> = positions.map(board::placement).collect();
    Some(placements.join("|"))
}

/// A line of moves, each played one an element, and what could not be played as text.
fn moves_of(line: &[String], played: &[Played]) -> Markup {
    html! {
        p.line {
            @for Played { text, .. } in played { i { (text) } " " }
            (line[played.len()..].join(" "))
        }
    }
}

/// A game as it is called, with its options: `Kings (board=10x8)`.
pub(super) fn title(id: &str) -> String {
    let options = id.split_once(':').map(|(_, options)| options);
    match (Game::parse(id), options) {
        (Err(_), _) => id.to_owned(),
        (Ok(game), None) => game.title().to_owned(),
        (Ok(game), Some(options)) => format!("{} ({options})", game.title()),
    }
}

/// The values that the tables of all games give an example, and the line of best play, in words.
pub(super) fn in_words(example: &Example) -> String {
    let values = std::iter::once(&example.says).chain(&example.also);
    let values = values.map(|value| format!("{}: {}", value.game, says(value)));
    let text = values.collect::<Vec<String>>().join("; ");
    match example.line.is_empty() {
        true => text,
        false => format!("{text}: {}", example.line.join(" ")),
    }
}

/// The value that tables give a position, in words.
fn says(says: &Says) -> String {
    let winner = match says.winner.as_deref() {
        None if says.category == UNKNOWN => return "no table was asked".to_owned(),
        None => return says.category.replace('-', " "),
        Some("white") => "White wins",
        Some(_) => "Black wins",
    };
    let mut text = winner.to_owned();
    if let Some(by) = &says.win_by {
        text.push_str(&format!(" by {by}"));
    }
    match says.depth_plies {
        Some(0) => text = text.replace("wins", "has won"),
        Some(1) => text.push_str(" in 1 ply"),
        Some(plies) => text.push_str(&format!(" in {plies} plies")),
        None => {}
    }
    if says.category.contains('-') {
        text.push_str(&format!(
            ", but for the fifty-move rule ({})",
            says.category.replace('-', " ")
        ));
    }
    text
}

/// The kinds of examples, in order, with their examples.
pub(super) fn kinds(examples: &[Example]) -> Vec<(&str, Vec<&Example>)> {
    let mut kinds: Vec<(&str, Vec<&Example>)> = Vec::new();
    for example in examples {
        match kinds.iter_mut().find(|(kind, _)| *kind == example.kind) {
            Some((_, list)) => list.push(example),
            None => kinds.push((&example.kind, vec![example])),
        }
    }
    kinds
}
