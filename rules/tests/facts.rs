//! Tests facts about positions, worked out by hand from the rulings: `facts/*.txt`, one a line.
//!
//! A fact begins with the tag of a ruling in docs/RULES.md, or `-` for what is no ruling. A FEN
//! follows, then claims, each behind a `|`. A claim is `VERB [OPERAND] = VALUE`; behind moves and
//! `>` it is about the position after them. Lines that begin with a blank go on with the fact.
//! The other lines are about a game: `game` and `define` say which games follow.

use retrograde_rules::{
    Colour, EpFault, Epd, Fault, Forgive, Game, Interchange, Material, MoveError, MoveKind,
    Position, ReadError, Setup, Symmetry,
};

use crate::common::{define, moves};

const MANUAL: &str = include_str!("../../docs/RULES.md");

const FILES: [&str; 15] = [
    include_str!("facts/orthodox.txt"),
    include_str!("facts/high-chess.txt"),
    include_str!("facts/chess99.txt"),
    include_str!("facts/kings.txt"),
    include_str!("facts/extinction.txt"),
    include_str!("facts/king-of-the-hill.txt"),
    include_str!("facts/antichess.txt"),
    include_str!("facts/atomic.txt"),
    include_str!("facts/racing-kings.txt"),
    include_str!("facts/shatranj.txt"),
    include_str!("facts/makruk.txt"),
    include_str!("facts/capablanca.txt"),
    include_str!("facts/three-check.txt"),
    include_str!("facts/horde.txt"),
    include_str!("facts/castling.txt"),
];

const DEFINITIONS: &str = include_str!("facts/definitions.txt");

/// The lines of a file without comments; those that go on with a fact are part of its line.
fn lines(text: &str) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for line in text
        .lines()
        .filter(|line| !line.starts_with('#') && !line.is_empty())
    {
        match lines.last_mut() {
            Some(last) if line.starts_with(' ') => last.push_str(line),
            _ => lines.push(line.to_owned()),
        }
    }
    lines
}

/// The name of a variant, as `Debug` writes it.
fn variant(value: &impl std::fmt::Debug) -> String {
    let text = format!("{value:?}");
    text.chars()
        .take_while(char::is_ascii_alphanumeric)
        .collect()
}

fn names(game: Game, squares: impl Iterator<Item = retrograde_rules::Square>) -> String {
    let names: Vec<String> = squares.map(|square| game.geometry().name(square)).collect();
    names.join(" ")
}

/// The kind of error, or that there is none.
fn outcome<T>(read: Result<T, MoveError>) -> String {
    read.map_or_else(
        |error| variant(&error).to_lowercase(),
        |_| "legal".to_owned(),
    )
}

/// The moves that win by force within a number of own moves.
fn keys(position: &Position, count: u32) -> Vec<String> {
    let wins = |uci: &String| {
        let after = position.play(position.parse_uci(uci).unwrap());
        match after.end() {
            Some(end) => end.winner(after.turn()) == Some(position.turn()),
            None if count == 1 => false,
            None => {
                let replies = after.legal_moves();
                replies
                    .iter()
                    .all(|&reply| !keys(&after.play(reply), count - 1).is_empty())
            }
        }
    };
    moves(position).into_iter().filter(wins).collect()
}

