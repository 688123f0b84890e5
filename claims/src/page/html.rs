//! Writes the report on claims as one HTML page that needs no network.

use maud::{DOCTYPE, Markup, PreEscaped, html};

use crate::claim::Verdict;
use crate::error::ClaimError;
use crate::example::Example;
use crate::report::{Answer, Report};

use super::{CAVEAT, LONG, Sheet, board, capitalised, kinds, of_tables, picture, says, sheets};

/// The style sheet of the page: light and dark, wide and narrow, screen and paper.
const SHEET: &str = include_str!("page.css");

/// The number of boards of a kind that are shown at once; the others are folded away.
const SHOWN: usize = 3;

impl Report {
    /// The report as an HTML page.
    ///
    /// # Errors
    /// [`ClaimError::Picture`].
    pub fn html(&self) -> Result<String, ClaimError> {
        let sections: Vec<Markup> = self.answers.iter().map(section).collect::<Result<_, _>>()?;
        let count = |verdict| {
            self.answers
                .iter()
                .filter(|a| a.outcome.verdict == verdict)
                .count()
        };
        let page = html! {
            (DOCTYPE)
            html lang="en" {
                head {
                    meta charset="utf-8";
                    meta name="viewport" content="width=device-width, initial-scale=1";
                    meta name="color-scheme" content="light dark";
                    title { "What the designers claim" }
                    style { (PreEscaped(SHEET.replace('\n', ""))) (PreEscaped(picture::colour_rules())) }
                }
                body {
                    (PreEscaped(board::symbols()))
                    header {
                        h1 { "What the designers claim, and what the tables say" }
                        p {
                            @for (n, part) in self.basis().split('`').enumerate() {
                                @if n % 2 == 1 { code { (part) } } @else { (part) }
                            }
                        }
                        p.caveat { (CAVEAT) }
                        p.totals {
                            @for verdict in [Verdict::Fails, Verdict::HoldsMostly, Verdict::Holds, Verdict::NotDecidable] {
                                span class={ "verdict " (verdict.name()) } { (count(verdict)) " " (verdict.words()) }
                                " "
                            }
                        }
                    }
                    nav {
                        table {
                            tbody {
                                @for answer in &self.answers { (line(answer)) }
                            }
                        }
                    }
                    main { @for section in sections { (section) } }
                }
            }
        };
        Ok(page.into_string() + "\n")
    }
}

fn badge(verdict: Verdict) -> Markup {
    html! { span class={ "verdict " (verdict.name()) } { (verdict.words()) } }
}

fn line(answer: &Answer) -> Markup {
    let tag = &answer.claim.tag;
    html! {
        tr {
            td.tag { a href={ "#" (tag) } { (tag) } }
            td { (badge(answer.outcome.verdict)) }
            td { (answer.claim.title) }
        }
    }
}

fn section(answer: &Answer) -> Result<Markup, ClaimError> {
    let Answer {
        claim,
        outcome,
        tables,
    } = answer;
    let mut pictures = Vec::new();
    for chart in &outcome.charts {
        let drawn = picture::draw(chart)?;
        let class = if drawn.contains("chart heat") {
            "square"
        } else {
            "wide"
        };
        pictures.push(html! {
            figure class=(class) {
                (PreEscaped(drawn))
                figcaption { (chart.title()) }
            }
        });
    }
    Ok(html! {
        section id=(claim.tag) {
            p.kicker { (claim.tag) " · " (claim.games.join(", ")) }
            h2 { (claim.title) }
            p.answer { (badge(outcome.verdict)) " " (outcome.answer) }
            @for picture in &pictures { (picture) }
            @for sheet in sheets(&outcome.figures) { (figures(&sheet)) }
            @for (kind, examples) in kinds(&outcome.examples) {
                h3 { (capitalised(kind)) }
                div.boards { @for example in examples.iter().take(SHOWN) { (diagram(example)) } }
                @if examples.len() > SHOWN {
                    details {
                        summary { (examples.len() - SHOWN) " more" }
                        div.boards { @for example in examples.iter().skip(SHOWN) { (diagram(example)) } }
                    }
                }
            }
            details.about {
                summary { "How this was worked out" }
                dl {
                    dt { "Said by" } dd { (claim.source) }
                    dt { "Counted" } dd { (claim.method) }
                    dt { "Verdict" } dd { (claim.rule) }
                    dt { "Limits" } dd { (claim.limits) }
                    dt { "Tables" } dd { (of_tables(tables)) }
                }
            }
        }
    })
}

fn figures(sheet: &Sheet) -> Markup {
    let table = html! {
        div.scroll {
            table.figures {
                @if sheet.title.is_some() {
                    thead { tr { @for name in &sheet.head { th { (name) } } } }
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
        }
    };
    match &sheet.title {
        Some(title) if sheet.rows.len() > LONG => html! {
            details { summary { (capitalised(title)) } (table) }
        },
        Some(title) => html! { h3 { (capitalised(title)) } (table) },
        None => table,
    }
}

fn diagram(example: &Example) -> Markup {
    let (game, fen) = (&example.says.game, &example.fen);
    html! {
        figure.example {
            @if let Some(diagram) = board::diagram(game, fen) { (PreEscaped(diagram)) }
            figcaption {
                p.turn { (board::caption(game, fen)) }
                p { b { (says(&example.says)) } " (" (game) ")" }
                @for other in &example.also { p { (says(other)) " (" (other.game) ")" } }
                @if !example.line.is_empty() { p.line { (example.line.join(" ")) } }
                p { code { (fen) } }
            }
        }
    }
}
