//! Quiet moves of whole rows of positions, backwards: from the positions
//! after the move to those before it.
//!
//! Men outside the row move between rows, leaders between blocks (where the
//! block's symmetry is undone on the way); the lane man moves by running
//! accumulators over the lanes, the inner man by fills within words. Results
//! may contain positions that do not exist; the caller masks them.

use pulp::{Arch, NullaryFnOnce};
use retrograde_rules::{Colour, Kind, Man, Transform};

use super::lanes::{add_image, leap_lanes, slide_lane, slide_lanes, step_lane_back};
use super::layout::{Layout, Role, RowAt};
use super::movement::{Between, attacks, forward, leaps, slides};
use super::plane::{FEW, Plane};
use super::royal::royal;
use super::squares::{
    ahead, beyond, double_rank, double_step, filled, first_rank, image, members, open_square, rank,
    room, thrice,
};
use super::word::Word;

/// Whose moves are followed back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Movers {
    /// Those of all men.
    All,
    /// Those of pawns.
    Pawns,
    /// Those of all but pawns: the quiet moves that the fifty-move rule counts.
    Pieces,
}

impl Movers {
    #[inline(always)]
    fn include(self, kind: Kind) -> bool {
        match self {
            Movers::All => true,
            Movers::Pawns => kind == Kind::Pawn,
            Movers::Pieces => kind != Kind::Pawn,
        }
    }
}

/// The positions to step back from: a plane, and for classes with en passant
/// the plane of those positions with the right open that count.
#[derive(Clone, Copy)]
pub(crate) struct Source<'a, W> {
    pub(crate) plane: &'a Plane<W>,
    pub(crate) en_passant: Option<&'a Plane<W>>,
    /// In games with free pawns, for the pawns of the side that moves.
    pub(crate) arrivals: &'a [Arrivals<'a, W>],
    pub(crate) movers: Movers,
    /// The lanes of the row for which the answer matters: in the others it may
    /// be left out.
    pub(crate) wanted: W,
}

/// Where a double step of a pawn can lead, if it can be taken en passant
/// (C6): not to the placement, but to the placement with the right.
#[derive(Clone, Copy)]
pub(crate) struct Arrivals<'a, W> {
    /// The pawn's place among the men of the class.
    pub(crate) pawn: usize,
    /// The placements in which it can be taken, if it has just arrived.
    pub(crate) rights: &'a Plane<W>,
    /// Those of them that are stepped back from.
    pub(crate) plane: &'a Plane<W>,
}

impl<W: Word> Arrivals<'_, W> {
    /// The positions of a lane after the double step, given those without
    /// rights.
    #[inline(always)]
    pub(crate) fn word(&self, layout: &Layout, plain: W, row: usize, lane: usize) -> W {
        let word = row * layout.lanes + lane;
        (plain & !self.rights.words[word]) | self.plane.words[word]
    }
}

impl<'a, W: Word> Source<'a, W> {
    /// The lanes of a row in which a pawn that has just made a double step
    /// may stand.
    #[inline(always)]
    fn arrived(&self, pawn: Option<usize>, row: usize) -> W {
        let arrivals = pawn.and_then(|pawn| self.arrivals_of(pawn));
        arrivals.map_or(W::ZERO, |arrivals| arrivals.plane.any[row])
    }

    /// Where double steps of a pawn lead; `None` if it is never taken.
    #[inline(always)]
    fn arrivals_of(&self, pawn: usize) -> Option<&'a Arrivals<'a, W>> {
        self.arrivals.iter().find(|a| a.pawn == pawn)
    }

    /// A man of the class, if he is of `side` and his moves are wanted.
    #[inline(always)]
    fn moving(&self, man: Option<Man>, side: Colour) -> Option<Man> {
        man.filter(|m| m.colour == side && self.movers.include(m.kind))
    }
}

/// What the moves of a class need to know.
pub(crate) struct Mover<'a, W> {
    pub(crate) layout: &'a Layout,
    pub(crate) between: &'a Between<W>,
    /// Where the leader of each side can go from each block.
    neighbours: [Neighbours<W>; 2],
    /// The same while he is a spare king, if he moves otherwise then.
    spare_neighbours: [Neighbours<W>; 2],
    /// The image of every row within a block under every symmetry.
    images: [Vec<Option<u32>>; Transform::ALL.len()],
}

/// By block, where a leader can go.
type Neighbours<W> = Vec<Vec<Neighbour<W>>>;

