//! Draws the charts of the report: bars as a table of numbers, lines and boards as SVG.

use std::fmt::Write;

use maud::{Markup, PreEscaped, html};

use crate::chart::Chart;
use crate::formula::percent_of;

use super::sheet::{LONG, scrolling};

/// The width and height of the area of lines, in the units of its `viewBox`.
const AREA: (f64, f64) = (300.0, 170.0);
/// The room for the numbers of the axes: on the left, above, on the right and below.
const MARGINS: (f64, f64, f64, f64) = (44.0, 8.0, 14.0, 22.0);

/// The chart with its caption.
pub(super) fn draw(chart: &Chart) -> Markup {
    match chart {
        Chart::Shares { title, parts, rows } => shares(title, parts, rows),
        Chart::Lines { title, axes, lines } => html! {
            figure.chart {
                figcaption { (title) }
                @if lines.len() > 1 {
                    (legend(lines.iter().enumerate().map(|(n, (name, _))| (LINES[n % LINES.len()], name.as_str()))))
                }
                p.axis { (axes[1]) }
                (self::lines(title, lines))
                p.axis.x { (axes[0]) }
            }
        },
        Chart::Board {
            title,
            files,
            squares,
        } => html! {
            figure.chart.square {
                (board(title, u32::from(*files), squares))
                figcaption { (title) ", in percent" }
            }
        },
    }
}

/// The classes of lines, in order.
const LINES: [&str; 3] = ["l0", "l1", "l2"];

fn legend<'a>(names: impl Iterator<Item = (&'a str, &'a str)>) -> Markup {
    html! {
        p.legend { @for (class, name) in names { span { i class=(class) {} (name) } " " } }
    }
}

/// The classes of the parts of a bar: White, Black and draws look alike in all charts; other
/// parts are the paler the later they come.
fn tones(parts: &[String]) -> Vec<&'static str> {
    let mut others = ["a", "b", "c", "d"].into_iter().cycle();
    let tone = |part: &String| {
        let is_of = |word: &str| part.starts_with(word) || part.ends_with(word);
        if is_of("White") {
            "white"
        } else if is_of("Black") {
            "black"
        } else if part.starts_with("drawn") {
            "drawn"
        } else {
            others.next().unwrap_or("a")
        }
    };
    parts.iter().map(tone).collect()
}

/// Bars, the longest first if each is of a class of its own.
fn shares(title: &str, parts: &[String], rows: &[(String, Vec<f64>)]) -> Markup {
    let tones = tones(parts);
    let mut rows: Vec<&(String, Vec<f64>)> = rows.iter().collect();
    if rows.len() > LONG && rows.iter().all(|(name, _)| !name.contains(' ')) {
        let first = |row: &(String, Vec<f64>)| row.1.first().copied().unwrap_or_default();
        rows.sort_by(|a, b| first(b).total_cmp(&first(a)));
    }
    let table = html! {
        table.bars {
            tbody {
                @for (name, row) in &rows {
                    tr {
                        th scope="row" { (name) }
                        td {
                            @for (share, tone) in row.iter().zip(&tones).filter(|(share, _)| **share > 0.0) {
                                i class=(tone) style=(format!("width:{:.1}%", 100.0 * share)) {}
                            }
                        }
                        td { (percent_of(row.first().copied().unwrap_or_default())) }
                    }
                }
            }
        }
    };
    html! {
        figure.chart {
            figcaption { (title) }
            (legend(tones.iter().copied().zip(parts.iter().map(String::as_str))))
            (scrolling(title, rows.len(), table))
        }
    }
}

/// Round numbers from 0 that divide an axis of this length, seven of them at most.
fn ticks(most: f64) -> Vec<f64> {
    let power = 10f64.powf((most / 5.0).log10().floor());
    let steps = [1.0, 2.0, 2.5, 5.0, 10.0].map(|step| step * power);
    let step = steps.into_iter().find(|step| most / step <= 6.0);
    let step = step.unwrap_or(most);
    let count = (most / step + 1e-9).floor() as u32;
    (0..=count).map(|n| f64::from(n) * step).collect()
}

