//! Tests that tables in both packings say the same.

use std::fs;
use std::ops::Range;
use std::path::Path;

use crate::common::make;
use retrograde::packing::Packing;
use retrograde::repack::{RepackOptions, repack};
use retrograde::stats::{recount, stats};
use retrograde::verify::{VerifyOptions, verify};
use retrograde_probe::format::{Codec, Sides};
use retrograde_probe::index::{Chapters, Division};
use retrograde_probe::write::{PackOptions, TablePlan, Watch, pack_to_bytes};
use retrograde_probe::{
    Index, Metric, ProbeError, Table, Tablebase, ThresholdCurve, score, table_path, whole,
};
use retrograde_rules::{Colour, Game, Material, Piece, PieceType, Position, Square};
use tempfile::TempDir;

/// Packs tables of `from` into `to`.
pub(crate) fn packed(game: Game, materials: &[Material], from: &Path, to: &Path, packing: Packing) {
    packed_with(game, materials, [from, to], packing, false);
}

/// Packs tables, with both sides to move if they are asked for.
pub(crate) fn packed_with(
    game: Game,
    materials: &[Material],
    [from, to]: [&Path; 2],
    packing: Packing,
    both_sides: bool,
) {
    let options = RepackOptions {
        both_sides,
        out: Some(to.to_owned()),
        tables: vec![from.to_owned()],
        packing,
    };
    assert!(repack(game, materials, &options, &()).unwrap());
}

/// Every position of a material, with both sides to move.
pub(crate) fn positions(game: Game, material: &Material) -> Vec<Position> {
    let index = Index::new(game, material).unwrap();
    let mut squares = vec![Square(0); index.pieces()];
    let mut all = Vec::new();
    for turn in Colour::BOTH {
        for number in 0..index.len() {
            index.decode(number, &mut squares);
            let pieces = material.pieces().zip(squares.iter().copied());
            all.extend(Position::from_pieces(game, pieces, turn));
        }
    }
    all
}

/// Both packings of some materials, compared in every way there is.
fn compare(id: &str, names: &[&str]) {
    let game = Game::parse(id).unwrap();
    let folders = [(); 3].map(|()| tempfile::tempdir().unwrap());
    let [fast, small, again] = folders.each_ref().map(tempfile::TempDir::path);
    let materials = make(game, fast, names, None);
    packed(game, &materials, fast, small, Packing::Small);
    packed(game, &materials, small, again, Packing::Fast);
    let open = |folder: &Path| Tablebase::open(game, [folder]).unwrap();
    let (before, after) = (open(fast), open(small));
    for material in &materials {
        for &metric in Metric::of(game) {
            let [fast, small, again] =
                [fast, small, again].map(|folder| table_path(folder, game, material, metric));
            assert!(
                fs::read(&fast).unwrap() == fs::read(&again).unwrap(),
                "{material}.{metric}"
            );
            let (fast, small) = (Table::open(&fast).unwrap(), Table::open(&small).unwrap());
            assert_eq!(small.header().codec, Packing::Small.codec());
            assert_eq!(small.header().digest, fast.header().digest);
            assert!(small.check().is_sound());
        }
        let all = positions(game, material);
        for (position, together) in all.iter().zip(after.probe_batch(&all, Metric::of(game))) {
            let probed = before.probe(position).unwrap();
            assert_eq!(probed, after.probe(position).unwrap(), "{}", position.fen());
            let value = before.value(position).unwrap();
            assert_eq!(together.unwrap(), value, "{}", position.fen());
        }
        let recounted = recount(&after, material).unwrap();
        assert_eq!(recount(&before, material).unwrap(), recounted);
        assert_eq!(stats(&before, material).unwrap(), recounted);
        assert_eq!(stats(&after, material).unwrap(), recounted);
    }
    let options = VerifyOptions {
        tables: vec![small.to_owned()],
        ..VerifyOptions::default()
    };
    assert!(verify(game, &materials, &options, &()).unwrap().is_sound());
}

#[test]
fn orthodox_with_promotions() {
    compare("orthodox", &["KPvK", "KRvK"]);
}

/// Tables of a material and of what they rest on, packed fast and small.
struct Both {
    material: Material,
    folders: [TempDir; 2],
}

