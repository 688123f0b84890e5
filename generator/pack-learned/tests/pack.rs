//! Tests that sections of made-up values on several boards read back as they were packed.
//!
//! The bytes are the same everywhere.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::ops::Range;

use proptest::prelude::*;
use retrograde_learned::{CodecBoard, CodecPiece, Features, LearnedError, Moves, Row, Section};
use retrograde_pack_learned::{LearnOptions, PackError, PackReport, Packed, Positions, Source};

/// The piece whose square changes first: the black king.
const MOVING: usize = 2;

/// Values by their squares: behind a pointer, so that packing is compiled once and not for every
/// rule.
type Cell = Box<dyn Fn(&[u8]) -> Option<u16> + Sync>;

/// Packs all of a source.
fn pack(source: &impl Source, options: &LearnOptions) -> Result<(Packed, PackReport), PackError> {
    retrograde_pack_learned::pack(source, &Positions::of(source)?, options)
}

/// Two kings and a rook with a simple index, and values by some rule.
struct Made {
    features: Features,
    indices: u64,
    symbols: u32,
    cell: Cell,
}

impl Made {
    fn new(
        files: u8,
        ranks: u8,
        symbols: u32,
        cell: impl Fn(&[u8]) -> Option<u16> + Sync + 'static,
    ) -> Made {
        let piece = |black, moves, royal| CodecPiece {
            black,
            moves,
            royal,
        };
        let pieces = [
            piece(false, Moves::KING, true),
            piece(false, Moves::STRAIGHT, false),
            piece(true, Moves::KING, true),
        ];
        let board = CodecBoard::new(files, ranks).unwrap();
        Made {
            features: Features::new(board, &pieces, &[3]).unwrap(),
            indices: u64::from(board.squares()).pow(3),
            symbols,
            cell: Box::new(cell),
        }
    }

    fn squares(&self, index: u64) -> [u8; 3] {
        let size = u64::from(self.features.board().squares());
        [index / size / size, index / size % size, index % size].map(|square| square as u8)
    }

    fn context(squares: &[u8]) -> u8 {
        (squares[0] + squares[2]) % 3
    }

    fn section<'a>(&self, packed: &'a Packed) -> Section<&'a [u8]> {
        packed.section(&self.features, self.indices()).unwrap()
    }

    /// Packs, and reads every position back one at a time.
    fn check(&self) -> Packed {
        self.check_with(&LearnOptions::default())
    }

    fn check_with(&self, options: &LearnOptions) -> Packed {
        let (packed, _) = pack(self, options).unwrap();
        let section = self.section(&packed);
        for index in 0..self.indices() {
            let squares = self.squares(index);
            let contexts = [Self::context(&squares)];
            let symbol = section.symbol(index, &squares, &contexts, &packed).unwrap();
            if let Some(packed) = (self.cell)(&squares) {
                assert_eq!(symbol, packed, "{index}");
            }
        }
        packed
    }
}

impl Source for Made {
    fn features(&self) -> &Features {
        &self.features
    }

    fn indices(&self) -> u64 {
        self.indices
    }

    fn symbols(&self) -> u32 {
        self.symbols
    }

    fn cells(&self, first: u64, cells: &mut [Option<u16>]) {
        for (index, cell) in (first..).zip(cells) {
            *cell = (self.cell)(&self.squares(index));
        }
    }

    fn moving_piece(&self) -> usize {
        MOVING
    }

    fn rows(&self, indices: Range<u64>, rows: &mut Vec<Row>, contexts: &mut [u8]) {
        let size = u64::from(self.features.board().squares());
        let mut next = indices.start;
        while next < indices.end {
            let mut squares = [0; 8];
            squares[..3].copy_from_slice(&self.squares(next));
            let len = (size - u64::from(squares[MOVING])).min(indices.end - next);
            let len = len as u8;
            rows.push(Row { squares, len });
            next += u64::from(len);
        }
        for (index, context) in indices.zip(contexts) {
            *context = Self::context(&self.squares(index));
        }
    }
}

/// A pseudorandom number for some squares.
fn noise(squares: &[u8]) -> u64 {
    let mut x = squares.iter().fold(77u64, |x, &s| x * 1009 + u64::from(s));
    x = (x ^ x >> 29).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    x ^ x >> 32
}

/// Values with much regularity and a little noise, and many that do not matter.
fn sensible(squares: &[u8]) -> Option<u16> {
    let drawn = noise(squares);
    let far = squares[0].abs_diff(squares[2]) / 4;
    match drawn % 100 {
        0..30 => None,
        30..45 => Some(u16::from(far)),
        45..48 => Some((drawn >> 20) as u16 % 12),
        _ => Some(u16::from(far + squares[1] % 2)),
    }
}

#[test]
fn boards_of_all_games_are_packed() {
    for (files, ranks) in [(5, 5), (8, 4), (9, 9), (10, 8)] {
        let packed = Made::new(files, ranks, 40, sensible).check();
        assert!(!packed.lines.is_empty());
    }
}

