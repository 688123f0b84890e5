//! The squares of some indices by columns, as the packer takes them.

use retrograde_index::Index;
use retrograde_rules::{Material, Square};

/// The squares of some indices, which ascend: a column of `columns` for each piece.
pub(super) fn square_columns(index: &Index, indices: &[u64], columns: &mut [u8]) {
    let mut squares = [Square(0); Material::MOST_PIECES];
    let squares = &mut squares[..index.pieces()];
    let len = indices.len();
    let Some(last) = index.groups().last() else {
        for (place, &number) in indices.iter().enumerate() {
            index.decode(number, squares);
            for (column, square) in columns.chunks_exact_mut(len).zip(&*squares) {
                column[place] = square.0;
            }
        }
        return;
    };
    let mut from = 0;
    while let Some(&number) = indices.get(from) {
        // As far as only the last group changes.
        let first = number - number % last.size();
        let run = &indices[from..];
        let run = &run[..run.partition_point(|&number| number < first + last.size())];
        let to = from + run.len();
        index.decode(number, squares);
        let moving = last.places();
        for (piece, column) in columns.chunks_exact_mut(len).enumerate() {
            if !moving.contains(&piece) {
                column[from..to].fill(squares[piece].0);
            }
        }
        if moving.len() == 1 {
            let lowest = last.squares().start;
            let column = &mut columns[moving.start * len..][from..to];
            for (square, &number) in column.iter_mut().zip(run) {
                *square = lowest + (number - first) as u8;
            }
        } else {
            for (place, &number) in (from..).zip(run) {
                last.squares_of(number - first, &mut squares[moving.clone()]);
                for piece in moving.clone() {
                    columns[piece * len + place] = squares[piece].0;
                }
            }
        }
        from = to;
    }
}
