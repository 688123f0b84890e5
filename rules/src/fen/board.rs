//! Reads the field of pieces of a FEN, and says where it is wrong.

use super::{FenError, FenErrorKind};
use crate::board::Board;
use crate::game::Game;
use crate::piece::Piece;
use crate::square::{Square, SquareSet};

/// The pieces of a FEN; `start` is where the field begins.
///
/// There are two readers: the first is for speed and gives up at the first fault; the second
/// then reports what is wrong.
pub(super) fn read_board(game: Game, field: &str, start: usize) -> Result<Board, FenError> {
    match read_faultless(game, field) {
        Some(board) => Ok(board),
        None => read_slowly(game, field, start),
    }
}

/// The pieces of a field in which nothing is wrong; `None` if anything may be.
fn read_faultless(game: Game, field: &str) -> Option<Board> {
    let geometry = game.geometry();
    let (files, mut rank) = (geometry.files, geometry.ranks.checked_sub(1)?);
    let (mut file, mut after_run) = (0, false);
    let (mut board, mut holes) = (Board::empty(), SquareSet::EMPTY);
    let mut bytes = field.bytes().peekable();
    while let Some(byte) = bytes.next() {
        let is_run = byte.is_ascii_digit();
        match byte {
            b'/' => {
                if file != files {
                    return None;
                }
                (file, rank) = (0, rank.checked_sub(1)?);
            }
            b'1'..=b'9' if !after_run => {
                let mut run = byte - b'0';
                if files >= 10
                    && let Some(digit) = bytes.next_if(u8::is_ascii_digit)
                {
                    run = run * 10 + (digit - b'0');
                }
                file += run;
            }
            b'*' if file < files => {
                holes.insert(geometry.square(file, rank));
                file += 1;
            }
            _ => {
                let piece = game.piece_of(byte)?;
                if file >= files {
                    return None;
                }
                board.put(geometry.square(file, rank), piece);
                file += 1;
            }
        }
        if file > files {
            return None;
        }
        after_run = is_run;
    }
    (rank == 0 && file == files && holes == geometry.holes).then_some(board)
}

/// The pieces of a field, or the reason why it cannot be read.
#[cold]
fn read_slowly(game: Game, field: &str, start: usize) -> Result<Board, FenError> {
    let geometry = game.geometry();
    let mut board = Board::empty();
    let mut offset = start;
    let mut ranks = 0;
    for (index, row) in field.split('/').enumerate() {
        if index == geometry.ranks as usize {
            // The slash before this rank is one too many.
            let (found, wanted) = (field.split('/').count(), geometry.ranks);
            return Err(FenErrorKind::RankCount { found, wanted }.at(offset - 1));
        }
        let rank = geometry.ranks - 1 - index as u8;
        read_rank(game, row, offset, rank, |square, piece| {
            board.put(square, piece)
        })?;
        offset += row.len() + 1;
        ranks += 1;
    }
    if ranks < geometry.ranks as usize {
        let wanted = geometry.ranks;
        return Err(FenErrorKind::RankCount {
            found: ranks,
            wanted,
        }
        .at(start + field.len()));
    }
    Ok(board)
}

