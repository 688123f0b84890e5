//! Estimates the most memory that solving a material takes, whole or in slices.

use retrograde_index::IndexError;
use retrograde_rules::{Colour, Game, Material, PieceType};

use super::conversion_kinds::{leavings_of, turns_after};
use super::layout::Layout;
use super::successor::{is_read_later, promoted};
use super::words::with_word;

/// The bytes with what is not counted: indices, threads, what is read and written. Some of
/// that grows with the grid.
fn with_besides(counted: u64) -> u64 {
    counted + counted / 64 + (16 << 20)
}

/// The most bytes that solving a material takes, including the successors. Pages that are
/// never written to take no memory, so less is taken where few positions are won, where no
/// result is cursed, and where no successor has cursed results: down to half.
///
/// # Errors
/// If the material has no index.
pub fn estimate_bytes(game: Game, material: &Material) -> Result<u64, IndexError> {
    if let Some(rules) = game.vitality() {
        return super::vitality::estimate_bytes(game, rules, material);
    }
    let layout = Layout::to_solve(game, material)?;
    if game.checks() > 0 {
        return estimate_counted(&layout, material);
    }
    if layout.beside {
        return estimate_beside(&layout, material);
    }
    let (mut smaller, mut unpacked) = (0, 0);
    for exit in super::successors(game, material) {
        let (solved, read) = successor_bytes(game, material, &exit)?;
        smaller += solved;
        unpacked = unpacked.max(read);
    }
    // The successors are in memory while conversions are looked up. Depths need
    // fewer planes than cursed results, but whether the latter are needed is
    // known only once the depths are; conversions to cursed results are looked up then.
    let conversions = grid_bytes(&layout, 10) + smaller + unpacked;
    let again = game.zeroing_limit().map_or(0, |_| smaller);
    Ok(with_besides(conversions.max(later_bytes(&layout) + again)))
}

/// The memory that a material takes where checks are counted.
fn estimate_counted(layout: &Layout, material: &Material) -> Result<u64, IndexError> {
    // What is known of all layers stays in memory: for each side a cell, two bytes at worst, and
    // two planes.
    let positions = (layout.words() * layout.squares) as u64;
    let plane = (layout.words() * with_word!(layout.game, W => size_of::<W>())) as u64;
    let known = layout.index.layers() * 2 * (2 * positions + 2 * plane);
    // A layer is solved for both sides, and then for each side beside them.
    let layer = 3 * grid_bytes(layout, 12);
    let (mut smaller, mut unpacked) = (0, 0);
    for exit in super::successors(layout.game, material) {
        let (solved, read) = successor_bytes(layout.game, material, &exit)?;
        // It may be needed with the colours either way, and with those who are in check.
        let flags = 2 * Layout::new(layout.game, &exit)?.index.layer_len();
        smaller += 2 * solved;
        unpacked = unpacked.max(read + flags);
    }
    Ok(with_besides(known + layer + smaller + unpacked))
}

/// The memory that a material takes where rights to take en passant are kept beside the grid.
fn estimate_beside(layout: &Layout, material: &Material) -> Result<u64, IndexError> {
    let words = layout.words() as u64;
    let word = with_word!(layout.game, W => size_of::<W>()) as u64;
    // A byte per position, another per word, and planes.
    let cells = layout.squares as u64 + 1;
    let grid = |planes: u64| words * (cells + planes * word);
    let pieces = layout.pieces.iter();
    let pawns = pieces.filter(|piece| piece.piece_type == PieceType::Pawn);
    // Two sides to move; once more for each pawn that can be captured en passant, by each way in
    // which it steps twice.
    let own = layout.moves.own_pawns.as_ref();
    let ways = own.map_or(1, |own| own.doubled[0].len());
    let solving = 2 * grid(7) + (pawns.count() * ways) as u64 * grid(8);
    let mut smaller = 0;
    for exit in super::successors(layout.game, material) {
        if !is_read_later(layout.game, &exit, material.len()) {
            let exit = Layout::new(layout.game, &exit)?;
            smaller += 4 * (exit.words() * exit.squares) as u64;
        }
    }
    // What is read, packed and written grows with the grid: KBBvKN took 4 % more than counted.
    let counted = solving + smaller;
    Ok(counted + counted / 16 + (64 << 20))
}

/// The memory in bytes that a [solution in slices](super::solve_in_slices) takes; `None` if the
/// material cannot be divided. Its files take about two bytes for each position of the grid in
/// addition.
///
/// # Errors
///
/// If the material has no index.
pub fn estimate_bytes_in_slices(
    game: Game,
    material: &Material,
) -> Result<Option<u64>, IndexError> {
    let Some(layout) = Layout::to_divide(game, material)? else {
        return Ok(None);
    };
    // The largest successor of a side, if a pawn of it can promote and if none can.
    let mut successors = [[0; 2]; 2];
    for side in Colour::BOTH {
        for promotes in [false, true] {
            let largest = &mut successors[side.index()][usize::from(promotes)];
            for exit in leavings_of(game, material, side, promotes) {
                let (solved, read) = successor_bytes(game, material, &exit.material)?;
                *largest = solved.saturating_add(read).max(*largest);
            }
        }
    }
    let mut most = 0;
    for (slice, promotes) in with_word!(game, W => layout.slice_sizes::<W>()) {
        // What each position takes besides the grid: the best conversion of one side.
        let scores = 2 * (slice.words() * slice.squares) as u64;
        let [white, black] = Colour::BOTH.map(|side| {
            let place = side.index();
            successors[place][usize::from(promotes[place])]
        });
        let conversions = scores + white.max(black);
        let again = game.zeroing_limit().map_or(0, |_| conversions);
        most = most
            .max(grid_bytes(&slice, 10) + conversions)
            .max(later_bytes(&slice) + again);
    }
    Ok(Some(with_besides(most)))
}

/// Two sides with a byte for each position and some planes each.
fn grid_bytes(layout: &Layout, planes: u64) -> u64 {
    let positions = (layout.words() * layout.squares) as u64;
    let rights = if layout.en_passant { 2 } else { 0 };
    let plane = (layout.words() * with_word!(layout.game, W => size_of::<W>())) as u64;
    2 * (positions + (planes + rights) * plane)
}

/// The bytes of the grid once all conversions are looked up.
fn later_bytes(layout: &Layout) -> u64 {
    let mut pieces = layout.pieces.iter();
    match layout.game.zeroing_limit() {
        // Nor are all of them written to where no pawn moves are followed.
        Some(_) if pieces.any(|m| m.piece_type == PieceType::Pawn) => grid_bytes(layout, 14),
        Some(_) => grid_bytes(layout, 13),
        // Depths may outgrow a byte, which is noticed late.
        None => grid_bytes(layout, 10) + 2 * (layout.words() * layout.squares) as u64,
    }
}

/// The bytes of a successor, and the further bytes that reading it takes.
fn successor_bytes(
    game: Game,
    material: &Material,
    successor: &Material,
) -> Result<(u64, u64), IndexError> {
    let turns = turns_after(game, material, successor);
    let promoted = promoted(game, material, successor);
    let layout = Layout::of_successor(game, successor, promoted)?;
    // Two bytes per position and side to move; while one with equal leaders is read,
    // also an index.
    let sides = turns.into_iter().filter(|&turn| turn).count() as u64;
    let unpacked = match layout.index.has_equal_leaders() {
        true => 2 * sides * layout.index.len(),
        false => 0,
    };
    let positions = (layout.words() * layout.squares) as u64;
    Ok((2 * sides * positions, unpacked))
}
