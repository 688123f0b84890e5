//! Compares two games, or two rule options, on the same placements with the same side to move.
//!
//! It counts the values in both, by the side to move, and apart from these the positions that an
//! immediate blunder decides; distances where both games give the same winner; and what only one
//! of the two allows. Claims about two games take the same numbers.

use std::cmp::Ordering;

use retrograde_index::Wdl;
use retrograde_rules::{Game, Material, Move, Position};

use crate::claim::{Claim, Classes};
use crate::definition::other_board;
use crate::engine::{Class, Counting, Entry};
use crate::error::ClaimError;
use crate::formula::NumberKey;
use crate::position::{carried_over, ends_at_once};
use crate::scope::is_possible;
use crate::study::{Visitor, visiting};
use crate::tables::Standings;
use crate::tally::place;

/// A comparison of two games, answered like a claim.
///
/// # Errors
/// [`ClaimError::Boards`] if their boards differ in size.
pub(crate) fn entry(games: [Game; 2], materials: &[Material]) -> Result<Entry, ClaimError> {
    if games[0].geometry() != games[1].geometry() {
        return Err(ClaimError::Boards(other_board(games[0], games[1])));
    }
    let text = include_str!("../games/compare.toml");
    let [first, second] = games.map(|game| game.id());
    let text = text.replace("FIRST", &first).replace("SECOND", &second);
    let mut claim: Claim = toml::from_str(&text)
        .unwrap_or_else(|error| unreachable!("the table of comparisons is wrong: {error}"));
    claim.games = vec![first, second];
    if !materials.is_empty() {
        let names = materials.iter().map(|material| material.name(games[0]));
        claim.classes = Classes::Named(names.collect());
    }
    Ok(Entry::of_games(claim, &COUNTING, games.to_vec()))
}

/// The counting of a comparison that is asked for.
static COUNTING: Counting = Counting::of("compare", |class| {
    let detail = Detail {
        at_once: true,
        plies: true,
        moves: true,
    };
    comparing(class, detail, |_, _| Ok(0))
});

/// The value of a position in the first game, for the side to move. That in the second is the
/// place: see [`place`]. Once for all positions, by the side to move, and for those that no
/// immediate blunder decides.
const VALUES: [&str; 3] = ["won", "drawn", "lost"];
const BY_TURN: [[&str; 3]; 2] = [
    ["white_won", "white_drawn", "white_lost"],
    ["black_won", "black_drawn", "black_lost"],
];
const CALM: [&str; 3] = ["calm_won", "calm_drawn", "calm_lost"];

/// The changes of value that are told apart, by the value in both games.
const CHANGES: usize = 3;

/// Questions of a comparison beside the values, each of which takes time.
#[derive(Clone, Copy, Default)]
pub(crate) struct Detail {
    /// Whether an immediate blunder decides a position in either game.
    pub(crate) at_once: bool,
    /// The plies to the end in both.
    pub(crate) plies: bool,
    /// The moves that only one of them allows.
    pub(crate) moves: bool,
}

/// Compares the first two games over a class. Counts `positions`; placements `foreign` to the
/// second game; `won`, `drawn` and `lost`, by the value in the second game; `other_value`; and
/// `cause` by what the caller tells changed positions apart by. Changes are shown by kind and by
/// cause.
pub(crate) fn comparing<'a>(
    class: &'a Class<'a>,
    detail: Detail,
    cause: impl Fn(&Position, [Wdl; 2]) -> Result<usize, ClaimError> + Sync + 'a,
) -> Result<Visitor<'a>, ClaimError> {
    let (library, second) = (class.library(), class.inquiry.games[1]);
    let colouring = class.colouring();
    let here = Standings::only(library, class.game(), &colouring)?;
    let there = match is_possible(second, &colouring) {
        true => Some(Standings::only(library, second, &colouring)?),
        false => None,
    };
    visiting(move |tally, spot| {
        let (position, turn) = (spot.position, spot.turn().index());
        let same = carried_over(position, second);
        let (Some(same), Some(there)) = (same, &there) else {
            tally.add("foreign");
            tally.show("foreign", position);
            return Ok(());
        };
        let values = [here.wdl(position)?, there.wdl(&same)?];
        let [from, to] = values.map(place);
        tally.add("positions");
        tally.add((VALUES[from], to));
        tally.add((BY_TURN[turn][from], to));
        let is_calm = detail.at_once && !(ends_at_once(position) || ends_at_once(&same));
        if is_calm {
            tally.add("calm");
            tally.add((CALM[from], to));
        }
        if detail.moves {
            for kind in only_moves(position, &same) {
                tally.add(kind);
                tally.show(kind, position);
            }
        }
        if from != to {
            tally.add("other_value");
            tally.add_if(is_calm, "calm_other_value");
            let cause = cause(position, values)?;
            tally.add(("cause", cause));
            tally.show(("cause", cause), position);
            let change: NumberKey = ("change", CHANGES * from + to);
            // What play decides is shown rather than a blunder.
            tally.show_ranked(change, (!is_calm).into(), position);
        } else if detail.plies
            && let (Some(mine), Some(others)) = (here.plies(position)?, there.plies(&same)?)
        {
            tally.add("same_winner");
            tally.add_times(mine.into(), "plies_here");
            tally.add_times(others.into(), "plies_there");
            let kind = match others.cmp(&mine) {
                Ordering::Less => "shorter",
                Ordering::Equal => "as_long",
                Ordering::Greater => "longer",
            };
            tally.add(kind);
            if kind != "as_long" {
                tally.show(kind, position);
            }
        }
        Ok(())
    })
}

/// The positions, of two, that have a move which the other has not.
fn only_moves(first: &Position, second: &Position) -> impl Iterator<Item = &'static str> {
    let moves = [first, second].map(|position| {
        let mut moves = position.legal_moves().to_vec();
        moves.sort_unstable();
        moves
    });
    let lacks = |a: &[Move], b: &[Move]| a.iter().any(|mv| b.binary_search(mv).is_err());
    let kinds = [
        ("only_first_moves", lacks(&moves[0], &moves[1])),
        ("only_second_moves", lacks(&moves[1], &moves[0])),
    ];
    kinds
        .into_iter()
        .filter(|(_, is)| *is)
        .map(|(kind, _)| kind)
}
