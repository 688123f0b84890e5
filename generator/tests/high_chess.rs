//! Tests that High Chess tables are made and proved, and that changed values are found.
use std::fs::File;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, Ordering};

use retrograde::stats::stats;
use retrograde::verify::{self, VerifyError, VerifyReport, verify};
use retrograde_probe::write::{self, PackOptions, Watch, pack};
use retrograde_probe::{Metric, Table, Tablebase, ThresholdCurve, WinBy, needs, table_path};
use retrograde_rules::{Colour, Game, Material, Position, Square, Toll};

fn material(name: &str) -> Material {
    Material::parse(Game::parse("high-chess").unwrap(), name).unwrap()
}

/// Makes some materials, and all that they need.
fn make(id: &str, names: &[&str]) -> tempfile::TempDir {
    let game = Game::parse(id).unwrap();
    let folder = tempfile::tempdir().unwrap();
    crate::common::make(game, folder.path(), names, None);
    folder
}

fn proved(id: &str, folder: &Path, name: &str, sample: Option<u64>) -> VerifyReport {
    proved_by(id, folder, name, sample, &())
}

fn proved_by(
    id: &str,
    folder: &Path,
    name: &str,
    sample: Option<u64>,
    observer: &dyn verify::VerifyObserver,
) -> VerifyReport {
    let options = verify::VerifyOptions {
        tables: vec![folder.to_owned()],
        sample,
        journal: Some(verify::JournalFile {
            path: journal(folder),
            secrets: folder.join("secrets"),
            fresh: false,
        }),
        ..verify::VerifyOptions::default()
    };
    let game = Game::parse(id).unwrap();
    verify(game, &[material(name)], &options, observer).unwrap()
}

/// The file where the progress of a proof is kept.
fn journal(folder: &Path) -> std::path::PathBuf {
    folder.join("progress.json")
}

/// A file, its values and the curves that they stand for.
struct Doctored {
    path: std::path::PathBuf,
    table: Table,
    values: [Vec<i16>; 2],
    curves: Vec<ThresholdCurve>,
}

impl Doctored {
    fn open(id: &str, folder: &Path, name: &str, metric: Metric) -> Doctored {
        let game = Game::parse(id).unwrap();
        let path = table_path(folder, game, &material(name), metric);
        // Not mapped, because the file is to be replaced.
        let table = Table::from_bytes(std::fs::read(&path).unwrap()).unwrap();
        let values = Colour::BOTH.map(|turn| {
            let mut values = vec![0; table.index().len() as usize];
            table.read(turn, 0, &mut values).unwrap();
            values
        });
        let curves = table.header().curves.clone();
        Doctored {
            path,
            table,
            values,
            curves,
        }
    }

    fn position(&self, turn: Colour, index: u64) -> Option<Position> {
        let header = self.table.header();
        let mut squares = vec![Square(0); header.material.len()];
        self.table.index().decode(index, &mut squares);
        Position::from_pieces(header.game, header.material.pieces().zip(squares), turn)
    }

    /// A position whose value satisfies `likes`.
    fn find(&self, turn: Colour, likes: impl Fn(i16) -> bool) -> usize {
        let mut indices = 0..self.table.index().len();
        let found = indices.find(|&index| {
            let value = self.values[turn.index()][index as usize];
            likes(value) && self.position(turn, index).is_some()
        });
        found.unwrap() as usize
    }

    fn write(&self) {
        let header = self.table.header();
        let plan = write::TablePlan::new(header.game, &header.material, header.metric).unwrap();
        let plan = plan.order(&header.order).unwrap();
        let plan = plan.curves(self.curves.clone());
        let options = PackOptions::default();
        pack(
            &self.path,
            &plan,
            &options,
            Watch::default(),
            |turn, range, out| {
                let range = range.start as usize..range.end as usize;
                out.copy_from_slice(&self.values[turn.index()][range]);
            },
        )
        .unwrap();
    }
}

