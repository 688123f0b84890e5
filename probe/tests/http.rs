//! Tests that tables on a web server answer as those in a folder do, and for few bytes.

use std::fs;
use std::io::{self, BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;

use crate::common::{places, table_bytes};
use retrograde_probe::remote::{Fetch, Part, Wanted};
use retrograde_probe::{Metric, ProbeError, Table, TableFault, Tablebase};
use retrograde_rules::{Game, Material, Position};

/// A way in which a server does what it should not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fault {
    None,
    /// It sends whole files.
    NoRanges,
    /// It sends another range.
    OtherRange,
    /// It fails.
    Fails,
    /// It sends less than it says.
    Short,
}

/// A web server of a folder, which counts what it is asked for.
struct Server {
    folder: PathBuf,
    address: String,
    connections: AtomicUsize,
    requests: AtomicUsize,
    bytes: AtomicUsize,
    fault: Mutex<Fault>,
    tag: AtomicUsize,
    stops: AtomicBool,
}

impl Server {
    fn start(folder: &Path) -> Arc<Server> {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let server = Arc::new(Server {
            folder: folder.to_owned(),
            address: format!("http://{}/t", listener.local_addr().unwrap()),
            connections: AtomicUsize::new(0),
            requests: AtomicUsize::new(0),
            bytes: AtomicUsize::new(0),
            fault: Mutex::new(Fault::None),
            tag: AtomicUsize::new(0),
            stops: AtomicBool::new(false),
        });
        let serving = Arc::clone(&server);
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                serving.connections.fetch_add(1, Ordering::Relaxed);
                let server = Arc::clone(&serving);
                if server.stops.load(Ordering::Relaxed) {
                    return;
                }
                thread::spawn(move || server.serve(stream));
            }
        });
        server
    }

    /// Answers the requests of a connection.
    fn serve(&self, mut stream: TcpStream) {
        let mut lines = BufReader::new(stream.try_clone().unwrap()).lines();
        loop {
            let mut request = Vec::new();
            while let Some(Ok(line)) = lines.next() {
                if line.is_empty() {
                    break;
                }
                request.push(line.to_ascii_lowercase().to_owned() + "|" + &line);
            }
            let Some(first) = request.first() else {
                return;
            };
            let path = first.split(' ').rev().nth(1).unwrap();
            let path = self.folder.join(path.strip_prefix("/t/").unwrap());
            let range = request
                .iter()
                .find_map(|line| line.strip_prefix("range: bytes="));
            let range = range
                .unwrap()
                .split('|')
                .next()
                .unwrap()
                .split_once('-')
                .unwrap();
            self.requests.fetch_add(1, Ordering::Relaxed);
            let answer = self.answer(&path, range.0.parse().unwrap(), range.1.parse().unwrap());
            self.bytes.fetch_add(answer.len(), Ordering::Relaxed);
            if stream.write_all(&answer).is_err() || *self.fault.lock().unwrap() == Fault::Short {
                return;
            }
        }
    }

    fn answer(&self, path: &Path, from: usize, last: usize) -> Vec<u8> {
        let Ok(bytes) = fs::read(path) else {
            return b"HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n".to_vec();
        };
        let (length, tag) = (bytes.len(), self.tag.load(Ordering::Relaxed));
        let mut part = &bytes[from.min(length)..(last + 1).min(length)];
        let (mut status, mut from) = ("206 Partial Content", from);
        let size = part.len();
        match *self.fault.lock().unwrap() {
            Fault::None => {}
            Fault::NoRanges => (status, part) = ("200 OK", &bytes),
            Fault::OtherRange => from += 1,
            Fault::Fails => (status, part) = ("503 Service Unavailable", &[]),
            Fault::Short => part = &part[..size / 2],
        }
        let (to, size) = (from + size - 1, size.max(part.len()));
        let head = format!(
            "HTTP/1.1 {status}\r\ncontent-length: {size}\r\netag: \"{tag}\"\r\n\
             content-range: bytes {from}-{to}/{length}\r\n\r\n"
        );
        [head.as_bytes(), part].concat()
    }

    fn open(&self) -> Tablebase {
        Tablebase::open(Game::default(), [&self.address]).unwrap()
    }

    /// The requests since this was called last, and the bytes that were sent.
    fn counts(&self) -> (usize, usize) {
        let take = |count: &AtomicUsize| count.swap(0, Ordering::Relaxed);
        (take(&self.requests), take(&self.bytes))
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.stops.store(true, Ordering::Relaxed);
    }
}

/// The tables that ship.
fn shipped() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../tables")
}

fn position(fen: &str) -> Position {
    Position::from_fen(Game::default(), fen).unwrap()
}

