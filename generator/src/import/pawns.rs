//! Turns what a section says about pawns into the keys of a definition.

use retrograde_rules::{Modality, Mover, Step};

use super::{Read, Squares, Translation};

/// The moves of pawns that are a piece with moves of its own.
struct Moves {
    text: String,
    mover: Mover,
    /// Whether there are double steps.
    steps_twice: bool,
}

impl Moves {
    /// Reads the moves of a piece: those that it has only at first are double steps. `None` if they
    /// have no like here.
    fn read(text: &str) -> Option<Moves> {
        let (mut rest, mut doubled): (String, &[Step]) = (String::new(), &[]);
        let mut letters = text.chars().peekable();
        while letters.peek().is_some() {
            // Whether a capture may be en passant is said elsewhere.
            let modifiers = std::iter::from_fn(|| letters.next_if(char::is_ascii_lowercase));
            let modifiers: String = modifiers.filter(|&letter| letter != 'e').collect();
            let atom = letters.next()?;
            let after = |c: &char| c.is_ascii_digit() || *c == atom;
            let range: String = std::iter::from_fn(|| letters.next_if(after)).collect();
            if !modifiers.contains('i') {
                rest += &format!("{modifiers}{atom}{range}");
                continue;
            }
            let mut sorted: Vec<char> = modifiers.chars().collect();
            sorted.sort_unstable();
            if sorted != ['f', 'i', 'm', 'n'] || !range.is_empty() {
                return None;
            }
            doubled = match atom {
                'D' => &[(0, 1)],
                'A' => &[(-1, 1), (1, 1)],
                _ => return None,
            };
        }
        let mover = Mover::parse(&rest).ok()?;
        let fits = doubled.is_empty() || doubled == mover.doubled();
        fits.then_some(Moves {
            text: rest,
            mover,
            steps_twice: !doubled.is_empty(),
        })
    }

    fn goes_back(&self) -> bool {
        let mut steps = Modality::BOTH
            .into_iter()
            .flat_map(|modality| self.mover.leaps(modality));
        steps.any(|(_, ranks)| ranks < 0)
    }

    /// Whether some step captures and does not move: only such a one captures en passant.
    fn only_captures(&self) -> bool {
        let quiet: Vec<_> = self.mover.leaps(Modality::Quiet).collect();
        let mut takes = self.mover.leaps(Modality::Capture);
        takes.any(|step| !quiet.contains(&step))
    }
}

