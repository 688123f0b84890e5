//! Plans in all formats.

use serde_json::Value;

use crate::common::run;

#[test]
fn json_is_one_array() {
    let ran = run(&["plan", "orthodox", "KRvKP", "--format", "json"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
    let plan = ran.json();
    let plan = plan.as_array().unwrap();
    let mut made: Vec<&str> = Vec::new();
    for table in plan {
        let names: Vec<&String> = table.as_object().unwrap().keys().collect();
        assert_eq!(
            names,
            [
                "game",
                "material",
                "positions",
                "memory_bytes",
                "least_memory_bytes",
                "disk_bytes",
                "cpu_seconds",
                "needs"
            ]
        );
        assert_eq!(table["game"], "orthodox");
        for number in ["positions", "least_memory_bytes", "disk_bytes"] {
            assert!(table[number].as_u64().unwrap() > 0);
        }
        let memory = |name| table[name].as_u64().unwrap();
        assert!(memory("least_memory_bytes") <= memory("memory_bytes"));
        assert!(table["cpu_seconds"].as_f64().unwrap() > 0.0);
        for need in table["needs"].as_array().unwrap() {
            assert!(made.contains(&need.as_str().unwrap()));
        }
        made.push(table["material"].as_str().unwrap());
    }
    assert_eq!(made.len(), 10);
    assert_eq!(made.last(), Some(&"KRvKP"));
}

#[test]
fn as_many_tables_as_promised() {
    for (pieces, tables) in [("2", 0), ("3", 5), ("4", 35), ("5", 145)] {
        let ran = run(&["plan", "orthodox", "--men", pieces, "--format", "json"]);
        assert_eq!(ran.json().as_array().map(Vec::len), Some(tables));
    }
    for (game, tables) in [
        ("high-chess", 66),
        ("chess99", 49),
        ("kings", 48),
        ("wild9", 50),
        ("extinction-mating", 48),
        ("extinction", 48),
        ("king-of-the-hill", 36),
    ] {
        let ran = run(&["plan", game, "--men", "4", "--format", "json"]);
        assert_eq!(ran.json().as_array().map(Vec::len), Some(tables), "{game}");
    }
    let both = run(&[
        "plan", "orthodox", "KRvKP", "--men", "3", "--format", "json",
    ]);
    assert_eq!(both.json().as_array().map(Vec::len), Some(10));
}

#[test]
fn the_other_formats_have_all_tables() {
    let format = |format| run(&["plan", "orthodox", "--men", "4", "--format", format]).stdout;
    let json: Value = serde_json::from_str(&format("json")).unwrap();
    let (text, dot) = (format("text"), format("dot"));
    assert_eq!(run(&["plan", "orthodox", "--men", "4"]).stdout, text);
    for table in json.as_array().unwrap() {
        let name = table["material"].as_str().unwrap();
        assert!(text.lines().any(|l| l.starts_with(&format!("{name} "))));
        assert!(dot.contains(&format!("  \"{name}\" [")));
        for need in table["needs"].as_array().unwrap() {
            let need = need.as_str().unwrap();
            assert!(dot.contains(&format!("  \"{name}\" -> \"{need}\";")));
        }
    }
    assert!(text.contains("35 in all"));
    assert!(dot.starts_with("digraph \"orthodox\" {\n") && dot.ends_with("}\n"));
}

/// However long the numbers are, two spaces separate them.
#[test]
fn columns_do_not_run_together() {
    let ran = run(&["plan", "orthodox", "KRRRRRvK", "KQRRBNvK"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let end = |line: &str| line.rfind("  ").unwrap();
    let header = ran.lines()[0].to_owned();
    let cpu = header.find("CPU").unwrap() + 3;
    for line in ran.lines() {
        let cells: Vec<&str> = line
            .split("  ")
            .map(str::trim)
            .filter(|c| !c.is_empty())
            .collect();
        assert!(cells.len() >= 5, "{line}");
        assert!(line.len() == cpu || &line[cpu..cpu + 2] == "  ", "{line}");
        assert!(end(line) > 0);
    }
}

/// The tables of a workflow for Snakemake, and its rules.
fn workflow(game: &str, arguments: &[&str]) -> (Value, String) {
    let ran = run(&[&["plan", game], arguments, &["--format", "snakemake"]].concat());
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
    let (_, rest) = ran.stdout.split_once("\nPLAN = {\n").unwrap();
    let (plan, rules) = rest.split_once("\n}\n").unwrap();
    let plan = serde_json::from_str(&format!("{{{plan}}}")).unwrap();
    (plan, rules.to_owned())
}

#[test]
fn a_workflow_has_what_jobs_take() {
    for (game, arguments) in [
        ("orthodox", &["--men", "5"][..]),
        ("orthodox", &["KRPvKP"]),
        ("high-chess", &["--men", "4"]),
        ("kings:black-corner=h8,spare-king=duke", &["--men", "4"]),
        ("kings:board=10x10", &["KKvKP"]),
    ] {
        let (workflow, rules) = workflow(game, arguments);
        assert_eq!(workflow["game"], game);
        assert!(rules.contains("\nrule table:\n"));
        let list = run(&[&["plan", game], arguments, &["--format", "json"]].concat()).json();
        let list = list.as_array().unwrap();
        let tables = workflow["tables"].as_object().unwrap();
        // The same tables in the same order.
        let names: Vec<&str> = list
            .iter()
            .map(|t| t["material"].as_str().unwrap())
            .collect();
        assert_eq!(tables.keys().collect::<Vec<_>>(), names);
        let mut made: Vec<&str> = Vec::new();
        for (table, (name, job)) in list.iter().zip(tables) {
            assert_eq!(job["needs"], table["needs"]);
            for need in job["needs"].as_array().unwrap() {
                assert!(made.contains(&need.as_str().unwrap()), "{name}");
            }
            made.push(name);
            let number = |resource: &str| job[resource].as_u64().unwrap();
            let bytes = |of: &str| table[of].as_u64().unwrap();
            assert!(number("mem_mb") << 20 >= bytes("memory_bytes"), "{name}");
            assert!(number("disk_mb") << 20 >= bytes("disk_bytes"), "{name}");
            assert!((1..=32).contains(&number("threads")), "{name}");
            // Enough even if all threads work perfectly.
            let seconds = (60 * number("runtime") * number("threads")) as f64;
            assert!(seconds >= table["cpu_seconds"].as_f64().unwrap(), "{name}");
        }
    }
    let (six, _) = workflow("orthodox", &["KRPvKRP"]);
    let threads = |name: &str| six["tables"][name]["threads"].as_u64().unwrap();
    assert_eq!(threads("KRvK"), 1);
    // It fills the memory of many cores.
    assert_eq!(threads("KRPvKRP"), 32);
    // All tables that it rests on are read first, which takes a while.
    let bytes: u64 = run(&["plan", "orthodox", "KRPvKRP", "--format", "json"])
        .json()
        .as_array()
        .unwrap()
        .iter()
        .map(|table| table["disk_bytes"].as_u64().unwrap())
        .sum();
    let runtime = six["tables"]["KRPvKRP"]["runtime"].as_u64().unwrap();
    assert!(60 * runtime * (1 << 28) > bytes, "{runtime} minutes");
}

/// A workflow names the files that are made, or Snakemake would wait for others.
#[test]
fn a_workflow_names_the_files_that_are_made() {
    for game in ["orthodox", "high-chess", "kings:black-corner=h8"] {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().to_str().unwrap();
        let ran = run(&["generate", game, "KQvK", "--out", out]);
        assert_eq!(ran.code, 0, "{}", ran.stderr);
        let (workflow, _) = workflow(game, &["KQvK"]);
        let files = workflow["files"].as_array().unwrap();
        let mut made = 0;
        for name in workflow["tables"].as_object().unwrap().keys() {
            for file in files {
                let file = file.as_str().unwrap().replace("{material}", name);
                assert!(folder.path().join(&file).is_file(), "{game}: {file}");
                made += 1;
            }
        }
        let game_folder = std::fs::read_dir(folder.path()).unwrap().next().unwrap();
        let there = std::fs::read_dir(game_folder.unwrap().path()).unwrap();
        assert_eq!(there.count(), made, "{game}");
    }
}

/// A plan needs counts, not values: little memory and time for every game.
#[cfg(target_os = "linux")]
#[test]
fn many_men_of_every_game_are_planned_in_little_memory() {
    use crate::common::limited;
    let plans = |game: &str, men: &str, fewest: usize| {
        let ran = limited(200_000, &["plan", game, "--men", men]);
        assert_eq!(ran.status.code(), Some(0), "{game}");
        let text = String::from_utf8(ran.stdout).unwrap();
        assert!(text.lines().count() > fewest, "{game}: {text}");
    };
    // All others take as long, and have no more materials at once.
    plans("orthodox", "6", 500);
    for game in retrograde_rules::Game::all() {
        plans(&game.id(), "5", 145);
    }
    // Pawns of both sides, and a board of 100 squares.
    for (game, name) in [
        ("high-chess", "KPPPPvKP"),
        ("extinction", "PPPPvPPP"),
        ("kings:board=10x10,chancellor=on", "KKPPPvKP"),
        ("chess99", "KPPPvKPP"),
    ] {
        let ran = limited(200_000, &["plan", game, name]);
        let text = String::from_utf8_lossy(&ran.stderr);
        assert_eq!(ran.status.code(), Some(0), "{game}: {text}");
    }
}
