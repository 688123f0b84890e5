//! Measures the time to set up a random position, generate its legal moves and play them.
//!
//! Each of the moves is played. The time is the cost per position of a one-ply check of a whole
//! table. `cargo bench -p retrograde-rules`

use std::hint::black_box;
use std::time::Instant;

use retrograde_rules::{Colour, Game, Material, MoveList, Piece, Position, Square};

const PLACEMENTS: usize = 4_000;
const RUNS: usize = 100;

fn main() {
    for game in Game::all().iter().copied() {
        println!("{}", game.id());
        println!(
            "material  legal  moves   set up  make moves  play all    together (ns a placement)"
        );
        for name in ["KQvK", "KQvKR", "KBNvK", "KRPvK", "KPvKP", "KQRvKBN"] {
            if let Ok(material) = Material::parse(game, name) {
                measure(game, &material);
            }
        }
    }
}

fn measure(game: Game, material: &Material) {
    let pieces: Vec<Piece> = material.pieces().collect();
    let mut state = 0x9E37_79B9_7F4A_7C15_u64;
    let mut random = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    };
    let placements: Vec<([Square; 8], Colour)> = (0..PLACEMENTS)
        .map(|_| {
            let squares = game.geometry().squares() as u64;
            let squares = std::array::from_fn(|_| Square(((random() >> 20) % squares) as u8));
            (squares, Colour::BOTH[(random() >> 40) as usize & 1])
        })
        .collect();
    let set_up = |(squares, turn): &([Square; 8], Colour)| {
        let pieces = pieces.iter().copied().zip(squares.iter().copied());
        Position::from_pieces(game, pieces, *turn)
    };

    let set_up_time = quickest(|| {
        for placement in &placements {
            black_box(set_up(black_box(placement)));
        }
    });

    let mut list = MoveList::new();
    let (mut legal, mut moves) = (0_usize, 0_usize);
    let moves_time = quickest(|| {
        (legal, moves) = (0, 0);
        for placement in &placements {
            if let Some(position) = set_up(black_box(placement)) {
                position.legal_moves_into(&mut list);
                legal += 1;
                moves += black_box(&list).len();
            }
        }
    });

    let together = quickest(|| {
        for placement in &placements {
            if let Some(position) = set_up(black_box(placement)) {
                position.legal_moves_into(&mut list);
                for &mv in &list {
                    black_box(position.play(mv));
                }
            }
        }
    });
    println!(
        "{:<9} {:>4.0}%  {:>5.1}  {set_up_time:>7.1}  {:>10.1}  {:>8.1}  {together:>8.1}",
        material.to_string(),
        100.0 * legal as f64 / PLACEMENTS as f64,
        moves as f64 / legal as f64,
        moves_time - set_up_time,
        together - moves_time,
    );
}

/// Nanoseconds per placement in the fastest of many short runs: on a busy machine, the others
/// were disturbed.
fn quickest(mut run: impl FnMut()) -> f64 {
    let mut best = f64::INFINITY;
    for _ in 0..RUNS {
        let start = Instant::now();
        run();
        best = best.min(start.elapsed().as_nanos() as f64 / PLACEMENTS as f64);
    }
    best
}
