//! What the tables of a class of High Chess say.

use std::path::Path;

use retrograde_probe::{Index, Metric, Renumbering, Table, TableError};
use retrograde_rules::{Colour, Game, HighChess, Man, Material, Square};

use super::super::VerifyError;
use super::rows::Function;
use crate::generate::open;

/// The stored values of a position.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Entry {
    /// The place of its thresholds among the functions of the class.
    pub(super) function: u32,
    /// What White and Black need to force mate.
    pub(super) needs: [u8; 2],
}

/// The tables of a class.
pub(super) struct Stored {
    pub(super) material: Material,
    pub(super) men: Vec<Man>,
    pub(super) index: Index,
    pub(super) functions: Vec<Function>,
    thresholds: Table,
    mates: Table,
    /// All values by side to move, if they were unpacked beforehand.
    entries: Option<[Vec<Entry>; 2]>,
}

impl Stored {
    pub(super) fn open(
        rules: HighChess,
        material: &Material,
        folders: &[&Path],
    ) -> Result<Stored, VerifyError> {
        let game = Game::HighChess(rules);
        let find = |metric| {
            let table = open(game, material, metric, folders.iter().copied())?;
            table.ok_or_else(|| VerifyError::Missing {
                game: game.id(),
                material: *material,
                metric,
            })
        };
        let (thresholds, mates) = (find(Metric::Thresholds)?, find(Metric::Mates)?);
        let list = thresholds.header().thresholds.iter();
        Ok(Stored {
            material: *material,
            men: material.men().collect(),
            index: Index::new(game, material)?,
            functions: list.map(|&t| Function::new(rules, t)).collect(),
            thresholds,
            mates,
            entries: None,
        })
    }

    /// Unpacks all values, because each will be asked for some dozens of
    /// times and in no order.
    pub(super) fn unpack(&mut self) -> Result<(), VerifyError> {
        let mut entries = [(); 2].map(|()| vec![Entry::default(); self.index.len() as usize]);
        for (turn, entries) in Colour::BOTH.into_iter().zip(&mut entries) {
            for table in [&self.thresholds, &self.mates] {
                let Some(renumbering) = Renumbering::new(table.index(), &self.index) else {
                    unreachable!("tables of the class have its index");
                };
                let mut values = vec![0; self.index.len() as usize];
                table.read(turn, 0, &mut values)?;
                let mut values = values.into_iter();
                let metric = table.header().metric;
                let mut failed = None;
                let mut numbers = 0..;
                renumbering.each(0..self.index.len(), |number| {
                    let value = values.next().unwrap_or_default();
                    let at = numbers.next().unwrap_or_default();
                    let set = entries[number as usize].set(table, metric, at, value);
                    failed = failed.take().or(set.err());
                });
                if let Some(error) = failed {
                    return Err(error.into());
                }
            }
        }
        self.entries = Some(entries);
        Ok(())
    }

    /// The bytes that unpacked values take.
    pub(super) fn unpacked_bytes(&self) -> u64 {
        2 * self.index.len() * size_of::<Entry>() as u64
    }

    pub(super) fn is_unpacked(&self) -> bool {
        self.entries.is_some()
    }

    /// How many blocks both files have.
    pub(super) fn blocks(&self) -> u64 {
        self.thresholds.header().blocks() + self.mates.header().blocks()
    }

    /// The checksums of both files.
    pub(super) fn checksums(&self) -> [u64; 2] {
        [self.thresholds.checksum(), self.mates.checksum()]
    }

    /// The values of a position, and its number.
    #[inline]
    pub(super) fn get(&self, turn: Colour, squares: &[Square]) -> Result<(Entry, u64), TableError> {
        let number = self.index.encode(squares).unwrap_or_default();
        if let Some(entries) = &self.entries {
            return Ok((entries[turn.index()][number as usize], number));
        }
        let mut entry = Entry::default();
        for table in [&self.thresholds, &self.mates] {
            let number = table.index().encode(squares).unwrap_or_default();
            let value = table.get(turn, number)?;
            entry.set(table, table.header().metric, number, value)?;
        }
        Ok((entry, number))
    }

    /// The values of a number that were unpacked; nothing useful if they were
    /// not.
    #[inline]
    pub(super) fn unpacked(&self, turn: Colour, number: u64) -> Entry {
        let entries = self.entries.as_ref().map(|e| &e[turn.index()]);
        let entry = entries.and_then(|e| e.get(number as usize));
        entry.copied().unwrap_or_default()
    }

    #[inline]
    pub(super) fn function(&self, entry: Entry) -> &Function {
        &self.functions[entry.function as usize]
    }
}

impl Entry {
    /// Takes over what a table has for a number.
    fn set(
        &mut self,
        table: &Table,
        metric: Metric,
        number: u64,
        value: i16,
    ) -> Result<(), TableError> {
        match metric {
            Metric::Mates => self.needs = retrograde_probe::needs::split(value),
            _ => self.function = table.thresholds_place(number, value)? as u32,
        }
        Ok(())
    }
}