/// The answer to a verb about a position.
fn found(position: &Position, verb: &str, operand: &str, value: &str) -> String {
    let game = position.game();
    let mv = || position.parse_uci(operand).unwrap();
    let all = moves(position);
    let of = |colour: Option<Colour>| colour.map_or("-".to_owned(), |colour| colour.to_string());
    match verb {
        "moves" => all.join(" "),
        "from" => {
            let ends = all.iter().filter_map(|name| name.strip_prefix(operand));
            ends.collect::<Vec<&str>>().join(" ")
        }
        "castles" => {
            let legal = position.legal_moves();
            let castles = legal
                .iter()
                .filter(|mv| mv.kind == MoveKind::CastlingByRight);
            let mut castles: Vec<String> = castles.map(|&mv| position.uci(mv)).collect();
            castles.sort();
            castles.join(" ")
        }
        "count" if operand == "more than 1" => {
            (if all.len() > 1 { "yes" } else { "no" }).to_owned()
        }
        "count" => all
            .iter()
            .filter(|name| name.starts_with(operand))
            .count()
            .to_string(),
        "perft" => position.perft(operand.parse().unwrap()).to_string(),
        "keys" => keys(position, operand.parse().unwrap()).join(" "),
        "kind" => {
            let mv = mv();
            assert_eq!(
                (mv.is_pass(), mv.promotion),
                (mv.kind == MoveKind::Pass, None)
            );
            let quiet = if mv.is_capture() || mv.is_zeroing() {
                "zeroing"
            } else {
                "quiet"
            };
            let squares = names(game, [mv.from, mv.to].into_iter()).replace(' ', "");
            format!("{squares} {} {quiet}", variant(&mv.kind))
        }
        // As many fields as the value has.
        "fen" => {
            let fen = position.fen();
            let fields: Vec<&str> = fen.split(' ').take(value.split(' ').count()).collect();
            fields.join(" ")
        }
        "rights" => position.castling().text(game),
        // Castling fields that are read alike, of FEN and of EPD.
        "field" => {
            let fen = position.fen();
            let fields: Vec<&str> = fen.split(' ').collect();
            let read = |field: &str| {
                let line = format!("{} {} {field} - bm Kd2;", fields[0], fields[1]);
                let epd = Epd::parse(game, &line).unwrap();
                let at = Position::new(game, &epd.setup).unwrap();
                assert_eq!(at.castling().is_empty(), value == "-");
                assert_eq!(Position::from_fen(game, &at.fen()), Ok(at));
                assert!(
                    epd.text(game)
                        .contains(&format!(" {} {value} - ", fields[1])),
                    "{line}"
                );
                at.fen().split(' ').nth(2).unwrap().to_owned()
            };
            each(operand, read, value)
        }
        "ep" => position
            .ep()
            .map_or("-".to_owned(), |ep| game.geometry().name(ep)),
        "clocks" => format!("{} {}", position.halfmoves(), position.fullmoves()),
        "turn" => position.turn().to_string(),
        "points" => position.vitality().unwrap().to_string(),
        "high" => {
            let rules = game.vitality().unwrap();
            let high = rules.high(position);
            assert!(rules.is_high(position, high) && !rules.is_high(position, high.other()));
            high.to_string()
        }
        "toll" => {
            let toll = game.vitality().unwrap().toll(position, mv());
            let after = position.play(mv()).vitality().unwrap();
            format!("{} {after}", variant(&toll).to_lowercase())
        }
        // Of all legal moves.
        "tolls" => {
            let rules = game.vitality().unwrap();
            let legal = position.legal_moves();
            let tolls = legal.iter().map(|&mv| {
                let toll = variant(&rules.toll(position, mv)).to_lowercase();
                assert_eq!(rules.is_vital(position, mv), toll == "vital");
                toll
            });
            let mut tolls: Vec<String> = tolls.collect();
            tolls.dedup();
            tolls.join(" ")
        }
        "checks" => {
            assert_eq!(position.is_check(), position.in_check(position.turn()));
            let sides = Colour::BOTH
                .into_iter()
                .filter(|&side| position.in_check(side));
            let sides: Vec<String> = sides.map(|side| side.to_string()).collect();
            if sides.is_empty() {
                "-".to_owned()
            } else {
                sides.join(" ")
            }
        }
        "royals" => {
            let [white, black] = Colour::BOTH.map(|side| names(game, position.royals(side)));
            format!("{white} / {black}").trim().to_owned()
        }
        "end" => match position.end() {
            None => "-".to_owned(),
            Some(end) => format!("{end} {}", of(end.winner(position.turn()))),
        },
        "dead" => match position.dead() {
            None => "unknown".to_owned(),
            Some(dead) => (if dead { "yes" } else { "no" }).to_owned(),
        },
        "material" => position.material().to_string(),
        "san" => {
            assert_eq!(position.uci(mv()), operand);
            assert_eq!(position.parse_san(value), Ok(mv()), "{value}");
            position.san(mv())
        }
        "reads" => each(
            operand,
            |text| match position.parse_san(text) {
                Ok(mv) => position.uci(mv),
                error => outcome(error),
            },
            value,
        ),
        "uci" => each(operand, |text| outcome(position.parse_uci(text)), value),
        _ => panic!("{verb} is no verb"),
    }
}

