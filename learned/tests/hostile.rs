//! No bytes make a reader panic.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use proptest::prelude::*;
use retrograde_learned::{
    Chance, CodeShape, CodecBoard, CodecPiece, Coder, CodesBuilder, Decoder, Directory, Encoder,
    Features, LINE, LearnedError, Line, Model, Moves, Section, Store, write_directory,
};

struct Stored {
    lines: Vec<[u8; LINE]>,
    branches: Vec<Vec<u8>>,
}

impl Store for Stored {
    type Error = LearnedError;

    fn line(&self, number: u32) -> Result<[u8; LINE], LearnedError> {
        Ok(self.lines[number as usize])
    }

    fn branch(&self, number: u32) -> Result<Vec<u8>, LearnedError> {
        Ok(self.branches[number as usize].clone())
    }
}

fn features() -> Features {
    let piece = |black, moves| CodecPiece {
        black,
        moves,
        royal: moves == Moves::KING,
    };
    let pieces = [
        piece(false, Moves::KING),
        piece(false, Moves::STRAIGHT),
        piece(true, Moves::KING),
        piece(true, Moves::PAWN),
    ];
    Features::new(CodecBoard::new(8, 8).unwrap(), &pieces, &[6]).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn models_and_lines_of_any_bytes(
        model in prop::collection::vec(any::<u8>(), 0..200),
        branches in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..100), 0..4),
        symbols in 1u32..400,
        lines in prop::collection::vec(any::<[u8; LINE]>(), 1..4),
        asked in prop::collection::vec(any::<[u8; 5]>(), 1..20),
    ) {
        let features = features();
// Any bytes are a model once it is known where it ends.
        let Some(model) = (0..=model.len())
            .find_map(|end| {
                let many = branches.len() as u32;
                Model::read(&model[..end], &features, symbols, many).ok()
            })
        else {
            return Ok(());
        };
        let indices = 1000;
        let firsts: Vec<u64> = (0..lines.len() as u64).map(|n| n * 300).collect();
        let directory = write_directory(&firsts, indices, 8);
        let directory = Directory::new(&directory, indices, 8, lines.len() as u32).unwrap();
        let section = Section::new(features, model, directory);
        let store = Stored { lines, branches };
        for raw in asked {
            let index = u64::from(raw[0]) * 5;
            let squares = [raw[0] % 64, raw[1] % 64, raw[2] % 64, raw[3] % 64];
            match section.symbol(index, &squares, &[raw[4] % 6], &store) {
                Ok(symbol) => prop_assert!(u32::from(symbol) < symbols),
                Err(fault) => {
                    // Branches are read late.
                    let expected = matches!(
                        fault,
                        LearnedError::Line(_) | LearnedError::Question(_) | LearnedError::Branch(..)
                    );
                    prop_assert!(expected, "{fault}");
                }
            }
        }
    }

    #[test]
    fn directories_of_any_bytes(
        bytes in prop::collection::vec(any::<u8>(), 0..120),
        indices in 0u64..5000,
        bits in 0u32..40,
        lines in 0u32..40,
        asked in any::<u64>(),
    ) {
        let size = Directory::<&[u8]>::size(indices, bits, lines);
        let fitting = size.and_then(|size| bytes.get(..size as usize));
        prop_assert!(Directory::new(&bytes[..], indices, bits, lines).is_ok()
            == (size == Some(bytes.len() as u64)));
        if let Some(bytes) = fitting {
            let directory = Directory::new(bytes, indices, bits, lines).unwrap();
            for index in [asked, asked % 5000, 0] {
                if let Ok(line) = directory.find(index) {
                    prop_assert!(line < lines);
                }
            }
        }
    }

    #[test]
    fn shapes_are_checked(
        levels in prop::collection::vec((any::<u16>(), 0u8..20), 0..5),
        rest in prop::collection::vec((any::<u16>(), 0u8..20), 0..8),
    ) {
        let shape = CodeShape { levels, rest };
        let sum: u32 = shape.rest.iter().map(|&(_, length)| 1u32 << (20 - length)).sum();
        let fits = shape.levels.len() <= 3
            && shape.levels.iter().all(|&(_, filter)| filter <= 15)
            && shape.rest.iter().all(|&(_, length)| length <= 15)
            && sum == 1 << 20;
        prop_assert_eq!(CodesBuilder::new(1 << 16).add(&shape).is_ok(), fits);
    }

    #[test]
    fn bits_come_back(bits in prop::collection::vec((0usize..3, prop::bool::weighted(0.03)), 0..3000)) {
        let mut encoder = Encoder::new();
        let mut chances = [Chance::NEW; 3];
        for &(place, bit) in &bits {
            encoder.bit(&mut chances[place], bit);
        }
        let bytes = encoder.finish();
        prop_assert!(bytes.len() < 40 + bits.len() / 12);
        let mut decoder = Decoder::new(&bytes);
        let mut chances = [Chance::NEW; 3];
        for &(place, bit) in &bits {
            prop_assert_eq!(decoder.bit(&mut chances[place], false), bit);
        }
        prop_assert!(decoder.is_done() && !decoder.is_over());
    }

    #[test]
    fn numbers_come_back(numbers in prop::collection::vec(0u32..65536, 1..100)) {
        let mut encoder = Encoder::new();
        let mut chances = [Chance::NEW; 64];
        for &number in &numbers {
            encoder.any(&mut chances, number);
        }
        let bytes = encoder.finish();
        let mut decoder = Decoder::new(&bytes);
        let mut chances = [Chance::NEW; 64];
        for &number in &numbers {
            prop_assert_eq!(decoder.any(&mut chances, 0), number);
        }
        prop_assert!(decoder.is_done());
    }
}

/// The lengths of two codes of no bits sum up to more than a prefix code has room for.
#[test]
fn two_codes_of_no_bits_do_not_fit() {
    let shape = CodeShape {
        levels: Vec::new(),
        rest: vec![(11_235, 0), (0, 0)],
    };
    assert!(CodesBuilder::new(1 << 16).add(&shape).is_err());
}

#[test]
fn a_split_behind_the_last_column_is_damage() {
    for split in 0..512u32 {
        let bytes = Line::to_bytes([u64::MAX; 8], split, 5);
        assert_eq!(Line::new(&bytes).is_ok(), split <= 500);
    }
}

#[test]
fn models_are_cut_off_or_too_long() {
    let features = features();
    let mut encoder = Encoder::new();
    let mut book = retrograde_learned::layout::Book::new(&features, 5);
    let root = retrograde_learned::layout::Spot::ROOT;
    book.is_leaf(&mut encoder, root, true);
    let mut shape = CodeShape {
        levels: vec![(3, 7)],
        rest: vec![(1, 0)],
    };
    book.shape(&mut encoder, &mut shape).unwrap();
    let bytes = encoder.finish();
    assert!(Model::read(&bytes, &features, 5, 0).is_ok());
    assert!(Model::read(&bytes, &features, 3, 0).is_err(), "no symbol 3");
    assert!(Model::read(&bytes, &features, 0, 0).is_err());
    assert!(Model::read(&bytes, &features, 1 << 17, 0).is_err());
    assert!(Model::read(&bytes[..bytes.len() - 1], &features, 5, 0).is_err());
    let longer = [&bytes[..], &[0]].concat();
    assert!(Model::read(&longer, &features, 5, 0).is_err());
    assert!(Model::read(&bytes, &features, 5, 1).is_err(), "no branch");
}
