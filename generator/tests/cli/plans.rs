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
                "disk_bytes",
                "cpu_seconds",
                "needs"
            ]
        );
        assert_eq!(table["game"], "orthodox");
        for number in ["positions", "memory_bytes", "disk_bytes"] {
            assert!(table[number].as_u64().unwrap() > 0);
        }
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
    let (text, dot, snakemake) = (format("text"), format("dot"), format("snakemake"));
    assert_eq!(run(&["plan", "orthodox", "--men", "4"]).stdout, text);
    for table in json.as_array().unwrap() {
        let name = table["material"].as_str().unwrap();
        assert!(text.lines().any(|l| l.starts_with(&format!("{name} "))));
        assert!(dot.contains(&format!("  \"{name}\" [")));
        assert!(snakemake.contains(&format!("\nrule {name}:\n")));
        for metric in ["wdl", "dtm"] {
            let file = format!("TABLES + \"/orthodox/{name}.{metric}\"");
            // By the rule for everything, its own rule, and those that need it.
            assert!(snakemake.matches(&file).count() >= 2);
        }
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
