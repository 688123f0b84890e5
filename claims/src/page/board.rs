//! Draws positions as SVG diagrams, and the positions of a line as texts that the page's script
//! draws.
//!
//! The pieces are drawn for this project.

use std::collections::BTreeSet;
use std::fmt::Write;

use maud::{Markup, PreEscaped, html};
use retrograde_rules::{Colour, Game, Geometry, MoveKind, Piece, PieceType, Position};

/// The side of a square.
const SIDE: u32 = 45;
/// The room for the names of ranks and files.
const EDGE: u32 = 16;

/// The empty boards of some games and the pieces, each drawn once in a page and then used by its
/// name.
pub(super) fn symbols(games: &[Game]) -> String {
    let mut text =
        String::from("<svg width=\"0\" height=\"0\" class=\"symbols\" aria-hidden=\"true\"><defs>");
    for piece_type in PieceType::ALL {
        let Some(drawing) = drawing(piece_type) else {
            continue;
        };
        let letter = piece_type.letter();
        let _ = write!(text, "<g id=\"p{letter}\" class=\"man\">{drawing}</g>");
    }
    let sizes = games.iter().map(|game| {
        let Geometry { files, ranks, .. } = game.geometry();
        (u32::from(files), u32::from(ranks))
    });
    for (files, ranks) in sizes.collect::<BTreeSet<(u32, u32)>>() {
        text.push_str(&empty(files, ranks));
    }
    text.push_str("</defs></svg>");
    text
}

/// An empty board.
fn empty(files: u32, ranks: u32) -> String {
    let (width, height) = (files * SIDE, ranks * SIDE);
    let mut text = format!(
        "<g id=\"b{files}x{ranks}\" class=\"empty\"><path class=\"light\" d=\"M0 0h{width}v{height}H0z\"/>\
         <path class=\"dark\" d=\""
    );
    for rank in 0..ranks {
        for file in (rank % 2..files).step_by(2) {
            let (x, y) = (file * SIDE, (ranks - 1 - rank) * SIDE);
            let _ = write!(text, "M{x} {y}h{SIDE}v{SIDE}h-{SIDE}z");
        }
    }
    text.push_str("\"/>");
    for file in 0..files {
        let letter = char::from(b'a' + file as u8);
        let (x, y) = (file * SIDE + SIDE / 2, height + 13);
        let _ = write!(text, "<text x=\"{x}\" y=\"{y}\">{letter}</text>");
    }
    for rank in 0..ranks {
        let y = (ranks - 1 - rank) * SIDE + SIDE / 2 + 4;
        let _ = write!(text, "<text x=\"-9\" y=\"{y}\">{}</text>", rank + 1);
    }
    text.push_str("</g>");
    text
}

const BASE: &str = "<path d=\"M12.5 39.5h20v-3.5h-20z\"/>";

/// The drawing of a piece in a square of 45 units; `None` for kinds that no built-in game has.
fn drawing(piece_type: PieceType) -> Option<String> {
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
        _ => return None,
    };
    Some(format!("{above}{BASE}"))
}

/// The drawing that a piece type of a game has: that of the usual piece with these moves.
fn figure(game: Game, piece_type: PieceType) -> Option<char> {
    let usual = match game.mover(piece_type).to_string().as_str() {
        _ if piece_type == PieceType::Pawn => PieceType::Pawn,
        "K" => PieceType::King,
        "Q" => PieceType::Queen,
        "BN" => PieceType::Paladin,
        "RN" => PieceType::Chancellor,
        "R" => PieceType::Rook,
        "B" => PieceType::Bishop,
        "N" => PieceType::Knight,
        _ => return None,
    };
    let is_king = |piece_type| piece_type == PieceType::King;
    (is_king(usual) == is_king(piece_type)).then(|| usual.letter())
}

/// A piece as its drawing is called, small for Black; after a dot its letter, if it has none.
fn name(game: Game, piece: Piece) -> String {
    let (dot, letter) = match figure(game, piece.piece_type) {
        Some(figure) => ("", figure),
        None => (".", game.letter(piece.piece_type)),
    };
    match piece.colour {
        Colour::White => format!("{dot}{letter}"),
        Colour::Black => format!("{dot}{}", letter.to_ascii_lowercase()),
    }
}

