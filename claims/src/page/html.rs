//! Writes the report on claims as HTML pages that need no network: one for each game, and one to
//! start with.

use maud::{DOCTYPE, Markup, PreEscaped, html};
use retrograde_rules::Game;

use crate::chart::Chart;
use crate::claim::{Answer, Claim, Verdict};
use crate::formula::percent_of;
use crate::report::Report;

use super::sheet::{Sheet, capitalised, scrolling, sheets};
use super::{CAVEAT, Chapter, START, board, example, picture};

/// The style sheet of all pages: light and dark, wide and narrow, screen and paper.
const SHEET: &str = include_str!("page.css");

/// The script of all pages: lines that can be played through, and commands that can be copied.
const SCRIPT: &str = include_str!("page.js");

/// A chart of no more bars stands beside the answer; others are folded away.
const SHORT: usize = 8;

/// So many examples of a kind are shown; `claims.json` has all.
const SHOWN: usize = 6;

impl Report {
    /// The page about a game.
    pub(super) fn chapter_page(&self, chapter: &Chapter) -> String {
        let game = chapter.game;
        let body = html! {
            header.top {
                div {
                    @if self.game.is_none() { p.up { a href=(START) { "All games" } } }
                    h1 { (game.title()) }
                    @if !chapter.origin().is_empty() { p.who { (chapter.origin()) } }
                    @if let Some(about) = game.about() { p.about { (about) } }
                    (contents(chapter))
                }
                @if game.has_array() { figure.array { (board::diagram(&game.array())) } }
            }
            main { @for answer in &chapter.answers { (article(answer, game)) } }
            (self.footer())
        };
        let games = chapter.answers.iter().flat_map(|answer| games(answer));
        page(
            &format!("{}: claims and answers", game.title()),
            game,
            games,
            body,
        )
    }

    /// The page to start with.
    pub(super) fn start_page(&self, chapters: &[Chapter]) -> String {
        let body = html! {
            header {
                h1 { "What inventors say about their games, and what the endgames answer" }
                p.about {
                    "Each claim is held against every position of the endings that have been \
                     solved. These are the answers."
                }
                (self.key())
            }
            main { @for chapter in chapters { (summary(chapter)) } }
            (self.footer())
        };
        let answers = chapters.iter().flat_map(|chapter| &chapter.answers);
        let games = answers.flat_map(|answer| games(answer));
        let arrays = chapters.iter().map(|chapter| chapter.game);
        page(
            "Claims and answers",
            Game::default(),
            games.chain(arrays),
            body,
        )
    }

    /// The page about a comparison.
    pub(super) fn comparison_page(&self) -> String {
        let game = self.game.unwrap_or_default();
        let body = html! {
            main { @for answer in &self.answers { (comparison(answer, game)) } }
            (self.footer())
        };
        let games = self.answers.iter().flat_map(games);
        page("Two games compared", game, games, body)
    }

    /// The verdicts with their meanings, and how many claims have each.
    fn key(&self) -> Markup {
        let count = |verdict| {
            let answers = self.answers.iter();
            answers.filter(|answer| answer.verdict() == verdict).count()
        };
        html! {
            dl.key {
                @for verdict in Verdict::ALL.into_iter().filter(|&verdict| count(verdict) > 0) {
                    div {
                        dt { (mark(verdict, None)) b { (count(verdict)) } " " (verdict.words()) }
                        dd { (meaning(verdict)) }
                    }
                }
            }
        }
    }

    fn footer(&self) -> Markup {
        html! {
            footer {
                p { (self.basis()) }
                p.probe { code { (self.command()) } }
                p { (CAVEAT) }
            }
        }
    }
}

/// A page that uses the boards of some games.
fn page(title: &str, here: Game, games: impl Iterator<Item = Game>, body: Markup) -> String {
    let games: Vec<Game> = games.chain([here]).collect();
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { (title) }
                style { (PreEscaped(SHEET.replace('\n', ""))) }
            }
            body {
                (PreEscaped(board::symbols(&games)))
                // No line begins with a percent sign.
                (PreEscaped(body.into_string().replace(" %", "\u{a0}%")))
                script { (PreEscaped(SCRIPT)) }
            }
        }
    };
    page.into_string() + "\n"
}

/// The games whose boards an answer shows.
fn games(answer: &Answer) -> impl Iterator<Item = Game> {
    let examples = answer.outcome.examples.iter().map(|e| &e.says.game);
    let ids = answer.claim.games.iter().chain(examples);
    ids.filter_map(|id| Game::parse(id).ok())
}

/// The meaning of a verdict.
const fn meaning(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Holds => "in every case",
        Verdict::HoldsMostly => "in more than half of the cases",
        Verdict::Fails => "in half of the cases or fewer",
        Verdict::Refuted => "one legal position is against it",
        Verdict::Follows => "true whatever the tables say",
        Verdict::NotDecidable => "the page says why",
    }
}

