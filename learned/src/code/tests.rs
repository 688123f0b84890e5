//! Codes come back from the bytes behind a tree as they were added.

use proptest::prelude::*;

use super::{CodeShape, Codes, CodesBuilder, LONGEST};
use crate::line::LEVELS;
use crate::tree::PAGE;

/// Lengths of a complete prefix code: a code of no bits is split again and again.
fn lengths(splits: &[u8]) -> Vec<u8> {
    let mut lengths = vec![0];
    for &split in splits {
        let place = usize::from(split) % lengths.len();
        if lengths[place] < LONGEST {
            lengths[place] += 1;
            lengths.insert(place, lengths[place]);
        }
    }
    lengths
}

/// A shape with symbols that are so far from each other.
fn shape() -> impl Strategy<Value = CodeShape> {
    let far = prop_oneof![4 => Just(1), 1 => Just(3), 1 => Just(40)];
    let splits = prop_oneof![
        5 => prop::collection::vec(any::<u8>(), 0..5),
        1 => prop::collection::vec(any::<u8>(), 0..60)
    ];
    let levels = prop::collection::vec((any::<usize>(), 0..10u8), 0..=LEVELS);
    (1u16..100, far, splits, levels).prop_map(|(least, far, splits, levels)| {
        let lengths = lengths(&splits);
        let many = (lengths.len() + levels.len()) as u16;
        let mut symbols: Vec<u16> = (0..many).map(|place| least + far * place).collect();
        let mut level = |(place, filter)| (symbols.remove(place % symbols.len()), filter);
        let levels = levels.into_iter().map(&mut level).collect();
        let rest = symbols.into_iter().zip(lengths).collect();
        CodeShape { levels, rest }
    })
}

/// Symbols with filter bits or lengths.
type Symbols = Vec<(u16, u8)>;

/// The levels of a code, and its other symbols with their lengths.
fn parts(codes: Codes, place: u32) -> (Symbols, Symbols) {
    let code = codes.get(place).expect("it was added");
    let (levels, rest) = code.parts();
    let only = (levels.is_empty() && rest.len() == 1).then(|| rest[0].0);
    assert_eq!(code.only(), only);
    // In order and complete.
    let mut next = 0;
    for &(_, bits, length) in &rest {
        assert_eq!(u32::from(bits) << (LONGEST - length), next);
        next += 1 << (LONGEST - length);
    }
    assert_eq!(next, 1 << LONGEST);
    let rest = rest.into_iter().map(|(symbol, _, length)| (symbol, length));
    (levels, rest.collect())
}

proptest! {
    #[test]
    fn codes_come_back(shapes in prop::collection::vec(shape(), 1..600)) {
        let mut codes = CodesBuilder::new(1 << 13);
        let mut numbers: Vec<u32> = shapes.iter().map(|shape| codes.add(shape).unwrap()).collect();
        let mut shapes: Vec<_> = numbers.iter().copied().zip(shapes).collect();
        shapes.sort_unstable_by_key(|&(number, _)| number);
        shapes.dedup_by_key(|&mut (number, _)| number);
        numbers.sort_unstable();
        numbers.dedup();
        let narrow = codes.narrow();
        let mut pages: Vec<Vec<u32>> = numbers.chunks(PAGE as usize).map(<[u32]>::to_vec).collect();
        pages.iter_mut().for_each(|page| page.sort_by_key(|&number| narrow.size(number)));
        let bytes = narrow.finish(&pages).unwrap();
        let codes = Codes { bytes: &bytes, pages: pages.len() };
        for (page, numbers) in pages.iter().enumerate() {
            for (place, &number) in numbers.iter().enumerate() {
                let shape = &shapes[number as usize].1;
                let mut rest = shape.rest.clone();
                rest.sort_by_key(|&(_, length)| length);
                let expected = (shape.levels.clone(), rest);
                prop_assert_eq!(parts(codes, page as u32 * PAGE + place as u32), expected);
            }
        }
        // Of what is not there, there may be some code or none, but nothing else happens.
        for place in [pages.len() as u32 * PAGE, u32::MAX] {
            let _ = codes.get(place).map(|code| code.only());
        }
    }
}

/// Codes with as many symbols as there are, and so of all sizes.
#[test]
fn the_longest_codes_come_back() {
    let mut builder = CodesBuilder::new(1 << 16);
    let shapes: Vec<CodeShape> = (0..=LONGEST)
        .map(|length| CodeShape {
            levels: (0..LEVELS as u16).map(|level| (level, 15)).collect(),
            rest: (0..1 << length)
                .map(|symbol| (symbol + 3, length))
                .collect(),
        })
        .collect();
    for shape in &shapes {
        builder.add(shape).unwrap();
    }
    let narrow = builder.narrow();
    let pages = [(0..shapes.len() as u32).collect::<Vec<_>>()];
    assert!(pages[0].is_sorted_by_key(|&number| narrow.size(number)));
    let bytes = narrow.finish(&pages).unwrap();
    let codes = Codes {
        bytes: &bytes,
        pages: 1,
    };
    for (place, shape) in shapes.iter().enumerate() {
        let expected = (shape.levels.clone(), shape.rest.clone());
        assert_eq!(parts(codes, place as u32), expected);
    }
}

/// Usual codes take little room: with a level and two symbols that are next to each other, two
/// bytes and a half.
#[test]
fn usual_codes_are_small() {
    let mut builder = CodesBuilder::new(1 << 16);
    for least in 1000..1016u16 {
        for filter in 0..8 {
            let shape = CodeShape {
                levels: vec![(least + 1, filter)],
                rest: vec![(least, 0)],
            };
            builder.add(&shape).unwrap();
        }
    }
    let narrow = builder.narrow();
    let bytes = |count: u32| narrow.finish(&[(0..count).collect()]).unwrap().len();
    // 9 bits, 4 for the least symbol, 3 of the filter, 1 for the order: five times four.
    assert_eq!(bytes(128) - bytes(64), 64 * 5 / 2);
}
