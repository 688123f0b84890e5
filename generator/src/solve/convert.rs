//! Moves that leave the class: captures, promotions, en passant. Each is
//! looked up once in the smaller class that it leads to, and only the best of
//! a position's conversions is kept.

use pulp::{Arch, NullaryFnOnce};
use retrograde_rules::{Colour, Game, Kind, Man, Material};

use super::chess99;
use super::free::{FreePassage, Spot};
use super::layout::{Layout, Role, RowAt};
use super::mask::{capture_mask, step_mask};
use super::movement::{Between, attacks, forward};
use super::royal::{Royals, royal};
use super::score::{self, Score};
use super::smaller::{Passage, Smaller, View};
use super::squares::{ahead, first_rank, members, open_square};
use super::word::Word;

/// How a conversion changes the placement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Change {
    /// The mover takes the man at this place (among the men of the class).
    Capture(usize),
    /// The mover, a pawn, steps to the last rank.
    Step,
    /// The mover, a pawn, takes that pawn en passant.
    EnPassant(usize),
}

/// A kind of conversion: who moves, as what, what happens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Way {
    mover: usize,
    change: Change,
    /// What the mover is after it.
    becomes: Kind,
    /// The king that takes like this is not royal: see [`Royals::spare`].
    ///
    /// [`Royals::spare`]: super::royal::Royals::spare
    spare: Option<Kind>,
    /// What it is worth if it ends the game, or is no move.
    ends: Option<Score>,
}

/// A kind of conversion, and where it leads.
struct Conversion<'a> {
    mover: usize,
    change: Change,
    /// Whether the mover is a pawn that becomes another man.
    promotes: bool,
    spare: Option<Kind>,
    leads: Leads<'a>,
}

/// Where a conversion leads.
enum Leads<'a> {
    /// To a smaller class with the same leaders.
    Led(Passage<'a>),
    /// To a smaller class with other leaders.
    Free(FreePassage<'a>),
    /// Nowhere: every such move is worth this.
    Ends(Score),
}

/// A smaller class that a class needs, and whether its colours are swapped
/// against those of the class.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Exit {
    /// The smaller class, in normal form.
    pub(crate) material: Material,
    swapped: bool,
}

/// All conversions of one side.
pub(crate) struct Conversions<'a> {
    layout: &'a Layout,
    side: Colour,
    list: Vec<Conversion<'a>>,
}

/// What each man becomes by a conversion, `None` for the man taken.
fn men_after(men: &[Man], way: Way) -> Vec<Option<Man>> {
    let mut after: Vec<Option<Man>> = men.iter().copied().map(Some).collect();
    if let Change::Capture(victim) | Change::EnPassant(victim) = way.change {
        after[victim] = None;
    }
    after[way.mover] = Some(Man::new(men[way.mover].colour, way.becomes));
    after
}

/// Every conversion of a side.
fn ways(game: Game, men: &[Man], side: Colour) -> Vec<Way> {
    let count = |man: Man| men.iter().filter(|m| **m == man).count();
    let royals = Royals::new(game, men);
    let mut list = Vec::new();
    for (mover, man) in men.iter().enumerate().filter(|(_, m)| m.colour == side) {
        let mut add = |change, becomes, spare, ends| {
            list.push(Way {
                mover,
                change,
                becomes,
                spare,
                ends,
            });
        };
        // The end of a kind is the end of the game (E6), or not allowed (E2).
        let lone_pawn = man.kind == Kind::Pawn && count(*man) == 1;
        let (promotions, end) = match game {
            Game::ExtinctionMating if lone_pawn => (&[][..], None),
            Game::Extinction if lone_pawn => (&game.promotions()[..1], Some(score::LOST)),
            _ => (game.promotions(), None),
        };
        for (victim, &taken) in men.iter().enumerate() {
            let last = count(taken) == 1;
            let (possible, wins) = match game {
                Game::Extinction => (true, last.then_some(score::WINS_AT_ONCE)),
                // Royal men are never left to be taken.
                Game::ExtinctionMating => (!last, None),
                _ => (taken.kind != Kind::King || !last, None),
            };
            if taken.colour == side {
                continue;
            }
            let capture = Change::Capture(victim);
            if possible {
                add(capture, man.kind, None, wins);
                if let Some(kind) = royals.spare(mover) {
                    add(capture, man.kind, Some(kind), wins);
                }
            }
            if man.kind != Kind::Pawn {
                continue;
            }
            if taken.kind == Kind::Pawn {
                let passing = Change::EnPassant(victim);
                match possible {
                    true => add(passing, Kind::Pawn, None, wins),
                    // It is no move, but it forbids the double step (E3).
                    false => add(passing, Kind::Pawn, None, Some(score::DRAW)),
                }
            } else if possible && wins.is_some() {
                add(capture, game.promotions()[0], None, wins);
            } else if possible {
                for &kind in promotions {
                    add(capture, kind, None, end);
                }
            }
        }
        if man.kind == Kind::Pawn {
            for &kind in promotions {
                add(Change::Step, kind, None, end);
            }
        }
    }
    list
}