#[test]
fn nothing_to_say_takes_next_to_nothing() {
    for cell in [None, Some(7)] {
        let packed = Made::new(5, 5, 9, move |_: &[u8]| cell).check();
        assert_eq!(packed.lines.len(), 0);
        assert!(packed.bytes() < 300, "{}", packed.bytes());
    }
}

#[test]
fn symbols_may_have_16_bits() {
    let cell = |squares: &[u8]| Some((noise(squares) >> 7) as u16);
    let packed = Made::new(4, 4, 1 << 16, cell).check();
    assert!(packed.bytes() > 4096);
}

/// Grows the top of the tree on samples.
fn sampled() -> LearnOptions {
    LearnOptions {
        samples: 20_000,
        ..LearnOptions::default()
    }
}

#[test]
fn a_tree_whose_top_saw_few_positions_has_codes_for_all() {
    let made = Made::new(8, 8, 40, sensible);
    let (_, report) = pack(&made, &sampled()).unwrap();
    assert!(report.cared > 100_000);
    let few = made.check_with(&sampled()).bytes();
    let all = made.check().bytes();
    assert!(few * 10 < all * 11, "{few} bytes, {all} of all positions");
}

/// Nearly always the same, but for a rule.
fn seldom(squares: &[u8]) -> Option<u16> {
    let is_rare = squares[0] == 17 && squares[1] == 3 && squares[2] < 16;
    Some(u16::from(is_rare))
}

#[test]
fn rare_values_are_found() {
    let made = Made::new(8, 8, 2, seldom);
    for options in [LearnOptions::default(), sampled()] {
        let packed = made.check_with(&options);
        assert_eq!(packed.lines.len(), 0, "{options:?}");
    }
}

#[test]
fn pure_noise_fills_lines() {
    let cell = |squares: &[u8]| Some((noise(squares) >> 9) as u16 % 4);
    let made = Made::new(6, 6, 4, cell);
    let packed = made.check();
    let bits = made.indices() * 2;
    let lines = packed.lines.len() as u64;
    assert!(
        lines * 500 > bits && lines * 488 < bits,
        "{lines} lines for {bits} bits"
    );
}

/// FNV-1a of all bytes.
fn digest(packed: &Packed) -> u64 {
    let lines = packed.lines.iter().flatten();
    let model = packed.model.iter().chain(packed.branches.iter().flatten());
    let bytes = model.chain(&packed.directory).chain(lines);
    bytes.fold(0xCBF2_9CE4_8422_2325, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01B3)
    })
}

#[test]
fn the_bytes_do_not_depend_on_threads_or_machines() {
    // With some noise, so that it matters which positions a node looks at.
    let cell = |squares: &[u8]| match noise(squares) % 16 {
        0 => Some((noise(squares) >> 9) as u16 % 40),
        1..5 => ragged(squares),
        _ => sensible(squares),
    };
    let made = Made::new(8, 8, 40, cell);
    // Whoever changes the packer changes these numbers; they are the same on every
    // machine.
    let known = [
        (LearnOptions::default(), 0xD276_3B9F_0A6D_7C14),
        (sampled(), 0x16C1_FBE8_19D5_B487),
    ];
    for (options, known) in known {
        let digests = [1, 2, 3].map(|threads| {
            let pool = rayon::ThreadPoolBuilder::new()
                .num_threads(threads)
                .build()
                .unwrap();
            digest(&pool.install(|| pack(&made, &options).unwrap().0))
        });
        assert_eq!(digests, [known; 3], "{:#X}", digests[0]);
    }
}

#[test]
fn every_flipped_bit_of_a_model_is_found_or_harmless() {
    let made = Made::new(5, 5, 40, sensible);
    let (packed, _) = pack(&made, &LearnOptions::default()).unwrap();
    let mut refused = 0;
    for bit in 0..packed.model.len() * 8 {
        let mut packed = packed.clone();
        packed.model[bit / 8] ^= 1 << (bit % 8);
        let Ok(section) = packed.section(&made.features, made.indices()) else {
            refused += 1;
            continue;
        };
        for index in (0..made.indices()).step_by(97) {
            let squares = made.squares(index);
            let symbol = section.symbol(index, &squares, &[0], &packed);
            assert!(symbol.is_ok_and(|symbol| u32::from(symbol) < packed.symbols));
        }
    }
    assert!(refused > 0);
}

/// Values that take a model of many nodes.
fn ragged(squares: &[u8]) -> Option<u16> {
    let drawn = noise(&squares[..2]) >> 7;
    Some((squares[2] / 3 + (drawn % 13) as u8) as u16)
}

