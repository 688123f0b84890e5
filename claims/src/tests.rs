//! Tests that claims get another verdict under other rules and with doctored tables.
//!
//! All is done on the tables of three men that ship with the project.

mod doctored;
mod interpreter;
mod naive;
mod options;
mod report;
mod rows;

use std::path::PathBuf;

use retrograde_index::{Metric, ThresholdCurve};
use retrograde_probe::Tablebase;
use retrograde_rules::{Colour, Game, Material, Piece, Position, Square};

use crate::catalogue::ENTRIES;
use crate::claim::Outcome;
use crate::engine::{Entry, answer as answer_to};
use crate::error::ClaimError;
use crate::scope::{Scope, Supply};
use crate::study::Study;
use crate::tables::{Curves, Library, Results, Volume};

/// The tables that ship.
pub(super) fn tables() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../tables"))
}

/// Knows the tables that ship, and makes none.
pub(super) struct Shipped;

impl Supply for Shipped {
    fn materials(&self, game: Game, men: usize) -> Vec<Material> {
        // Options do not change which materials of three men there are.
        let plain = Game::parse(game.name()).unwrap();
        let tables = Tablebase::open(plain, [tables()]).unwrap();
        let mut list: Vec<Material> = tables.tables().map(|(material, _)| material).collect();
        list.sort_unstable_by_key(|material| (material.len(), *material));
        list.dedup();
        list.retain(|material| material.len() <= men);
        list
    }

    fn ensure(&self, _: Game, _: &[Material], _: &[Metric]) -> Result<(), ClaimError> {
        Ok(())
    }
}

/// The claim with a tag.
pub(super) fn entry(tag: &str) -> &'static Entry {
    ENTRIES.iter().find(|entry| entry.claim.tag == tag).unwrap()
}

/// The answer from the tables of up to so many men, after `doctor` has replaced some, with
/// a game in the place of another.
pub(super) fn answer_of(
    tag: &str,
    men: usize,
    variant: Option<(&str, Game)>,
    doctor: impl Fn(&Library),
) -> Outcome {
    let library = Library::new(vec![tables()]);
    doctor(&library);
    examine(tag, men, variant, &Shipped, &library)
}

pub(super) fn examine(
    tag: &str,
    men: usize,
    variant: Option<(&str, Game)>,
    supply: &dyn Supply,
    library: &Library,
) -> Outcome {
    let scope = Scope {
        men,
        variant: variant.map(|(id, game)| (id.to_owned(), game)),
        supply,
    };
    let study = Study::new(&scope, library, &());
    answer_to(&study, entry(tag)).unwrap()
}

/// One material, without tables.
pub(super) struct Only(pub(super) Material);

impl Supply for Only {
    fn materials(&self, _: Game, _: usize) -> Vec<Material> {
        vec![self.0]
    }

    fn ensure(&self, _: Game, _: &[Material], _: &[Metric]) -> Result<(), ClaimError> {
        Ok(())
    }
}

/// The answer from one material, all of whose positions are lost by the side to move.
pub(super) fn answer_if_lost(tag: &str, id: &str, name: &str) -> Outcome {
    let (game, library) = (game(id), Library::new(Vec::new()));
    let material = material(game, name);
    let values = Results::filled(game, &material, |_, _| retrograde_index::Wdl::Loss);
    library.put(game, &material, values);
    examine(tag, 4, None, &Only(material), &library)
}

/// The answer from the tables as they are.
pub(super) fn answer(tag: &str) -> Outcome {
    answer_of(tag, 3, None, |_| {})
}

/// The answer from the tables of two bare kings alone.
pub(super) fn answer_of_kings(tag: &str) -> Outcome {
    answer_of(tag, 2, None, |_| {})
}

pub(super) fn game(id: &str) -> Game {
    Game::parse(id).unwrap()
}

pub(super) fn material(game: Game, name: &str) -> Material {
    Material::parse(game, name).unwrap()
}

/// Replaces the curve of every position of High Chess by one that lets the side win that
/// `winner` says, where it says one.
pub(super) fn doctor_winners(
    library: &Library,
    men: usize,
    winner: impl Fn(&Position) -> Option<Colour>,
) {
    let game = game("high-chess");
    for material in Shipped.materials(game, men) {
        let mut curves = Curves::clone(&*library.read(game, &material).unwrap());
        let pieces: Vec<Piece> = material.pieces().collect();
        let index = curves.index().clone();
        curves.doctor(|turn, n| {
            let mut squares = vec![Square(0); pieces.len()];
            index.decode(n, &mut squares);
            let placed = pieces.iter().copied().zip(squares);
            let winner = winner(&Position::from_pieces(game, placed, turn)?)?;
            Some(ThresholdCurve::constant(
                retrograde_rules::CounterRange::up_to(50),
                if winner == Colour::White { 1 } else { 51 },
            ))
        });
        library.put(game, &material, curves);
    }
}