/// The class that a change leads to.
fn exit(game: Game, after: &[Option<Man>]) -> Exit {
    let (material, swapped) = Material::of(after.iter().flatten().copied()).normal(game);
    Exit { material, swapped }
}

/// The smaller classes that the conversions of a class lead to, each once.
pub fn exits(game: Game, material: &Material) -> Vec<Material> {
    if let Game::Chess99(rules) = game {
        return chess99::exits(rules, material);
    }
    let men: Vec<Man> = material.men().collect();
    let mut list: Vec<Material> = Colour::BOTH
        .into_iter()
        .flat_map(|side| ways(game, &men, side))
        .filter(|way| way.ends.is_none())
        .map(|way| exit(game, &men_after(&men, way)).material)
        .collect();
    list.sort_unstable();
    list.dedup();
    list
}

/// All conversions of one side, whatever the game.
pub(crate) enum AnyConversions<'a> {
    Orthodox(Conversions<'a>),
    Chess99(chess99::Conversions<'a>),
}

impl<'a> AnyConversions<'a> {
    /// The conversions of `side`; `find` gives the smaller classes.
    pub(crate) fn new<F>(layout: &'a Layout, side: Colour, find: F) -> AnyConversions<'a>
    where
        F: Fn(&Material) -> &'a Smaller,
    {
        match layout.game {
            Game::Chess99(rules) => {
                AnyConversions::Chess99(chess99::Conversions::new(rules, layout, side, find))
            }
            _ => AnyConversions::Orthodox(Conversions::new(layout, side, find)),
        }
    }

    /// The conversions while the leaders stand as in a block.
    pub(crate) fn in_block<'c, W: Word>(&'c self, block: usize) -> AnyBlockConversions<'a, 'c> {
        match self {
            AnyConversions::Orthodox(all) => {
                AnyBlockConversions::Orthodox(all.in_block::<W>(block))
            }
            AnyConversions::Chess99(all) => {
                AnyBlockConversions::Chess99(Box::new(all.in_block::<W>(block)))
            }
        }
    }
}

/// The conversions of one side in one block, whatever the game.
pub(crate) enum AnyBlockConversions<'a, 'c> {
    Orthodox(BlockConversions<'a, 'c>),
    Chess99(Box<chess99::BlockConversions<'a, 'c>>),
}

impl AnyBlockConversions<'_, '_> {
    /// Raises `scores`, a row of positions with the side to move, to the best
    /// conversion of each. Only positions of `placed` are looked at, and those
    /// with an en-passant right open inside the grid.
    #[inline(always)]
    pub(crate) fn raise<W: Word>(
        &self,
        between: &Between<W>,
        at: &RowAt<W>,
        placed: &[W],
        scores: &mut [Score],
    ) {
        match self {
            AnyBlockConversions::Orthodox(block) => block.raise(between, at, placed, scores),
            AnyBlockConversions::Chess99(block) => block.raise(between, at, placed, scores),
        }
    }
}

/// A conversion while the leaders stand on given squares.
struct Ready<'a, 'c> {
    conversion: &'c Conversion<'a>,
    /// Where the mover goes, if it is a leader and its captures are looked up
    /// square by square.
    to: Option<usize>,
    worth: Worth<'a, 'c>,
}

/// What a conversion is worth while the leaders stand on given squares.
enum Worth<'a, 'c> {
    /// What the smaller class says, seen from there.
    View(View<'a>),
    /// What it says position by position.
    Free(&'c FreePassage<'a>),
    /// Always this.
    Always(Score),
}

/// The conversions of one side in one block.
pub(crate) struct BlockConversions<'a, 'c> {
    layout: &'a Layout,
    side: Colour,
    ready: Vec<Ready<'a, 'c>>,
}

impl<'a> Conversions<'a> {
    /// The conversions of `side`; `find` gives the smaller classes.
    pub(crate) fn new<F>(layout: &'a Layout, side: Colour, find: F) -> Conversions<'a>
    where
        F: Fn(&Material) -> &'a Smaller,
    {
        let men = &layout.men;
        let list = ways(layout.game, men, side).into_iter().filter_map(|way| {
            let mover = way.mover;
            let leads = match way.ends {
                Some(score) => Leads::Ends(score),
                None => {
                    let after = men_after(men, way);
                    let exit = exit(layout.game, &after);
                    let passage = Passage::new(&after, find(&exit.material), exit.swapped);
                    let pawn_leads =
                        layout.leaders.contains(&mover) && men[mover].kind == Kind::Pawn;
                    let led = layout.is_led() && passage.keeps_leaders(layout.leaders);
                    if led && !pawn_leads {
                        Leads::Led(passage)
                    } else {
                        Leads::Free(FreePassage::new(&passage, side.other())?)
                    }
                }
            };
            Some(Conversion {
                mover,
                change: way.change,
                promotes: way.becomes != men[mover].kind,
                spare: way.spare,
                leads,
            })
        });
        let list = list.collect();
        Conversions { layout, side, list }
    }

    /// The conversions while the leaders stand as in a block.
    pub(crate) fn in_block<'c, W: Word>(&'c self, block: usize) -> BlockConversions<'a, 'c> {
        let layout = self.layout;
        let turn_after = self.side.other();
        let mut ready = Vec::new();
        for conversion in &self.list {
            let passage = match &conversion.leads {
                Leads::Led(passage) => passage,
                Leads::Free(passage) => {
                    ready.push(Ready {
                        conversion,
                        to: None,
                        worth: Worth::Free(passage),
                    });
                    continue;
                }
                Leads::Ends(score) => {
                    ready.push(Ready {
                        conversion,
                        to: None,
                        worth: Worth::Always(*score),
                    });
                    continue;
                }
            };
            let leaders = layout.block_squares(block);
            let mut add = |squares, to| {
                let view = passage.with_leaders::<W>(layout.leaders, squares, turn_after);
                ready.extend(view.map(|view| Ready {
                    conversion,
                    to,
                    worth: Worth::View(view),
                }));
            };
            match layout.leaders.iter().position(|&l| l == conversion.mover) {
                None => add(leaders, None),
                Some(slot) => {
                    // A leader that takes goes to another block: one view for
                    // each square that it may reach past the other leader.
                    let man = conversion.moves_as(layout);
                    let occupied = W::of(leaders[0]) | W::of(leaders[1]);
                    let mut targets = attacks::<W>(man, leaders[slot], occupied) & !occupied;
                    while !targets.is_empty() {
                        let to = targets.pop();
                        let mut squares = leaders;
                        squares[slot] = to;
                        add(squares, Some(to));
                    }
                }
            }
        }
        BlockConversions {
            layout,
            side: self.side,
            ready,
        }
    }
}

impl Conversion<'_> {
    /// What the mover moves like.
    #[inline(always)]
    fn moves_as(&self, layout: &Layout) -> Man {
        let man = layout.men[self.mover];
        Man::new(man.colour, self.spare.unwrap_or(man.kind))
    }
}

/// [`BlockConversions::raise`], compiled for each width of vectors.
struct Raise<'a, W> {
    conversions: &'a BlockConversions<'a, 'a>,
    between: &'a Between<W>,
    at: &'a RowAt<W>,
    placed: &'a [W],
    scores: &'a mut [Score],
}

