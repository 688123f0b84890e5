//! Opens Syzygy's files of results (WDL), and looks up the stored result of one position.

use std::path::Path;

use anyhow::{Context, Result, ensure};

use super::index::Encoding;
use super::pairs::Pairs;
use super::{Cursor, Kind, seen, sides, squares};
use crate::diagram::Diagram;

/// Bits of the flags of a file.
const SPLIT: u8 = 1;
const PAWNS: u8 = 2;

/// An open file.
pub struct Rtbw {
    data: Vec<u8>,
    /// The pieces of both sides, as letters, White's first.
    sides: [Vec<u8>; 2],
    /// By the file of the leading pawn and by the side to move; if both sides have the same
    /// pieces, only with White to move.
    parts: Vec<Vec<(Encoding, Pairs)>>,
}

impl Rtbw {
    /// Opens the file of a material, such as `KQvKR`.
    pub fn open(folder: &Path, name: &str, kind: Kind) -> Result<Rtbw> {
        let path = folder.join(name).with_extension(kind.extension);
        let wrong = || format!("{} cannot be read", path.display());
        Rtbw::read(std::fs::read(&path).with_context(wrong)?, name, kind).with_context(wrong)
    }

    fn read(data: Vec<u8>, name: &str, kind: Kind) -> Result<Rtbw> {
        let sides = sides(name)?;
        ensure!(data.starts_with(&kind.magic), "it is no WDL table");
        let mut cursor = Cursor { data: &data, at: 4 };
        let flags = cursor.bytes(1)?[0];
        let turns = if flags & SPLIT != 0 { 2 } else { 1 };
        let files = if flags & PAWNS != 0 { 4 } else { 1 };
        let pieces = sides[0].len() + sides[1].len();
        let both = sides.iter().all(|side| side.contains(&b'P'));
        let more = usize::from(both);
        let mut encodings = Vec::new();
        for file in 0..files {
            let header = cursor.bytes(1 + more + pieces)?;
            let of_turn = |turn: usize| {
                let half = move |byte: &u8| byte >> (4 * turn) & 15;
                let second = both.then(|| half(&header[1]));
                let codes = header[1 + more..].iter().map(half).collect();
                let orders = [Some(half(&header[0])), second];
                Encoding::new(codes, orders, file, kind.leaders)
            };
            encodings.push((0..turns).map(of_turn).collect::<Result<Vec<_>>>()?);
        }
        let sides = encodings[0][0].sides();
        cursor.align(2);
        let mut parts = Vec::new();
        for encodings in encodings {
            let mut part = Vec::new();
            for encoding in encodings {
                let (_, pairs) = Pairs::read(&mut cursor, encoding.size())?;
                part.push((encoding, pairs));
            }
            parts.push(part);
        }
        for (_, pairs) in parts.iter_mut().flatten() {
            pairs.find_index(&mut cursor)?;
        }
        for (_, pairs) in parts.iter_mut().flatten() {
            pairs.find_sizes(&mut cursor)?;
        }
        for (_, pairs) in parts.iter_mut().flatten() {
            cursor.align(64);
            pairs.find_blocks(&mut cursor)?;
        }
        Ok(Rtbw { data, sides, parts })
    }

    /// The stored result of a position of the material, -2 to 2. If a capture is at least as good,
    /// it may be less than the true one.
    pub fn stored(&self, diagram: &Diagram) -> Result<i8> {
        let diagram = seen(diagram, &self.sides)?;
        let squares = |piece: u8| squares(&diagram, piece);
        let part = match self.parts.as_slice() {
            [part] => part,
            parts => &parts[parts[0][0].0.leading_file(squares)],
        };
        let (encoding, pairs) = part.get(diagram.turn).context("a side to move")?;
        let value = pairs.get(&self.data, encoding.encode(squares))?;
        Ok(value as i8 - 2)
    }
}
