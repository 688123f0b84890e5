//! Spreads backwards over quiet moves the set of positions in which a side can be mated.
//!
//! It begins with the mates of the side and the conversions that lead to one.
//!
//! A pass finds the positions that have a quiet move to one that the pass before found. As in
//! [`iterate`](super::super::iterate), a first round only reads what is known and collects
//! what is new, and a second writes it down; so each block is written by a single task.

use retrograde_rules::Colour;

use super::super::attack;
use super::super::ep_in_grid::{OpenWord, open_words};
use super::super::layout::{Layout, RowAt};
use super::super::moves::{Mover, Movers, Source};
use super::super::parallel::each;
use super::super::plane::{Plane, new_and_old};
use super::super::side::Side;
use super::super::squares::filled;
use super::super::word::Word;

/// The facts about one side to move before the first pass.
pub(super) struct Ground<W> {
    /// The positions, those with an e.p. right included.
    pub(super) legal: Plane<W>,
    /// Positions with a conversion that leads to the aim.
    leads: Vec<W>,
    /// Positions without any conversion.
    no_conversion: Vec<W>,
    /// Positions with an e.p. right; only if the material can have any.
    rights: Option<Plane<W>>,
}

impl<W: Word> Ground<W> {
    /// Takes the facts from a side before its first ply.
    pub(super) fn new(side: Side<W, u8>) -> Ground<W> {
        Ground {
            legal: side.open,
            leads: side.winning,
            no_conversion: side.can_lose,
            rights: side.en_passant,
        }
    }
}

/// The positions from which `mated` can be mated, by side to move.
pub(super) fn spread<W: Word>(
    mover: &Mover<'_, W>,
    grounds: [Ground<W>; 2],
    mated: Colour,
) -> [Vec<W>; 2] {
    let layout = mover.layout;
    let open_words = Colour::BOTH.map(|side| open_words::<W>(layout, side.other()));
    let mates = mates(mover, &grounds, mated);
    let mut left = grounds.each_ref().map(|ground| {
        let mut left = Plane::new(layout);
        left.words.clone_from(&ground.legal.words);
        left.any.clone_from(&ground.legal.any);
        left
    });
    let mut found = [(); 2].map(|()| [(); 2].map(|()| Plane::<W>::new(layout)));
    for pass in 0.. {
        let [white, black] = &mut found;
        let (new_white, old_white) = new_and_old(white, pass);
        let (new_black, old_black) = new_and_old(black, pass);
        let old = [old_white, old_black];
        for (side, new) in Colour::BOTH.into_iter().zip([new_white, new_black]) {
            let pass = Pass {
                mover,
                side,
                left: &left[side.index()],
                ground: &grounds[side.index()],
                from: (pass > 0).then(|| Source {
                    plane: old[side.other().index()],
                    en_passant: grounds[side.other().index()].rights.as_ref(),
                    arrivals: &[],
                    movers: Movers::All,
                    wanted: W::ALL,
                }),
                mates: (side == mated).then_some(&mates),
                open_words: &open_words[side.index()],
            };
            pass.collect(new);
        }
        let mut is_done = true;
        for (found, left) in found.iter_mut().zip(&mut left) {
            let (new, _) = new_and_old(found, pass);
            new.find_busy(layout);
            is_done &= new.any.iter().all(|lanes| lanes.is_empty());
            write_down(layout, new, left);
        }
        if is_done {
            break;
        }
    }
    let [white, black] = left;
    let [white_ground, black_ground] = grounds;
    [(white_ground, white), (black_ground, black)].map(|(ground, left)| {
        let mut reached = ground.legal.words;
        for (reached, left) in reached.iter_mut().zip(left.words) {
            *reached &= !left;
        }
        reached
    })
}

/// The positions in which a side is mated. One that has an e.p. right has a move, so it is
/// none of them.
fn mates<W: Word>(mover: &Mover<'_, W>, grounds: &[Ground<W>; 2], mated: Colour) -> Vec<W> {
    let layout = mover.layout;
    let [mine, theirs] = [mated, mated.other()].map(|side| &grounds[side.index()]);
    let mut mates = vec![W::ZERO; layout.words()];
    let find = |row: usize, mates: &mut [W]| {
        if mine.legal.any[row].is_empty() {
            return;
        }
        let at = RowAt::<W>::new(layout, row / layout.rows, row % layout.rows);
        let checks = attack::attacked(layout, mover.between, &at, mated.other());
        let first = row * layout.lanes;
        for (lane, mate) in mates.iter_mut().enumerate() {
            let word = first + lane;
            *mate = checks.as_ref()[lane] & mine.legal.words[word] & mine.no_conversion[word];
            if let Some(rights) = &mine.rights {
                *mate &= !rights.words[word];
            }
        }
        let anywhere = Source {
            plane: &theirs.legal,
            en_passant: theirs.rights.as_ref(),
            arrivals: &[],
            movers: Movers::All,
            wanted: W::ALL,
        };
        if !mover.remove_predecessors(&at, mated, anywhere, mates) {
            mates.fill(W::ZERO);
        }
    };
    let blocks = mates.chunks_mut(layout.block_words()).enumerate();
    each(blocks, |(block, mates)| {
        let rows = block * layout.rows..;
        for (row, mates) in rows.zip(mates.chunks_exact_mut(layout.lanes)) {
            find(row, mates);
        }
    });
    mates
}

