//! Lists the kinds of moves that leave a material, and the successors that they lead to.

use retrograde_rules::{
    Colour, DoubleStep, EnPassant, Game, LastOfType, Material, Piece, PieceType,
};

use super::board_parts::Part;
use super::layout::are_beside;
use super::royals::Royals;
use super::score::{self, Score};

/// The change of the placement by a conversion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Change {
    /// The mover takes the piece at this place (among the pieces of the material).
    Capture(usize),
    /// The mover, a pawn, steps to where it promotes.
    Step,
    /// The mover, a pawn, makes a double step to the last rank.
    DoubleStep,
    /// The mover, a pawn that waits on the last rank, moves as what it becomes, without a
    /// capture (C5).
    Turn,
    /// The mover captures that pawn en passant.
    EnPassant(usize),
}

/// A kind of conversion: which piece moves, as what, and what happens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Conversion {
    pub(crate) mover: usize,
    pub(crate) change: Change,
    pub(crate) manner: Manner,
    /// The pieces that explode with the captured one, where captures explode (M1).
    pub(crate) blast: Option<Blast>,
    /// The value of the conversion if it ends the game or is not a move.
    pub(crate) ends: Option<Score>,
}

/// The neighbours of a capture that explode with the captured piece (M1), as sets of places among
/// the pieces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Blast {
    /// Those that stand beside the square of the capture.
    pub(crate) inside: u8,
    /// Those that do not.
    pub(crate) outside: u8,
    /// Whether the captor stays (D11).
    pub(crate) survives: bool,
}

impl Blast {
    /// The places of a set.
    pub(crate) fn places(set: u8) -> impl Iterator<Item = usize> {
        (0..8).filter(move |place| set >> place & 1 != 0)
    }
}

const _: () = assert!(Material::MOST_PIECES <= 8);

/// A way in which a piece moves to capture or to promote; a pawn has several.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Manner {
    /// The piece type that it moves like.
    pub(crate) acts: PieceType,
    /// The piece type that it is afterwards.
    pub(crate) becomes: PieceType,
    /// The part of the board in which the piece must stand.
    pub(crate) from: Part,
    /// The part of the board in which the piece must arrive.
    pub(crate) to: Part,
    /// Whether it is a king that moves like this only while it is not royal: see
    /// [`Royals::spare`].
    ///
    /// [`Royals::spare`]: super::royals::Royals::spare
    pub(crate) spare: bool,
}

/// A successor of a material, and whether its colours are swapped relative to those of the
/// material.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Leaving {
    /// The successor, in normal form.
    pub(crate) material: Material,
    pub(crate) swapped: bool,
}

/// The pieces after a conversion, by their places before it; `None` for the captured piece.
pub(crate) fn pieces_after(pieces: &[Piece], way: Conversion) -> Vec<Option<Piece>> {
    let mut after: Vec<Option<Piece>> = pieces.iter().copied().map(Some).collect();
    if let Change::Capture(victim) | Change::EnPassant(victim) = way.change {
        after[victim] = None;
    }
    after[way.mover] = Some(Piece::new(pieces[way.mover].colour, way.manner.becomes));
    if let Some(blast) = way.blast {
        if !blast.survives {
            after[way.mover] = None;
        }
        Blast::places(blast.inside).for_each(|place| after[place] = None);
    }
    after
}

/// The manners of a piece, by `spare` also those of a king that is not royal.
fn manners(game: Game, piece: Piece, spare: Option<PieceType>) -> Vec<Manner> {
    let piece_type = piece.piece_type;
    let manner = |acts, becomes, from, to| Manner {
        acts,
        becomes,
        from,
        to,
        spare: false,
    };
    if piece_type != PieceType::Pawn {
        let plain = manner(piece_type, piece_type, Part::All, Part::All);
        let spare = spare.map(|acts| Manner {
            acts,
            spare: true,
            ..plain
        });
        return [Some(plain), spare].into_iter().flatten().collect();
    }
    let (pawn, pawns) = (PieceType::Pawn, game.pawns());
    let where_if = |all| match all {
        true => Part::All,
        false => Part::AllButLast,
    };
    let from = where_if(pawns.stay && !pawns.wait);
    let mut list = vec![manner(pawn, pawn, from, where_if(pawns.stay))];
    for &becomes in game.promotions(piece.colour) {
        if pawns.promote_on_arrival {
            list.push(manner(pawn, becomes, from, Part::Last));
        }
        if pawns.wait {
            list.push(manner(becomes, becomes, Part::Last, Part::All));
        }
    }
    list
}

/// The value of taking one of so many pieces of a type where that decides the game (E6).
pub(crate) fn taking_one(game: Game, piece_type: PieceType, count: usize) -> Option<Score> {
    let decides = game.one_of_type(piece_type, count) == LastOfType::Decides;
    decides.then(|| match game.extinction_wins() {
        false => score::WINS_AT_ONCE,
        true => score::LOST,
    })
}