/// The mark of a verdict: a disc, filled as far as the claim is borne out.
fn mark(verdict: Verdict, support: Option<f64>) -> Markup {
    let share = match verdict {
        Verdict::Holds => Some(1.0),
        Verdict::HoldsMostly => Some(support.unwrap_or(0.75)),
        Verdict::Fails => Some(support.unwrap_or_default()),
        Verdict::Refuted | Verdict::Follows | Verdict::NotDecidable => None,
    };
    let style = share.map(|share| format!("--s:{:.0}%", 100.0 * share));
    html! { span class={ "mark " (verdict.name()) } style=[style] aria-hidden="true" {} }
}

/// The verdict and the answer.
fn said(answer: &Answer) -> Markup {
    let outcome = &answer.outcome;
    html! {
        p.answer {
            (mark(outcome.verdict, outcome.support))
            b { (capitalised(outcome.verdict.words())) "." }
            " " (outcome.answer)
        }
    }
}

/// The claim: in the designer's words, or in ours.
fn claimed(claim: &Claim) -> Markup {
    match &claim.quote {
        Some(quote) => html! { "“" (quote) "”" },
        None => html! { (claim.title) },
    }
}

/// The claims of a page, each a link to its answer.
fn contents(chapter: &Chapter) -> Markup {
    html! {
        nav aria-label="Claims" {
            ol.contents {
                @for Answer { claim, outcome, .. } in &chapter.answers {
                    li {
                        (mark(outcome.verdict, outcome.support))
                        a href={ "#" (claim.tag) } { (claim.title) }
                        span.word { " " (outcome.verdict.words()) }
                    }
                }
            }
        }
    }
}

/// A game on the page to start with: its array, its most striking answers, and a picture.
fn summary(chapter: &Chapter) -> Markup {
    let (game, file) = (chapter.game, chapter.file());
    let geometry = game.geometry();
    let all = chapter.answers.len();
    html! {
        section.game {
            div {
                h2 { a href=(file) { (game.title()) } }
                p.who {
                    @if !chapter.origin().is_empty() { (chapter.origin()) " · " }
                    (geometry.files) "×" (geometry.ranks) " squares"
                }
                @if game.has_array() { figure.array { (board::diagram(&game.array())) } }
            }
            div {
                ol.striking {
                    @for answer in chapter.striking() {
                        li {
                            h3 { a href={ (file) "#" (answer.claim.tag) } { (claimed(&answer.claim)) } }
                            @if answer.claim.quote.is_some() { p.title { (answer.claim.title) } }
                            (said(answer))
                        }
                    }
                }
                p.all { a href=(file) {
                    @if all == 1 { "The answer" } @else { "All " (all) " answers" }
                    " about " (game.title())
                } }
            }
            @if let Some(picture) = lead(chapter) { div.picture { (picture) } }
        }
    }
}

/// The picture of a game: a map of the board if there is one, else the first example with a line.
fn lead(chapter: &Chapter) -> Option<Markup> {
    let outcomes = chapter.answers.iter().map(|answer| &answer.outcome);
    let mut charts = outcomes.flat_map(|outcome| &outcome.charts);
    if let Some(map) = charts.find(|chart| matches!(chart, Chart::Board { .. })) {
        return Some(picture::draw(map));
    }
    let striking = chapter.striking();
    let mut examples = striking.iter().flat_map(|answer| &answer.outcome.examples);
    let example = examples
        .clone()
        .find(|example| example.line.len() > 2)
        .or_else(|| examples.next())?;
    Some(html! {
        p.kind { (capitalised(&example.kind)) }
        (example::figure(example, chapter.game))
    })
}

