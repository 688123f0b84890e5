//! The check of a whole table.

use super::table::Table;
use super::{CHECKSUM, checksum};
use crate::error::Fault;

/// What [`Table::check`] found.
#[derive(Debug)]
pub struct CheckReport {
    /// How many blocks were unpacked.
    pub blocks: u64,
    /// How many bytes the file has.
    pub bytes: u64,
    /// Everything that is wrong, in the order of the file.
    pub faults: Vec<Fault>,
}

impl CheckReport {
    /// Whether nothing is wrong.
    pub fn is_sound(&self) -> bool {
        self.faults.is_empty()
    }
}

impl Table {
    /// Looks at every byte of the table: unpacks all blocks and compares all
    /// checksums. Goes on after a fault, so that every bad block is listed.
    pub fn check(&self) -> CheckReport {
        let mut faults = Vec::new();
        let (mut packed, mut values) = (Vec::new(), Vec::new());
        for section in &self.header.sections {
            for block in 0..section.blocks {
                let count = self.values(section, block);
                values.resize(count, 0);
                let result = self
                    .unpack(section, block, &mut packed)
                    .and_then(|()| self.values_of(section, block, &packed, 0, &mut values))
                    .and_then(|()| {
                        let used = count * section.bits as usize % 8;
                        let spare = packed.last().is_some_and(|&b| used > 0 && b >> used != 0);
                        if spare {
                            let what = "it does not end with zero bits";
                            Err(self.block_fault(section, block, what))
                        } else {
                            Ok(())
                        }
                    });
                faults.extend(result.err());
            }
        }
        let end = self.source.len().saturating_sub(CHECKSUM);
        let (body, sum) = self.source.split_at(end);
        if sum != checksum(body).to_le_bytes() {
            faults.push(Fault::Checksum);
        }
        CheckReport {
            blocks: self.header.blocks(),
            bytes: self.source.len() as u64,
            faults,
        }
    }
}
