//! Tests that the search never contradicts tables that it is not given.
//!
//! It finds every short win.

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use retrograde_probe::{Extra, Table, Tablebase, Wdl, table_path};
use retrograde_rules::{Colour, Counters, Game, Material, Position, Square};
use retrograde_search::{Limits, Proof, Search};

/// The tables that ship with the project.
pub(crate) fn shipped() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../tables")
}

/// The tables of three men at most.
pub(crate) fn three_men(game: Game) -> Tablebase {
    let shipped_tables = Tablebase::open(game, [shipped()]).expect("they ship");
    let few = shipped_tables
        .tables()
        .filter(|(material, _)| material.len() <= 3)
        .map(|(material, metric)| table_path(&shipped(), game, &material, metric));
    let tables = few.map(|path| Table::open(&path).expect("it ships"));
    Tablebase::from_tables(game, tables).expect("they are of this game")
}

/// Numbers without pattern (xorshift).
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn below(&mut self, end: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % end
    }

    /// A position of a material, counters and half-move clock as well.
    pub(crate) fn position(&mut self, game: Game, material: &Material) -> Position {
        loop {
            let turn = Colour::BOTH[self.below(2) as usize];
            let squares = game.geometry().squares() as u64;
            let pieces: Vec<_> = material
                .pieces()
                .map(|piece| (piece, Square(self.below(squares) as u8)))
                .collect();
            let Some(position) = Position::from_pieces(game, pieces, turn) else {
                continue;
            };
            let mut setup = position.setup();
            if let Some(full) = game.full_vitality().map(|full| full.white) {
                let mut points = || [1, 2, 3, full][self.below(4) as usize].min(full);
                setup.counters = Some(Counters {
                    white: points(),
                    black: points(),
                });
            }
            if game.zeroing_limit().is_some() && self.below(2) == 0 {
                setup.halfmoves = 94 + self.below(8) as u32;
            }
            return Position::new(game, &setup).expect("no more than the clocks has changed");
        }
    }
}

/// The materials of so many men that there are tables of.
pub(crate) fn materials(tables: &Tablebase, men: usize) -> Vec<Material> {
    let materials = tables.tables().map(|(material, _)| material);
    let mut materials: Vec<_> = materials.filter(|m| m.len() == men).collect();
    materials.sort();
    materials.dedup();
    materials
}

/// The games whose tables of three men ship, and these tables. Of antichess, which has many, only
/// those of two men do.
pub(crate) fn with_three_men() -> Vec<(Game, Tablebase)> {
    let open = |&game| (game, Tablebase::open(game, [shipped()]).expect("they ship"));
    let mut games: Vec<_> = Game::all().iter().map(open).collect();
    games.retain(|(_, tables)| !materials(tables, 3).is_empty());
    assert_eq!(games.len(), Game::all().len() - 1);
    games
}

/// Proofs say what the tables say.
fn compare(tables: &Tablebase, position: &Position, proof: &Proof) {
    let fen = position.fen();
    let truth = tables.probe(position).expect(&fen);
    let at_clock_0 = match truth.extra {
        Extra::Clock { wdl_at_clock_0 } => Some(wdl_at_clock_0),
        _ => None,
    };
    let truth = truth.value;
    assert!(proof.at_least >= truth.wdl, "{fen}: {proof:?}");
    assert!(proof.at_most <= truth.wdl, "{fen}: {proof:?}");
    for (found, truth) in [
        (proof.wdl, Some(truth.wdl)),
        (proof.wdl_at_clock_0, at_clock_0),
    ] {
        // Games without the fifty-move rule have no second category.
        let is_right = truth.is_none() || found == truth;
        assert!(found.is_none() || is_right, "{fen}: {proof:?}");
    }
    if proof.dtm.is_some() {
        assert_eq!(truth.dtm, proof.dtm, "{fen}");
    }
}

/// The plies in which somebody wins, if the tables say it.
fn depth(tables: &Tablebase, position: &Position) -> Option<u32> {
    tables
        .value(position)
        .ok()
        .and_then(|value| value.dtm)
        .map(u32::from)
}

