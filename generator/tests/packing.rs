//! Tables in both packings say the same, and one that rests on others says
//! nothing without them.

use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::common::make;
use retrograde::export::{Encoder, Export, Row};
use retrograde::generate::{GenerateOptions, generate};
use retrograde::packing::Packing;
use retrograde::plan::Plan;
use retrograde::repack::{RepackObserver, RepackOptions, RepackOutcome, repack};
use retrograde::stats::{recount, stats};
use retrograde::values::ValuesError;
use retrograde::verify::{VerifyObserver, VerifyOptions, verify};
use retrograde_probe::format::{Codec, Sides};
use retrograde_probe::index::{Chapters, Division};
use retrograde_probe::write::{PackOptions, TablePlan, Watch, pack_to_bytes};
use retrograde_probe::{
    Index, Metric, ProbeError, Table, TableFault, Tablebase, ThresholdCurve, score, table_path,
};
use retrograde_rules::{Colour, Game, Material, Piece, PieceType, Position, Square};

/// Packs tables of `from` into `to`.
pub(crate) fn packed(game: Game, materials: &[Material], from: &Path, to: &Path, packing: Packing) {
    packed_with(game, materials, [from, to], packing, false);
}

/// The same with both sides to move, if they are asked for.
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
        for (position, together) in all.iter().zip(after.values(&all)) {
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

/// Calls `test` with all tables of KQvKR and what they rest on packed fast, with its small
/// tables of some metrics and no others, and with some of its positions.
fn with_small_alone(metrics: &[Metric], test: impl Fn(&Tablebase, &Tablebase, &[Position])) {
    let game = Game::Orthodox;
    let folders = [(); 3].map(|()| tempfile::tempdir().unwrap());
    let [fast, small, alone] = folders.each_ref().map(tempfile::TempDir::path);
    let materials = make(game, fast, &["KQvKR"], None);
    packed(game, &materials, fast, small, Packing::Small);
    let material = Material::parse(game, "KQvKR").unwrap();
    for &metric in metrics {
        let path = |folder| table_path(folder, game, &material, metric);
        fs::create_dir_all(path(alone).parent().unwrap()).unwrap();
        fs::copy(path(small), path(alone)).unwrap();
    }
    let [before, after] = [fast, alone].map(|folder| Tablebase::open(game, [folder]).unwrap());
    let some = positions(game, &material).into_iter().step_by(7);
    test(&before, &after, &some.collect::<Vec<Position>>());
}

/// A table of WDL answers by itself, whatever captures lead to.
#[test]
fn wdl_takes_no_other_table() {
    with_small_alone(&[Metric::Wdl], |before, after, positions| {
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
#[test]
fn a_side_that_is_stored_takes_no_successors() {
    let metrics = [Metric::Wdl, Metric::Dtz];
    with_small_alone(&metrics, |before, after, positions| {
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
    let curve = |rises| ThresholdCurve::from_rises(3, rises);
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

/// One side to move is enough where both sides have the same pieces: the other is the same with
/// colours swapped. Other endings of two pieces each keep both sides of DTM, since larger ones
/// rest on either.
#[test]
fn as_many_pieces_on_both_sides() {
    let game = Game::Orthodox;
    for name in ["KRvKR", "KRvKB"] {
        let folders = [(); 2].map(|()| tempfile::tempdir().unwrap());
        let [fast, small] = folders.each_ref().map(tempfile::TempDir::path);
        let materials = make(game, fast, &[name], None);
        packed(game, &materials, fast, small, Packing::Small);
        let [before, after] = [fast, small].map(|f| Tablebase::open(game, [f]).unwrap());
        let material = Material::parse(game, name).unwrap();
        let wdl = before.table(&material, Metric::Wdl).unwrap().unwrap();
        for &metric in Metric::of(game) {
            let of = |tables: &Tablebase| {
                let table = tables.table(&material, metric).unwrap().unwrap();
                let read = |turn| tables.read_side(table, turn).unwrap();
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
                    assert_ne!(here, Sides::Both, "{name}.{metric}");
                    assert!(needs.iter().all(|need| need.metric == Metric::Wdl));
                }
                false if metric == Metric::Dtm => assert_eq!(here, Sides::Both),
                false => {}
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
}

#[derive(Default)]
struct Kept(std::sync::Mutex<Vec<bool>>);

impl RepackObserver for Kept {
    fn end(&self, outcome: &RepackOutcome) {
        self.0.lock().unwrap().push(outcome.kept);
    }
}

#[test]
fn in_place_and_kept() {
    let game = Game::Orthodox;
    let folder = tempfile::tempdir().unwrap();
    let materials = make(game, folder.path(), &["KRvK"], None);
    let options = RepackOptions {
        both_sides: false,
        out: None,
        tables: vec![folder.path().to_owned()],
        packing: Packing::Small,
    };
    for kept in [false, true] {
        let observer = Kept::default();
        assert!(repack(game, &materials, &options, &observer).unwrap());
        assert_eq!(*observer.0.lock().unwrap(), [kept; 3]);
    }
    let codecs = Metric::of(game).iter().map(|&metric| {
        let path = table_path(folder.path(), game, &materials[0], metric);
        Table::open(&path).unwrap().header().codec
    });
    assert!(codecs.eq([Codec::Learned; 3]));
    let sides = |metric| {
        let path = table_path(folder.path(), game, &materials[0], metric);
        Table::open(&path).unwrap().header().sides()
    };
    assert_eq!(sides(Metric::Wdl), Sides::Both);
    assert_ne!(sides(Metric::Dtz), Sides::Both);
    // Both sides on request.
    let both = RepackOptions {
        both_sides: true,
        ..options
    };
    for kept in [false, true] {
        let observer = Kept::default();
        assert!(repack(game, &materials, &both, &observer).unwrap());
        assert_eq!(observer.0.lock().unwrap().last(), Some(&kept));
        assert_eq!(sides(Metric::Dtz), Sides::Both);
    }
    let names = fs::read_dir(folder.path().join("orthodox")).unwrap();
    assert_eq!(names.count(), 3);
}

#[test]
fn the_bytes_do_not_depend_on_threads() {
    let game = Game::Orthodox;
    let fast = tempfile::tempdir().unwrap();
    let materials = make(game, fast.path(), &["KPvK"], None);
    let files: Vec<Vec<Vec<u8>>> = [1, 2, 3]
        .into_iter()
        .map(|threads| {
            let small = tempfile::tempdir().unwrap();
            let pool = rayon::ThreadPoolBuilder::new()
                .num_threads(threads)
                .build()
                .unwrap();
            pool.install(|| packed(game, &materials, fast.path(), small.path(), Packing::Small));
            let paths = materials.iter().flat_map(|material| {
                Metric::of(game)
                    .iter()
                    .map(|&m| table_path(small.path(), game, material, m))
            });
            paths.map(|path| fs::read(path).unwrap()).collect()
        })
        .collect();
    assert!(files[0] == files[1] && files[1] == files[2]);
}

fn copy(from: &Path, to: &Path, names: &[&str]) {
    fs::create_dir_all(to.join("orthodox")).unwrap();
    for name in names {
        let path = |folder: &Path| -> PathBuf { folder.join("orthodox").join(name) };
        fs::copy(path(from), path(to)).unwrap();
    }
}

/// A table that another rests on: without it, and with another in its place,
/// there is no answer.
#[test]
fn what_a_table_rests_on_is_missed() {
    let game = Game::Orthodox;
    let [fast, small, alone, other, solved] = [(); 5].map(|()| tempfile::tempdir().unwrap());
    let materials = make(game, fast.path(), &["KPvK"], None);
    packed(game, &materials, fast.path(), small.path(), Packing::Small);
    let position = Position::from_fen(game, "8/4P3/8/8/8/2k5/8/K7 w - -").unwrap();
    let ask = |folder: &Path| Tablebase::open(game, [folder]).unwrap().probe(&position);
    let known = ask(fast.path()).unwrap();
    assert_eq!(ask(small.path()).unwrap(), known);

    copy(
        small.path(),
        alone.path(),
        &["KPvK.wdl", "KPvK.dtm", "KPvK.dtz"],
    );
    match ask(alone.path()) {
        Err(ProbeError::Missing {
            material, metric, ..
        }) => {
            let promoted = ["KQvK", "KRvK", "KBvK", "KNvK"];
            assert!(promoted.contains(&material.to_string().as_str()));
            assert_eq!(metric, Some(Metric::Wdl));
        }
        answer => panic!("{answer:?}"),
    }

    // The same material with other values: another number for fifty.
    let options = GenerateOptions {
        out: other.path().to_owned(),
        limit: Some(6),
        ..GenerateOptions::default()
    };
    let queen = Material::parse(game, "KQvK").unwrap();
    generate(
        game,
        &Plan::new(game, &[queen], None).unwrap(),
        &options,
        &(),
    )
    .unwrap();
    copy(
        small.path(),
        solved.path(),
        &["KPvK.wdl", "KPvK.dtm", "KPvK.dtz", "KRvK.wdl"],
    );
    copy(small.path(), solved.path(), &["KBvK.wdl", "KNvK.wdl"]);
    copy(other.path(), solved.path(), &["KQvK.wdl"]);
    match ask(solved.path()) {
        Err(ProbeError::Table { error, .. }) => {
            let fault = &error.fault;
            assert!(
                matches!(fault, TableFault::Need { remade: true, .. }),
                "{error}"
            );
            assert!(fault.is_foreign(), "{error}");
        }
        answer => panic!("{answer:?}"),
    }
    // The right one in the other packing will do.
    copy(fast.path(), solved.path(), &["KQvK.wdl"]);
    assert_eq!(ask(solved.path()).unwrap().value, known.value);
}

/// Rows as lines.
#[derive(Default)]
struct Lines(Vec<u8>);

impl Encoder for Lines {
    fn add(&mut self, row: &Row) {
        let cells: Vec<String> = row.cells().map(|cell| cell.to_string()).collect();
        self.0.extend(cells.join(",").bytes());
        self.0.push(b'\n');
    }

    fn into_bytes(self) -> Vec<u8> {
        self.0
    }
}

/// Small tables have the same rows as fast ones, and the first rows do not wait until
/// everything that the others rest on has been worked out.
/// Stops a proof the n-th time it is asked.
struct Impatient {
    patience: usize,
    asked: AtomicUsize,
    /// How often it had been asked when the first positions were derived.
    at_first: OnceLock<usize>,
}

impl VerifyObserver for Impatient {
    fn progress(&self, _: u64, _: u64) {
        let asked = self.asked.load(Ordering::Relaxed);
        self.at_first.get_or_init(|| asked);
    }

    fn interrupted(&self) -> bool {
        self.asked.fetch_add(1, Ordering::Relaxed) >= self.patience
    }
}

#[test]
fn a_proof_can_be_stopped_while_tables_are_unpacked() {
    let folders = [(); 2].map(|()| tempfile::tempdir().unwrap());
    let [fast, small] = folders.each_ref().map(tempfile::TempDir::path);
    let materials = make(Game::Orthodox, fast, &["KPvK"], None);
    packed(Game::Orthodox, &materials, fast, small, Packing::Small);
    let options = VerifyOptions {
        tables: vec![small.to_owned()],
        ..VerifyOptions::default()
    };
    let proof = |patience| {
        let observer = Impatient {
            patience,
            asked: AtomicUsize::new(0),
            at_first: OnceLock::new(),
        };
        let last = &materials[materials.len() - 1..];
        let report = verify(Game::Orthodox, last, &options, &observer).unwrap();
        (report, observer.at_first.into_inner())
    };
    let (report, at_first) = proof(usize::MAX);
    assert!(report.is_sound() && !report.interrupted);
    // For each of many parts that are unpacked.
    assert!(at_first > Some(10), "{at_first:?}");
    let (report, at_first) = proof(5);
    assert!(report.interrupted && at_first.is_none(), "{at_first:?}");
}

#[test]
fn first_rows_come_at_once() {
    let game = Game::Orthodox;
    let folders = [(); 2].map(|()| tempfile::tempdir().unwrap());
    let [fast, small] = folders.each_ref().map(tempfile::TempDir::path);
    let materials = make(game, fast, &["KPvK"], None);
    packed(game, &materials, fast, small, Packing::Small);
    let material = Material::parse(game, "KPvK").unwrap();
    let rows = |folder: &Path| {
        let tables = Tablebase::open(game, [folder]).unwrap();
        let export = Export::new(&tables, &material, Vec::new()).unwrap();
        let asked = AtomicUsize::new(0);
        let stop = || {
            asked.fetch_add(1, Ordering::Relaxed);
            false
        };
        let (mut all, mut first) = (Vec::new(), None);
        let write = |bytes: &[u8]| {
            first.get_or_insert(asked.load(Ordering::Relaxed));
            all.extend_from_slice(bytes);
            Ok::<_, ValuesError>(())
        };
        export.run(Lines::default, write, &stop).unwrap();
        (all, first, asked.into_inner())
    };
    let (expected, ..) = rows(fast);
    let (found, first, asked) = rows(small);
    assert!(!expected.is_empty() && found == expected);
    // Preparing asks for every part of every table.
    assert_eq!(first, Some(1));
    assert!(asked > 100, "{asked}");

    let tables = Tablebase::open(game, [small]).unwrap();
    let export = Export::new(&tables, &material, Vec::new()).unwrap();
    let stopped = export.run(Lines::default, |_| Ok::<_, ValuesError>(()), &|| true);
    let stopped = stopped.unwrap_err();
    assert!(matches!(stopped, ValuesError::Probe(ProbeError::Stopped)));
}