/// A block that a leader's move leads to, the symmetry that takes the board
/// there, and the squares passed on the way.
struct Neighbour<W> {
    block: usize,
    transform: Transform,
    passed: W,
}

impl<'a, W: Word> Mover<'a, W> {
    pub(crate) fn new(layout: &'a Layout, between: &'a Between<W>) -> Mover<'a, W> {
        let neighbours = Colour::BOTH.map(|side| {
            if !layout.is_led() {
                return Vec::new();
            }
            let man = layout.men[layout.leaders[side.index()]];
            neighbours_of(layout, between, man)
        });
        let spare_neighbours =
            Colour::BOTH.map(
                |side| match layout.royals.spare(layout.leaders[side.index()]) {
                    Some(kind) => neighbours_of(layout, between, Man::new(side, kind)),
                    None => Vec::new(),
                },
            );
        let images = Transform::ALL.map(|transform| {
            let image = |row| {
                let outer = RowAt::<W>::new(layout, 0, row).outer;
                let outer = outer.map(|s| image::<W>(transform, s));
                layout.row_of(outer.into_iter()).map(|row| row as u32)
            };
            (0..layout.rows).map(image).collect()
        });
        Mover {
            layout,
            between,
            neighbours,
            spare_neighbours,
            images,
        }
    }

    /// Adds to `out` every position of the row, `side` to move, that has a
    /// quiet move to a position of `from`.
    pub(crate) fn pull(&self, at: &RowAt<W>, side: Colour, from: Source<'_, W>, out: &mut [W]) {
        let mover = self;
        Arch::new().dispatch(Pull {
            mover,
            at,
            side,
            from,
            out,
        });
    }

    /// [`Mover::pull`] within code that is itself compiled for each width of
    /// vectors.
    #[inline(always)]
    pub(super) fn pull_here(
        &self,
        at: &RowAt<W>,
        side: Colour,
        from: Source<'_, W>,
        out: &mut [W],
    ) {
        self.pull_leader(at, side, from, out);
        self.pull_castling(at, side, from, out);
        self.pull_inner(at, side, from, out);
        self.pull_lane(at, side, from, out);
        self.pull_outer(at, side, from, out);
        if self.layout.has_spare_moves {
            self.pull_spares(at, side, from, out);
        }
    }

    /// Takes out of `held` every position that has a quiet move to a position
    /// of `from`; returns whether any is left. Stops as soon as none is.
    pub(crate) fn strike(
        &self,
        at: &RowAt<W>,
        side: Colour,
        from: Source<'_, W>,
        held: &mut [W],
    ) -> bool {
        let mover = self;
        Arch::new().dispatch(Strike {
            mover,
            at,
            side,
            from,
            held,
        })
    }

    /// The leader of `side`.
    #[inline(always)]
    fn pull_leader(&self, at: &RowAt<W>, side: Colour, from: Source<'_, W>, out: &mut [W]) {
        if !self.layout.is_led() {
            return;
        }
        let leader = self.layout.men[self.layout.leaders[side.index()]];
        if from.movers.include(leader.kind) {
            self.pull_block(at, &self.neighbours[side.index()], from, out);
        }
    }

    /// A leader who can go where `neighbours` says.
    #[inline(always)]
    fn pull_block(
        &self,
        at: &RowAt<W>,
        neighbours: &Neighbours<W>,
        from: Source<'_, W>,
        out: &mut [W],
    ) {
        let row = at.row - at.block * self.layout.rows;
        for neighbour in &neighbours[at.block] {
            if !(neighbour.passed & at.occupied).is_empty() {
                continue;
            }
            let transform = neighbour.transform;
            if let Some(image) = self.images[transform.index()][row] {
                let busy = from.plane.busy.get(neighbour.block);
                if busy.is_some_and(|rows| !rows.has(image as usize)) {
                    continue;
                }
                let row = neighbour.block * self.layout.rows + image as usize;
                self.add_row(from, row, transform, neighbour.passed, out);
            }
        }
    }

    /// The outer men of `side`.
    #[inline(always)]
    fn pull_outer(&self, at: &RowAt<W>, side: Colour, from: Source<'_, W>, out: &mut [W]) {
        let layout = self.layout;
        for (place, coordinate) in layout.outer().iter().enumerate() {
            let man = layout.men[coordinate.man];
            if from.moving(Some(man), side).is_some() {
                self.pull_outer_as(at, place, man, from, out);
            }
        }
    }

    /// The outer man with this place among the coordinates, moving as `man`.
    #[inline(always)]
    fn pull_outer_as(
        &self,
        at: &RowAt<W>,
        place: usize,
        man: Man,
        from: Source<'_, W>,
        out: &mut [W],
    ) {
        let square = at.outer[place];
        if man.kind == Kind::Pawn {
            self.pull_outer_pawn(at, place, man.colour, from, out);
            return;
        }
        let mut targets = !at.occupied;
        if let Some(&rows) = from.plane.busy.get(at.block) {
            targets &= rows;
        }
        if targets.is_empty() {
            return;
        }
        targets &= attacks::<W>(man, square, at.occupied);
        while !targets.is_empty() {
            let target = targets.pop();
            if let Some(row) = self.row_with(at, place, target) {
                let passed = self.between.get(square, target);
                self.add_row(from, row, Transform::IDENTITY, passed, out);
            }
        }
    }

    /// Whether a man's moves can be taken back one lane at a time: those of
    /// pawns with rights to take en passant need others.
    #[inline(always)]
    fn moves_lane_by_lane(&self, man: Man, from: Source<'_, W>) -> bool {
        let special = man.kind == Kind::Pawn && self.layout.free_pawns;
        from.en_passant.is_none() && !special
    }

    /// The squares on which double steps arrive.
    #[inline(always)]
    fn double_arrivals(&self, side: Colour) -> W {
        if self.layout.free_pawns {
            W::FULL
        } else {
            rank::<W>(double_rank::<W>(side))
        }
    }

    /// Where a double step from a square leads, if one may be made from there.
    #[inline(always)]
    fn double_step(&self, square: usize, side: Colour) -> Option<usize> {
        if self.layout.free_pawns {
            ahead::<W>(square, side, 2)
        } else {
            double_step::<W>(square, side)
        }
    }

    /// The row with the outer man of a place on another square.
    #[inline(always)]
    fn row_with(&self, at: &RowAt<W>, place: usize, square: usize) -> Option<usize> {
        let mut outer = at.outer;
        outer[place] = square;
        let row = self.layout.row_of(outer.into_iter())?;
        Some(at.block * self.layout.rows + row)
    }

    /// The outer pawn of `side` with this place among the coordinates.
    #[inline(always)]
    fn pull_outer_pawn(
        &self,
        at: &RowAt<W>,
        place: usize,
        side: Colour,
        from: Source<'_, W>,
        out: &mut [W],
    ) {
        let pawn = self.layout.outer()[place].man;
        let square = at.outer[place];
        let row_with = |square| self.row_with(at, place, square);
        let Some(one) = ahead::<W>(square, side, 1).filter(|&s| !at.occupied.has(s)) else {
            return;
        };
        if ahead::<W>(one, side, 1).is_none() && !self.layout.free_pawns {
            return; // a promotion
        }
        if let Some(row) = row_with(one) {
            self.add_row(from, row, Transform::IDENTITY, W::ZERO, out);
        }
        let two = self.double_step(square, side);
        let Some(two) = two.filter(|&s| !at.occupied.has(s)) else {
            return;
        };
        let Some(row) = row_with(two) else { return };
        let passed = W::of(one);
        if let Some(arrivals) = from.arrivals_of(pawn) {
            let plain = from.plane.row(self.layout, row);
            for lane in 0..self.layout.lanes {
                if !(self.layout.lanes > 1 && passed.has(lane)) {
                    out[lane] |= arrivals.word(self.layout, plain[lane], row, lane) & !passed;
                }
            }
            return;
        }
        match from.en_passant {
            None => self.add_row(from, row, Transform::IDENTITY, passed, out),
            Some(counts) => {
                let Some(open) = row_with(open_square::<W>(two, side)) else {
                    return;
                };
                let (plain, open_words) = (
                    from.plane.row(self.layout, row),
                    from.plane.row(self.layout, open),
                );
                let counts = counts.row(self.layout, open);
                for lane in 0..self.layout.lanes {
                    if !(self.layout.lanes > 1 && passed.has(lane)) {
                        out[lane] |= ((plain[lane] & !counts[lane]) | open_words[lane]) & !passed;
                    }
                }
            }
        }
    }

    /// Adds a row of `plane`, seen through the inverse of `transform`, but for
    /// the positions where the lane man or the inner man is on a square that
    /// was `passed`.
    #[inline(always)]
    pub(super) fn add_row(
        &self,
        from: Source<'_, W>,
        row: usize,
        transform: Transform,
        passed: W,
        out: &mut [W],
    ) {
        let plane = from.plane;
        let any = plane.any[row];
        if any.is_empty() {
            return;
        }
        let lanes = self.layout.lanes;
        if lanes > 1 && any.count() <= FEW {
            let entries = plane.entries(self.layout, row);
            if transform == Transform::IDENTITY {
                for (lane, word) in entries {
                    if !passed.has(lane) {
                        out[lane] |= word & !passed;
                    }
                }
                return;
            }
            let back = transform.inverse();
            for (there, word) in entries {
                let lane = image::<W>(back, there);
                if !passed.has(lane) {
                    out[lane] |= word.apply(back) & !passed;
                }
            }
            return;
        }
        let source = plane.row(self.layout, row);
        if lanes > 1 && from.wanted.count() <= FEW {
            let back = transform.inverse();
            for lane in members(from.wanted & !passed) {
                let word = source[image::<W>(transform, lane)];
                out[lane] |= word.apply(back) & !passed;
            }
            return;
        }
        if self.layout.coordinates.is_empty() {
            // The one bit is no man's square.
            out[0] |= source[0];
            return;
        }
        // Passed lanes are put back after the plain loop over all lanes.
        let mut kept = [W::ZERO; 16];
        if lanes > 1 {
            for (slot, lane) in kept.iter_mut().zip(members(passed)) {
                *slot = out[lane];
            }
        }
        if transform == Transform::IDENTITY {
            for (out, source) in out[..lanes].iter_mut().zip(source) {
                *out |= *source & !passed;
            }
        } else if lanes == 1 {
            out[0] |= source[0].apply(transform.inverse()) & !passed;
        } else {
            // A constant symmetry each, so that the flips become vector code.
            match transform.index() {
                1 => add_image::<W, 1>(source, passed, out),
                2 => add_image::<W, 2>(source, passed, out),
                3 => add_image::<W, 3>(source, passed, out),
                4 => add_image::<W, 4>(source, passed, out),
                5 => add_image::<W, 5>(source, passed, out),
                6 => add_image::<W, 6>(source, passed, out),
                _ => add_image::<W, 7>(source, passed, out),
            }
        }
        if lanes > 1 {
            for (slot, lane) in kept.iter().zip(members(passed)) {
                out[lane] = *slot;
            }
        }
    }

    /// The inner man, if it is of `side`: fills within each word.
    #[inline(always)]
    fn pull_inner(&self, at: &RowAt<W>, side: Colour, from: Source<'_, W>, out: &mut [W]) {
        if let Some(man) = from.moving(self.layout.inner_man(), side) {
            self.pull_inner_as(at, man, from, out);
        }
    }

    /// The inner man, moving as `man`.
    #[inline(always)]
    fn pull_inner_as(&self, at: &RowAt<W>, man: Man, from: Source<'_, W>, out: &mut [W]) {
        let side = man.colour;
        let pawn = self.layout.coordinates.last().map(|c| c.man);
        let any = from.plane.any[at.row] | from.arrived(pawn, at.row);
        if any.is_empty() {
            return;
        }
        let lanes = self.layout.lanes;
        let free = |lane: usize| {
            let lane_man = if lanes > 1 { W::of(lane) } else { W::ZERO };
            W::FULL & !(at.occupied | lane_man)
        };
        if (any & from.wanted).count() <= FEW && self.moves_lane_by_lane(man, from) {
            for (lane, word) in from.plane.entries_in(self.layout, at.row, from.wanted) {
                let mut to = W::ZERO;
                if man.kind == Kind::Pawn {
                    let back = -forward(side);
                    let two = word & rank::<W>(double_rank::<W>(side));
                    to = word.shift(0, back) | (two.shift(0, back) & free(lane)).shift(0, back);
                }
                for &(files, ranks) in leaps(man.kind) {
                    to |= word.shift(files, ranks);
                }
                for &(files, ranks) in slides(man.kind) {
                    to |= word.slide(free(lane), files, ranks);
                }
                out[lane] |= to;
            }
            return;
        }
        let source = from.plane.row(self.layout, at.row);
        if man.kind == Kind::Pawn {
            let back = -forward(side);
            let arrival = self.double_arrivals(side);
            let arrivals = pawn.and_then(|pawn| from.arrivals_of(pawn));
            for lane in 0..lanes {
                out[lane] |= source[lane].shift(0, back);
                let mut two = source[lane] & arrival;
                if let Some(arrivals) = arrivals {
                    two = arrivals.word(self.layout, source[lane], at.row, lane);
                } else if let Some(counts) = from.en_passant {
                    let first = rank::<W>(first_rank::<W>(side));
                    let counts = counts.row(self.layout, at.row)[lane] & first;
                    two = (two & !thrice(counts, -back)) | thrice(source[lane] & first, -back);
                }
                out[lane] |= (two.shift(0, back) & free(lane)).shift(0, back);
            }
            return;
        }
        for &(files, ranks) in leaps(man.kind) {
            for lane in 0..lanes {
                out[lane] |= source[lane].shift(files, ranks);
            }
        }
        for &(files, ranks) in slides(man.kind) {
            for lane in 0..lanes {
                out[lane] |= source[lane].slide(free(lane), files, ranks);
            }
        }
    }

    /// The lane man, if it is of `side`: moves over the words of the row.
    #[inline(always)]
    fn pull_lane(&self, at: &RowAt<W>, side: Colour, from: Source<'_, W>, out: &mut [W]) {
        if let Some(man) = from.moving(self.layout.lane_man(), side) {
            self.pull_lane_as(at, man, from, out);
        }
    }

    /// The lane man, moving as `man`.
    #[inline(always)]
    fn pull_lane_as(&self, at: &RowAt<W>, man: Man, from: Source<'_, W>, out: &mut [W]) {
        let side = man.colour;
        let pawn = self.layout.coordinates.iter().rev().nth(1).map(|c| c.man);
        let any = from.plane.any[at.row] | from.arrived(pawn, at.row);
        if any.is_empty() {
            return;
        }
        let out = &mut out[..W::SQUARES];
        if any.count() <= FEW && self.moves_lane_by_lane(man, from) {
            for (lane, word) in from.plane.entries(self.layout, at.row) {
                if man.kind == Kind::Pawn {
                    step_lane_back(word, lane, at.occupied, side, out);
                }
                for &(files, ranks) in leaps(man.kind) {
                    if room::<W>(lane, files, ranks) > 0 {
                        out[beyond::<W>(lane, files, ranks)] |= word;
                    }
                }
                for &(files, ranks) in slides(man.kind) {
                    slide_lane(word, lane, at.occupied, files, ranks, out);
                }
            }
            return;
        }
        let source = &from.plane.row(self.layout, at.row)[..W::SQUARES];
        if man.kind == Kind::Pawn {
            let arrivals = pawn.and_then(|pawn| from.arrivals_of(pawn));
            self.pull_lane_pawn(at, side, source, from, arrivals, out);
            return;
        }
        for &(files, ranks) in leaps(man.kind) {
            leap_lanes(source, files, ranks, out);
        }
        if slides(man.kind).is_empty() {
            return;
        }
        // What may pass a lane: all but the inner man on that square, nothing
        // where a man outside the row stands.
        let mut row = W::EMPTY_ROW;
        let pass = &mut row.as_mut()[..W::SQUARES];
        for lane in 0..W::SQUARES {
            pass[lane] = if at.occupied.has(lane) {
                W::ZERO
            } else {
                !W::of(lane)
            };
        }
        for &(files, ranks) in slides(man.kind) {
            slide_lanes(source, pass, files, ranks, out);
        }
    }

    /// The spare kings of `side`, where they move otherwise than royal ones:
    /// what they can do besides the moves of a king. Which of them is royal is
    /// a matter of where they stand before the move.
    fn pull_spares(&self, at: &RowAt<W>, side: Colour, from: Source<'_, W>, out: &mut [W]) {
        let layout = self.layout;
        for &king in layout.royals.candidates(layout, side) {
            let Some(kind) = layout.royals.spare(king) else {
                continue;
            };
            let man = Man::new(side, kind);
            let mut row = W::EMPTY_ROW;
            let found = &mut row.as_mut()[..layout.lanes];
            let place = layout.coordinates.iter().position(|c| c.man == king);
            match place.map(|place| (place, at.role(layout, place))) {
                None => self.pull_block(at, &self.spare_neighbours[side.index()], from, found),
                Some((_, Role::Inner)) => self.pull_inner_as(at, man, from, found),
                Some((_, Role::Lane)) => self.pull_lane_as(at, man, from, found),
                Some((place, _)) => self.pull_outer_as(at, place, man, from, found),
            }
            let royal = royal(layout, at, king);
            for (out, (found, royal)) in out.iter_mut().zip(found.iter().zip(royal.as_ref())) {
                *out |= *found & !*royal;
            }
        }
    }

    #[inline(always)]
    fn pull_lane_pawn(
        &self,
        at: &RowAt<W>,
        side: Colour,
        source: &[W],
        from: Source<'_, W>,
        arrivals: Option<&Arrivals<'_, W>>,
        out: &mut [W],
    ) {
        let counts = from.en_passant.map(|c| c.row(self.layout, at.row));
        for square in 0..W::SQUARES {
            let Some(one) = ahead::<W>(square, side, 1) else {
                continue;
            };
            let promotes = ahead::<W>(one, side, 1).is_none() && !self.layout.free_pawns;
            if promotes || at.occupied.has(one) {
                continue;
            }
            out[square] |= source[one];
            let Some(two) = self.double_step(square, side) else {
                continue;
            };
            let mut arrived = source[two];
            if let Some(arrivals) = arrivals {
                arrived = arrivals.word(self.layout, arrived, at.row, two);
            }
            if let Some(counts) = counts {
                let open = open_square::<W>(two, side);
                arrived = (arrived & !counts[open]) | source[open];
            }
            out[square] |= arrived & !W::of(one);
        }
    }
}

