//! Draws a position, given as a FEN, as an SVG diagram.
//!
//! The pieces are drawn for this project.

use std::fmt::Write;

use crate::countings::high_chess::VITALITY;
use retrograde_rules::{Colour, Game, PieceType, Position};

/// The side of a square.
const SIDE: u32 = 45;

/// The shapes of the pieces as symbols, to be put into a page once.
pub(super) fn symbols() -> String {
    let mut text =
        String::from("<svg width=\"0\" height=\"0\" class=\"symbols\" aria-hidden=\"true\"><defs>");
    for piece_type in PieceType::ALL {
        let _ = write!(
            text,
            "<symbol id=\"piece-{}\" viewBox=\"0 0 45 45\">{}</symbol>",
            piece_type.letter(),
            shape(piece_type)
        );
    }
    text.push_str("</defs></svg>");
    text
}

const BASE: &str = "<path d=\"M12.5 39.5h20v-3.5h-20z\"/>";

/// The shape of a piece in a square of 45 units.
fn shape(piece_type: PieceType) -> String {
    let above = match piece_type {
        PieceType::King => {
            "<path d=\"M22.5 18C26 11 38 14 34.5 25L31.5 36h-18L10.5 25C7 14 19 11 22.5 18z\"/>\
             <path d=\"M21 4.5h3v3.5h3.5v3H24v5h-3v-5h-3.5v-3H21z\"/>\
             <path class=\"line\" d=\"M14 31.5h17\"/>"
        }
        PieceType::Queen => {
            "<path d=\"M8.5 14.5L13.5 36h18l5-21.5-7.5 9L27.5 10l-5 13-5-13-1.5 13.5z\"/>\
             <circle cx=\"8.5\" cy=\"12.5\" r=\"2.3\"/><circle cx=\"17.5\" cy=\"8.5\" r=\"2.3\"/>\
             <circle cx=\"27.5\" cy=\"8.5\" r=\"2.3\"/><circle cx=\"36.5\" cy=\"12.5\" r=\"2.3\"/>\
             <path class=\"line\" d=\"M14 31.5h17\"/>"
        }
        PieceType::Rook => {
            "<path d=\"M13.5 36l2-15h14l2 15z\"/>\
             <path d=\"M12.5 21V9.5h4.5v4h3.2v-4h4.6v4H28v-4h4.5V21z\"/>"
        }
        PieceType::Bishop => {
            "<path d=\"M14.5 36c3-1 4.5-3 4.5-5.5h7c0 2.5 1.5 4.5 4.5 5.5z\"/>\
             <path d=\"M22.5 11C31 17.5 30.5 26 26.5 30.5h-8C14.5 26 14 17.5 22.5 11z\"/>\
             <circle cx=\"22.5\" cy=\"8\" r=\"2.6\"/>\
             <path class=\"line\" d=\"M22.5 17.5v8M19 21h7\"/>"
        }
        PieceType::Knight => {
            "<path d=\"M14 36c0-8 7.5-9 7-14.5-3.5.5-6 3-9.5 4.5L8.5 22c3-4.5 5-9.5 9-13l1-4.5 3 3.5c10 2.5 12.5 14 12 28z\"/>\
             <circle class=\"dot\" cx=\"18.5\" cy=\"13.5\" r=\"1.3\"/>"
        }
        PieceType::Pawn => {
            "<path d=\"M15 36c0-7 4.5-10 5-15h5c.5 5 5 8 5 15z\"/>\
             <circle cx=\"22.5\" cy=\"15.5\" r=\"5.5\"/>"
        }
        // Bishop and knight: a knight's shield with the bishop's cross.
        PieceType::Paladin => {
            "<path d=\"M11 8.5c4 1.5 8 .5 11.5-2 3.5 2.5 7.5 3.5 11.5 2V20c0 8-5 13-11.5 16C16 33 11 28 11 20z\"/>\
             <path class=\"line\" d=\"M22.5 12v18M15.5 18.5h14\"/>"
        }
        // Rook and knight: a tower with a flag.
        PieceType::Chancellor => {
            "<path d=\"M13.5 36l2-13h14l2 13z\"/>\
             <path d=\"M12.5 23V14h4.5v3h3.2v-3h4.6v3H28v-3h4.5v9z\"/>\
             <path d=\"M21.5 14V4.5l9 3-7.5 3V14z\"/>"
        }
    };
    format!("{above}{BASE}")
}