/// The answers for each text of a list; one, if it is the same for all and one value is given.
fn each(list: &str, found: impl Fn(&str) -> String, value: &str) -> String {
    let mut found: Vec<String> = list.split(", ").map(found).collect();
    if !value.contains(' ') {
        found.dedup();
    }
    found.join(" ")
}

/// Checks what holds for every position that a fact is about.
fn check(position: &Position) {
    let (game, legal, end) = (position.game(), position.legal_moves(), position.end());
    assert_eq!(position.end_with(&legal), end);
    assert_eq!(legal.is_empty(), end.is_some());
    assert!(end.is_none() || position.perft(3) == 0);
    for &mv in &legal {
        assert_eq!(position.parse_uci(&position.uci(mv)), Ok(mv));
        assert_eq!(position.parse_san(&position.san(mv)), Ok(mv));
    }
    let can_be_read = end.is_none_or(|end| end.name() == "checkmate" || end.name() == "hill");
    if can_be_read && game.vitality().is_none() {
        assert_eq!(Position::from_fen(game, &position.fen()), Ok(*position));
    }
}

/// A claim about a FEN that does not hold, as what was found.
fn refute(game: Game, fen: &str, claim: &str) -> Option<String> {
    let claim = claim.trim_end();
    let (claim, value) = match claim.strip_suffix(" =") {
        Some(claim) => (claim, ""),
        None => claim.split_once(" = ").unwrap(),
    };
    let (played, claim) = claim.rsplit_once(" > ").unwrap_or(("", claim));
    let (verb, operand) = claim
        .trim_start()
        .split_once(' ')
        .unwrap_or((claim.trim(), ""));
    let read = Position::from_fen(game, fen);
    match (verb, &read) {
        ("refused", Err(error)) => {
            let message = match error {
                ReadError::Fen(error) => error.kind.to_string(),
                ReadError::Position(error) => error.to_string(),
            };
            let place = operand.strip_prefix("at ").is_none_or(|rest| match error {
                ReadError::Fen(error) => fen[error.offset..].starts_with(rest),
                ReadError::Position(_) => false,
            });
            return (!place || !message.contains(value)).then(|| error.to_string());
        }
        ("faults", _) => {
            let faults = match &read {
                Ok(_) => &[],
                Err(ReadError::Position(error)) => error.faults(),
                Err(error) => return Some(error.to_string()),
            };
            let setup = Setup::from_fen(game, fen).unwrap();
            // Forgiving what there is leaves a position.
            if let [fault] = faults {
                // Of several rights one may well be meant.
                let right =
                    matches!(fault, Fault::EnPassant { fault, .. } if *fault != EpFault::Several);
                let check = matches!(fault, Fault::OppositeCheck { .. });
                let forgiven = Position::forgiving(game, &setup, Forgive::EN_PASSANT);
                assert_eq!(forgiven.is_ok_and(|at| at.ep().is_none()), right, "{fen}");
                let forgiven = Position::forgiving(game, &setup, Forgive::OPPOSITE_CHECK);
                assert_eq!(forgiven.is_ok(), check, "{fen}");
            }
            if game == Game::default() {
                let mirrored = Position::new(game, &setup.mirrored(game.geometry()));
                let count = mirrored.map_or_else(|error| error.faults().len(), |_| 0);
                assert_eq!(count, faults.len(), "{fen}");
            }
            let found: Vec<String> = faults.iter().map(variant).collect();
            return (found.join(" ") != value).then(|| found.join(" "));
        }
        _ => {}
    }
    // Who is royal can be said of positions in which the wrong side is to move, too.
    let mut position = match read {
        Ok(position) => {
            check(&position);
            position
        }
        Err(_) => {
            let setup = Setup::from_fen(game, fen).unwrap();
            match Position::forgiving(game, &setup, Forgive::OPPOSITE_CHECK) {
                Ok(position) if verb == "royals" => position,
                error => return Some(format!("{error:?}")),
            }
        }
    };
    for text in played.split_whitespace() {
        let mv = position
            .parse_uci(text)
            .or_else(|_| position.parse_san(text));
        let Ok(mv) = mv else {
            return Some(format!("{text} is no move of {position}"));
        };
        position = position.play(mv);
        check(&position);
    }
    let found = found(&position, verb, operand, value);
    (found != value).then_some(found)
}