/// Where a leader can go from each block, moving as `man`; pawns step.
fn neighbours_of<W: Word>(layout: &Layout, between: &Between<W>, man: Man) -> Neighbours<W> {
    let me = man.colour.index();
    let of_block = |block| {
        let leaders = layout.block_squares(block);
        let from = leaders[me];
        let occupied = W::of(leaders[0]) | W::of(leaders[1]);
        let to = if man.kind == Kind::Pawn {
            pawn_steps::<W>(from, man.colour)
        } else {
            attacks::<W>(man, from, occupied)
        };
        members(to & !occupied)
            .filter_map(|square| {
                let mut moved = leaders;
                moved[me] = square;
                let (block, transform) = layout.block_of(moved)?;
                let passed = between.get(from, square);
                Some(Neighbour {
                    block,
                    transform,
                    passed,
                })
            })
            .collect()
    };
    (0..layout.blocks()).map(of_block).collect()
}

/// Where a pawn may step without promoting, if nothing stands in the way.
fn pawn_steps<W: Word>(from: usize, side: Colour) -> W {
    let mut steps = W::ZERO;
    if let Some(one) = ahead::<W>(from, side, 1)
        && ahead::<W>(one, side, 1).is_some()
    {
        steps |= W::of(one);
        if let Some(two) = double_step::<W>(from, side) {
            steps |= W::of(two);
        }
    }
    steps
}

