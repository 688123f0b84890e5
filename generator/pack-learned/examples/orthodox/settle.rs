//! What captures and promotions settle, for every index of a material.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;

use retrograde_probe::{Index, Metric, Table, table_path};
use retrograde_rules::{Colour, Game, Material, Piece, PieceType, Square, Symmetry};

use crate::Failure;

/// The materials of three and four men.
pub(crate) fn all() -> Vec<String> {
    let letters = "QRBNP";
    let mut names: Vec<String> = letters.chars().map(|a| format!("K{a}vK")).collect();
    for (place, a) in letters.chars().enumerate() {
        for b in letters.chars().skip(place) {
            names.push(format!("K{a}{b}vK"));
            names.push(format!("K{a}vK{b}"));
        }
    }
    names
}

/// A material and who wins in it.
pub(crate) struct Endgame {
    folder: PathBuf,
    pub(crate) material: Material,
    pub(crate) pieces: Vec<Piece>,
    pub(crate) index: Index,
    /// For each piece, its square in every index.
    pub(crate) squares: Vec<Vec<u8>>,
    /// For each side to move: loss, blessed loss, draw, cursed win, win.
    wdl: [Vec<u8>; 2],
}

impl Endgame {
    /// The values of a metric.
    pub(crate) fn read(&self, metric: &str, turn: Colour) -> Result<Vec<i16>, Failure> {
        let metric = match metric {
            "wdl" => Metric::Wdl,
            "dtz" => Metric::Dtz,
            _ => Metric::Dtm,
        };
        let path = table_path(&self.folder, Game::Orthodox, &self.material, metric);
        let table = Table::open(&path)?;
        if *table.index().groups() != *self.index.groups() {
            let mut values = vec![0; self.index.len() as usize];
            table.read(turn, 0, &mut values)?;
            let mut squares = [Square(0); Material::MOST_PIECES];
            let squares = &mut squares[..self.pieces.len()];
            let mut out = Vec::with_capacity(values.len());
            for index in 0..self.index.len() {
                self.index.decode(index, squares);
                let index = table.index().encode(squares).ok_or("no such index")?;
                out.push(values[index as usize]);
            }
            return Ok(out);
        }
        let mut values = vec![0; self.index.len() as usize];
        table.read(turn, 0, &mut values)?;
        Ok(values)
    }
}

/// What is known about an index, in one byte.
#[derive(Clone, Copy)]
pub(crate) struct Told(u8);

impl Told {
    const NOTHING: Told = Told(255);

    fn new(best: u8, value: u8, zeroing: bool) -> Told {
        Told(best * 10 + value * 2 + u8::from(zeroing))
    }

    /// Whether the index stands for a position.
    pub(crate) fn legal(self) -> bool {
        self.0 != 255
    }

    /// The best value of a capture or promotion, plus 1; 0 if there is none.
    pub(crate) fn best(self) -> u8 {
        if self.legal() { self.0 / 10 } else { 0 }
    }

    /// Loss, blessed loss, draw, cursed win, win.
    pub(crate) fn value(self) -> u8 {
        if self.legal() { self.0 % 10 / 2 } else { 2 }
    }

    /// Whether a zeroing move keeps the value.
    pub(crate) fn is_zeroing(self) -> bool {
        self.legal() && self.0 % 2 == 1
    }
}

/// Materials, loaded as needed.
pub(crate) struct Endgames {
    folder: PathBuf,
    cache: Option<PathBuf>,
    known: HashMap<Material, Arc<Endgame>>,
}

impl Endgames {
    pub(crate) fn new(folder: PathBuf, cache: Option<PathBuf>) -> Endgames {
        Endgames {
            folder,
            cache,
            known: HashMap::new(),
        }
    }

    pub(crate) fn get(&mut self, material: &Material) -> Result<Arc<Endgame>, Failure> {
        if let Some(endgame) = self.known.get(material) {
            return Ok(Arc::clone(endgame));
        }
        let index = Index::new(Game::Orthodox, material)?;
        let pieces: Vec<Piece> = material.pieces().collect();
        let mut columns = vec![Vec::with_capacity(index.len() as usize); pieces.len()];
        let mut squares = [Square(0); Material::MOST_PIECES];
        let squares = &mut squares[..pieces.len()];
        for idx in 0..index.len() {
            index.decode(idx, squares);
            for (column, square) in columns.iter_mut().zip(squares.iter()) {
                column.push(square.0);
            }
        }
        let mut endgame = Endgame {
            folder: self.folder.clone(),
            material: *material,
            pieces,
            index,
            squares: columns,
            wdl: [vec![], vec![]],
        };
        for turn in Colour::BOTH {
            let values = endgame.read("wdl", turn)?;
            endgame.wdl[turn.index()] = values.into_iter().map(rank).collect();
        }
        let endgame = Arc::new(endgame);
        self.known.insert(*material, Arc::clone(&endgame));
        Ok(endgame)
    }