impl Both {
    fn make(name: &str) -> Both {
        let folders = [(); 2].map(|()| tempfile::tempdir().unwrap());
        let [fast, small] = folders.each_ref().map(TempDir::path);
        let materials = make(Game::default(), fast, &[name], None);
        packed(Game::default(), &materials, fast, small, Packing::Small);
        Both {
            material: Material::parse(Game::default(), name).unwrap(),
            folders,
        }
    }

    fn open(&self) -> [Tablebase; 2] {
        let open = |folder: &TempDir| Tablebase::open(Game::default(), [folder.path()]).unwrap();
        self.folders.each_ref().map(open)
    }

    /// Calls `test` with all tables packed fast, with the small tables of some metrics and no
    /// others, and with some positions.
    fn with_small_alone(
        &self,
        metrics: &[Metric],
        test: impl Fn(&Tablebase, &Tablebase, &[Position]),
    ) {
        let alone = tempfile::tempdir().unwrap();
        for &metric in metrics {
            let path = |folder: &TempDir| {
                table_path(folder.path(), Game::default(), &self.material, metric)
            };
            fs::create_dir_all(path(&alone).parent().unwrap()).unwrap();
            fs::copy(path(&self.folders[1]), path(&alone)).unwrap();
        }
        let [before, _] = self.open();
        let after = Tablebase::open(Game::default(), [alone.path()]).unwrap();
        let some = positions(Game::default(), &self.material);
        let some: Vec<Position> = some.into_iter().step_by(7).collect();
        test(&before, &after, &some);
    }
}

/// A table of WDL answers by itself, whatever captures lead to.
fn wdl_takes_no_other_table(tables: &Both) {
    tables.with_small_alone(&[Metric::Wdl], |before, after, positions| {
        let table = after.table(&positions[0].material(), Metric::Wdl);
        assert_eq!(table.unwrap().unwrap().header().needs, []);
        for position in positions {
            let wdl = before.wdl(position).unwrap();
            assert_eq!(after.wdl(position).unwrap(), wdl, "{}", position.fen());
        }
    });
}

/// Distances of the side to move that a table has take the WDL of its material alone; the other
/// side takes the tables of successors, too, and says which is missing.
fn a_side_that_is_stored_takes_no_successors(tables: &Both) {
    let metrics = [Metric::Wdl, Metric::Dtz];
    tables.with_small_alone(&metrics, |before, after, positions| {
        let table = after.table(&positions[0].material(), Metric::Dtz);
        let sides = table.unwrap().unwrap().header().sides();
        assert!(matches!(sides, Sides::Only(_)), "{sides:?}");
        let mut missing = 0;
        for position in positions {
            let (fen, dtz) = (position.fen(), before.dtz(position).unwrap());
            match after.dtz(position) {
                Ok(found) => assert_eq!(found, dtz, "{fen}"),
                Err(error) => {
                    assert!(!sides.has(position.turn()), "{fen}: {error}");
                    assert!(matches!(error, ProbeError::Missing { .. }), "{error}");
                    missing += 1;
                }
            }
        }
        assert!(missing > 0);
    });
}

#[test]
fn games_without_a_fifty_move_rule() {
    compare("king-of-the-hill", &["KRvK"]);
    compare("kings", &["KKvK"]);
    compare("wild9", &["KNvK"]);
}

#[test]
fn games_in_which_captures_end_the_game() {
    compare("chess99", &["KNvK"]);
    compare("extinction", &["NvK", "PvK"]);
    compare("extinction-mating", &["KQvK"]);
}

#[test]
fn high_chess() {
    compare("high-chess", &["KvKN", "KQvK"]);
}

