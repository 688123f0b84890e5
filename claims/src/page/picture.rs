//! Draws the charts of the report as SVG.

use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use crate::chart::Chart;
use crate::error::ClaimError;

/// The width of charts, in the units of their `viewBox`.
const WIDTH: u32 = 760;
/// The height of a bar with the gap after it.
const BAR: i32 = 20;
/// The room for names on the left.
const NAMES: i32 = 96;

/// Colours are names of a kind: the page's style sheet says what they are in light and in
/// dark, by these attributes.
const INK: RGBColor = RGBColor(16, 16, 16);
const GRID: RGBColor = RGBColor(192, 192, 193);
const SERIES: [RGBColor; 5] = [
    RGBColor(31, 111, 178),
    RGBColor(217, 119, 43),
    RGBColor(141, 141, 151),
    RGBColor(63, 148, 89),
    RGBColor(150, 84, 160),
];

/// The colours as CSS variables for [`INK`], [`GRID`] and each of the [`SERIES`].
pub(super) fn colour_rules() -> String {
    let mut rules = String::new();
    let names = ["ink".to_owned(), "grid".to_owned()];
    let series = (0..SERIES.len()).map(|n| format!("series-{n}"));
    let colours = [INK, GRID].into_iter().chain(SERIES);
    for (name, RGBColor(r, g, b)) in names.into_iter().chain(series).zip(colours) {
        for attribute in ["fill", "stroke"] {
            rules.push_str(&format!(
                "svg.chart [{attribute}=\"#{r:02X}{g:02X}{b:02X}\"]{{{attribute}:var(--{name})}}"
            ));
        }
    }
    rules
}

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;

/// The chart as an `<svg>` element.
pub(super) fn draw(chart: &Chart) -> Result<String, ClaimError> {
    let mut text = String::new();
    let drawn = match chart {
        Chart::Shares { parts, rows, .. } => {
            let height = 40 + BAR * rows.len() as i32 + 24;
            let area =
                SVGBackend::with_string(&mut text, (WIDTH, height as u32)).into_drawing_area();
            shares(&area, parts, rows).and_then(|()| area.present())
        }
        Chart::Lines { axes, lines, .. } => {
            let area = SVGBackend::with_string(&mut text, (WIDTH, 380)).into_drawing_area();
            self::lines(&area, axes, lines).and_then(|()| area.present())
        }
        Chart::Board { files, squares, .. } => {
            return Ok(board(u32::from(*files), squares));
        }
    };
    drawn.map_err(|error| ClaimError::Picture(error.to_string()))?;
    Ok(text.replacen("<svg ", "<svg class=\"chart\" role=\"img\" ", 1))
}

/// The fault of a backend that writes into memory.
type Fault = DrawingAreaErrorKind<std::io::Error>;

fn style(size: u32) -> TextStyle<'static> {
    ("sans-serif", size).into_font().color(&INK)
}

/// The names of the series, each after a patch of its colour.
fn legend(area: &Area, names: &[String], left: i32) -> Result<(), Fault> {
    let mut x = left;
    for (name, colour) in names.iter().zip(SERIES.iter().cycle()) {
        area.draw(&Rectangle::new([(x, 8), (x + 12, 20)], colour.filled()))?;
        area.draw(&Text::new(name.clone(), (x + 18, 7), style(14)))?;
        x += 40 + 7 * name.chars().count() as i32;
    }
    Ok(())
}