/// [`Mover::pull`], compiled for each width of vectors. It is a type of its
/// own rather than a closure, because only so it can be inlined there.
struct Pull<'a, W: Word> {
    mover: &'a Mover<'a, W>,
    at: &'a RowAt<W>,
    side: Colour,
    from: Source<'a, W>,
    out: &'a mut [W],
}

impl<W: Word> NullaryFnOnce for Pull<'_, W> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        let Pull {
            mover,
            at,
            side,
            from,
            out,
        } = self;
        mover.pull_here(at, side, from, out);
    }
}

/// [`Mover::strike`], likewise.
struct Strike<'a, W: Word> {
    mover: &'a Mover<'a, W>,
    at: &'a RowAt<W>,
    side: Colour,
    from: Source<'a, W>,
    held: &'a mut [W],
}

impl<W: Word> NullaryFnOnce for Strike<'_, W> {
    type Output = bool;

    #[inline(always)]
    fn call(self) -> bool {
        let Strike {
            mover,
            at,
            side,
            mut from,
            held,
        } = self;
        let mut row = W::EMPTY_ROW;
        let out = &mut row.as_mut()[..held.len()];
        let stages = if mover.layout.has_spare_moves { 5 } else { 4 };
        for stage in 0..stages {
            from.wanted = filled(held);
            if from.wanted.is_empty() {
                return false;
            }
            match stage {
                0 => {
                    mover.pull_leader(at, side, from, out);
                    mover.pull_castling(at, side, from, out);
                }
                1 => mover.pull_inner(at, side, from, out),
                2 => mover.pull_lane(at, side, from, out),
                3 => mover.pull_outer(at, side, from, out),
                _ => mover.pull_spares(at, side, from, out),
            }
            for (held, out) in held.iter_mut().zip(&*out) {
                *held &= !*out;
            }
        }
        held.iter().any(|word| !word.is_empty())
    }
}