impl Translation<'_> {
    /// Whether a piece takes the place of pawns.
    pub(super) fn is_for_pawns(&self, letter: char) -> bool {
        let types = self.settings.get("pawnTypes");
        types.is_some_and(|types| types.value.eq_ignore_ascii_case(&letter.to_string()))
    }

    pub(super) fn pawns(
        &mut self,
        order: &[char],
        usual: String,
        array: &str,
        (moves, line): (&str, usize),
    ) -> Read<()> {
        let own = match (self.pawn, Moves::read(moves)) {
            ("pawn", _) => None,
            (_, Some(own)) => Some(own),
            _ => {
                return self.fault(
                    line,
                    format!(
                        "the pawn's moves {moves} have no like here; known are single steps, and \
                         with them ifmnD or ifmnA for double steps"
                    ),
                );
            }
        };
        if let Some(own) = &own {
            self.set_text("pawns", "moves", &own.text, line);
        }
        let (promotes, line) = match self.letters("promotionPieceTypes", order)? {
            Some(given) => given,
            None => (usual, 0),
        };
        let mut sides = [promotes.clone(), promotes];
        let mut line = line;
        let keys = ["promotionPieceTypesWhite", "promotionPieceTypesBlack"];
        for (side, key) in sides.iter_mut().zip(keys) {
            if let Some((given, own_line)) = self.letters(key, order)? {
                (*side, line) = (given, own_line);
            }
        }
        let [promotes, black] = sides;
        match promotes == black {
            true => self.set_text("pawns", "promotes-to", &promotes, line),
            false => {
                let both = format!("[\"{promotes}\", \"{black}\"]");
                self.set("pawns", "promotes-to", both, line);
            }
        }
        let regions = ["promotionRegionWhite", "promotionRegionBlack"];
        let (sides, line) = self.regions(regions, 8)?;
        let (compulsory, compulsory_line) = self.flag("mandatoryPawnPromotion", true)?;
        let (files, ranks) = (self.files, self.ranks);
        // What is beyond the board means nothing.
        let [white_squares, black_squares] = sides.map(|mut squares| {
            squares.retain(|&(file, rank)| file < files && rank < ranks);
            squares
        });
        let nowhere = white_squares.is_empty() && black_squares.is_empty();
        // Pawns that have nothing to become do not go where they would have to become something.
        let stay = promotes.is_empty() && black.is_empty() && (nowhere || !compulsory);
        if stay && own.is_some() {
            // Where moves are counted, or pawns move in another way, pawns do not wait.
            self.set_text("pawns", "promotion", "optional", line);
            return self.double_steps(array, own);
        }
        if stay {
            // Pawns go to the last rank, and stay pawns.
            self.set_text("pawns", "promotion", "must-wait", line);
            return self.double_steps(array, own);
        }
        let [white, black] = [white_squares, black_squares];
        if white.is_empty() || black.is_empty() {
            let message = format!(
                "pawns of both sides promote somewhere here; give promotionRegionWhite and \
                 promotionRegionBlack, which are *8 and *1 unless they are given, on a board of \
                 {ranks} ranks"
            );
            return self.fault(line, message);
        }
        let zone = ranks - white.iter().map(|&(_, rank)| rank).min().unwrap_or(ranks);
        let is_alike = self.mirrored(&white) == black;
        match white.len() == usize::from(files) * usize::from(zone) && is_alike {
            true if zone == 1 => {}
            true => self.set("pawns", "promotion-ranks", zone.to_string(), line),
            false => {
                let [white, black] = [white, black].map(|squares| self.names_of(&squares));
                let squares = match is_alike {
                    true => white,
                    false => format!("[{white}, {black}]"),
                };
                self.set("pawns", "promotion-squares", squares, line);
            }
        }
        if !compulsory {
            self.set_text("pawns", "promotion", "optional", compulsory_line);
        }
        self.double_steps(array, own)
    }

    /// Squares in TOML, whole ranks by their names.
    fn names_of(&self, squares: &Squares) -> String {
        let is_whole = |rank: u8| (0..self.files).all(|file| squares.contains(&(file, rank)));
        let names = squares
            .iter()
            .filter_map(|&(file, rank)| match is_whole(rank) {
                true => (file == 0).then(|| format!("\"rank{}\"", rank + 1)),
                false => Some(format!("\"{}{}\"", char::from(b'a' + file), rank + 1)),
            });
        format!("[{}]", names.collect::<Vec<_>>().join(", "))
    }

    fn double_steps(&mut self, array: &str, own: Option<Moves>) -> Read<()> {
        let own = own.as_ref();
        let (steps, line) = self.flag("doubleStep", true)?;
        let regions = ["doubleStepRegionWhite", "doubleStepRegionBlack"];
        let steps = steps && own.is_none_or(|own| own.steps_twice);
        let (ranks, step_line) = match steps {
            true => self.ranks_of(regions, 2)?,
            false => {
                let _ = regions.map(|key| self.take(key));
                (Vec::new(), line)
            }
        };
        let placement = array.split(' ').next().unwrap_or_default();
        let white = placement.rsplit('/').position(|row| row.contains('P'));
        let black = placement.split('/').position(|row| row.contains('p'));
        let first = white
            .into_iter()
            .chain(black)
            .min()
            .map_or(2, |rank| rank + 1);
        // Pawns that all begin beyond the middle say nothing about where pawns begin.
        let first = match first > usize::from(self.ranks / 2) {
            true => 2,
            false => first,
        };
        let first = match self.region_of_pawns()? {
            Some(first) => first,
            None if own.is_some_and(Moves::goes_back) => 1,
            None => first,
        };
        if first != 2 {
            self.set("pawns", "first-rank", first.to_string(), 0);
        }
        let everywhere = ranks.len() == usize::from(self.ranks);
        let ranks: Vec<usize> = ranks
            .into_iter()
            .map(|rank| usize::from(rank) + 1)
            .filter(|&rank| rank >= first)
            .collect();
        match ranks[..] {
            [2] => {}
            _ if everywhere => self.set_text("pawns", "double-step", "anywhere", step_line),
            [] => self.set_text("pawns", "double-step", "off", step_line),
            _ => self.set("pawns", "double-step", format!("{ranks:?}"), step_line),
        }
        let (passing, line) = self.word("enPassantRegion", &["*", "-"])?;
        let no_pawn_takes = steps && own.is_some_and(|own| !own.only_captures());
        if passing == "-" || no_pawn_takes {
            self.set_text("pawns", "en-passant", "off", line);
        }
        Ok(())
    }

    /// The first rank that pawns with moves of their own may go to, counted from 1, if a region says
    /// so.
    fn region_of_pawns(&mut self) -> Read<Option<usize>> {
        let number = self.pawn.strip_prefix("customPiece");
        let keys = ["White", "Black"].map(|side| {
            let piece = number.map(|number| format!("CustomPiece{number}"));
            format!("mobilityRegion{side}{}", piece.unwrap_or_default())
        });
        let given = keys.each_ref().map(|key| self.take(key));
        let [Some(white), Some(black)] = given else {
            let Some((key, setting)) = keys.iter().zip(given).find_map(|(k, s)| Some((k, s?)))
            else {
                return Ok(None);
            };
            return self.wrong(key, setting, "give White's and Black's");
        };
        let squares = self.squares(&keys[0], white)?;
        let first = squares.iter().map(|&(_, rank)| rank).min().unwrap_or(0);
        let whole = usize::from(self.files) * usize::from(self.ranks.saturating_sub(first));
        let is_alike = self.squares(&keys[1], black)? == self.mirrored(&squares);
        match squares.len() == whole && is_alike {
            true => Ok(Some(usize::from(first) + 1)),
            false => self.wrong(
                &keys[0],
                white,
                "known are all ranks but some of the first, for both sides alike",
            ),
        }
    }
}
