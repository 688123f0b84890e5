//! Works out results and distances from Syzygy's files of variants.

use std::collections::HashMap;
use std::path::Path;

use anyhow::{Context, Result, bail};

use super::rules::{After, Rules};
use crate::diagram::Diagram;
use crate::rtbz::{Distance, Kind, Leaders, Rtbw, Rtbz};

/// A game as Syzygy's files have it.
#[derive(Clone, Copy)]
pub struct Variant {
    pub rules: Rules,
    wdl: Kind,
    dtz: Kind,
}

impl Variant {
    /// Finds a variant by the id of the game.
    pub fn of(id: &str) -> Result<Variant> {
        let kinds = |letter: char, leaders, wdl: [u8; 4], dtz: [u8; 4]| {
            let [w, z]: [&'static str; 2] = match letter {
                'a' => ["atbw", "atbz"],
                'g' => ["gtbw", "gtbz"],
                's' => ["stbw", "stbz"],
                _ => ["jtbw", "jtbz"],
            };
            let kind = |extension, magic| Kind {
                extension,
                magic,
                leaders,
            };
            (kind(w, wdl), kind(z, dtz))
        };
        let (rules, (wdl, dtz)) = match id {
            "atomic" => {
                let [w, z] = [[0x55, 0x8d, 0xa4, 0x49], [0x91, 0xa9, 0x5e, 0xeb]];
                (Rules::Atomic, kinds('a', Leaders::TouchingKings, w, z))
            }
            "antichess" => {
                let [w, z] = [[0xbc, 0x55, 0xbc, 0x21], [0xd6, 0xf5, 0x1b, 0x50]];
                (
                    Rules::Antichess { fewer_men: false },
                    kinds('g', Leaders::Any, w, z),
                )
            }
            "antichess:stalemate=fewer-men" => {
                let [w, z] = [[0x7b, 0xf6, 0x93, 0x15], [0xe4, 0xcf, 0xe7, 0x23]];
                (
                    Rules::Antichess { fewer_men: true },
                    kinds('s', Leaders::Any, w, z),
                )
            }
            "shatranj" => {
                let [w, z] = [[0xb7, 0xb3, 0xe9, 0xb4], [0xfc, 0x26, 0xc1, 0x87]];
                (Rules::Shatranj, kinds('j', Leaders::Kings, w, z))
            }
            _ => bail!("Syzygy's tables have no {id}"),
        };
        Ok(Variant { rules, wdl, dtz })
    }
}

/// All files of a variant.
pub struct Published {
    pub variant: Variant,
    /// By the letters of White's and Black's pieces.
    files: HashMap<[Vec<u8>; 2], (Rtbw, Rtbz)>,
    pub names: Vec<String>,
}

impl Published {
    /// Opens the files of a folder with up to some number of pieces.
    pub fn open(folder: &Path, variant: Variant, pieces: usize) -> Result<Published> {
        let read = || format!("cannot read the folder {}", folder.display());
        let mut names = Vec::new();
        for entry in folder.read_dir().with_context(read)? {
            let path = entry.with_context(read)?.path();
            let stem = path.file_stem().and_then(|stem| stem.to_str());
            let extension = path.extension().and_then(|extension| extension.to_str());
            if let (Some(name), true) = (stem, extension == Some(variant.wdl.extension))
                && name.len() <= pieces + 1
            {
                names.push(name.to_owned());
            }
        }
        names.sort_by_key(|name| (name.len(), name.clone()));
        let mut files = HashMap::new();
        for name in &names {
            let (white, black) = name.split_once('v').context("a name like KQvKR")?;
            let pair = (
                Rtbw::open(folder, name, variant.wdl)?,
                Rtbz::open(folder, name, variant.dtz)?,
            );
            files.insert([white, black].map(|side| side.as_bytes().to_vec()), pair);
        }
        Ok(Published {
            variant,
            files,
            names,
        })
    }

    fn file(&self, diagram: &Diagram) -> Option<&(Rtbw, Rtbz)> {
        let letters = diagram.letters();
        let [white, black] = letters.clone();
        self.files
            .get(&letters)
            .or_else(|| self.files.get(&[black, white]))
    }

