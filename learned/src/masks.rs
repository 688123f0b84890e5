//! Tables of a board for many placements at once: which squares of a piece give a feature a
//! value, whatever the other piece stands on.

use crate::board::Sights;
use crate::squares::Squares;

/// Thresholds of ordered features are below this.
pub(crate) const THRESHOLDS: usize = 32;

/// For each threshold: the squares up to it.
pub(crate) type UpTo<W> = [W; THRESHOLDS];

/// What is known of the squares of a board.
#[derive(Debug)]
pub(crate) struct Masks<W> {
    files: u8,
    ranks: u8,
    /// For each threshold: the squares whose value of an ordered feature is up to that. Lists
    /// begin where [`Ordered`] says.
    up_to: Vec<UpTo<W>>,
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
    /// All of them, in the order of the lists.
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

    /// The first of its lists.
    pub(crate) fn first_list(self, sights: &Sights) -> usize {
        let before = Ordered::ALL.iter().take_while(|&&other| other != self);
        before.map(|other| usize::from(other.lists(sights))).sum()
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
        let mut up_to = Vec::new();
        for ordered in Ordered::ALL {
            for list in 0..ordered.lists(sights) {
                let mut masks = [W::NONE; THRESHOLDS];
                for square in 0..squares {
                    let value = usize::from(ordered.value(sights, list, square));
                    for mask in masks.iter_mut().skip(value) {
                        *mask = *mask | W::one(square);
                    }
                }
                up_to.push(masks);
            }
        }
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

    /// The lists from one on, such as the first of a kind of ordered feature.
    #[inline]
    pub(crate) fn up_to(&self, first: usize) -> &[UpTo<W>] {
        self.up_to.get(first..).unwrap_or(&[])
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