/// The sets of pieces that may explode by a capture (M1), each with its value if it ends the game.
fn blasts(
    game: Game,
    pieces: &[Piece],
    capture: &Conversion,
    victim: usize,
) -> Vec<(Blast, Option<Score>)> {
    let (mover, becomes) = (capture.mover, capture.manner.becomes);
    let side = pieces[mover].colour;
    let places = |wanted: &dyn Fn(Piece) -> bool| -> u8 {
        let others = (0..pieces.len()).filter(|&place| place != mover && place != victim);
        others
            .filter(|&place| wanted(pieces[place]))
            .fold(0, |set, place| set | 1 << place)
    };
    let others = places(&|piece| !game.is_spared(piece.piece_type));
    let blast = |inside, outside| Blast {
        inside,
        outside,
        survives: game.survives_captures(becomes),
    };
    let sets = |others: u8| (0..=others).filter(move |inside| inside & !others == 0);
    if game.lacks_royals() {
        let before = Material::of(pieces.iter().copied());
        let blast = |inside| blast(inside, others & !inside);
        let end = |inside: u8| {
            let blast = Some(blast(inside));
            let after = pieces_after(pieces, Conversion { blast, ..*capture });
            let after = Material::of(after.into_iter().flatten());
            let end = before.end_of_explosion(game, side, &after)?;
            Some(match end.winner(side.other()) {
                None => score::DRAW,
                Some(winner) if winner == side => score::WINS_AT_ONCE,
                Some(_) => score::LOST,
            })
        };
        return sets(others)
            .map(|inside| (blast(inside), end(inside)))
            .collect();
    }
    let king = |colour| places(&|piece| piece == Piece::new(colour, PieceType::King));
    let (own, theirs) = (king(side), king(side.other()));
    let kings = own | theirs;
    let others = others & !kings;
    let mut list = vec![(blast(theirs, own), Some(score::WINS_AT_ONCE))];
    for inside in sets(others) {
        list.push((blast(inside, kings | others & !inside), None));
    }
    list
}