/// Positions of three men without tables of three men.
#[test]
fn no_contradiction_and_no_short_win_is_missed() {
    const PLIES: u16 = 5;
    let never = AtomicBool::new(false);
    for (game, tables) in with_three_men() {
        let none = Tablebase::empty(game);
        let mut search = Search::new(&none, 2, 16 << 20);
        let mut random = Random(0x5eed + game.id().len() as u64);
        let (mut decided, mut short) = (0, 0);
        for material in materials(&tables, 3) {
            // In some games short wins are rare.
            for n in 0..1_500 {
                if n >= 300 && short >= 20 {
                    break;
                }
                let position = random.position(game, &material);
                let depth = depth(&tables, &position).filter(|&d| d <= PLIES.into());
                if depth.is_none() && n >= 10 {
                    continue;
                }
                let proof = search
                    .prove(&position, Limits::plies(PLIES), &never)
                    .expect("there is no table to be wrong");
                compare(&tables, &position, &proof);
                decided += u32::from(proof.wdl.is_some());
                if let Some(depth) = depth {
                    assert_eq!(proof.dtm.map(u32::from), Some(depth), "{}", position.fen());
                    short += 1;
                }
            }
        }
        assert!(decided >= 10, "{}: {decided}", game.id());
        assert!(
            short >= 10 || game.full_vitality().is_some(),
            "{}",
            game.id()
        );
    }
}

/// The number of positions, and of those among them that were decided.
#[derive(Default)]
struct Share {
    positions: u32,
    decided: u32,
}

impl Share {
    fn add(&mut self, proof: &Proof) {
        self.positions += 1;
        self.decided += u32::from(proof.wdl.is_some());
    }

    fn text(&self) -> String {
        let percent = 100.0 * f64::from(self.decided) / f64::from(self.positions.max(1));
        format!("{} of {} ({percent:.0} %)", self.decided, self.positions)
    }
}

/// Positions of four men with tables of three men. `scripts/run long shares` sets
/// the environment: the folder of the tables of four men, how many positions a
/// game, and how many seconds each may take.
#[test]
#[ignore = "needs tables of four men, and hours"]
fn shares() {
    let variable = |name: &str| std::env::var(format!("RETROGRADE_SHARES_{name}"));
    let folder = variable("TABLES").expect("run scripts/run long shares");
    let number = |name: &str| variable(name).expect(name).parse::<f64>().expect(name);
    let (count, seconds) = (number("COUNT") as u32, number("SECONDS"));
    let games = variable("GAMES").unwrap_or_default();
    let never = AtomicBool::new(false);
    for &game in Game::all() {
        if !games.is_empty() && !games.split(' ').any(|id| id == game.id()) {
            continue;
        }
        let tables = Tablebase::open(game, [folder.as_str()]).expect("the folder is there");
        let given = three_men(game);
        let mut random = Random(0x5eed);
        let materials = materials(&tables, 4);
        let (mut short, mut longest) = (Share::default(), Duration::ZERO);
        let mut rest = [const {
            (
                Wdl::Draw,
                Share {
                    positions: 0,
                    decided: 0,
                },
            )
        }; 5];
        rest.iter_mut()
            .zip(CATEGORIES)
            .for_each(|(share, category)| share.0 = category);
        for _ in 0..count {
            let material = materials[random.below(materials.len() as u64) as usize];
            let position = random.position(game, &material);
            // What one position has taught must not help with the next.
            let mut search = Search::new(&given, 2, 256 << 20);
            let is_short = depth(&tables, &position).is_some_and(|d| d <= 9);
            let limits = Limits {
                time: (!is_short).then(|| Duration::from_secs_f64(seconds)),
                shortest: is_short,
                ..Limits::plies(if is_short { 9 } else { Limits::MOST_PLIES })
            };
            let start = Instant::now();
            let proof = search
                .prove(&position, limits, &never)
                .expect("the tables are sound");
            compare(&tables, &position, &proof);
            let truth = tables
                .probe(&position)
                .expect("the tables are whole")
                .value
                .wdl;
            if is_short {
                let fen = position.fen();
                assert_eq!(proof.dtm.map(u32::from), depth(&tables, &position), "{fen}");
                short.add(&proof);
                longest = longest.max(start.elapsed());
            } else {
                let share = rest.iter_mut().find(|(category, _)| *category == truth);
                share.expect("every category is there").1.add(&proof);
            }
        }
        println!(
            "{}: {} at most 9 plies deep, all found, none in more than {longest:.1?}",
            game.id(),
            short.positions
        );
        let all = rest.iter().fold(Share::default(), |all, (_, share)| Share {
            positions: all.positions + share.positions,
            decided: all.decided + share.decided,
        });
        println!("  of the rest decided within {seconds} s: {}", all.text());
        for (category, share) in rest.iter().filter(|(_, share)| share.positions > 0) {
            println!("    {}: {}", category.name(), share.text());
        }
    }
}

const CATEGORIES: [Wdl; 5] = [
    Wdl::Win,
    Wdl::CursedWin,
    Wdl::Draw,
    Wdl::BlessedLoss,
    Wdl::Loss,
];