fn shares(area: &Area, parts: &[String], rows: &[(String, Vec<f64>)]) -> Result<(), Fault> {
    legend(area, parts, NAMES)?;
    let right = WIDTH as i32 - 20;
    let at = |share: f64| NAMES + (share * f64::from(right - NAMES)).round() as i32;
    let bottom = 32 + BAR * rows.len() as i32;
    let middle = |h| Pos::new(h, VPos::Center);
    for tick in [0.0, 0.25, 0.5, 0.75, 1.0] {
        let x = at(tick);
        area.draw(&PathElement::new(
            [(x, 28), (x, bottom)],
            GRID.stroke_width(1),
        ))?;
        let name = format!("{:.0} %", 100.0 * tick);
        area.draw(&Text::new(
            name,
            (x, bottom + 12),
            style(12).pos(middle(HPos::Center)),
        ))?;
    }
    for (n, (name, row)) in rows.iter().enumerate() {
        let top = 32 + BAR * n as i32;
        let label = style(13).pos(middle(HPos::Right));
        area.draw(&Text::new(
            name.clone(),
            (NAMES - 8, top + BAR / 2 - 1),
            label,
        ))?;
        let mut sum = 0.0;
        for (share, colour) in row.iter().zip(SERIES.iter().cycle()) {
            let from = at(sum);
            sum += share;
            if at(sum) > from {
                area.draw(&Rectangle::new(
                    [(from, top), (at(sum), top + BAR - 5)],
                    colour.filled(),
                ))?;
            }
        }
    }
    Ok(())
}

fn lines(
    area: &Area,
    axes: &[String; 2],
    lines: &[(String, Vec<(f64, f64)>)],
) -> Result<(), Fault> {
    let names: Vec<String> = lines.iter().map(|(name, _)| name.clone()).collect();
    let points = || lines.iter().flat_map(|(_, points)| points.iter());
    let most = |of: fn(&(f64, f64)) -> f64| points().map(of).fold(1e-9, f64::max);
    let (x, y) = (most(|p| p.0), most(|p| p.1));
    let mut chart = ChartBuilder::on(area)
        .margin(8)
        .margin_top(32)
        .margin_right(24)
        .x_label_area_size(44)
        .y_label_area_size(72)
        .build_cartesian_2d(0.0..x, 0.0..y * 1.05)?;
    chart
        .configure_mesh()
        .light_line_style(TRANSPARENT)
        .bold_line_style(GRID)
        .axis_style(INK)
        .label_style(style(12))
        .axis_desc_style(style(14))
        .x_desc(axes[0].clone())
        .y_desc(axes[1].clone())
        .draw()?;
    for ((_, points), colour) in lines.iter().zip(SERIES.iter().cycle()) {
        chart.draw_series(LineSeries::new(
            points.iter().copied(),
            colour.stroke_width(2),
        ))?;
    }
    legend(area, &names, 80)
}

/// A board whose squares are the darker the larger their share.
fn board(files: u32, squares: &[Option<f64>]) -> String {
    let side = 48;
    let ranks = (squares.len() as u32).div_ceil(files);
    let (width, height) = (files * side + 18, ranks * side + 18);
    let mut text =
        format!("<svg class=\"chart heat\" role=\"img\" viewBox=\"0 0 {width} {height}\">");
    for (n, share) in (0..).zip(squares) {
        let (file, rank) = (n % files, n / files);
        let (x, y) = (18 + file * side, (ranks - 1 - rank) * side);
        let cell = share.unwrap_or_default();
        text.push_str(&format!(
            "<rect class=\"cell\" x=\"{x}\" y=\"{y}\" width=\"{side}\" height=\"{side}\"/>\
             <rect class=\"heat\" fill-opacity=\"{cell:.3}\" x=\"{x}\" y=\"{y}\" width=\"{side}\" height=\"{side}\"/>"
        ));
        if let Some(share) = share {
            let (x, y) = (x + side / 2, y + side / 2 + 4);
            let class = if *share > 0.55 { "over" } else { "under" };
            text.push_str(&format!(
                "<text class=\"{class}\" x=\"{x}\" y=\"{y}\" text-anchor=\"middle\">{:.0}</text>",
                100.0 * share
            ));
        }
    }
    for file in 0..files {
        let letter = (b'a' + file as u8) as char;
        let (x, y) = (18 + file * side + side / 2, ranks * side + 13);
        text.push_str(&format!(
            "<text class=\"under\" x=\"{x}\" y=\"{y}\" text-anchor=\"middle\">{letter}</text>"
        ));
    }
    for rank in 0..ranks {
        let y = (ranks - 1 - rank) * side + side / 2 + 4;
        text.push_str(&format!(
            "<text class=\"under\" x=\"8\" y=\"{y}\" text-anchor=\"middle\">{}</text>",
            rank + 1
        ));
    }
    text.push_str("</svg>");
    text
}
