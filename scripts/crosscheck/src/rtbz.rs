//! Reads Syzygy's .rtbz files: distances to zeroing moves (DTZ).
//!
//! A file holds them for one side to move, depending on the WDL of the position. It
//! is read value by value, without a cache: simple, and fast enough for whole tables
//! of four pieces.

mod index;
mod pairs;
mod wdl;

use std::path::Path;

use anyhow::{Context, Result, bail, ensure};

use crate::diagram::Diagram;
use index::Encoding;
pub use index::Leaders;
use pairs::Pairs;
pub use wdl::Rtbw;

/// A kind of files: how they end, and how they begin.
#[derive(Clone, Copy)]
pub struct Kind {
    pub extension: &'static str,
    pub magic: [u8; 4],
    pub leaders: Leaders,
}

/// Distances of orthodox chess.
pub const RTBZ: Kind = Kind {
    extension: "rtbz",
    magic: [0xd7, 0x66, 0x0c, 0xa5],
    leaders: Leaders::Kings,
};

/// Bits of the flags of a table.
const BLACK: u8 = 1;
const MAPPED: u8 = 2;
const WIN_IN_PLIES: u8 = 4;
const LOSS_IN_PLIES: u8 = 8;
const WIDE_MAP: u8 = 16;

/// The piece types in the order of piece codes, 1 to 6; 8 more for Black.
const LETTERS: &[u8; 6] = b"PNBRQK";

/// The distance of a position in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Distance {
    /// Plies to the zeroing move, without the 100 of cursed results.
    pub plies: u16,
    /// Whether the file is rounded there: it may be one ply too long.
    pub rounded: bool,
    /// Whether the file says the same of all positions there: files written without a map lose
    /// that value, and say 1.
    pub lost: bool,
}

impl Distance {
    /// The end of the game.
    pub const MATED: Distance = Distance::exactly(0);

    /// A distance that is certain.
    pub const fn exactly(plies: u16) -> Distance {
        Distance {
            plies,
            rounded: false,
            lost: false,
        }
    }
}

/// The positions whose leading pawn is on one file, or all if there are no
/// pawns.
struct Part {
    encoding: Encoding,
    flags: u8,
    pairs: Pairs,
    /// Values by WDL, if they are mapped.
    maps: [Vec<u16>; 4],
}

/// An open file.
pub struct Rtbz {
    data: Vec<u8>,
    /// The pieces of both sides, as letters, White's first.
    sides: [Vec<u8>; 2],
    parts: Vec<Part>,
}

/// Reads the parts of a file one after another.
struct Cursor<'a> {
    data: &'a [u8],
    at: usize,
}

impl<'a> Cursor<'a> {
    fn bytes(&mut self, count: usize) -> Result<&'a [u8]> {
        let end = self.at + count;
        let bytes = self.data.get(self.at..end).context("the file ends early")?;
        self.at = end;
        Ok(bytes)
    }

    fn u16(&mut self) -> Result<u16> {
        let bytes = self.bytes(2)?;
        Ok(u16::from_le_bytes([bytes[0], bytes[1]]))
    }

    fn align(&mut self, to: usize) {
        self.at = self.at.next_multiple_of(to);
    }
}

impl Rtbz {
    /// Opens the file of a material, such as `KQvKR`.
    pub fn open(folder: &Path, name: &str, kind: Kind) -> Result<Rtbz> {
        let path = folder.join(name).with_extension(kind.extension);
        let wrong = || format!("{} cannot be read", path.display());
        Rtbz::read(std::fs::read(&path).with_context(wrong)?, name, kind).with_context(wrong)
    }