impl<W: Word> NullaryFnOnce for Raise<'_, W> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        let Raise {
            conversions,
            between,
            at,
            placed,
            scores,
        } = self;
        conversions.raise_row(between, at, placed, scores);
    }
}

/// What the places of the men outside and inside a row contribute to a place
/// in a smaller class.
pub(super) struct Sum {
    pub(super) base: usize,
    pub(super) by_lane: [u32; 128],
    pub(super) by_bit: [u32; 128],
}

impl BlockConversions<'_, '_> {
    /// Raises `scores`, a row of positions with the side to move, to the best
    /// conversion of each. Only positions of `placed` are looked at, and those
    /// with an en-passant right open.
    pub(crate) fn raise<W: Word>(
        &self,
        between: &Between<W>,
        at: &RowAt<W>,
        placed: &[W],
        scores: &mut [Score],
    ) {
        let conversions = self;
        Arch::new().dispatch(Raise {
            conversions,
            between,
            at,
            placed,
            scores,
        });
    }

    #[inline(always)]
    fn raise_row<W: Word>(
        &self,
        between: &Between<W>,
        at: &RowAt<W>,
        placed: &[W],
        scores: &mut [Score],
    ) {
        let layout = self.layout;
        for ready in &self.ready {
            let conversion = ready.conversion;
            let mover = conversion.mover;
            let man = conversion.moves_as(layout);
            let from = layout.role(at, mover);
            match conversion.change {
                Change::Capture(victim) => {
                    let target = layout.role(at, victim);
                    // A leader's captures are one view a square.
                    if matches!(target, Role::Fixed(square)
                        if ready.to.is_some_and(|to| to != square))
                    {
                        continue;
                    }
                    let mut mask = capture_mask(
                        layout,
                        between,
                        at,
                        man,
                        from,
                        target,
                        conversion.promotes,
                        ready.to,
                    );
                    if conversion.spare.is_some() {
                        let royal = royal(layout, at, mover);
                        for (mask, royal) in mask.as_mut().iter_mut().zip(royal.as_ref()) {
                            *mask &= !*royal;
                        }
                    }
                    let to = target.into();
                    self.raise_worth(ready, at, Some(victim), to, placed, mask.as_ref(), scores);
                }
                Change::Step => {
                    let mut mask = W::EMPTY_ROW;
                    let Some(to) = step_mask(layout, at, man.colour, from, mask.as_mut()) else {
                        continue;
                    };
                    let ahead = forward(man.colour) as isize * W::FILES as isize;
                    let to = match to {
                        Role::Fixed(square) => Spot::Fixed(square),
                        Role::Lane => Spot::Lane(ahead),
                        Role::Inner => Spot::Inner(ahead),
                    };
                    self.raise_worth(ready, at, None, to, placed, mask.as_ref(), scores);
                }
                Change::EnPassant(victim) => {
                    self.raise_en_passant(at, ready, from, victim, scores);
                }
            }
        }
    }