fn read_rank(
    game: Game,
    row: &str,
    start: usize,
    rank: u8,
    mut put: impl FnMut(Square, Piece),
) -> Result<(), FenError> {
    let geometry = game.geometry();
    let wanted = geometry.files;
    let too_short_or_long = |found| FenErrorKind::RankLength {
        rank: rank + 1,
        found,
        wanted,
    };
    let mut file = 0;
    let mut after_run = false;
    let mut rest = row;
    while let Some(letter) = rest.chars().next() {
        let offset = start + row.len() - rest.len();
        let run = run_of(rest, wanted);
        let mut width = 1;
        if run.is_empty() {
            rest = &rest[letter.len_utf8()..];
        } else {
            rest = &rest[run.len()..];
            width = match run.parse() {
                Ok(width)
                    if width <= usize::from(wanted) && !run.starts_with('0') && !after_run =>
                {
                    width
                }
                _ => return Err(FenErrorKind::EmptyRun(run.to_owned(), wanted).at(offset)),
            };
        }
        after_run = !run.is_empty();
        let at = file.min(wanted as usize)..(file + width).min(wanted as usize);
        let mut at = at.map(|file| geometry.square(file as u8, rank));
        if letter == '*' {
            if let Some(square) = at.find(|&square| !geometry.holes.contains(square)) {
                let name = geometry.name(square);
                return Err(FenErrorKind::NoHole(name).at(offset));
            }
        } else if let Some(square) = at.find(|&square| geometry.holes.contains(square)) {
            return Err(FenErrorKind::Hole(geometry.name(square)).at(offset));
        }
        if !after_run && letter != '*' {
            let piece = u8::try_from(letter)
                .ok()
                .and_then(|byte| game.piece_of(byte))
                .ok_or_else(|| unknown_piece(game, letter).at(offset))?;
            if file < wanted as usize {
                put(geometry.square(file as u8, rank), piece);
            }
        }
        let within = file <= wanted as usize;
        file += width;
        if within && file > wanted as usize {
            let found = file + count_squares(rest, wanted);
            return Err(too_short_or_long(found).at(offset));
        }
    }
    if file < wanted as usize {
        return Err(too_short_or_long(file).at(start + row.len()));
    }
    Ok(())
}

/// The number of empty squares at the start of a text, as text: at most as many digits
/// as the number of squares in a rank has.
fn run_of(row: &str, squares: u8) -> &str {
    let digits = row.bytes().take_while(u8::is_ascii_digit).count();
    &row[..digits.min(if squares < 10 { 1 } else { 2 })]
}

/// The number of squares that a part of a rank stands for, whatever its letters.
fn count_squares(mut row: &str, squares: u8) -> usize {
    let mut count = 0;
    while let Some(letter) = row.chars().next() {
        let run = run_of(row, squares);
        count += run.parse().unwrap_or(1);
        row = &row[run.len().max(letter.len_utf8())..];
    }
    count
}

fn unknown_piece(game: Game, letter: char) -> FenErrorKind {
    FenErrorKind::UnknownPiece {
        letter,
        game: game.id(),
        pieces: game.letters(),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// The quick way reads what the other reads, and nothing else.
        #[test]
        fn both_ways_to_read_a_board_agree(
            game in prop::sample::select(Game::all()),
            ten in any::<bool>(),
            texts in prop::collection::vec("[1-9]|10|[kqrbnpKQRBNP]{1,3}|[1-7][a-zA-Z][1-3]|0|[0-9a-zé]{0,3}", 1..12),
            board in "([1-8]|[kqrbnpaKQRBNPA1]{8}|[kqrbnpKQRBNP][1-7]|8|9|10)(/([1-8]|8|9|10|k7|3K4|KQ6|[pP1]{8}|[pP1]{9}|[pP1]{10})){6,10}",
        ) {
            let game = match ten {
                true => Game::parse("kings:board=10x10,chancellor=on").unwrap(),
                false => game,
            };
            for text in [texts.join("/"), texts.concat(), board] {
                prop_assert_eq!(read_faultless(game, &text), read_slowly(game, &text, 0).ok(), "{}", text);
            }
        }
    }

    #[test]
    fn the_quick_way_reads_every_board_of_every_game() {
        for (id, board) in [
            (
                "orthodox",
                "rnbqkbnr/pppppppp/8/8/3P1p1P/8/PPP1PPP1/RNBQKBNR",
            ),
            (
                "chess99",
                "rnbakqbnr/ppppppppp/9/9/4P4/9/9/PPPPPPPP1/RNBQKABNR",
            ),
            (
                "kings:board=10x10,chancellor=on",
                "10/rnbqkkcbnr/pppppppppp/10/1p8/9K/10/PPPPPPPPPP/RNBQKKCBNR/10",
            ),
            (
                "kings:board=10x8",
                "rnbqkkqbnr/pppppppppp/10/10/10/10/PPPPPPPPPP/RNBQKKQBNR",
            ),
        ] {
            let game = Game::parse(id).unwrap();
            let quick = read_faultless(game, board);
            assert!(quick.is_some(), "{id}");
            assert_eq!(quick, read_slowly(game, board, 0).ok());
        }
    }
}