#[test]
fn what_is_made_is_proved() {
    for id in [
        "high-chess",
        "high-chess:vital-restores=both",
        "high-chess:vitality=1",
        "high-chess:vital-restores=both,vitality=3",
        "high-chess:vitality=4",
    ] {
        let folder = make(id, &["KRvK", "KPvK", "KvKQ"]);
        for name in ["KvK", "KRvK", "KPvK", "KvKQ"] {
            let report = proved(id, folder.path(), name, None);
            assert!(report.is_sound(), "{id} {name}: {:?}", report.materials);
            assert!(report.positions() > 900);
            // A sample so small that nothing is unpacked.
            let report = proved(id, folder.path(), name, Some(1));
            assert!(report.is_sound() && report.positions() <= 1, "{id} {name}");
        }
    }
}

/// Values that do not fit into memory are looked up in the files; only a material that is to be
/// proved as a whole must fit.
#[test]
fn little_memory_is_enough_for_a_sample() {
    let id = "high-chess:vitality=4";
    let game = Game::parse(id).unwrap();
    let folder = make(id, &["KRvK"]);
    let prove = |sample, memory| {
        let options = verify::VerifyOptions {
            tables: vec![folder.path().to_owned()],
            sample,
            memory: Some(memory),
            ..verify::VerifyOptions::default()
        };
        verify(game, &[material("KRvK")], &options, &())
    };
    assert!(prove(Some(20_000), 0).unwrap().is_sound());
    // A sample this large covers everything.
    let everything = prove(Some(u64::MAX), 0);
    assert!(matches!(everything, Err(VerifyError::Memory { .. })));
    let Err(VerifyError::Memory { needed, limit, .. }) = prove(None, 0) else {
        panic!("memory is needed");
    };
    assert_eq!(limit, 0);
    let report = prove(None, needed).unwrap();
    assert!(report.is_sound() && report.positions() > 40_000);
    assert!(prove(None, needed - 1).is_err());
}

/// A double step can be answered en passant here, by pinned pawns too.
#[test]
#[ignore = "takes a minute"]
fn pawns_against_pawns_are_proved() {
    let id = "high-chess:vitality=3";
    let folder = make(id, &["KPvKP"]);
    let report = proved(id, folder.path(), "KPvKP", Some(60_000));
    assert!(report.is_sound(), "{:?}", report.materials);
    assert!(report.positions() > 10_000);
}

#[test]
fn a_changed_curve_is_found() {
    for id in ["high-chess", "high-chess:vital-restores=both,vitality=5"] {
        let folder = make(id, &["KRvK"]);
        let mut file = Doctored::open(id, folder.path(), "KRvK", Metric::Thresholds);
        let index = file.find(Colour::Black, |value| {
            !file.curves[value as usize].iter().all(|t| t == 1)
        });
        // One point less for White, against one vitality of Black.
        let before = file.curves[file.values[1][index] as usize];
        let ([rises, _], counters) = (before.rises().0, before.counters());
        let falls = rises & !(rises << 1);
        let step = falls.trailing_zeros();
        let changed = rises & !(1 << step) | 1 << (step + 1);
        let changed = ThresholdCurve::from_rises(counters, changed);
        let other = ThresholdCurve::from_rises(counters, rises & (rises - 1));
        for changed in [changed, other] {
            if changed.iter().eq(before.iter()) {
                continue;
            }
            file.curves.push(changed);
            file.values[1][index] = file.curves.len() as i16 - 1;
            file.write();
            let report = proved(id, folder.path(), "KRvK", None);
            let proof = &report.materials[0];
            let fen = file.position(Colour::Black, index as u64).unwrap();
            let fen = fen.fen();
            let wrong = proof.examples.iter().find(|wrong| wrong.fen == fen);
            let wrong = wrong.unwrap_or_else(|| panic!("{fen}: {:?}", proof.examples));
            assert_eq!(wrong.metric, Metric::Thresholds);
            assert_ne!(wrong.stored, wrong.derived);
            assert!(wrong.stored.contains("wins with"), "{}", wrong.stored);
        }
    }
}