/// The part of a line about a game that does not hold; `None` if all of it holds.
fn refute_game(game: Game, verb: &str, rest: &str) -> Option<String> {
    let (subject, words) = rest.split_once(" | ").unwrap_or((rest, ""));
    let mut words = words.split(" | ");
    let fields: Vec<&str> = subject.split(' ').collect();
    match verb {
        "array" => (game.array().fen() != rest).then(|| game.array().fen()),
        "letters" => {
            let promotions = game.all_promotions().iter().map(|&t| game.letter(t));
            let found = format!("{} {}", game.letters(), promotions.collect::<String>());
            (found != rest).then_some(found)
        }
        "id" => {
            let read = Game::parse(fields[0]).unwrap();
            assert_eq!(Game::parse(fields[1]), Ok(read));
            assert_eq!(read.name(), fields[1].split(':').next().unwrap());
            (read.id() != fields[1]).then(|| read.id())
        }
        "unknown" => {
            let error = Game::parse(subject).unwrap_err().to_string();
            (!words.all(|word| error.contains(word))).then_some(error)
        }
        "no-material" => {
            let word = words.next().unwrap_or_default();
            let refused = |name: &str| {
                let error = Material::parse(game, name);
                let error = error.map_or_else(|error| error.to_string(), |_| String::new());
                (error.is_empty() || !error.contains(word)).then(|| format!("{name}: {error}"))
            };
            subject.split(", ").find_map(refused)
        }
        "material" => {
            let material = Material::parse(game, fields[0]).unwrap();
            let (normal, interchange) = (material.normal(game).0, game.interchange(&material));
            if interchange == Interchange::Never {
                assert_eq!(normal, material);
                assert_eq!(material.swapped().normal(game), (material.swapped(), false));
            }
            let mut found = vec![normal.name(game)];
            if fields.len() > 2 {
                let symmetry: Symmetry = game.symmetry(&material);
                found.extend([variant(&symmetry), variant(&interchange)].map(|v| v.to_lowercase()));
            }
            (found != fields[1..]).then(|| found.join(" "))
        }
        _ => panic!("{verb}"),
    }
}

#[test]
fn facts_hold() {
    let (mut wrong, mut count) = (String::new(), 0);
    for text in FILES.into_iter().chain([DEFINITIONS]) {
        let mut games: Vec<Game> = Vec::new();
        for line in lines(text) {
            let (word, rest) = line.split_once(' ').unwrap();
            match word {
                "game" => games = rest.split(' ').map(|id| Game::parse(id).unwrap()).collect(),
                "define" => games = vec![define("facts", rest)],
                _ => {}
            }
            for &game in &games {
                let mut tell = |claim: &str, found: Option<String>| {
                    count += 1;
                    if let Some(found) = found {
                        wrong += &format!("{game}: {word} {claim}: found {found}\n");
                    }
                };
                match word {
                    "game" | "define" => {}
                    "array" | "letters" | "id" | "unknown" | "no-material" | "material" => {
                        tell(rest, refute_game(game, word, rest));
                    }
                    _ => {
                        let (fen, claims) = rest.split_once(" | ").unwrap();
                        for claim in claims.split(" | ") {
                            let found = refute(game, fen, claim);
                            tell(&format!("{fen} | {claim}"), found);
                        }
                    }
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
    assert!(count > 1_200, "{count}");
}

/// Every tag is that of a ruling, and every ruling about single positions has a fact.
#[test]
fn facts_are_about_the_rulings_of_the_manual() {
    let headings = MANUAL.lines().filter_map(|line| line.strip_prefix("### "));
    let rulings: Vec<&str> = headings
        .filter_map(|line| Some(line.split_once(". ")?.0))
        .collect();
    let all: Vec<String> = FILES
        .into_iter()
        .chain([DEFINITIONS])
        .flat_map(lines)
        .collect();
    let tags = all.iter().filter_map(|line| Some(line.split_once(' ')?.0));
    let tags = tags.filter(|tag| tag.starts_with(|c: char| c.is_ascii_uppercase()));
    let tags: std::collections::BTreeSet<&str> = tags.collect();
    for tag in &tags {
        assert!(rulings.contains(tag), "{tag}");
    }
    for ruling in rulings {
        // The fifty-move rule and repetition are about games.
        assert!(tags.contains(ruling) || ruling == "O4", "{ruling}");
    }
}