/// A position as a diagram; `None` if the FEN is not one of the game.
pub(super) fn diagram(game: &str, fen: &str) -> Option<String> {
    let game = Game::parse(game).ok()?;
    let position = Position::from_fen(game, fen).ok()?;
    let geometry = game.geometry();
    let (files, ranks) = (u32::from(geometry.files), u32::from(geometry.ranks));
    let (width, height) = (files * SIDE + 16, ranks * SIDE + 16);
    let mut text = format!(
        "<svg class=\"board\" viewBox=\"0 0 {width} {height}\" role=\"img\" aria-label=\"{}\">",
        label(&position)
    );
    for square in geometry.all() {
        let (file, rank) = (
            u32::from(geometry.file(square)),
            u32::from(geometry.rank(square)),
        );
        let (x, y) = (16 + file * SIDE, (ranks - 1 - rank) * SIDE);
        let shade = if (file + rank) % 2 == 0 {
            "dark"
        } else {
            "light"
        };
        let _ = write!(
            text,
            "<rect class=\"{shade}\" x=\"{x}\" y=\"{y}\" width=\"{SIDE}\" height=\"{SIDE}\"/>"
        );
        if position.ep() == Some(square) {
            let (x, y) = (x + SIDE / 2, y + SIDE / 2);
            let _ = write!(text, "<circle class=\"ep\" cx=\"{x}\" cy=\"{y}\" r=\"7\"/>");
        }
        let Some(piece) = position.board().piece_at(square) else {
            continue;
        };
        if game.royals_vary() && position.royals(piece.colour).contains(square) {
            let (x, y) = (x + 2, y + 2);
            let side = SIDE - 4;
            let _ = write!(
                text,
                "<rect class=\"royal\" x=\"{x}\" y=\"{y}\" width=\"{side}\" height=\"{side}\" rx=\"6\"/>"
            );
        }
        let _ = write!(
            text,
            "<use class=\"{}\" href=\"#piece-{}\" x=\"{x}\" y=\"{y}\" width=\"{SIDE}\" height=\"{SIDE}\"/>",
            piece.colour.name(),
            piece.piece_type.letter()
        );
    }
    for file in 0..files {
        let letter = (b'a' + file as u8) as char;
        let (x, y) = (16 + file * SIDE + SIDE / 2, ranks * SIDE + 12);
        let _ = write!(
            text,
            "<text x=\"{x}\" y=\"{y}\" text-anchor=\"middle\">{letter}</text>"
        );
    }
    for rank in 0..ranks {
        let y = (ranks - 1 - rank) * SIDE + SIDE / 2 + 4;
        let _ = write!(
            text,
            "<text x=\"7\" y=\"{y}\" text-anchor=\"middle\">{}</text>",
            rank + 1
        );
    }
    text.push_str("</svg>");
    Some(text)
}

/// The caption of a diagram: who is to move, and in High Chess who is High and what the
/// counters are.
pub(super) fn caption(game: &str, fen: &str) -> String {
    let position = Game::parse(game)
        .ok()
        .and_then(|game| Position::from_fen(game, fen).ok());
    let Some(position) = position else {
        return String::new();
    };
    let name = |colour| match colour {
        Colour::White => "White",
        Colour::Black => "Black",
    };
    let mut text = format!("{} to move", name(position.turn()));
    if let Some(counters) = position.vitality() {
        let high = VITALITY.high(&position);
        text.push_str(&format!("; {} is High; vitality {counters}", name(high)));
    }
    text
}

/// The pieces in words, for those who do not see the diagram.
fn label(position: &Position) -> String {
    let geometry = position.game().geometry();
    let pieces = position.board().pieces().map(|(piece, square)| {
        format!(
            "{} {} {}",
            piece.colour.name(),
            piece.piece_type.name(),
            geometry.name(square)
        )
    });
    pieces.collect::<Vec<String>>().join(", ")
}