/// Every conversion of a side.
pub(crate) fn ways(game: Game, pieces: &[Piece], side: Colour) -> Vec<Conversion> {
    let count = |piece: Piece| pieces.iter().filter(|m| **m == piece).count();
    let royals = Royals::new(game, pieces);
    // The value of taking the last piece of a side.
    let without_pieces = |loser: Colour| {
        let left = pieces.iter().filter(|piece| piece.colour == loser).count();
        let end = game.end_without_pieces(loser).filter(|_| left == 1)?;
        Some(match end.winner(loser) {
            None => score::DRAW,
            Some(winner) if winner == loser => score::LOST,
            Some(_) => score::WINS_AT_ONCE,
        })
    };
    let explodes = game.explodes();
    let pawns = game.pawns();
    let (ranks, zone) = (game.geometry().ranks, pawns.promotion_ranks);
    // Whether a double step may promote, and whether a pawn may be taken where others promote.
    let far = !pawns.on_squares
        && game
            .double_step_ranks(side)
            .any(|rank| rank + 2 + zone >= ranks);
    let (first, farthest) = pawns.ranks[side.other().index()];
    let pawns_on_last = match side {
        Colour::White => farthest + zone >= ranks,
        Colour::Black => first < zone,
    };
    let mut list = Vec::new();
    for (mover, piece) in pieces.iter().enumerate().filter(|(_, m)| m.colour == side) {
        let mut add = |change, manner: Manner, ends| {
            let conversion = Conversion {
                mover,
                change,
                manner,
                blast: None,
                ends,
            };
            let victim = match change {
                Change::Capture(victim) | Change::EnPassant(victim) if explodes => victim,
                _ => return list.push(conversion),
            };
            // Whatever a pawn would become explodes if it does not survive, and a royal king does not
            // capture (M1, D11).
            let mut alike = game.promotions(side).iter();
            let first = alike.find(|&&piece_type| !game.survives_captures(piece_type));
            let survives = game.survives_captures(manner.becomes);
            let is_told = manner.to == Part::Last && !survives && first != Some(&manner.becomes);
            if is_told || piece.piece_type == PieceType::King && !game.lacks_royals() {
                return;
            }
            let blasts = blasts(game, pieces, &conversion, victim).into_iter();
            list.extend(blasts.map(|(blast, ends)| Conversion {
                blast: Some(blast),
                ends,
                ..conversion
            }));
        };
        // Losing the last piece of a type may end the game (E6) or be forbidden (E2).
        let gone = |piece: Piece| game.one_of_type(piece.piece_type, count(piece));
        let lost = match game.extinction_wins() {
            false => score::LOST,
            true => score::WINS_AT_ONCE,
        };
        let (promotes, end) = match gone(*piece) {
            LastOfType::Free => (true, None),
            LastOfType::Stays => (false, None),
            LastOfType::Decides => (true, Some(lost)),
        };
        let turns = |manner: &Manner| manner.becomes != piece.piece_type;
        let mut manners = manners(game, *piece, royals.spare(mover));
        manners.retain(|manner| promotes || !turns(manner));
        for (victim, &taken) in pieces.iter().enumerate() {
            let is_immune =
                taken.piece_type == piece.piece_type && game.is_mutually_immune(taken.piece_type);
            if taken.colour == side || is_immune {
                continue;
            }
            let (possible, wins) = match gone(taken) {
                LastOfType::Free => (true, without_pieces(taken.colour)),
                // Royal pieces are never left attacked.
                LastOfType::Stays => (false, None),
                LastOfType::Decides => (true, taking_one(game, taken.piece_type, count(taken))),
            };
            let is_pawn = taken.piece_type == PieceType::Pawn;
            // Of a capture that also promotes the last pawn, what is better counts.
            let value = |manner: &Manner| {
                let end = end.filter(|_| turns(manner));
                match gone(taken) {
                    LastOfType::Decides => wins.max(end),
                    _ => end.or(wins),
                }
            };
            for manner in manners.iter().filter(|_| possible) {
                if manner.to != Part::Last || !is_pawn || pawns_on_last {
                    add(Change::Capture(victim), *manner, value(manner));
                }
            }
            let passes = match game.ep_by() {
                EnPassant::Off => false,
                EnPassant::Pawns => piece.piece_type == PieceType::Pawn,
                EnPassant::All => true,
            };
            if !is_pawn || !passes || pawns.double_step == DoubleStep::None {
                continue;
            }
            for manner in &manners {
                // The passed square is on nobody's last rank.
                let as_pawn = manner.acts == PieceType::Pawn;
                if manner.to == Part::Last || !as_pawn && game.ep_by() != EnPassant::All {
                    continue;
                }
                match possible {
                    true => add(Change::EnPassant(victim), *manner, value(manner)),
                    // It is not a move, but it forbids the double step (E3).
                    false if !are_beside(game) => {
                        add(Change::EnPassant(victim), *manner, Some(score::DRAW));
                    }
                    false => {}
                }
            }
        }
        for manner in manners.iter().filter(|manner| turns(manner)) {
            if manner.from == Part::Last {
                add(Change::Turn, *manner, end);
                continue;
            }
            add(Change::Step, *manner, end);
            if far {
                add(Change::DoubleStep, *manner, end);
            }
        }
    }
    list
}

/// The material that a conversion leads to.
pub(crate) fn exit(game: Game, after: &[Option<Piece>]) -> Leaving {
    let (material, swapped) = Material::of(after.iter().flatten().copied()).normal(game);
    Leaving { material, swapped }
}

/// The successors that the conversions of a material lead to, each once.
pub fn successors(game: Game, material: &Material) -> Vec<Material> {
    let mut list: Vec<Material> = leavings(game, material)
        .iter()
        .map(|l| l.material)
        .collect();
    list.dedup();
    list
}

/// The sides that are to move in a successor after some conversion of a material.
pub(crate) fn turns_after(game: Game, material: &Material, successor: &Material) -> [bool; 2] {
    let mut turns = [false; 2];
    for side in Colour::BOTH {
        for leaving in leavings_of(game, material, side, true) {
            if leaving.material == *successor {
                let turn = if leaving.swapped { side } else { side.other() };
                turns[turn.index()] = true;
            }
        }
    }
    turns
}

/// The successors of a material with the colours in which conversions reach them, each once, by
/// material.
pub(crate) fn leavings(game: Game, material: &Material) -> Vec<Leaving> {
    let of = |side| leavings_of(game, material, side, true);
    let mut list: Vec<Leaving> = Colour::BOTH.into_iter().flat_map(of).collect();
    list.sort_unstable();
    list.dedup();
    list
}

/// The successors that conversions of one side lead to; those after promotions only if `promotions`
/// is true.
pub(crate) fn leavings_of(
    game: Game,
    material: &Material,
    side: Colour,
    promotions: bool,
) -> Vec<Leaving> {
    let pieces: Vec<Piece> = material.pieces().collect();
    let mut list: Vec<Leaving> = ways(game, &pieces, side)
        .into_iter()
        .filter(|way| way.ends.is_none())
        .filter(|way| promotions || way.manner.becomes == pieces[way.mover].piece_type)
        .map(|way| exit(game, &pieces_after(&pieces, way)))
        .collect();
    list.sort_unstable();
    list.dedup();
    list
}
