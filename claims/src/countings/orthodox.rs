//! Claims about orthodox endings, such as how many positions are dead: counts each over tables.

use retrograde_index::{Helpmate, Wdl};
use retrograde_rules::{Colour, Material, Piece, PieceType, Position};
use serde_json::json;

use crate::engine::{Class, Counting, Findings, Inquiry};
use crate::error::ClaimError;
use crate::formula::{Counted, count};
use crate::study::{Visitor, visiting, visiting_where};
use crate::tables::{Helpmates, Results};

/// The countings of the claims about orthodox chess.
pub(crate) const COUNTINGS: &[Counting] = &[
    Counting::of("O-1", dead_positions).finish(confirm_dead),
    Counting::of("O-2", mating_material)
        .after_class(compare_class)
        .finish(confirm_mating_material),
    Counting::of("O-3", fifty_moves)
        .after_class(tell_longest_win)
        .finish(find_longest_wins),
];

/// Positions in which neither side can be mated: of the listed combinations, of other men that
/// are always dead, stalemates, and others.
fn dead_positions<'a>(class: &'a Class<'a>) -> Result<Visitor<'a>, ClaimError> {
    let helpmates = class.values::<Helpmates>()?;
    visiting(move |tally, spot| {
        let position = spot.position;
        let is_dead = helpmates.get(spot.turn(), spot.index).is_dead();
        tally.add("positions");
        if is_listed(position) {
            tally.add("listed");
            tally.add_if(is_dead, "listed_dead");
        } else if !is_dead {
        } else if position.dead() == Some(true) {
            tally.add("by_material");
            tally.show("by_material", position);
        } else if position.legal_moves().is_empty() {
            tally.add("stalemates");
        } else {
            tally.add("by_placement");
            tally.show("by_placement", position);
        }
        Ok(())
    })
}

/// Whether the men are one of the four combinations: dead by material with at most one man
/// beside each king.
fn is_listed(position: &Position) -> bool {
    let few = |colour| position.board().by(colour).len() <= 2;
    position.dead() == Some(true) && Colour::BOTH.into_iter().all(few)
}

/// Probes for the examples of dead positions.
fn confirm_dead(inquiry: &Inquiry, found: &mut Findings) -> Result<(), ClaimError> {
    for kind in ["by_placement", "by_material"] {
        confirm(inquiry, found, kind, "dead", |_, helpmate| {
            helpmate.is_dead()
        })?;
    }
    let counted = &mut found.counted;
    let text = match counted.get("listed - listed_dead") {
        0 => "All".to_owned(),
        _ => count(counted.get("listed_dead")),
    };
    counted.set("dead_of_listed", text);
    Ok(())
}

/// Whether probing says of the examples of a kind what they were counted as; `is_so` says it of
/// a position and the sides that can be mated.
fn confirm(
    inquiry: &Inquiry,
    found: &mut Findings,
    kind: &'static str,
    counted: &str,
    is_so: impl Fn(&Position, Helpmate) -> bool,
) -> Result<(), ClaimError> {
    // What has been made up cannot be probed for.
    if inquiry.study.library.is_doctored() {
        return Ok(());
    }
    let can = |can| if can { "can" } else { "cannot" };
    for position in found.spread((kind, 0)).pick() {
        let game = position.game();
        let probed = inquiry.study.library.probe(game)?.helpmate(&position)?;
        if !probed.is_some_and(|helpmate| is_so(&position, helpmate)) {
            return Err(ClaimError::Contradiction {
                game: game.id(),
                fen: position.fen(),
                counted: counted.to_owned(),
                probed: match probed {
                    Some(Helpmate { white, black }) => {
                        format!("that White {} be mated, Black {}", can(white), can(black))
                    }
                    None => "nothing".to_owned(),
                },
            });
        }
    }
    Ok(())
}

/// The sides that can mate, by the first and the second one.
const MATES: [&str; 2] = ["first_mates", "second_mates"];

/// Sides that have mating material, and cannot mate; or the other way round.
fn mating_material<'a>(class: &'a Class<'a>) -> Result<Visitor<'a>, ClaimError> {
    let helpmates = class.values::<Helpmates>()?;
    let has = Colour::BOTH.map(|side| has_mating_material(class.material, side));
    visiting(move |tally, spot| {
        tally.add("positions");
        let helpmate = helpmates.get(spot.turn(), spot.index);
        for side in Colour::BOTH {
            let mates = helpmate.can_be_mated(side.other());
            tally.add_if(mates, MATES[side.index()]);
            match (has[side.index()], mates) {
                (true, false) if spot.position.legal_moves().is_empty() => tally.add("over"),
                (true, false) => {
                    tally.add("too_much");
                    tally.show("too_much", spot.position);
                }
                (false, true) => {
                    tally.add("too_little");
                    tally.show("too_little", spot.position);
                }
                _ => {}
            }
        }
        Ok(())
    })
}