#[test]
fn branches_are_read_when_they_are_asked_for() {
    let made = Made::new(7, 7, 40, ragged);
    let packed = made.check();
    assert!(packed.branches.len() > 1, "{}", packed.branches.len());
    let section = made.section(&packed);
    let mut sizes = vec![section.model().bytes()];
    for index in (0..made.indices()).step_by(101) {
        let squares = made.squares(index);
        let contexts = [(squares[0] + squares[2]) % 3];
        section.symbol(index, &squares, &contexts, &packed).unwrap();
        sizes.push(section.model().bytes());
    }
    assert!(sizes.is_sorted());
    sizes.dedup();
    assert_eq!(sizes.len(), 1 + packed.branches.len(), "each is read once");
    // The trunk alone says how many branches there are.
    for many in [0, packed.branches.len() - 1, packed.branches.len() + 1] {
        let mut packed = packed.clone();
        packed.branches.resize(many, Vec::new());
        assert!(packed.section(&made.features, made.indices()).is_err());
    }
}

#[test]
fn damaged_branches_are_found_or_harmless() {
    let made = Made::new(7, 7, 40, ragged);
    let packed = made.check();
    let mut refused = 0;
    for (number, at) in (0..packed.branches.len()).flat_map(|n| [0, 1, 7, 100].map(|at| (n, at))) {
        let mut packed = packed.clone();
        match packed.branches[number].get_mut(at) {
            Some(byte) => *byte ^= 0x55,
            None => packed.branches[number].truncate(at / 2),
        }
        let section = made.section(&packed);
        for index in (0..made.indices()).step_by(997) {
            let squares = made.squares(index);
            match section.symbol(index, &squares, &[0], &packed) {
                Ok(symbol) => assert!(u32::from(symbol) < packed.symbols),
                Err(LearnedError::Branch(bad, _)) if bad as usize == number => refused += 1,
                Err(error) => panic!("{error}"),
            }
        }
    }
    assert!(refused > 0);
}

#[test]
fn no_indices_are_refused() {
    let empty = Made {
        indices: 0,
        ..Made::new(3, 3, 2, sensible)
    };
    let result = pack(&empty, &LearnOptions::default());
    assert_eq!(result.err(), Some(PackError::Size(0)));
}

/// Packs random values, given how many values there are for each that does not matter, how
/// far they spread, and how rarely they do not follow from the squares.
fn pack_noise(seed: u16, kinds: u16, spread: u16, skew: u64) {
    let cell = move |squares: &[u8]| {
        let drawn = noise(&[squares, &seed.to_le_bytes()].concat());
        let value = (drawn % 65_536) as u16 % spread;
        match (drawn >> 20) as u16 % kinds {
            1 => None,
            _ if (drawn >> 40).is_multiple_of(skew) => Some(value),
            _ => Some(u16::from(squares[0] % 3)),
        }
    };
    Made::new(5, 4, 303, cell).check();
}

/// The last line has one position, and a little more room than its filter bits take is not
/// enough for any seed.
#[test]
fn a_position_that_hardly_fits_gets_more_room() {
    pack_noise(10047, 2, 35, 5);
}

/// Packs values that are drawn from one of many distributions, of 1 to `most` symbols, each for
/// the squares of a region: large trees, and codes of all sizes.
fn pack_regions(board: (u8, u8), seed: u16, coarse: [u8; 3], most: u64, samples: u64) {
    let (files, ranks) = board;
    let cell = move |squares: &[u8]| {
        let parts = squares.iter().zip(coarse).map(|(&square, by)| square / by);
        let region: Vec<u8> = parts.chain(seed.to_le_bytes()).collect();
        let region = noise(&region);
        let drawn = noise(&[squares, &seed.to_be_bytes()].concat());
        let symbols = (1 + (region >> 8) % most) >> (region % 11);
        // Of some regions all symbols are as likely, of others the first ones are likelier.
        let symbol = match region >> 60 {
            0..4 => drawn % (symbols + 1),
            tail => (drawn % (symbols + 1)) >> ((drawn >> 32) % (tail + 1)),
        };
        let base = (region >> 40) % 1000;
        (drawn >> 58 != 0).then_some((base + symbol) as u16)
    };
    let options = LearnOptions {
        samples,
        ..LearnOptions::default()
    };
    Made::new(files, ranks, 4096, cell).check_with(&options);
}

/// A few cases, or as many as `PROPTEST_CASES` says.
fn cases(few: u32) -> ProptestConfig {
    let given = std::env::var("PROPTEST_CASES").ok();
    ProptestConfig::with_cases(given.and_then(|given| given.parse().ok()).unwrap_or(few))
}

proptest! {
    #![proptest_config(cases(12))]

    #[test]
    fn whatever_is_packed_is_read_back(
        seed in any::<u16>(),
        kinds in 1u16..9,
        spread in 1u16..300,
        skew in 1u64..200,
    ) {
        pack_noise(seed, kinds, spread, skew);
    }
}

proptest! {
    #![proptest_config(cases(6))]

    #[test]
    fn codes_of_all_sizes_are_read_back(
        board in (2u8..10, 2u8..8),
        seed in any::<u16>(),
        coarse in prop::array::uniform3(1u8..12),
        most in 1u64..3000,
        samples in prop_oneof![Just(2000u64), Just(1 << 18)],
    ) {
        pack_regions(board, seed, coarse, most, samples);
    }
}
