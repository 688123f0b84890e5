//! Tables of a board for many placements at once: which squares of a piece give a feature a
//! value, whatever the other piece stands on.

use std::array::from_fn;

use crate::board::Sights;
use crate::squares::Squares;

/// Thresholds of ordered features are below this.
pub(crate) const THRESHOLDS: usize = 32;

/// For each threshold, in each list: the squares up to it.
type UpTo<W> = [Vec<W>; THRESHOLDS];

/// What is known of the squares of a board.
#[derive(Debug)]
pub(crate) struct Masks<W> {
    files: u8,
    ranks: u8,
    /// The squares whose value of an ordered feature is up to a threshold, by the number of
    /// [`Ordered`].
    up_to: [UpTo<W>; Ordered::ALL.len()],
    /// For each square and each way to move: the squares that it reaches on an empty board.
    reach: Vec<[W; WAYS]>,
    /// For each pair of squares: those that a piece on the second hides from the first.
    beyond: Vec<W>,
    /// For each set of ranks: the squares of the first file there.
    on_first_file: Vec<W>,
}

/// The number of ways to move: see [`Sight::reach`](crate::board::Sight).
const WAYS: usize = 6;
/// Two of them: a pawn moves up or down.
const UP: usize = 4;
const DOWN: usize = 5;

/// The lists of squares that an ordered feature chooses from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ordered {
    /// The file or the rank of the moving piece.
    File,
    Rank,
    /// Less that of another piece, by its file or rank.
    FilesFrom,
    RanksFrom,
    /// That of another piece less that of the moving piece.
    FilesTo,
    RanksTo,
    /// King steps to a square.
    Steps,
    /// The race of a moving royal piece with a pawn, which moves down or up, by its square.
    RaceWith {
        down: bool,
    },
    /// The race of a moving pawn with a royal piece, by its square.
    RaceOf {
        down: bool,
    },
}

impl Ordered {
    /// All of them.
    const ALL: [Ordered; 11] = [
        Ordered::File,
        Ordered::Rank,
        Ordered::FilesFrom,
        Ordered::RanksFrom,
        Ordered::FilesTo,
        Ordered::RanksTo,
        Ordered::Steps,
        Ordered::RaceWith { down: false },
        Ordered::RaceWith { down: true },
        Ordered::RaceOf { down: false },
        Ordered::RaceOf { down: true },
    ];

    /// Its number among all.
    pub(crate) fn number(self) -> u8 {
        let place = Ordered::ALL.iter().position(|&other| other == self);
        place.unwrap_or(0) as u8
    }

    /// How many lists there are.
    fn lists(self, sights: &Sights) -> u8 {
        match self {
            Ordered::File | Ordered::Rank => 1,
            Ordered::FilesFrom | Ordered::FilesTo => sights.board().files(),
            Ordered::RanksFrom | Ordered::RanksTo => sights.board().ranks(),
            _ => sights.board().squares(),
        }
    }

    /// The value if the moving piece is on `square`, in a list by its number.
    fn value(self, sights: &Sights, list: u8, square: u8) -> u8 {
        let board = sights.board();
        let [file, rank] = sights.file_and_rank(square);
        match self {
            Ordered::File => file,
            Ordered::Rank => rank,
            Ordered::FilesFrom => 15 + file - list,
            Ordered::RanksFrom => 15 + rank - list,
            Ordered::FilesTo => 15 + list - file,
            Ordered::RanksTo => 15 + list - rank,
            Ordered::Steps => sights.near(list, square).0[3],
            Ordered::RaceWith { down } => board.race(down, list, square),
            Ordered::RaceOf { down } => board.race(down, square, list),
        }
    }
}

impl<W: Squares> Masks<W> {
    pub(crate) fn new(sights: &Sights) -> Masks<W> {
        let board = sights.board();
        let squares = board.squares();
        let up_to = Ordered::ALL.map(|ordered| {
            let lists = ordered.lists(sights);
            let mut up_to: UpTo<W> = from_fn(|_| vec![W::NONE; lists.into()]);
            for list in 0..lists {
                for square in 0..squares {
                    let value = usize::from(ordered.value(sights, list, square));
                    for lists in up_to.iter_mut().skip(value) {
                        let squares = &mut lists[usize::from(list)];
                        *squares = *squares | W::one(square);
                    }
                }
            }
            up_to
        });
        let (mut reach, mut beyond) = (Vec::new(), Vec::new());
        for from in 0..squares {
            let mut ways = [W::NONE; WAYS];
            let mut hidden = vec![W::NONE; squares.into()];
            for to in 0..squares {
                let (_, reached) = sights.near(from, to);
                for (way, squares) in ways.iter_mut().enumerate() {
                    if reached >> way & 1 != 0 {
                        *squares = *squares | W::one(to);
                    }
                }
                sights.between(from, to).each(|by| {
                    let hidden = &mut hidden[usize::from(by)];
                    *hidden = *hidden | W::one(to);
                });
            }
            reach.push(ways);
            beyond.append(&mut hidden);
        }
        let on_first_file = (0..1u32 << board.ranks()).map(|ranks| {
            let mut squares = W::NONE;
            u64::from(ranks).each(|rank| squares = squares | W::one(rank * board.files()));
            squares
        });
        Masks {
            files: board.files(),
            ranks: board.ranks(),
            up_to,
            reach,
            beyond,
            on_first_file: on_first_file.collect(),
        }
    }

    /// The squares up to a threshold in each list, by the number of [`Ordered`].
    #[inline]
    pub(crate) fn up_to(&self, ordered: u8, threshold: usize) -> &[W] {
        let up_to = self.up_to.get(usize::from(ordered));
        up_to.map_or(&[], |lists| &lists[threshold % THRESHOLDS])
    }

    /// The squares that a piece on `from` reaches on an empty board by some ways to move, a bit
    /// for each, or from which it is reached.
    pub(crate) fn reach(&self, from: u8, ways: u8, is_reached: bool) -> W {
        let reach = self.reach.get(usize::from(from)).copied();
        let mut reach = reach.unwrap_or([W::NONE; WAYS]);
        if is_reached {
            reach.swap(UP, DOWN);
        }
        let ways = reach
            .into_iter()
            .enumerate()
            .filter(|(way, _)| ways >> way & 1 != 0);
        ways.fold(W::NONE, |all, (_, squares)| all | squares)
    }

    /// The squares that a piece on `by` hides from one on `from`.
    #[inline]
    pub(crate) fn beyond(&self, from: u8, by: u8) -> W {
        let place = usize::from(from) * self.reach.len() + usize::from(by);
        self.beyond.get(place).copied().unwrap_or(W::NONE)
    }

    /// The squares that are so far apart from a file and rank as a set of
    /// [`Apart`](crate::FeatureKind::Apart) says.
    pub(crate) fn apart(&self, file: u8, rank: u8, set: u128) -> W {
        let (files, ranks) = (self.files, self.ranks);
        let on_board = (1u32 << ranks) - 1;
        let mut found = W::NONE;
        for away in 0..files {
            let steps = (set >> (away * ranks)) as u32 & on_board;
            if steps == 0 || (away > file && file + away >= files) {
                continue;
            }
            // Bit 0 of `steps` is the rank itself.
            let above = steps << rank;
            let below = steps.reverse_bits() >> (31 - rank);
            let squares = self
                .on_first_file
                .get(((above | below) & on_board) as usize);
            let squares = squares.copied().unwrap_or(W::NONE);
            if file + away < files {
                found = found | squares << u32::from(file + away);
            }
            if away <= file {
                found = found | squares << u32::from(file - away);
            }
        }
        found
    }
}