/// Whether a side has more than one minor piece beside its king (O5).
fn has_mating_material(material: &Material, colour: Colour) -> bool {
    let count = |piece_type| material.count(Piece::new(colour, piece_type));
    let minor = count(PieceType::Bishop) + count(PieceType::Knight);
    material.side_len(colour) > 1 + minor || minor > 1
}

/// The men of a side: `KB`.
fn men(material: &Material, colour: Colour) -> String {
    let pieces = material.pieces().filter(|piece| piece.colour == colour);
    pieces.map(|piece| piece.piece_type.letter()).collect()
}

/// The sides of a class that have mating material and can mate in no position, or the other way
/// round.
fn compare_class(class: &Class, counted: &mut Counted) -> Result<(), ClaimError> {
    for (side, mates) in Colour::BOTH.into_iter().zip(MATES) {
        let has = has_mating_material(class.material, side);
        counted.set(["first_has", "second_has"][side.index()], has);
        let differs = has != (counted.get(mates) > 0);
        counted.add(("differing_sides", 0), differs.into());
        counted.add(("differs", 2 * class.number + side.index()), differs.into());
    }
    counted.add(("all_sides", 0), 2);
    Ok(())
}

/// Probes for the examples, and lists the classes that differ.
fn confirm_mating_material(inquiry: &Inquiry, found: &mut Findings) -> Result<(), ClaimError> {
    for (kind, has) in [("too_much", true), ("too_little", false)] {
        // Some side has it, and cannot mate; or the other way round.
        let differs = |position: &Position, helpmate: Helpmate| {
            Colour::BOTH.into_iter().any(|side| {
                has_mating_material(&position.material(), side) == has
                    && helpmate.can_be_mated(side.other()) != has
            })
        };
        confirm(
            inquiry,
            found,
            kind,
            "at odds with mating material",
            differs,
        )?;
    }
    let sides = inquiry
        .classes
        .iter()
        .flat_map(|class| Colour::BOTH.map(|side| (class, side)));
    let differ = sides.zip(found.counted.list("differs"));
    let mut at_odds: Vec<String> = differ
        .filter(|(_, differs)| **differs > 0)
        .map(|((class, side), _)| format!("{} in {class}", men(class, side)))
        .collect();
    at_odds.dedup();
    let text = match at_odds.is_empty() {
        true => String::new(),
        false => format!(": {}", at_odds.join(", ")),
    };
    found.counted.set("differing_classes", text);
    found.counted.set("classes_that_differ", at_odds);
    Ok(())
}

/// Wins, and those that the fifty-move rule takes away.
fn fifty_moves<'a>(class: &'a Class<'a>) -> Result<Visitor<'a>, ClaimError> {
    let values = class.values::<Results>()?;
    visiting(move |tally, spot| {
        let value = values.wdl(spot.turn(), spot.index);
        tally.add("positions");
        tally.add_if(value < Wdl::Draw, "wins");
        if value == Wdl::CursedWin {
            tally.add("cursed");
            tally.show("cursed", spot.position);
        }
        Ok(())
    })
}

/// The longest win of a class.
fn tell_longest_win(class: &Class, counted: &mut Counted) -> Result<(), ClaimError> {
    let plies = class
        .inquiry
        .study
        .longest_win(class.game(), class.material)?;
    counted.set("longest_plies", json!(plies));
    // No win is less than one of 0 plies.
    let longest = plies.map_or(0, |plies| u64::from(plies) + 1);
    counted.add(("longest", class.number), longest);
    Ok(())
}

/// Finds the positions of the longest win of all.
fn find_longest_wins(inquiry: &Inquiry, found: &mut Findings) -> Result<(), ClaimError> {
    let (study, game) = (inquiry.study, inquiry.games[0]);
    let longest = inquiry.classes.iter().zip(found.counted.list("longest"));
    let longest = longest.filter(|(_, longest)| **longest > 0);
    let longest = longest.max_by_key(|&(class, longest)| (*longest, class));
    let Some((class, plies)) = longest.map(|(class, longest)| (class, *longest as u32 - 1)) else {
        found.counted.set("longest_win", "There is no win");
        return Ok(());
    };
    let text = format!("The longest win of all, in {class}, takes {plies} plies");
    found.counted.set("longest_win", text);
    let values = study.library.depths(game, class)?;
    let is_longest = |turn, index| {
        values.wdl(turn, index) < Wdl::Draw && values.plies(turn, index) == Some(plies)
    };
    let visitor = visiting_where(is_longest, |tally, spot| {
        tally.show("longest", spot.position);
        Ok(())
    })?;
    let tally = study.walk(game, class, None, &visitor)?;
    found.add(class, tally);
    Ok(())
}