/// A pass over one side to move.
struct Pass<'a, W: Word> {
    mover: &'a Mover<'a, W>,
    side: Colour,
    /// The positions not found before.
    left: &'a Plane<W>,
    ground: &'a Ground<W>,
    /// The findings of the previous pass about the other side; `None` in the first pass.
    from: Option<Source<'a, W>>,
    /// The positions that are mate, if it is this side that is to be mated.
    mates: Option<&'a Vec<W>>,
    /// The words with positions of this side that have an e.p. right.
    open_words: &'a [OpenWord],
}

impl<W: Word> Pass<'_, W> {
    /// Replaces the positions of `new` by those that this pass finds.
    fn collect(&self, new: &mut Plane<W>) {
        let layout = self.mover.layout;
        let words = new.words.chunks_mut(layout.block_words());
        let any = new.any.chunks_mut(layout.rows);
        each(words.zip(any).enumerate(), |(block, (words, any))| {
            self.collect_block(block, words, any);
        });
    }

    fn collect_block(&self, block: usize, words: &mut [W], any: &mut [W]) {
        let layout = self.mover.layout;
        let lanes = layout.lanes;
        for (row, (new, any)) in words.chunks_exact_mut(lanes).zip(&mut *any).enumerate() {
            // What was found two passes ago.
            if !any.is_empty() {
                new.fill(W::ZERO);
                *any = W::ZERO;
            }
            let place = block * layout.rows + row;
            let wanted = self.left.any[place];
            if wanted.is_empty() {
                continue;
            }
            match self.from {
                None => {
                    new.copy_from_slice(&self.ground.leads[place * lanes..][..lanes]);
                    if let Some(mates) = self.mates {
                        for (new, mates) in new.iter_mut().zip(&mates[place * lanes..]) {
                            *new |= *mates;
                        }
                    }
                }
                Some(from) => {
                    let at = RowAt::<W>::new(layout, block, row);
                    let from = Source { wanted, ..from };
                    self.mover.retract(&at, self.side, from, new);
                }
            }
            for (new, left) in new.iter_mut().zip(&self.left.words[place * lanes..]) {
                *new &= *left;
            }
            *any = filled(new);
        }
        self.collect_rights(block * layout.block_words(), words, any);
    }

    /// Positions with an e.p. right have the moves of their base, unless that is mate.
    fn collect_rights(&self, first: usize, words: &mut [W], any: &mut [W]) {
        let Some(rights) = &self.ground.rights else {
            return;
        };
        let layout = self.mover.layout;
        let board = self.mover.between.board;
        for open in self.open_words {
            let here = rights.words[first + open.word] & self.left.words[first + open.word];
            if here.is_empty() {
                continue;
            }
            let mut base = words[open.base];
            if let Some(mates) = self.mates {
                base &= !mates[first + open.base];
            }
            let new = here & open.carry(board, base);
            if !new.is_empty() {
                words[open.word] |= new;
                any[open.word / layout.lanes] |= W::of(open.word % layout.lanes);
            }
        }
    }
}

/// Takes what a pass found from what is left.
fn write_down<W: Word>(layout: &Layout, new: &Plane<W>, left: &mut Plane<W>) {
    let (words, rows, lanes) = (layout.block_words(), layout.rows, layout.lanes);
    let new = new.words.chunks(words).zip(new.any.chunks(rows));
    let left = left.words.chunks_mut(words).zip(left.any.chunks_mut(rows));
    each(left.zip(new), |((left, any), (new, new_any))| {
        let left = left.chunks_exact_mut(lanes).zip(any);
        let new = new.chunks_exact(lanes).zip(new_any);
        for ((left, any), (new, _)) in left.zip(new).filter(|(_, (_, any))| !any.is_empty()) {
            for (left, new) in left.iter_mut().zip(new) {
                *left &= !*new;
            }
            *any = filled(left);
        }
    });
}