/// Lines through points.
fn lines(title: &str, lines: &[(String, Vec<(f64, f64)>)]) -> Markup {
    let points = || lines.iter().flat_map(|(_, points)| points.iter());
    let most = |of: fn(&(f64, f64)) -> f64| points().map(of).fold(1e-9, f64::max);
    let (most_x, most_y) = (most(|p| p.0), most(|p| p.1));
    let (left, above, right, below) = MARGINS;
    let at_x = |x: f64| left + AREA.0 * x / most_x;
    let at_y = |y: f64| above + AREA.1 * (1.0 - y / most_y);
    let (width, height) = (left + AREA.0 + right, above + AREA.1 + below);
    let mut text = String::new();
    let (end_x, end_y) = (at_x(most_x), at_y(0.0));
    for tick in ticks(most_y) {
        let y = at_y(tick);
        let name = percent_of(tick);
        let _ = write!(
            text,
            "<path class=\"grid\" d=\"M{left} {y:.1}H{end_x}\"/>\
             <text class=\"y\" x=\"{}\" y=\"{:.1}\">{name}</text>",
            left - 6.0,
            y + 4.0
        );
    }
    for tick in ticks(most_x) {
        let (x, y) = (at_x(tick), end_y + 16.0);
        let _ = write!(text, "<text x=\"{x:.1}\" y=\"{y:.1}\">{tick}</text>");
    }
    for (n, (_, points)) in lines.iter().enumerate() {
        let points = points
            .iter()
            .map(|&(x, y)| format!("{:.1} {:.1}", at_x(x), at_y(y)));
        let path = points.collect::<Vec<String>>().join("L");
        let class = LINES[n % LINES.len()];
        let _ = write!(text, "<path class=\"{class}\" d=\"M{path}\"/>");
    }
    html! {
        svg.lines role="img" aria-label=(title) viewBox=(format!("0 0 {width} {height}")) {
            (PreEscaped(text))
        }
    }
}

/// A board whose squares are the darker the larger their share.
fn board(title: &str, files: u32, squares: &[Option<f64>]) -> Markup {
    let side = 48;
    let ranks = (squares.len() as u32).div_ceil(files);
    let (width, height) = (files * side + 18, ranks * side + 18);
    let mut text = String::new();
    for (n, share) in (0..).zip(squares) {
        let (file, rank) = (n % files, n / files);
        let (x, y) = (18 + file * side, (ranks - 1 - rank) * side);
        let cell = share.unwrap_or_default();
        let _ = write!(
            text,
            "<rect class=\"cell\" x=\"{x}\" y=\"{y}\" width=\"{side}\" height=\"{side}\"/>\
             <rect class=\"heat\" fill-opacity=\"{cell:.3}\" x=\"{x}\" y=\"{y}\" width=\"{side}\" height=\"{side}\"/>"
        );
        if let Some(share) = share {
            let (x, y) = (x + side / 2, y + side / 2 + 5);
            let class = if *share > 0.55 { "over" } else { "under" };
            let share = 100.0 * share;
            let _ = write!(
                text,
                "<text class=\"{class}\" x=\"{x}\" y=\"{y}\" text-anchor=\"middle\">{share:.0}</text>"
            );
        }
    }
    for file in 0..files {
        let letter = char::from(b'a' + file as u8);
        let (x, y) = (18 + file * side + side / 2, ranks * side + 14);
        let _ = write!(
            text,
            "<text class=\"under\" x=\"{x}\" y=\"{y}\" text-anchor=\"middle\">{letter}</text>"
        );
    }
    for rank in 0..ranks {
        let y = (ranks - 1 - rank) * side + side / 2 + 5;
        let number = rank + 1;
        let _ = write!(
            text,
            "<text class=\"under\" x=\"8\" y=\"{y}\" text-anchor=\"middle\">{number}</text>"
        );
    }
    html! {
        svg.heat role="img" aria-label=(title) viewBox=(format!("0 0 {width} {height}")) {
            (PreEscaped(text))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn axes_are_divided_by_round_numbers() {
        for (most, last, count) in [
            (51.0, 50.0, 6),
            (1.0, 1.0, 6),
            (0.034, 0.03, 4),
            (7.0, 6.0, 4),
        ] {
            let ticks = ticks(most);
            let end = ticks.last().copied().unwrap_or_default();
            assert!(
                (end - last).abs() < 1e-9 && ticks.len() == count,
                "{ticks:?}"
            );
        }
    }

    #[test]
    fn sides_and_draws_have_colours_of_their_own() {
        let parts = ["won by White", "drawn", "Black", "by mate", "others"].map(str::to_owned);
        assert_eq!(tones(&parts), ["white", "drawn", "black", "a", "b"]);
    }
}