/// A position as a diagram.
pub(super) fn diagram(position: &Position) -> Markup {
    let game = position.game();
    let geometry = game.geometry();
    let (files, ranks) = (u32::from(geometry.files), u32::from(geometry.ranks));
    let mut text = format!("<use href=\"#b{files}x{ranks}\"/>");
    let corner = |square| {
        let (file, rank) = (geometry.file(square), geometry.rank(square));
        (u32::from(file) * SIDE, (ranks - 1 - u32::from(rank)) * SIDE)
    };
    if let Some(square) = position.ep() {
        let (x, y) = corner(square);
        let (x, y) = (x + SIDE / 2, y + SIDE / 2);
        let _ = write!(text, "<circle class=\"ep\" cx=\"{x}\" cy=\"{y}\" r=\"7\"/>");
    }
    for (piece, square) in position.board().pieces() {
        let (x, y) = corner(square);
        if game.royals_vary() && position.royals(piece.colour).contains(square) {
            let (x, y, side) = (x + 2, y + 2, SIDE - 4);
            let _ = write!(
                text,
                "<rect class=\"royal\" x=\"{x}\" y=\"{y}\" width=\"{side}\" height=\"{side}\" rx=\"6\"/>"
            );
        }
        let (class, name) = (&piece.colour.name()[..1], name(game, piece));
        let _ = match name.strip_prefix('.') {
            None => write!(
                text,
                "<use class=\"{class}\" href=\"#p{}\" x=\"{x}\" y=\"{y}\"/>",
                name.to_ascii_uppercase()
            ),
            Some(letter) => write!(
                text,
                "<g class=\"{class}\"><circle cx=\"{0}\" cy=\"{1}\" r=\"17\"/>\
                 <text x=\"{0}\" y=\"{2}\">{3}</text></g>",
                x + 22,
                y + 22,
                y + 30,
                letter.to_ascii_uppercase()
            ),
        };
    }
    let (width, height) = (files * SIDE + EDGE, ranks * SIDE + EDGE);
    let area = format!("-{EDGE} 0 {width} {height}");
    html! {
        svg.board viewBox=(area) role="img" aria-label=(label(position)) { (PreEscaped(text)) }
    }
}

/// The pieces in words, for those who do not see the diagram.
fn label(position: &Position) -> String {
    let game = position.game();
    let sides = Colour::BOTH.map(|side| {
        let own = position.board().pieces().filter(|(p, _)| p.colour == side);
        let pieces = own.map(|(piece, square)| {
            let name = game.piece_name(piece.piece_type);
            format!("{name} {}", game.geometry().name(square))
        });
        let pieces = pieces.collect::<Vec<String>>().join(", ");
        format!("{}: {pieces}", colour(side))
    });
    format!("{}. {} to move.", sides.join(". "), colour(position.turn()))
}

/// A colour as a word of a sentence.
const fn colour(colour: Colour) -> &'static str {
    match colour {
        Colour::White => "White",
        Colour::Black => "Black",
    }
}

/// The caption of a diagram: who is to move, and in High Chess who is High and what the
/// counters are.
pub(super) fn caption(position: &Position) -> String {
    let mut text = format!("{} to move", colour(position.turn()));
    if let (Some(counters), Some(rules)) = (position.vitality(), position.game().vitality()) {
        let high = colour(rules.high(position));
        let _ = write!(text, "; {high} is High; vitality {counters}");
    }
    text
}

/// A placement for the page's script: the rows of the board as in a FEN, the pieces by their
/// drawings, and the squares of the royal men where these vary.
pub(super) fn placement(position: &Position) -> String {
    let game = position.game();
    let geometry = game.geometry();
    let mut text = String::new();
    for rank in (0..geometry.ranks).rev() {
        let mut gap = 0;
        for file in 0..geometry.files {
            match position.board().piece_at(geometry.square(file, rank)) {
                None => gap += 1,
                Some(piece) => {
                    if gap > 0 {
                        let _ = write!(text, "{gap}");
                    }
                    gap = 0;
                    text.push_str(&name(game, piece));
                }
            }
        }
        if gap > 0 {
            let _ = write!(text, "{gap}");
        }
        if rank > 0 {
            text.push('/');
        }
    }
    if game.royals_vary() {
        let royals = Colour::BOTH.into_iter().flat_map(|c| position.royals(c));
        let royals: Vec<String> = royals.map(|square| geometry.name(square)).collect();
        let _ = write!(text, " {}", royals.join(","));
    }
    text
}

/// A move of a line, or several passes.
pub(super) struct Played {
    /// The text of the move, numbered if it is White's or the first.
    pub(super) text: String,
    /// The position after it.
    pub(super) after: Position,
}

/// The positions that a line in SAN leads through, as far as it can be played.
pub(super) fn played(start: &Position, line: &[String]) -> Vec<Played> {
    let (mut position, mut plies) = (*start, 0);
    let mut list = Vec::new();
    for text in line {
        let passes = (text.strip_prefix("… "))
            .and_then(|text| text.strip_suffix(" passes")?.parse::<usize>().ok());
        let moves = match passes {
            Some(passes) => vec!["--"; passes],
            None => vec![text.as_str()],
        };
        let number = 1 + (plies + start.turn().index()) / 2;
        let mark = match position.turn() {
            Colour::White => format!("{number}. "),
            Colour::Black if plies == 0 => format!("{number}… "),
            Colour::Black => String::new(),
        };
        plies += moves.len();
        let mut is_pass = false;
        for text in moves {
            let Ok(mv) = position.parse_san(text) else {
                return list;
            };
            is_pass = mv.kind == MoveKind::Pass;
            position = position.play(mv);
        }
        list.push(Played {
            text: match (passes, is_pass) {
                (Some(_), _) => text.clone(),
                (None, true) => format!("{mark}pass"),
                (None, false) => format!("{mark}{text}"),
            },
            after: position,
        });
    }
    list
}
