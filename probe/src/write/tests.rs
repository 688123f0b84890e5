//! Tests writing tables to files that fail.

use std::io;

use retrograde_index::Metric;
use retrograde_rules::{Game, Material};

use super::*;
use crate::format::Table;
use crate::format::set_memory_limit;

fn plan() -> TablePlan {
    let material = Material::parse(Game::default(), "KQvK").unwrap();
    TablePlan::new(Game::default(), &material, Metric::Dtm).unwrap()
}

fn noise(turn: Colour, indices: Range<u64>, values: &mut [i16]) {
    for (index, value) in indices.zip(values) {
        let hash = (index ^ index << 21).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let hash = (hash ^ hash >> 29).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        *value = (hash >> 57) as i16 + turn.index() as i16;
    }
}

/// A disk with room for a number of bytes.
struct Disk {
    file: Cursor<Vec<u8>>,
    room: u64,
}

impl Write for Disk {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.file.position() + bytes.len() as u64 > self.room {
            return Err(io::ErrorKind::StorageFull.into());
        }
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Read for Disk {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        // Short reads, as real files may give them.
        let most = bytes.len().min(1000);
        self.file.read(&mut bytes[..most])
    }
}

impl Seek for Disk {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.file.seek(to)
    }
}

#[test]
fn full_disks_are_errors_with_a_path() {
    let options = PackOptions::default();
    let whole = pack_to_bytes(&plan(), &options, Watch::default(), noise).unwrap();
    let write = |room| {
        let mut disk = Disk {
            file: Cursor::new(Vec::new()),
            room,
        };
        let path = Path::new("tables/KQvK.depth.1.partial");
        let watch = Watch::default();
        write_table(
            &mut disk,
            &plan(),
            &options,
            watch,
            Given {
                fill: &noise,
                results: None,
            },
            path,
            |_| Ok(()),
        )
        .map(|_| disk.file.into_inner())
    };
    assert!(whole.len() > 10_000);
    assert!(write(whole.len() as u64).unwrap() == whole);
    for room in [0, 100, 5000, whole.len() as u64 - 1] {
        let error = write(room).unwrap_err();
        let WriteError::Io { path, source, .. } = &error else {
            panic!("{error}");
        };
        assert_eq!(source.kind(), io::ErrorKind::StorageFull);
        assert!(path.ends_with("KQvK.depth.1.partial"));
        assert!(error.to_string().starts_with("tables/KQvK.depth.1.partial"));
    }
}

/// Where there is no room for blocks in memory, they are unpacked again and again.
#[test]
fn values_do_not_depend_on_the_room_for_blocks() {
    let bytes = pack_to_bytes(&plan(), &PackOptions::default(), Watch::default(), noise).unwrap();
    let read = |is_kept| {
        let table = Table::from_bytes(bytes.clone()).unwrap();
        let indices = (0..table.header().positions).step_by(97);
        let all = Colour::BOTH.map(|turn| {
            let values = indices.clone().map(|index| {
                let value = table.get(turn, index).unwrap();
                assert_eq!(table.is_at_hand(turn, index), is_kept);
                value
            });
            values.collect::<Vec<i16>>()
        });
        assert_ne!(all[0], all[1]);
        all
    };
    let kept = read(true);
    set_memory_limit(0);
    assert_eq!(kept, read(false));
    set_memory_limit(1 << 30);
    assert_eq!(kept, read(true));
}