    /// Raises the scores of the positions in `mask` that are `placed`, the
    /// mover going to `to` and the victim being gone.
    #[allow(clippy::too_many_arguments, reason = "a conversion, and where")]
    #[inline(always)]
    fn raise_worth<W: Word>(
        &self,
        ready: &Ready<'_, '_>,
        at: &RowAt<W>,
        victim: Option<usize>,
        to: Spot,
        placed: &[W],
        mask: &[W],
        scores: &mut [Score],
    ) {
        let (layout, mover) = (self.layout, ready.conversion.mover);
        match &ready.worth {
            Worth::View(view) => {
                let sum = sum::<W>(layout, view, at, (mover, to), victim);
                raise_where(&sum, view, placed, mask, layout, scores);
            }
            Worth::Free(passage) => passage.raise(layout, at, (mover, to), placed, mask, scores),
            Worth::Always(score) => {
                for lane in 0..layout.lanes {
                    let out = &mut scores[lane * W::SQUARES..][..W::SQUARES];
                    for bit in members(mask[lane] & placed[lane]) {
                        out[bit] = out[bit].max(*score);
                    }
                }
            }
        }
    }

    /// Captures of a pawn that stands on the square which means that it has
    /// just made its double step.
    #[inline(always)]
    fn raise_en_passant<W: Word>(
        &self,
        at: &RowAt<W>,
        ready: &Ready<'_, '_>,
        from: Role,
        victim: usize,
        scores: &mut [Score],
    ) {
        let layout = self.layout;
        let pusher = self.side.other();
        let home = first_rank::<W>(pusher) * W::FILES;
        let victim_role = layout.role(at, victim);
        // The square that stands for the right does not hold the pawn, so
        // others may be there: it must not be taken for occupied.
        let mut occupied = at.led;
        for (coordinate, &square) in layout.outer().iter().zip(&at.outer) {
            if coordinate.man != victim {
                occupied |= W::of(square);
            }
        }
        for file in 0..W::FILES {
            let open = home + file;
            // Origin, passed square and arrival, from the pusher's side.
            let path = [1, 2, 3].map(|ranks| ahead::<W>(open, pusher, ranks));
            let [Some(origin), Some(passed), Some(arrival)] = path else {
                continue;
            };
            debug_assert_eq!(open_square::<W>(arrival, pusher), open);
            let clear = W::of(origin) | W::of(passed) | W::of(arrival);
            if !(occupied & clear).is_empty() {
                continue;
            }
            let mut beside = W::of(arrival).shift(1, 0) | W::of(arrival).shift(-1, 0);
            while !beside.is_empty() {
                let taker = beside.pop();
                // Every man has a word of squares where he may stand.
                let mut lanes = !(clear | occupied);
                let mut bits = lanes;
                let mut possible = true;
                for (role, square) in [(victim_role, open), (from, taker)] {
                    match role {
                        Role::Fixed(on) => possible &= on == square,
                        Role::Lane => lanes = W::of(square),
                        Role::Inner => bits = W::of(square),
                    }
                }
                if !possible {
                    continue;
                }
                let unreal = matches!(victim_role, Role::Lane | Role::Inner);
                let mut mask = W::EMPTY_ROW;
                for (lane, mask) in mask.as_mut()[..layout.lanes].iter_mut().enumerate() {
                    if lanes.has(lane) {
                        *mask = if unreal { bits } else { bits & !W::of(lane) };
                    }
                }
                let mut everywhere = W::EMPTY_ROW;
                everywhere.as_mut().fill(W::FULL);
                let to = Spot::Fixed(passed);
                let everywhere = everywhere.as_ref();
                let mask = mask.as_ref();
                self.raise_worth(ready, at, Some(victim), to, everywhere, mask, scores);
            }
        }
    }
}