#[test]
fn a_changed_need_is_found() {
    let id = "high-chess:vitality=5";
    let folder = make(id, &["KRvK"]);
    // Black can never mate here, so there is no larger need.
    for (side, changes) in [(0, &[-1, 1][..]), (1, &[-1])] {
        for &change in changes {
            let mut file = Doctored::open(id, folder.path(), "KRvK", Metric::Mates);
            let sound = file.values.clone();
            let index = file.find(Colour::White, |value| {
                let changed = needs::split(value)[side] as i16 + change;
                (1..=6).contains(&changed)
            });
            let mut need = needs::split(sound[0][index]);
            need[side] = need[side].wrapping_add_signed(change as i8);
            file.values[0][index] = needs::join(need);
            file.write();
            let report = proved(id, folder.path(), "KRvK", None);
            let proof = &report.materials[0];
            assert!(proof.wrong > 0 && !proof.examples.is_empty());
            assert!(proof.examples.iter().all(|w| w.metric == Metric::Mates));
            file.values = sound;
            file.write();
            assert!(proved(id, folder.path(), "KRvK", None).is_sound());
        }
    }
}

/// Needs of two kings as if going round in circles for ever were mate: they follow
/// from each other, but rest on nothing else.
fn circular(id: &str, folder: &Path, side: Colour) -> Doctored {
    let mut file = Doctored::open(id, folder, "KvK", Metric::Mates);
    let game = Game::parse(id).unwrap();
    let full = game.full_vitality().unwrap().white;
    let rules = game.vitality().unwrap();
    let index = file.table.index().clone();
    let mut all = [(); 2].map(|()| vec![1; index.len() as usize]);
    let mut changed = true;
    while std::mem::take(&mut changed) {
        for turn in Colour::BOTH {
            for idx in 0..index.len() {
                let Some(position) = file.position(turn, idx) else {
                    continue;
                };
                let moves = position.legal_moves();
                let needs = moves.iter().map(|&mv| {
                    let after = position.play(mv);
                    let kings = Colour::BOTH.map(|colour| {
                        let king =
                            retrograde_rules::Piece::new(colour, retrograde_rules::PieceType::King);
                        after.board().of(king).first().unwrap()
                    });
                    let need: u8 =
                        all[turn.other().index()][index.encode(&kings).unwrap() as usize];
                    let paid = turn == side && rules.toll(&position, mv) == Toll::Paid;
                    (need + u8::from(paid)).min(full + 1)
                });
                let needs: Vec<u8> = needs.collect();
                let need = match turn == side {
                    true => needs.into_iter().min().unwrap(),
                    false => needs.into_iter().max().unwrap(),
                };
                let old = &mut all[turn.index()][idx as usize];
                changed |= *old != need;
                *old = need;
            }
        }
    }
    for (values, all) in file.values.iter_mut().zip(all) {
        for (value, need) in values.iter_mut().zip(all) {
            let mut needs = needs::split(*value);
            needs[side.index()] = need;
            *value = needs::join(needs);
        }
    }
    file
}

#[test]
fn mates_that_rest_on_themselves_are_found() {
    for id in ["high-chess", "high-chess:vital-restores=both,vitality=3"] {
        for side in Colour::BOTH {
            let folder = make(id, &["KvK"]);
            circular(id, folder.path(), side).write();
            let report = proved(id, folder.path(), "KvK", None);
            let proof = &report.materials[0];
            assert!(proof.wrong > 10, "{id}: {}", proof.wrong);
            for wrong in &proof.examples {
                // One turn alone shows nothing.
                let name = ["White", "Black"][side.index()];
                let text = format!("{name}'s need rests on itself");
                assert!(wrong.derived.contains(&text), "{wrong:?}");
                assert_eq!(wrong.metric, Metric::Mates);
            }
            // A sample cannot show it.
            assert!(proved(id, folder.path(), "KvK", Some(100)).is_sound());
        }
    }
}

/// Stops the n-th time it is asked.
struct Impatient(u32, AtomicU32);

impl verify::VerifyObserver for Impatient {
    fn interrupted(&self) -> bool {
        self.1.fetch_add(1, Ordering::Relaxed) >= self.0
    }
}