    /// What is known about all indices of a material for one side to move.
    pub(crate) fn told(&mut self, endgame: &Endgame, side: usize) -> Result<Vec<Told>, Failure> {
        let name = format!("{}.{}.told", endgame.material, ["w", "b"][side]);
        let kept = self.cache.as_ref().map(|folder| folder.join(name));
        if let Some(bytes) = kept.as_ref().and_then(|path| std::fs::read(path).ok()) {
            return Ok(bytes.into_iter().map(Told).collect());
        }
        let told = self.work_out(endgame, side)?;
        if let Some(path) = kept {
            let bytes: Vec<u8> = told.iter().map(|told| told.0).collect();
            std::fs::write(path, bytes)?;
        }
        Ok(told)
    }

    fn work_out(&mut self, endgame: &Endgame, side: usize) -> Result<Vec<Told>, Failure> {
        let turn = Colour::BOTH[side];
        let pieces = &endgame.pieces;
        let board = Lines::new();
        let [white, black] = endgame.index.leaders();
        let (own, other) = if side == 0 {
            (white, black)
        } else {
            (black, white)
        };
        let full = endgame.index.shape().symmetry == Symmetry::Full;
        let mut ways = HashMap::new();
        let mut told = Vec::with_capacity(endgame.index.len() as usize);
        let mut squares = [0u8; 8];
        for index in 0..endgame.index.len() as usize {
            for (square, column) in squares.iter_mut().zip(&endgame.squares) {
                *square = column[index];
            }
            let at = &squares[..pieces.len()];
            let occupied = at.iter().fold(0u64, |set, &square| set | 1 << square);
            let clash = occupied.count_ones() as usize != pieces.len();
            if clash || attacked(&board, pieces, at, turn, at[other], occupied, None) {
                told.push(Told::NOTHING);
                continue;
            }
            // Of two mirror images, the one with the lower index counts.
            let diagonal = |square: u8| square >> 3 == square & 7;
            if full && diagonal(at[white]) && diagonal(at[black]) {
                let mirror: Vec<Square> =
                    at.iter().map(|&s| Square((s & 7) << 3 | s >> 3)).collect();
                if endgame
                    .index
                    .encode(&mirror)
                    .is_some_and(|n| n < index as u64)
                {
                    told.push(Told::NOTHING);
                    continue;
                }
            }
            let value = endgame.wdl[side][index];
            let mut best = None;
            let mut zeroing = false;
            for (piece, &from) in at.iter().enumerate() {
                if pieces[piece].colour != turn {
                    continue;
                }
                let pawn = pieces[piece].piece_type == PieceType::Pawn;
                let mut go = |to: u8, taken: Option<usize>| -> Result<(), Failure> {
                    let mut next = squares;
                    next[piece] = to;
                    let next = &next[..pieces.len()];
                    let occupied = occupied & !(1 << from) | 1 << to;
                    let enemy = turn.other();
                    if attacked(&board, pieces, next, enemy, next[own], occupied, taken) {
                        return Ok(());
                    }
                    let promotes = pawn && !(8..56).contains(&to);
                    if taken.is_none() && !promotes {
                        // A quiet move of a pawn; a double step beside an
                        // enemy pawn is left out, its right being unknown.
                        let beside = pieces.iter().zip(next).any(|(piece, &square)| {
                            piece.piece_type == PieceType::Pawn
                                && piece.colour != turn
                                && square >> 3 == to >> 3
                                && square.abs_diff(to) == 1
                        });
                        let double = from.abs_diff(to) == 16;
                        if value > 2 && !(double && beside) {
                            let squares: Vec<Square> = next.iter().map(|&s| Square(s)).collect();
                            let index = endgame.index.encode(&squares).ok_or("no index")?;
                            let reply = endgame.wdl[1 - side][index as usize];
                            zeroing |= 4 - reply == value;
                        }
                        return Ok(());
                    }
                    let promotions: &[Option<PieceType>] = if promotes {
                        &[
                            PieceType::Queen,
                            PieceType::Rook,
                            PieceType::Bishop,
                            PieceType::Knight,
                        ]
                        .map(Some)
                    } else {
                        &[None]
                    };
                    for &promotion in promotions {
                        let way = match ways.get(&(piece, taken, promotion)) {
                            Some(way) => way,
                            None => {
                                let way = self.way(pieces, piece, taken, promotion)?;
                                ways.entry((piece, taken, promotion)).or_insert(way)
                            }
                        };
                        let gets = 4 - way.result(next, side);
                        best = best.max(Some(gets));
                    }
                    Ok(())
                };
                for (target, &to) in at.iter().enumerate() {
                    let taken = pieces[target];
                    if taken.colour != turn
                        && taken.piece_type != PieceType::King
                        && board.attacks(pieces[piece], from, to, occupied)
                    {
                        go(to, Some(target))?;
                    }
                }
                if pawn {
                    let step = |from: u8| if side == 0 { from + 8 } else { from - 8 };
                    let to = step(from);
                    if occupied >> to & 1 == 0 {
                        go(to, None)?;
                        if from >> 3 == [1, 6][side] && occupied >> step(to) & 1 == 0 {
                            go(step(to), None)?;
                        }
                    }
                }
            }
            assert!(
                best.is_none_or(|best| best <= value),
                "{index} of {}",
                endgame.material
            );
            zeroing |= best == Some(value);
            told.push(Told::new(best.map_or(0, |best| best + 1), value, zeroing));
        }
        Ok(told)
    }