/// A table for the squares that lie `by` further on.
#[inline(always)]
fn moved<W: Word>(table: &[u32; 128], by: isize) -> [u32; 128] {
    let mut moved = [0; 128];
    for (square, entry) in moved[..W::SQUARES].iter_mut().enumerate() {
        let there = square.checked_add_signed(by);
        if let Some(there) = there.filter(|&there| there < W::SQUARES) {
            *entry = table[there];
        }
    }
    moved
}

/// Where positions of the row lead in the smaller class, the mover standing at
/// `to`; one man is left out.
#[inline(always)]
pub(super) fn sum<W: Word>(
    layout: &Layout,
    view: &View<'_>,
    at: &RowAt<W>,
    (mover, to): (usize, Spot),
    left_out: Option<usize>,
) -> Sum {
    let mut sum = Sum {
        base: 0,
        by_lane: [0; 128],
        by_bit: [0; 128],
    };
    for (place, coordinate) in layout.coordinates.iter().enumerate() {
        let man = coordinate.man;
        if Some(man) == left_out {
            continue;
        }
        let Some(table) = &view.tables[man] else {
            continue;
        };
        let spot = if man == mover {
            to
        } else {
            at.role(layout, place).into()
        };
        match spot {
            Spot::Fixed(square) => sum.base += table[square] as usize,
            Spot::Lane(0) => add(&mut sum.by_lane, table, W::SQUARES),
            Spot::Inner(0) => add(&mut sum.by_bit, table, W::SQUARES),
            Spot::Lane(by) => add(&mut sum.by_lane, &moved::<W>(table, by), W::SQUARES),
            Spot::Inner(by) => add(&mut sum.by_bit, &moved::<W>(table, by), W::SQUARES),
        }
    }
    sum
}

#[inline(always)]
fn add(to: &mut [u32; 128], table: &[u32; 128], squares: usize) {
    for (to, entry) in to[..squares].iter_mut().zip(table) {
        *to += entry;
    }
}

/// Raises the scores of the positions in `mask` that are `placed`, by what a
/// view says.
#[inline(always)]
pub(super) fn raise_where<W: Word>(
    sum: &Sum,
    view: &View<'_>,
    placed: &[W],
    mask: &[W],
    layout: &Layout,
    scores: &mut [Score],
) {
    for lane in 0..layout.lanes {
        let mut set = mask[lane] & placed[lane];
        if set.is_empty() {
            continue;
        }
        let base = sum.base + sum.by_lane[lane] as usize;
        let out = &mut scores[lane * W::SQUARES..][..W::SQUARES];
        while !set.is_empty() {
            let bit = set.pop();
            let score = view.scores[base + sum.by_bit[bit] as usize];
            out[bit] = out[bit].max(score);
        }
    }
}