    /// The result for the side to move, -2 to 2.
    pub fn wdl(&self, diagram: &Diagram) -> Result<i8> {
        self.wdl_of(diagram, &self.variant.rules.successors(diagram))
    }

    fn after(&self, after: &After) -> Result<i8> {
        let settled = after.settled.map_or_else(|| self.wdl(&after.diagram), Ok)?;
        Ok(-settled)
    }

    /// The result by the best capture or, if that is better, by the file.
    fn wdl_of(&self, diagram: &Diagram, successors: &[After]) -> Result<i8> {
        let rules = self.variant.rules;
        if successors.is_empty() {
            return Ok(rules.without_moves(diagram));
        }
        let mut best = None;
        for after in successors.iter().filter(|after| after.capture) {
            best = best.max(Some(self.after(after)?));
            if best == Some(2) {
                return Ok(2);
            }
        }
        // Files know of captures, but of none en passant, which may be compulsory.
        if let Some(best) = best
            && (matches!(rules, Rules::Antichess { .. })
                || diagram.ep != 0 && successors.iter().all(|after| after.capture))
        {
            return Ok(best);
        }
        let bare = diagram.sides[0] | diagram.sides[1];
        if rules == Rules::Atomic && bare == diagram.piece_types[0] {
            return Ok(0);
        }
        let (file, _) = self
            .file(diagram)
            .with_context(|| format!("no file for {:?}", diagram.letters()))?;
        let stored = file.stored(&Diagram { ep: 0, ..*diagram })?;
        Ok(best.map_or(stored, |best| best.max(stored)))
    }

    /// The result, and the distance unless it is a draw.
    pub fn value(&self, diagram: &Diagram) -> Result<(i8, Option<Distance>)> {
        let successors = self.variant.rules.successors(diagram);
        let wdl = self.wdl_of(diagram, &successors)?;
        if wdl == 0 {
            return Ok((wdl, None));
        }
        if successors.is_empty() {
            return Ok((wdl, Some(Distance::MATED)));
        }
        let compulsory = matches!(self.variant.rules, Rules::Antichess { .. });
        if compulsory && successors.iter().any(|after| after.capture)
            || successors.iter().all(|after| after.zeroing)
        {
            return Ok((wdl, Some(Distance::exactly(1))));
        }
        if wdl > 0 {
            for after in successors.iter().filter(|after| after.zeroing) {
                if self.after(after)? == wdl {
                    return Ok((wdl, Some(Distance::exactly(1))));
                }
            }
            // The files of antichess leave out wins in two plies.
            for after in successors
                .iter()
                .filter(|after| compulsory && !after.zeroing)
            {
                let replies = self.variant.rules.successors(&after.diagram);
                let forced = !replies.is_empty() && replies.iter().all(|reply| reply.zeroing);
                if forced && self.after(after)? == wdl {
                    return Ok((wdl, Some(Distance::exactly(2))));
                }
            }
        }
        if let Some((_, file)) = self.file(diagram)
            && diagram.ep == 0
            && let Some(stored) = file.distance(diagram, wdl)?
        {
            return Ok((wdl, Some(stored)));
        }
        let mut best: Option<Distance> = None;
        for after in &successors {
            let distance = if after.zeroing {
                // A loss may be by a zeroing move; a win is not.
                (wdl < 0).then_some(Distance::exactly(1))
            } else {
                let (result, distance) = self.value(&after.diagram)?;
                distance.filter(|_| result == -wdl).map(|d| Distance {
                    plies: d.plies + 1,
                    ..d
                })
            };
            let Some(distance) = distance else { continue };
            best = Some(best.map_or(distance, |best| {
                let plies = match wdl > 0 {
                    true => best.plies.min(distance.plies),
                    false => best.plies.max(distance.plies),
                };
                let rounded = best.rounded || distance.rounded;
                let lost = best.lost || distance.lost;
                Distance {
                    plies,
                    rounded,
                    lost,
                }
            }));
        }
        Ok((wdl, Some(best.context("a win without a move to it")?)))
    }
}