#[test]
fn an_interrupted_proof_goes_on() {
    let id = "high-chess:vitality=3";
    let folder = make(id, &["KPvK"]);
    let whole = proved(id, folder.path(), "KPvK", None);
    let (mut runs, mut patience) = (0, 0);
    let report = loop {
        let observer = Impatient(patience, AtomicU32::new(0));
        let report = proved_by(id, folder.path(), "KPvK", None, &observer);
        if !report.interrupted {
            break report;
        }
        (runs, patience) = (runs + 1, patience + 1);
    };
    assert!(runs > 2);
    assert!(!journal(folder.path()).exists());
    assert_eq!(without_history(report), whole);

    // Findings from before the interruption are not forgotten.
    let folder = make(id, &["KvK"]);
    circular(id, folder.path(), Colour::White).write();
    let whole = proved(id, folder.path(), "KvK", None);
    for patience in 0.. {
        let observer = Impatient(patience, AtomicU32::new(0));
        let report = proved_by(id, folder.path(), "KvK", None, &observer);
        if !report.interrupted {
            assert_eq!(without_history(report), whole);
            break;
        }
    }
}

/// A report as a single run would have made it.
fn without_history(mut report: VerifyReport) -> VerifyReport {
    for material in &mut report.materials {
        material.resumed = 0;
    }
    report
}

/// Records why progress cannot be kept.
#[derive(Default)]
struct Unkept(Mutex<Vec<String>>);

impl verify::VerifyObserver for Unkept {
    fn not_resumable(&self, why: &str) {
        self.0.lock().unwrap().push(why.to_owned());
    }
}

#[test]
fn two_proofs_do_not_write_over_each_others_progress() {
    let id = "high-chess:vitality=2";
    let folder = make(id, &["KvK"]);
    let kept = journal(folder.path());
    let lock = folder.path().join(".progress.json.lock");
    let other = File::create(&lock).unwrap();
    other.lock().unwrap();
    std::fs::write(&kept, "what the other run has kept").unwrap();
    let observer = Unkept::default();
    assert!(proved_by(id, folder.path(), "KvK", None, &observer).is_sound());
    let why = observer.0.into_inner().unwrap();
    assert!(
        matches!(&why[..], [why] if why.contains("another run")),
        "{why:?}"
    );
    assert!(kept.exists());

    drop(other);
    std::fs::remove_file(&kept).unwrap();
    let observer = Unkept::default();
    assert!(proved_by(id, folder.path(), "KvK", None, &observer).is_sound());
    assert!(observer.0.into_inner().unwrap().is_empty());
    assert!(!kept.exists() && !lock.exists());
}

/// Compares the counts of [`stats`] with probing every placement.
#[test]
fn winners_are_counted_at_full_counters() {
    for id in ["high-chess", "high-chess:vital-restores=both,vitality=3"] {
        let game = Game::parse(id).unwrap();
        let folder = make(id, &["KRvK"]);
        let tables = Tablebase::open(game, [folder.path()]).unwrap();
        let material = material("KRvK");
        let counts = stats(&tables, &material).unwrap();
        for turn in Colour::BOTH {
            let side = &counts.sides[turn.index()];
            let mut found = [0; 5];
            for [a, b, c] in (0..64_u64.pow(3)).map(|n| [n % 64, n / 64 % 64, n / 4096]) {
                let squares = [a, b, c].map(|square| Square(square as u8));
                let pieces = material.pieces().zip(squares);
                let Some(position) = Position::from_pieces(game, pieces, turn) else {
                    continue;
                };
                let answer = tables.vitality(&position).unwrap();
                let full = position.vitality().unwrap();
                found[0] += 1;
                found[if answer.winner(full) == turn { 1 } else { 2 }] += 1;
                let by_mate = answer.win_by(full) == Some(WinBy::Mate);
                found[if by_mate { 3 } else { 4 }] += 1;
            }
            let by = side.win_by.unwrap();
            let counted = [side.positions, side.win, side.loss, by.mate, by.exhaustion];
            assert_eq!(counted, found, "{id}, {} to move", turn.name());
            assert_eq!(side.draw, 0);
        }
        let by = counts.sides.map(|side| side.win_by.unwrap());
        assert!(by.iter().all(|by| by.mate > 0 && by.exhaustion > 0));

        // Both tables are needed.
        let mates = table_path(folder.path(), game, &material, Metric::Mates);
        std::fs::remove_file(mates).unwrap();
        let tables = Tablebase::open(game, [folder.path()]).unwrap();
        assert!(stats(&tables, &material).is_err());
    }
}