/// A folder with a table of many blocks, whose values mean nothing.
fn folder_with_pages() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("orthodox");
    fs::create_dir(&path).unwrap();
    fs::write(path.join("KQvK.dtm"), table_bytes("KQvK", 100, 64)).unwrap();
    folder
}

const SOME: [&str; 6] = [
    "8/8/8/3k4/8/8/8/KQ5r w - -",
    "8/8/8/3k4/8/8/8/KQ5r b - -",
    "8/P7/8/3k4/8/8/6r1/K7 w - -",
    "8/8/8/8/1k2pP2/8/8/4K3 b - f3",
    "8/8/8/3k4/8/8/8/KBN5 w - -",
    "8/8/8/3k4/8/8/8/KQ6 w - - 99 1",
];

#[test]
fn answers_are_those_of_files() {
    let server = Server::start(&shipped());
    let (near, far) = (
        Tablebase::open(Game::default(), [shipped()]).unwrap(),
        server.open(),
    );
    for fen in SOME {
        let position = position(fen);
        assert_eq!(
            far.probe(&position).unwrap(),
            near.probe(&position).unwrap(),
            "{fen}"
        );
        assert_eq!(
            far.moves(&position).unwrap(),
            near.moves(&position).unwrap(),
            "{fen}"
        );
        assert_eq!(far.wdl(&position).unwrap(), near.wdl(&position).unwrap());
    }
    let win = position("8/8/8/3k4/8/8/8/KQ6 w - -");
    assert_eq!(far.line(&win).unwrap(), near.line(&win).unwrap());
    let positions = SOME.map(position);
    let values = far.probe_batch(&positions, &[Metric::Dtz]);
    let expected = near.probe_batch(&positions, &[Metric::Dtz]);
    for (value, expected) in values.into_iter().zip(expected) {
        assert_eq!(value.unwrap(), expected.unwrap());
    }
    // What was read is not fetched again.
    server.counts();
    far.probe(&win).unwrap();
    assert_eq!(server.counts(), (0, 0));
}

#[test]
fn a_folder_before_an_address_and_behind_it() {
    let server = Server::start(&shipped());
    let near = folder_with_pages();
    let win = position("8/8/8/3k4/8/8/8/KQ6 w - -");
    let dtm = |folders: [&Path; 2]| {
        let tables = Tablebase::open(Game::default(), folders).unwrap();
        assert_eq!(tables.tables().count(), 1);
        tables.wdl(&win).unwrap();
        tables.dtm(&win).unwrap()
    };
    let (address, folder) = (Path::new(&server.address), near.path());
    let by_files = Tablebase::open(Game::default(), [shipped()]).unwrap();
    assert_eq!(dtm([address, folder]), by_files.dtm(&win).unwrap());
    let by_files = Tablebase::open(Game::default(), [folder]).unwrap();
    assert_eq!(dtm([folder, address]), by_files.dtm(&win).unwrap());
}

/// Every value of a table of pages; one of them takes three requests and few bytes.
#[test]
fn a_value_takes_a_head_a_page_and_a_block() {
    let folder = folder_with_pages();
    let near = Tablebase::open(Game::default(), [folder.path()]).unwrap();
    let material = Material::parse(Game::default(), "KQvK").unwrap();
    let near = near.table(&material, Metric::Dtm).unwrap().unwrap();
    let server = Server::start(folder.path());
    let tables = server.open();
    let far = tables.table(&material, Metric::Dtm).unwrap().unwrap();
    for turn in near.header().sections.iter().map(|section| section.turn) {
        // The last page, whose end is not in the block table, is among them.
        for index in [0, 20_000, near.header().positions - 1] {
            let value = |table: &Table| table.get(turn, index).unwrap();
            assert_eq!(value(far), value(near));
        }
    }
    assert_eq!(far.statistics().unwrap(), near.statistics().unwrap());
    server.counts();
    let before = server.connections.load(Ordering::Relaxed);
    let win = position("8/8/8/3k4/8/8/8/KQ6 w - -");
    let cold = server.open();
    assert!(cold.dtm(&win).is_ok());
    let (requests, bytes) = server.counts();
    assert!(requests <= 3 && bytes <= 10 << 10, "{requests}: {bytes}");
    // One after the other, they share a connection.
    assert_eq!(server.connections.load(Ordering::Relaxed), before + 1);
    assert!(far.check().is_sound());
}