/// The claim, the answer, and what it follows from.
fn article(answer: &Answer, here: Game) -> Markup {
    let Answer {
        claim,
        outcome,
        tables,
    } = answer;
    let sheets = sheets(&outcome.figures);
    let (positions, sheets): (Vec<Sheet>, Vec<Sheet>) =
        sheets.into_iter().partition(|sheet| sheet.fen().is_some());
    let is_map = |chart: &&Chart| matches!(chart, Chart::Board { .. });
    let map = outcome.charts.iter().find(is_map);
    let is_short = |chart: &&Chart| match chart {
        Chart::Shares { rows, .. } => rows.len() <= SHORT,
        Chart::Lines { .. } => true,
        Chart::Board { .. } => false,
    };
    let (short, others): (Vec<&Chart>, Vec<&Chart>) = (outcome.charts.iter())
        .filter(|chart| !is_map(chart))
        .partition(is_short);
    let first = outcome.examples.first();
    let kinds = example::kinds(&outcome.examples);
    let game = claim.games.first().and_then(|id| Game::parse(id).ok());
    let game = game
        .filter(|game| game.name() != here.name())
        .unwrap_or(here);
    html! {
        article id=(claim.tag) {
            div.text {
                h2 { (claimed(claim)) }
                p.who {
                    (capitalised(&claim.who)) " · "
                    a href={ "#" (claim.tag) } { (claim.tag) }
                }
                @if claim.quote.is_some() { p.title { (claim.title) } }
                (said(answer))
                @if let Some(share) = outcome.support.filter(|share| *share > 0.0 && *share < 1.0) {
                    p.meter {
                        span { i style=(format!("width:{:.1}%", 100.0 * share)) {} }
                        (percent_of(share)) " of the cases bear it out"
                    }
                }
                @for chart in short { (picture::draw(chart)) }
            }
            @if let Some(map) = map {
                div.lead { (picture::draw(map)) }
            } @else if let Some(example) = first.filter(|_| positions.is_empty()) {
                div.lead {
                    p.kind { (capitalised(&example.kind)) }
                    (example::figure(example, here))
                }
            }
            @for sheet in &positions { (boards(sheet, game)) }
            div.more {
                @if !sheets.is_empty() {
                    details {
                        summary { "Figures" }
                        @for chart in others { (picture::draw(chart)) }
                        @for sheet in &sheets { (figures(sheet)) }
                    }
                }
                @if outcome.examples.len() > 1 {
                    details {
                        summary { "Positions" }
                        @for (kind, examples) in kinds {
                            h3 { (capitalised(kind)) }
                            (strip(kind, examples.iter().take(SHOWN).map(|e| example::figure(e, here))))
                        }
                    }
                }
                details {
                    summary { "How it was counted" }
                    dl.about {
                        dt { "Counted" } dd { (claim.method) }
                        dt { "Verdict" } dd { (claim.rule) }
                        dt { "Limits" } dd { (claim.limits) }
                        dt { "Tables" } dd { (of_tables(tables)) }
                    }
                }
            }
        }
    }
}

/// All that a comparison has found.
fn comparison(answer: &Answer, here: Game) -> Markup {
    let Answer { claim, outcome, .. } = answer;
    html! {
        h1 { (claim.title) }
        p.answer { (outcome.answer) }
        p.about { (claim.method) " " (claim.limits) }
        @for chart in &outcome.charts { (picture::draw(chart)) }
        @for sheet in sheets(&outcome.figures) { (figures(&sheet)) }
        @for (kind, examples) in example::kinds(&outcome.examples) {
            h3 { (capitalised(kind)) }
            (strip(kind, examples.iter().map(|e| example::figure(e, here))))
        }
    }
}

/// The number of tables of each game.
fn of_tables(tables: &[String]) -> String {
    let mut games: Vec<(&str, usize)> = Vec::new();
    for table in tables {
        let game = table.split(' ').next().unwrap_or_default();
        match games.iter_mut().find(|(name, _)| *name == game) {
            Some((_, number)) => *number += 1,
            None => games.push((game, 1)),
        }
    }
    let games = games.iter();
    let list = games.map(|(game, number)| format!("{number} of {}", example::title(game)));
    match list.collect::<Vec<String>>() {
        list if list.is_empty() => "none".to_owned(),
        list => list.join(", "),
    }
}

/// Boards beside each other, which scroll if there are too many.
fn strip(name: &str, boards: impl Iterator<Item = Markup>) -> Markup {
    html! {
        div.strip tabindex="0" role="group" aria-label=(capitalised(name)) {
            @for board in boards { (board) }
        }
    }
}

/// A table of positions as boards.
fn boards(sheet: &Sheet, game: Game) -> Markup {
    let Some(fen) = sheet.fen() else {
        return html! {};
    };
    let about = |row: &[String]| {
        let cells: Vec<(String, String)> = (sheet.head.iter().zip(row).enumerate())
            .filter(|(n, (_, cell))| *n != fen && !cell.is_empty())
            .map(|(_, (name, cell))| (capitalised(name), cell.clone()))
            .collect();
        html! { @for (name, cell) in cells { span { (name) ": " b { (cell) } } " " } }
    };
    let rows = sheet.rows.iter();
    let boards = rows.map(|row| example::named(game, &row[fen], about(row)));
    html! { div.wide { (strip(sheet.title.as_deref().unwrap_or_default(), boards)) } }
}

fn figures(sheet: &Sheet) -> Markup {
    let title = sheet.title.as_deref();
    let table = html! {
        table.figures {
            @if title.is_some() {
                thead { tr { @for name in &sheet.head { th scope="col" { (name) } } } }
            }
            tbody {
                @for row in &sheet.rows {
                    tr {
                        @for (n, cell) in row.iter().enumerate() {
                            @if n == 0 { th scope="row" { (cell) } } @else { td { (cell) } }
                        }
                    }
                }
            }
        }
    };
    html! {
        @if let Some(title) = title { h3 { (capitalised(title)) } }
        (scrolling(title.unwrap_or("figures"), sheet.rows.len(), table))
    }
}