/// A tree cannot know curves whose numbers mean others in each chapter.
#[test]
fn curves_by_chapters_stay_as_they_are() {
    let game = Game::parse("high-chess:vitality=3").unwrap();
    let material = Material::parse(game, "KvKN").unwrap();
    let knight = Piece::new(Colour::Black, PieceType::Knight);
    let curve =
        |rises: u128| ThresholdCurve::from_rises(retrograde_rules::CounterRange::up_to(3), rises);
    let chapters = Chapters {
        by: vec![Division {
            piece: knight,
            parts: 2,
        }],
        lists: vec![vec![0, 1], vec![2, 3]],
    };
    let plan = TablePlan::new(game, &material, Metric::Thresholds).unwrap();
    let plan = plan.curves((0..4).map(curve).collect());
    let folder = tempfile::tempdir().unwrap();
    let path = table_path(folder.path(), game, &material, Metric::Thresholds);
    for (chapters, codec) in [(Some(chapters), Codec::Zstd), (None, Codec::Learned)] {
        let plan = plan.clone().chapters(chapters);
        let fill = |turn: Colour, indices: Range<u64>, values: &mut [i16]| {
            for (number, value) in indices.zip(values) {
                let mut squares = [Square(0); 3];
                plan.index().decode(number, &mut squares);
                let pieces = material.pieces().zip(squares);
                *value = match Position::from_pieces(game, pieces, turn) {
                    Some(_) => (number % 7 % 2) as i16,
                    None => score::DONT_CARE,
                };
            }
        };
        let bytes = pack_to_bytes(&plan, &PackOptions::default(), Watch::default(), fill).unwrap();
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, bytes).unwrap();
        packed(
            game,
            &[material],
            folder.path(),
            folder.path(),
            Packing::Small,
        );
        let table = Table::open(&path).unwrap();
        assert_eq!(table.header().codec, codec);
        assert!(table.check().is_sound());
        let mut values = vec![0; table.header().positions as usize];
        table.read(Colour::Black, 0, &mut values).unwrap();
        let mut given = values.clone();
        fill(Colour::Black, 0..given.len() as u64, &mut given);
        let all = values.iter().zip(&given);
        assert!(all.clone().any(|(&value, _)| value == 1));
        for (&value, &given) in all.filter(|&(_, &given)| given != score::DONT_CARE) {
            assert_eq!(value, given);
        }
    }
}

/// One side to move is enough: the other is the same with colours swapped where both sides have the
/// same pieces, and takes successors elsewhere.
fn as_many_pieces_on_both_sides(tables: &Both) {
    let game = Game::default();
    let [before, after] = tables.open();
    let material = tables.material;
    let wdl = before.table(&material, Metric::Wdl).unwrap().unwrap();
    for &metric in Metric::of(game) {
        let of = |tables: &Tablebase| {
            let table = tables.table(&material, metric).unwrap().unwrap();
            let read = |turn| whole::read_side(tables, table, turn, &|| false).unwrap();
            let header = table.header();
            (
                (header.sides(), header.needs.clone()),
                table.index().clone(),
                Colour::BOTH.map(read),
            )
        };
        let ((there, _), order, values) = of(&before);
        let ((here, needs), own, read) = of(&after);
        assert_eq!(there, Sides::Both);
        match material.is_symmetric(game) {
            // Little is not worth it, such as DTZ.
            true if metric == Metric::Dtz => {}
            true => {
                assert_ne!(here, Sides::Both, "{material}.{metric}");
                assert!(needs.iter().all(|need| need.metric == Metric::Wdl));
            }
            false if metric == Metric::Wdl => {
                assert_eq!((here, &needs[..]), (Sides::Both, &[][..]))
            }
            false => {
                assert_ne!(here, Sides::Both, "{material}.{metric}");
                assert!(needs.iter().any(|need| need.material != material));
            }
        }
        let mut squares = vec![Square(0); own.pieces()];
        for (turn, index) in Colour::BOTH
            .into_iter()
            .flat_map(|t| (0..own.len()).map(move |n| (t, n)))
        {
            own.decode(index, &mut squares);
            let pieces = material.pieces().zip(squares.iter().copied());
            let at = order.encode(&squares).unwrap() as usize;
            let [was, is] = [values[turn.index()][at], read[turn.index()][index as usize]];
            // Whatever a draw has as DTZ means nothing.
            let at = wdl.index().encode(&squares).unwrap();
            let is_draw = metric == Metric::Dtz && wdl.get(turn, at).unwrap() == 0;
            let differs = was != is && !is_draw;
            if !differs && !index.is_multiple_of(1009) {
                continue;
            }
            let Some(position) = Position::from_pieces(game, pieces, turn) else {
                continue;
            };
            let about = || format!("{metric} {}: {was} {is}", position.fen());
            let probed = [&before, &after].map(|tables| tables.probe(&position).unwrap());
            assert_eq!(probed[0], probed[1], "{}", about());
            assert!(!differs, "{}", about());
        }
    }
}

#[test]
fn the_same_pieces_on_both_sides() {
    as_many_pieces_on_both_sides(&Both::make("KRvKR"));
}

#[test]
fn two_pieces_each() {
    let tables = Both::make("KQvKR");
    as_many_pieces_on_both_sides(&tables);
    wdl_takes_no_other_table(&tables);
    a_side_that_is_stored_takes_no_successors(&tables);
}