/// Tables that are packed small: a result of four men, and all moves by all metrics.
#[test]
fn few_bytes_for_an_answer() {
    let server = Server::start(&shipped());
    let position = position("8/8/8/3k4/8/8/8/KQ5r w - -");
    assert!(server.open().wdl(&position).is_ok());
    let (requests, bytes) = server.counts();
    assert!(requests <= 3 && bytes <= 16 << 10, "{requests}: {bytes}");
    let tables = server.open();
    assert!(tables.moves(&position).is_ok());
    let (_, bytes) = server.counts();
    assert!(bytes <= 200 << 10, "{bytes}");
}

#[test]
fn servers_that_do_not_do() {
    let server = Server::start(&shipped());
    let win = position("8/8/8/3k4/8/8/8/KQ6 w - -");
    let tables = server.open();
    for (fault, words) in [
        (Fault::NoRanges, "sends whole files only"),
        (Fault::OtherRange, "another range"),
        (Fault::Fails, "503"),
        (Fault::Short, "broke off"),
    ] {
        *server.fault.lock().unwrap() = fault;
        let error = tables.wdl(&win).unwrap_err();
        assert_eq!(error.kind(), "unreadable-table");
        let text = error.to_string();
        assert!(text.contains(words), "{text}");
        assert!(text.starts_with(&format!("{}/orthodox/KQvK.wdl: ", server.address)));
        assert_eq!(tables.moves(&win).unwrap_err().kind(), "unreadable-table");
    }
    // What may pass is tried again.
    *server.fault.lock().unwrap() = Fault::None;
    assert!(tables.wdl(&win).is_ok());
    // No table is no fault.
    let none = position("8/8/8/3k4/8/8/8/KQRB3r w - -");
    let error = tables.probe(&none).unwrap_err();
    assert!(matches!(error, ProbeError::Missing { .. }), "{error}");
    assert!(error.to_string().contains(&server.address), "{error}");
    // Nobody listens there.
    let nowhere = {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        format!("http://{}", listener.local_addr().unwrap())
    };
    let tables = Tablebase::open(Game::default(), [nowhere]).unwrap();
    assert_eq!(tables.wdl(&win).unwrap_err().kind(), "unreadable-table");
}

#[test]
fn another_file_in_the_meantime() {
    let folder = folder_with_pages();
    let server = Server::start(folder.path());
    let tables = server.open();
    let material = Material::parse(Game::default(), "KQvK").unwrap();
    let table = tables.table(&material, Metric::Dtm).unwrap().unwrap();
    let turn = table.header().sections[0].turn;
    table.get(turn, 0).unwrap();
    server.tag.store(1, Ordering::Relaxed);
    let error = table.get(turn, 20_000).unwrap_err();
    assert!(error.to_string().contains("was changed"), "{error}");
    // Even where the server does not say so.
    server.tag.store(0, Ordering::Relaxed);
    let path = folder.path().join("orthodox/KQvK.dtm");
    let sound = fs::read(&path).unwrap();
    let mut other = table_bytes("KQvK", 99, 64);
    other.resize(sound.len(), 0);
    fs::write(&path, other).unwrap();
    let error = table.get(turn, 20_000).unwrap_err();
    assert!(matches!(error.fault, TableFault::Header(_)), "{error}");
}

#[test]
fn damage_is_noticed() {
    let folder = folder_with_pages();
    let server = Server::start(folder.path());
    let path = folder.path().join("orthodox/KQvK.dtm");
    let sound = fs::read(&path).unwrap();
    let material = Material::parse(Game::default(), "KQvK").unwrap();
    let (table_at, end) = places(&sound);
    let first = |tables: &Tablebase| {
        let found = tables.table(&material, Metric::Dtm);
        let table = found.map_err(|error| error.to_string())?.unwrap();
        let turn = table.header().sections[0].turn;
        table.get(turn, 0).map_err(|error| error.to_string())
    };
    // The front, the page and the first block; nobody asks for the second page.
    for (at, words) in [
        (60, "its checksum does not fit"),
        (table_at - 9, "its checksum does not fit"),
        (table_at + 5, "checksum of a page"),
        (table_at + 16 * 256, "checksum of a page"),
        (table_at + 16 * 256 + 8, ""),
        (end + 8, "block 0"),
    ] {
        let mut bytes = sound.clone();
        bytes[at] ^= 1;
        fs::write(&path, bytes).unwrap();
        match first(&server.open()) {
            Ok(_) => assert!(words.is_empty(), "{at}"),
            Err(text) => assert!(!words.is_empty() && text.contains(words), "{text}"),
        }
    }
}

/// Files in memory, parts of which are given out.
struct InMemory(Vec<u8>);