    fn way(
        &mut self,
        pieces: &[Piece],
        mover: usize,
        taken: Option<usize>,
        promotion: Option<PieceType>,
    ) -> Result<Conversion, Failure> {
        let left: Vec<(Piece, usize)> = pieces
            .iter()
            .enumerate()
            .filter(|&(place, _)| Some(place) != taken)
            .map(|(place, &piece)| match promotion {
                Some(promotion) if place == mover => (Piece::new(piece.colour, promotion), place),
                _ => (piece, place),
            })
            .collect();
        let (material, swapped) =
            Material::of(left.iter().map(|&(piece, _)| piece)).normal(Game::Orthodox);
        if material.len() == 2 {
            return Ok(Conversion {
                endgame: None,
                swapped,
                places: vec![],
            });
        }
        let endgame = self.get(&material)?;
        let mut free = left;
        let mut places = Vec::new();
        for &piece in &endgame.pieces {
            let colour = if swapped {
                piece.colour.other()
            } else {
                piece.colour
            };
            let wanted = Piece::new(colour, piece.piece_type);
            let found = free.iter().position(|&(piece, _)| piece == wanted);
            places.push(free.remove(found.ok_or("no such piece")?).1);
        }
        Ok(Conversion {
            endgame: Some(endgame),
            swapped,
            places,
        })
    }
}

/// A successor and where its pieces are among those of a larger one.
struct Conversion {
    endgame: Option<Arc<Endgame>>,
    swapped: bool,
    places: Vec<usize>,
}

impl Conversion {
    /// The value for the other side after a move of `side`.
    fn result(&self, squares: &[u8], side: usize) -> u8 {
        let Some(endgame) = &self.endgame else {
            return 2;
        };
        let mut at = [Square(0); Material::MOST_PIECES];
        for (square, &place) in at.iter_mut().zip(&self.places) {
            *square = Square(if self.swapped {
                squares[place] ^ 56
            } else {
                squares[place]
            });
        }
        let index = endgame.index.encode(&at[..self.places.len()]).unwrap_or(0);
        endgame.wdl[(1 - side) ^ usize::from(self.swapped)][index as usize]
    }
}

fn rank(result: i16) -> u8 {
    match result {
        1 => 4,
        2 => 3,
        0 => 2,
        -2 => 1,
        _ => 0,
    }
}

/// Whether pieces of a colour attack a square.
fn attacked(
    board: &Lines,
    pieces: &[Piece],
    squares: &[u8],
    by: Colour,
    target: u8,
    occupied: u64,
    taken: Option<usize>,
) -> bool {
    pieces
        .iter()
        .zip(squares)
        .enumerate()
        .any(|(place, (&piece, &from))| {
            piece.colour == by
                && Some(place) != taken
                && piece.piece_type != PieceType::King
                && board.attacks(piece, from, target, occupied)
        })
        || pieces.iter().zip(squares).any(|(&piece, &from)| {
            piece.colour == by
                && piece.piece_type == PieceType::King
                && board.attacks(piece, from, target, occupied)
        })
}

/// The squares between two.
struct Lines(Vec<u64>);

impl Lines {
    fn new() -> Lines {
        let mut between = vec![u64::MAX; 64 * 64];
        for a in 0..64i32 {
            for b in 0..64i32 {
                let (files, ranks) = ((b & 7) - (a & 7), (b >> 3) - (a >> 3));
                if a != b && (files == 0 || ranks == 0 || files.abs() == ranks.abs()) {
                    let step = files.signum() + 8 * ranks.signum();
                    let mut set = 0;
                    let mut at = a + step;
                    while at != b {
                        set |= 1u64 << at;
                        at += step;
                    }
                    between[(a * 64 + b) as usize] = set;
                }
            }
        }
        Lines(between)
    }

    fn attacks(&self, piece: Piece, from: u8, to: u8, occupied: u64) -> bool {
        let (files, ranks) = (
            i32::from(to & 7) - i32::from(from & 7),
            i32::from(to >> 3) - i32::from(from >> 3),
        );
        let clear = || self.0[usize::from(from) * 64 + usize::from(to)] & occupied == 0;
        let straight = files == 0 || ranks == 0;
        match piece.piece_type {
            PieceType::King => files.abs() <= 1 && ranks.abs() <= 1 && from != to,
            PieceType::Knight => files.abs() * ranks.abs() == 2,
            PieceType::Pawn => files.abs() == 1 && ranks == [1, -1][piece.colour.index()],
            PieceType::Rook => straight && clear(),
            PieceType::Bishop => !straight && clear(),
            PieceType::Queen => clear(),
            PieceType::Chancellor => (straight && clear()) || files.abs() * ranks.abs() == 2,
            PieceType::Paladin => (!straight && clear()) || files.abs() * ranks.abs() == 2,
        }
    }
}
