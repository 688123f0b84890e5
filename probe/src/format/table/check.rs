//! Checks a whole table, block by block, and lists everything that is damaged.

use xxhash_rust::xxh3::Xxh3;

use super::Table;
use crate::error::{TableError, TableFault};
use crate::format::codec::Codec;
use crate::format::header::Section;
use crate::format::{CHECKSUM, MOST_BLOCK_BYTES};

/// The findings of [`Table::check`].
#[derive(Debug)]
pub struct CheckReport {
    /// The number of blocks of the file.
    pub blocks: u64,
    /// The number of bytes of the file.
    pub bytes: u64,
    /// All faults, in the order of the file.
    pub faults: Vec<TableFault>,
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
                let result = match self.header.codec {
                    Codec::Learned => self.check_learned(section, block, &mut packed),
                    Codec::Raw | Codec::Zstd => {
                        self.check_block(section, block, &mut packed, &mut values)
                    }
                };
                // One is enough where all that follow are missing too.
                let is_cut = matches!(result, Err(TableFault::Truncated { .. }));
                faults.extend(result.err());
                if is_cut {
                    return self.report(faults);
                }
            }
        }
        faults.extend(self.read_statistics().err());
        faults.extend(self.places.check(&self.source).err());
        faults.extend(self.check_whole().err());
        self.report(faults)
    }

    /// Compares the checksum of the whole file: its bytes are those that were written. Many
    /// times as quick as [`Table::check`], which unpacks them too and says what is damaged.
    ///
    /// # Errors
    /// They are not ([`TableFault::Checksum`]), or the file cannot be read.
    pub fn check_bytes(&self) -> Result<(), TableError> {
        self.check_whole().map_err(|fault| self.error(fault))
    }

    /// Unpacks a block, with what it takes.
    fn check_block(
        &self,
        section: &Section,
        block: u32,
        packed: &mut Vec<u8>,
        values: &mut Vec<i16>,
    ) -> Result<(), TableFault> {
        let count = self.values(section, block);
        values.resize(count, 0);
        self.unpack(section, block, packed)?;
        self.values_of(section, block, packed, 0, values)?;
        let used = count * section.bits as usize % 8;
        if packed.last().is_some_and(|&b| used > 0 && b >> used != 0) {
            return Err(self.block_fault(section, block, "it does not end with zero bits"));
        }
        Ok(())
    }

    /// Compares the checksum of all that is before it.
    fn check_whole(&self) -> Result<(), TableFault> {
        let end = self.source.len().saturating_sub(CHECKSUM as u64);
        let mut hasher = Xxh3::new();
        let mut at = 0;
        while at < end {
            let next = end.min(at + MOST_BLOCK_BYTES as u64);
            self.source.with(at..next, |bytes| hasher.update(bytes))?;
            at = next;
        }
        let sum = hasher.digest().to_le_bytes();
        let fits = self
            .source
            .with(end..self.source.len(), |stored| stored == sum)?;
        if fits {
            Ok(())
        } else {
            Err(TableFault::Checksum)
        }
    }

    fn report(&self, faults: Vec<TableFault>) -> CheckReport {
        CheckReport {
            blocks: self.header.blocks(),
            bytes: self.source.len(),
            faults,
        }
    }
}
