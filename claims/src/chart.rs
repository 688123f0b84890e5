//! Describes the charts of the report as data: shares, lines and boards with their captions.
//!
//! Drawing them is the affair of the page.

use serde::{Deserialize, Serialize};

/// A picture of figures.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "chart", rename_all = "kebab-case")]
pub(crate) enum Chart {
    /// Shares of a whole, a bar for each row.
    Shares {
        /// The caption.
        title: String,
        /// The parts, the same for all rows.
        parts: Vec<String>,
        /// The name and the shares, each from 0 to 1.
        rows: Vec<(String, Vec<f64>)>,
    },
    /// Lines through points.
    Lines {
        /// The caption.
        title: String,
        /// The meaning of the axes.
        axes: [String; 2],
        /// The name of each line, and its points.
        lines: Vec<(String, Vec<(f64, f64)>)>,
    },
    /// A share for each square of a board, a1 first, along the ranks.
    Board {
        /// The caption.
        title: String,
        /// The number of files of the board.
        files: u8,
        /// The shares from 0 to 1; `None` where there is nothing to show.
        squares: Vec<Option<f64>>,
    },
}

impl Chart {
    /// Whether there is nothing to show.
    pub(crate) fn is_empty(&self) -> bool {
        match self {
            Chart::Shares { rows, .. } => rows.is_empty(),
            Chart::Lines { lines, .. } => lines.iter().all(|(_, points)| points.is_empty()),
            Chart::Board { squares, .. } => squares.iter().all(Option::is_none),
        }
    }
}