impl Fetch for InMemory {
    fn fetch(&self, wanted: &[Wanted]) -> Vec<io::Result<Part>> {
        let place = |at: u64| (at as usize).min(self.0.len());
        let part = |wanted: &Wanted| match wanted.address.ends_with("/orthodox/KQvK.dtm") {
            true => Ok(Part {
                bytes: self.0[place(wanted.from)..place(wanted.to)].to_vec(),
                length: self.0.len() as u64,
                version: None,
            }),
            false => Err(io::ErrorKind::NotFound.into()),
        };
        wanted.iter().map(part).collect()
    }
}

/// Two kings need no table, so that none is asked for.
#[test]
fn two_kings() {
    let server = Server::start(&shipped());
    let game = Game::parse("extinction").unwrap();
    let near = Tablebase::open(game, [shipped()]).unwrap();
    let far = Tablebase::open(game, [&server.address]).unwrap();
    for fen in ["8/8/8/3k4/3K4/8/8/8 w - -", "8/8/8/3k4/8/8/8/K7 b - -"] {
        let position = Position::from_fen(game, fen).unwrap();
        assert_eq!(
            far.value(&position).unwrap(),
            near.value(&position).unwrap()
        );
    }
    assert_eq!(server.counts(), (0, 0));
}

#[test]
fn tables_are_added_after_they_were_looked_for_in_vain() {
    let server = Server::start(Path::new("nowhere"));
    let mut tables = server.open();
    let win = position("8/8/8/3k4/8/8/8/KQ6 w - -");
    let near = Tablebase::open(Game::default(), [shipped()]).unwrap();
    for metric in [Metric::Wdl, Metric::Dtz] {
        assert!(tables.wdl(&win).is_err() || tables.dtz(&win).is_err());
        let path = shipped().join(format!("orthodox/KQvK.{metric}"));
        tables.add(Table::open(&path).unwrap()).unwrap();
    }
    assert_eq!(tables.dtz(&win).unwrap(), near.dtz(&win).unwrap());
}

/// Some servers take a plus sign for a space, so that it is not in addresses.
#[test]
fn addresses_of_games_with_options() {
    struct Asked(Mutex<Vec<String>>);
    impl Fetch for Asked {
        fn fetch(&self, wanted: &[Wanted]) -> Vec<io::Result<Part>> {
            let addresses = wanted.iter().map(|wanted| wanted.address.clone());
            self.0.lock().unwrap().extend(addresses);
            let none = || Err(io::ErrorKind::NotFound.into());
            wanted.iter().map(|_| none()).collect()
        }
    }
    let asked = Arc::new(Asked(Mutex::default()));
    let game = Game::parse("antichess:stalemate=fewer-men").unwrap();
    let fetch = Arc::clone(&asked) as Arc<dyn Fetch>;
    let tables = Tablebase::open_remote(game, "https://example.org/t/", fetch);
    let position = Position::from_fen(game, "8/8/8/3n4/8/8/8/N7 w - -").unwrap();
    assert!(tables.wdl(&position).is_err());
    let found = asked.0.lock().unwrap();
    let folder = "https://example.org/t/antichess%2Bstalemate=fewer-men/";
    assert_eq!(found[0], format!("{folder}NvN.wdl"));
}

/// Headers and pages that lie, with checksums that fit, make no reader panic.
#[test]
fn lies_with_fitting_checksums() {
    let sound = table_bytes("KQvK", 100, 64);
    let (table_at, end) = places(&sound);
    let pages = ((end - table_at) / 16).div_ceil(256);
    let mend = |bytes: &mut Vec<u8>| {
        let mut put = |at: usize, covered: std::ops::Range<usize>| {
            let sum = xxhash_rust::xxh3::xxh3_64(&bytes[covered]);
            bytes[at..at + 8].copy_from_slice(&sum.to_le_bytes());
        };
        for page in 0..pages {
            let first = table_at + 4096 * page;
            put(
                table_at - 8 * (pages - page + 1),
                first..end.min(first + 4104),
            );
        }
        put(table_at - 8, 0..table_at - 8);
    };
    let lies = (8..table_at + 64).chain(table_at + 4096..table_at + 4160);
    for at in lies.chain(end - 32..end) {
        for byte in [0, 1, 2, 3, 0x7F, 0x80, 0xFF] {
            let mut bytes = sound.clone();
            bytes[at] = byte;
            mend(&mut bytes);
            let fetch = Arc::new(InMemory(bytes));
            let tables = Tablebase::open_remote(Game::default(), "http://x", fetch);
            let material = Material::parse(Game::default(), "KQvK").unwrap();
            let Ok(Some(table)) = tables.table(&material, Metric::Dtm) else {
                continue;
            };
            for section in &table.header().sections {
                for index in [
                    0,
                    12_000,
                    20_000,
                    table.header().positions.saturating_sub(1),
                ] {
                    let _ = table.get(section.turn, index);
                }
            }
            let _ = table.statistics();
        }
    }
}
