//! Moves that leave the class: captures, promotions, en passant. Each is
//! looked up once in the smaller class that it leads to, and only the best of
//! a position's conversions is kept.

use pulp::{Arch, NullaryFnOnce};
use retrograde_rules::{Colour, Game, Kind, Man, Material};

use super::chess99;
use super::layout::{Layout, Role, RowAt};
use super::mask::{capture_mask, step_mask};
use super::movement::{Between, attacks};
use super::score::Score;
use super::smaller::{Passage, Smaller, View};
use super::squares::{ahead, first_rank, open_square};
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

/// A kind of conversion: who moves, what happens, where it leads.
struct Conversion<'a> {
    mover: usize,
    change: Change,
    /// Whether the mover is a pawn that becomes another man.
    promotes: bool,
    passage: Passage<'a>,
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

/// What each man becomes under a change, `None` for the man taken.
fn men_after(men: &[Man], mover: usize, change: Change, becomes: Kind) -> Vec<Option<Man>> {
    let mut after: Vec<Option<Man>> = men.iter().copied().map(Some).collect();
    if let Change::Capture(victim) | Change::EnPassant(victim) = change {
        after[victim] = None;
    }
    after[mover] = Some(Man::new(men[mover].colour, becomes));
    after
}

/// Every conversion of a side, as mover, change, and what the mover becomes.
fn changes(game: Game, men: &[Man], side: Colour) -> Vec<(usize, Change, Kind)> {
    let mut list = Vec::new();
    for (mover, man) in men.iter().enumerate().filter(|(_, m)| m.colour == side) {
        let victims = men
            .iter()
            .enumerate()
            .filter(|(_, v)| v.colour != side && v.kind != Kind::King);
        for (victim, taken) in victims {
            list.push((mover, Change::Capture(victim), man.kind));
            if man.kind == Kind::Pawn && taken.kind == Kind::Pawn {
                list.push((mover, Change::EnPassant(victim), Kind::Pawn));
            } else if man.kind == Kind::Pawn {
                for &kind in game.promotions() {
                    list.push((mover, Change::Capture(victim), kind));
                }
            }
        }
        if man.kind == Kind::Pawn {
            for &kind in game.promotions() {
                list.push((mover, Change::Step, kind));
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
        .flat_map(|side| changes(game, &men, side))
        .map(|(mover, change, becomes)| {
            exit(game, &men_after(&men, mover, change, becomes)).material
        })
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
    /// Where the mover goes, if it is a leader.
    to: Option<usize>,
    view: View<'a>,
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
        let list = changes(layout.game, men, side)
            .into_iter()
            .map(|(mover, change, becomes)| {
                let after = men_after(men, mover, change, becomes);
                let exit = exit(layout.game, &after);
                Conversion {
                    mover,
                    change,
                    promotes: becomes != men[mover].kind,
                    passage: Passage::new(&after, find(&exit.material), exit.swapped),
                }
            })
            .collect();
        Conversions { layout, side, list }
    }

    /// The conversions while the leaders stand as in a block.
    pub(crate) fn in_block<'c, W: Word>(&'c self, block: usize) -> BlockConversions<'a, 'c> {
        let layout = self.layout;
        let leaders = layout.block_squares(block);
        let turn_after = self.side.other();
        let mut ready = Vec::new();
        for conversion in &self.list {
            let passage = &conversion.passage;
            let mut add = |squares, to| {
                let view = passage.with_leaders::<W>(layout.leaders, squares, turn_after);
                ready.extend(view.map(|view| Ready {
                    conversion,
                    to,
                    view,
                }));
            };
            match layout.leaders.iter().position(|&l| l == conversion.mover) {
                None => add(leaders, None),
                Some(slot) => {
                    // A leader that takes goes to another block: one view for
                    // each square that it may reach past the other leader.
                    let man = layout.men[conversion.mover];
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
            let mover = ready.conversion.mover;
            let man = layout.men[mover];
            let from = self.role(at, mover);
            match ready.conversion.change {
                Change::Capture(victim) => {
                    let target = self.role(at, victim);
                    let to = match target {
                        // A leader's captures are one view a square.
                        Role::Fixed(square) if ready.to.is_some_and(|to| to != square) => {
                            continue;
                        }
                        _ => target,
                    };
                    let sum = sum::<W>(layout, &ready.view, at, (mover, to), Some(victim));
                    let mask = capture_mask(
                        layout,
                        between,
                        at,
                        man,
                        from,
                        target,
                        ready.conversion.promotes,
                        ready.to,
                    );
                    raise_where(&sum, &ready.view, placed, mask.as_ref(), layout, scores);
                }
                Change::Step => {
                    let mut mask = W::EMPTY_ROW;
                    let Some(to) = step_mask(layout, at, man.colour, from, mask.as_mut()) else {
                        continue;
                    };
                    let sum = self.sum_shifted::<W>(ready, at, to);
                    raise_where(&sum, &ready.view, placed, mask.as_ref(), layout, scores);
                }
                Change::EnPassant(victim) => {
                    self.raise_en_passant(at, ready, from, victim, scores);
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
        let victim_role = self.role(at, victim);
        // The square that stands for the right does not hold the pawn, so
        // others may be there: it must not be taken for occupied.
        let mut occupied = W::of(at.leaders[0]) | W::of(at.leaders[1]);
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
                let mover = ready.conversion.mover;
                let to = Role::Fixed(passed);
                let sum = sum::<W>(layout, &ready.view, at, (mover, to), Some(victim));
                let unreal = matches!(victim_role, Role::Lane | Role::Inner);
                let mut mask = W::EMPTY_ROW;
                for (lane, mask) in mask.as_mut()[..layout.lanes].iter_mut().enumerate() {
                    if lanes.has(lane) {
                        *mask = if unreal { bits } else { bits & !W::of(lane) };
                    }
                }
                let mut everywhere = W::EMPTY_ROW;
                everywhere.as_mut().fill(W::FULL);
                raise_where(
                    &sum,
                    &ready.view,
                    everywhere.as_ref(),
                    mask.as_ref(),
                    layout,
                    scores,
                );
            }
        }
    }

    #[inline(always)]
    fn role<W: Word>(&self, at: &RowAt<W>, man: usize) -> Role {
        let layout = self.layout;
        match layout.leaders.iter().position(|&l| l == man) {
            Some(slot) => Role::Fixed(at.leaders[slot]),
            None => {
                let place = layout.coordinates.iter().position(|c| c.man == man);
                at.role(layout, place.unwrap_or_default())
            }
        }
    }

    /// As `sum`, for a pawn that steps to the last rank.
    #[inline(always)]
    fn sum_shifted<W: Word>(&self, ready: &Ready<'_, '_>, at: &RowAt<W>, to: Role) -> Sum {
        let mover = ready.conversion.mover;
        if let Role::Fixed(_) = to {
            return sum::<W>(self.layout, &ready.view, at, (mover, to), None);
        }
        let mut sum = sum::<W>(self.layout, &ready.view, at, (mover, to), Some(mover));
        if let Some(table) = &ready.view.tables[mover] {
            let mut shifted = [0; 128];
            for (square, entry) in shifted[..W::SQUARES].iter_mut().enumerate() {
                if let Some(ahead) = ahead::<W>(square, self.side, 1) {
                    *entry = table[ahead];
                }
            }
            let target = if to == Role::Lane {
                &mut sum.by_lane
            } else {
                &mut sum.by_bit
            };
            add(target, &shifted, W::SQUARES);
        }
        sum
    }
}

/// Where positions of the row lead in the smaller class, the mover standing at
/// `to`; one man is left out.
#[inline(always)]
pub(super) fn sum<W: Word>(
    layout: &Layout,
    view: &View<'_>,
    at: &RowAt<W>,
    (mover, to): (usize, Role),
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
        let role = if man == mover {
            to
        } else {
            at.role(layout, place)
        };
        match role {
            Role::Fixed(square) => sum.base += table[square] as usize,
            Role::Lane => add(&mut sum.by_lane, table, W::SQUARES),
            Role::Inner => add(&mut sum.by_bit, table, W::SQUARES),
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

/// Raises the scores of the positions in `mask` that are `placed`.
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