    fn read(data: Vec<u8>, name: &str, kind: Kind) -> Result<Rtbz> {
        let sides = sides(name)?;
        ensure!(data.starts_with(&kind.magic), "it is no DTZ table");
        let mut cursor = Cursor { data: &data, at: 5 };
        let pawns = sides
            .each_ref()
            .map(|s| s.iter().filter(|&&c| c == b'P').count());
        let pieces = sides[0].len() + sides[1].len();
        let files = if pawns == [0, 0] { 1 } else { 4 };
        let mut encodings = Vec::new();
        for file in 0..files {
            let more = usize::from(pawns[0] > 0 && pawns[1] > 0);
            let header = cursor.bytes(1 + more + pieces)?;
            let order = header[0] & 15;
            let second = (more > 0).then(|| header[1] & 15);
            let pieces = header[1 + more..].iter().map(|byte| byte & 15).collect();
            let orders = [Some(order), second];
            encodings.push(Encoding::new(pieces, orders, file, kind.leaders)?);
        }
        let sides = encodings[0].sides();
        cursor.align(2);
        let mut parts = Vec::new();
        for encoding in encodings {
            let (flags, mut pairs) = Pairs::read(&mut cursor, encoding.size())?;
            // A distance that is the same everywhere is the first of the map.
            pairs.constant = pairs.constant.map(|_| 0);
            parts.push(Part {
                encoding,
                flags,
                pairs,
                maps: Default::default(),
            });
        }
        for part in &mut parts {
            if part.flags & MAPPED == 0 {
                continue;
            }
            if part.flags & WIDE_MAP != 0 {
                cursor.align(2);
            }
            for map in &mut part.maps {
                let wide = part.flags & WIDE_MAP != 0;
                let count = match wide {
                    true => cursor.u16()?,
                    false => cursor.bytes(1)?[0].into(),
                };
                for _ in 0..count {
                    map.push(match wide {
                        true => cursor.u16()?,
                        false => cursor.bytes(1)?[0].into(),
                    });
                }
            }
        }
        cursor.align(2);
        for part in &mut parts {
            part.pairs.find_index(&mut cursor)?;
        }
        for part in &mut parts {
            part.pairs.find_sizes(&mut cursor)?;
        }
        for part in &mut parts {
            cursor.align(64);
            part.pairs.find_blocks(&mut cursor)?;
        }
        Ok(Rtbz { data, sides, parts })
    }

    /// The distance of a position of the material whose WDL is `wdl`, -2 to 2 except
    /// 0; `None` if the file has the other side to move. If a zeroing move keeps a
    /// win, it is meaningless.
    pub fn distance(&self, diagram: &Diagram, wdl: i8) -> Result<Option<Distance>> {
        let symmetric = self.sides[0] == self.sides[1];
        let diagram = seen(diagram, &self.sides)?;
        let squares = |piece: u8| squares(&diagram, piece);
        let part = match self.parts.as_slice() {
            [part] => part,
            parts => &parts[parts[0].encoding.leading_file(squares)],
        };
        if !symmetric && (part.flags & BLACK != 0) != (diagram.turn == 1) {
            return Ok(None);
        }
        let value = part.pairs.get(&self.data, part.encoding.encode(squares))?;
        let mapped = match part.flags & MAPPED {
            0 => value,
            // Loss, win, blessed loss, cursed win come in this order: 1, 0, 3, 2.
            _ => {
                let map = match wdl {
                    2 => 0,
                    -2 => 1,
                    1 => 2,
                    _ => 3,
                };
                let entry = part.maps[map].get(usize::from(value));
                *entry.context("a value that is not mapped")?
            }
        };
        let in_plies = match wdl {
            2 => part.flags & WIN_IN_PLIES != 0,
            -2 => part.flags & LOSS_IN_PLIES != 0,
            _ => false,
        };
        Ok(Some(Distance {
            plies: 1 + if in_plies { mapped } else { 2 * mapped },
            rounded: !in_plies,
            lost: part.pairs.constant.is_some() && part.flags & MAPPED == 0,
        }))
    }
}

/// The letters of both sides of a material.
fn sides(name: &str) -> Result<[Vec<u8>; 2]> {
    let (white, black) = name.split_once('v').context("a name like KQvKR")?;
    Ok([white, black].map(|side| side.as_bytes().to_vec()))
}

/// The diagram with the colours that a file of a material has.
fn seen(diagram: &Diagram, sides: &[Vec<u8>; 2]) -> Result<Diagram> {
    let letters = diagram.letters();
    let swapped = match sides[0] == sides[1] {
        true => diagram.turn == 1,
        false if letters == *sides => false,
        false if letters[0] == sides[1] && letters[1] == sides[0] => true,
        false => bail!("the position is not of the material"),
    };
    Ok(match swapped {
        true => diagram.swapped(),
        false => *diagram,
    })
}

/// Where the pieces of a code stand.
fn squares(diagram: &Diagram, piece: u8) -> u64 {
    let piece_type = LETTERS[usize::from(piece & 7) - 1];
    diagram.squares(piece_type, usize::from(piece >> 3))
}
