//! Turns what ends a game, and what a side has to do in its turn, into keys of a definition.

use super::{Read, Translation, quoted};

impl Translation<'_> {
    pub(super) fn endings(&mut self, order: &[char]) -> Read<()> {
        let (stalemate, line) = self.word("stalemateValue", &["draw", "loss", "win"])?;
        let (by_count, count_line) = self.flag("stalematePieceCount", false)?;
        match (by_count, stalemate) {
            (false, "draw") => {}
            (false, value) => self.set_text("end", "stalemate", value, line),
            (true, "win") => self.set_text("end", "stalemate", "fewer-men", count_line),
            (true, _) => {
                return self.fault(
                    count_line,
                    "stalematePieceCount needs stalemateValue = win here",
                );
            }
        }
        let (checkmate, line) = self.word("checkmateValue", &["loss", "win"])?;
        if checkmate == "win" {
            self.set_text("end", "checkmate", checkmate, line);
        }
        let all = self
            .settings
            .get("extinctionPieceTypes")
            .map(|setting| setting.value);
        let (types, types_line) = self
            .letters("extinctionPieceTypes", order)?
            .unwrap_or_default();
        let (extinct, line) = self.word("extinctionValue", &["none", "loss", "win"])?;
        let (claimed, _) = self.flag("extinctionClaim", false)?;
        let (royal, royal_line) = self.flag("extinctionPseudoRoyal", false)?;
        let (fewest, count_line) = self.number("extinctionPieceCount", 0)?;
        let (others, others_line) = self.number("extinctionOpponentPieceCount", 0)?;
        let (explodes, blast_line) = self.flag("blastOnCapture", false)?;
        let immune = self.letters("blastImmuneTypes", order)?;
        if explodes {
            self.set("capture", "explodes", "true".to_owned(), blast_line);
            let (immune, line) = immune.unwrap_or((String::new(), blast_line));
            // Pawns that are a custom piece explode beside a capture, too.
            let mut spares = immune.clone();
            if !(self.has_pawns() && self.pawn != "pawn" || spares.contains('P')) {
                spares.push('P');
            }
            if spares != "P" {
                self.set_text("capture", "spares", &spares, line);
            }
            if !immune.is_empty() {
                self.set_text("capture", "survives", &immune, line);
            }
        }
        match self.letters("mutuallyImmuneTypes", order)? {
            Some((immune, line)) if !immune.is_empty() => {
                self.set_text("capture", "mutually-immune", &immune, line);
            }
            _ => {}
        }
        let none = self
            .keys
            .iter()
            .position(|key| (key.0, &*key.1) == ("royal", "rule"));
        let stripped = match (claimed, fewest, others) {
            (true, 1, 2) => Some("loss-unless-answered"),
            (false, 1, 0) => Some("loss"),
            _ => None,
        };
        match (extinct, all) {
            ("none", _) | (_, None | Some("-")) => {}
            ("loss", Some("*")) if none.is_none() && stripped.is_some() => {
                self.set_text("end", "bare", stripped.unwrap_or_default(), count_line);
            }
            (value, Some("*")) if stripped == Some("loss") => {
                self.set_text("end", "bare", value, count_line);
            }
            ("loss", Some(_))
                if royal
                    && types.len() == 1
                    && none.is_some()
                    && fewest == 0
                    && others == 0
                    && !claimed =>
            {
                // Its one piece of this type is royal.
                self.keys.retain(|key| key.0 != "royal");
                if types != "K" {
                    self.set_text("royal", "piece", &types, types_line);
                }
            }
            ("loss", Some(all)) if royal && !claimed && others == 0 && all != "*" && !explodes => {
                // Both the kings that are royal by themselves, and the last pieces of the types.
                let has_king = none.is_none();
                let types: String = (order.iter())
                    .filter(|&&letter| letter == 'K' && has_king || types.contains(letter))
                    .collect();
                self.keys.retain(|key| key.0 != "royal");
                self.set_text("royal", "rule", "only-of-type", royal_line);
                self.set_text("royal", "types", &types, types_line);
                if fewest > 0 {
                    let most = (fewest + 1).min(9).to_string();
                    self.set("royal", "at-most", most, count_line);
                }
            }
            (_, Some(all)) if claimed || fewest > 0 && (royal || all == "*") || fewest > 9 => {
                return self.fault(
                    count_line,
                    "extinctionPieceCount has a like here only as a bare side, as pieces that may \
                     be royal, or as up to nine pieces of a type of which none is royal",
                );
            }
            (_, _) if others > 1 || others == 1 && all != Some("*") => {
                return self.fault(others_line, "extinctionOpponentPieceCount has no like here");
            }
            (_, _) if royal => {
                return self.fault(
                    royal_line,
                    "extinctionPseudoRoyal has a like here only where one type is royal",
                );
            }
            (value, Some("*")) => {
                self.set_text("end", "all-lost", value, line);
                if others == 1 && explodes {
                    self.set("end", "all-lost-alone", "true".to_owned(), others_line);
                }
            }
            (value, _) => {
                self.set_text("end", "extinct", value, line);
                self.set_text("end", "extinct-types", &types, types_line);
                if fewest > 0 {
                    let count = fewest.to_string();
                    self.set("end", "extinct-count", count, count_line);
                }
                if types.contains('K') && none.is_some() && (explodes || fewest > 0) {
                    // With fewer the game is over.
                    self.keys
                        .retain(|key| (key.0, &*key.1) != ("royal", "kings"));
                    let kings = format!("[{}, \"any\"]", fewest + 1);
                    self.set("royal", "kings", kings, count_line);
                }
            }
        }
        let is_king = none.is_none() && !royal;
        self.flags(is_king)?;
        let (moves, line) = self.number("nMoveRule", 50)?;
        if moves != 50 {
            self.set(
                "end",
                "no-progress",
                (u16::from(moves) * 2).to_string(),
                line,
            );
        }
        Ok(())
    }

    /// The squares that pieces win on; `has_king` says whether there is a king, and not another
    /// piece that is royal.
    fn flags(&mut self, has_king: bool) -> Read<()> {
        let region = self.take("flagRegion");
        let [white, black] =
            ["flagRegionWhite", "flagRegionBlack"].map(|key| self.take(key).or(region));
        let (move_after, move_line) = self.flag("flagMove", false)?;
        let (safe, safe_line) = self.flag("flagPieceSafe", false)?;
        let (count, count_line) = self.number("flagPieceCount", 1)?;
        let piece = self.take("flagPiece");
        let sides = ["flagPieceWhite", "flagPieceBlack"].map(|key| self.take(key));
        let [white_piece, black_piece] = sides.map(|side| side.or(piece));
        let piece = white_piece.or(black_piece);
        let Some(line) = white.or(black).map(|setting| setting.line) else {
            return Ok(());
        };
        // Any piece, unless one is named.
        let named = [white_piece, black_piece].map(|piece| piece.map_or("*", |piece| piece.value));
        if let Some(setting) = black_piece.or(white_piece)
            && white.is_some()
            && black.is_some()
            && named[0] != named[1]
        {
            let key = ["flagPieceWhite", "flagPieceBlack"][usize::from(black_piece.is_some())];
            return self.wrong(key, setting, "the pieces of both sides are the same here");
        }
        let (letter, piece_line) = match piece.filter(|setting| setting.value != "*") {
            Some(piece) => (self.resolved("flagPiece", piece)?, piece.line),
            None => ("*".to_owned(), line),
        };
        // Where a side has no such piece and no pawns, its squares are of no matter.
        let stands = |letter: String| {
            letter == "*" || self.placement.contains(&letter) || self.placement.contains(['P', 'p'])
        };
        let needless = [letter.clone(), letter.to_ascii_lowercase()].map(|letter| !stands(letter));
        let (white, black) = match (white, black) {
            (Some(white), Some(black)) => (white, Some(black)),
            (Some(white), None) if needless[1] => (white, None),
            _ => return self.fault(line, "flagRegionWhite and flagRegionBlack need each other"),
        };
        let white_squares = self.squares("flagRegionWhite", white)?;
        let black_squares = match black {
            Some(black) => self.squares("flagRegionBlack", black)?,
            None => self.mirrored(&white_squares),
        };
        let black = black.unwrap_or(white);
        let sides = [white_squares, black_squares];
        let named = |word: &str| match (word.strip_prefix('*'), word.strip_suffix('*')) {
            (Some(rank), _) => format!("rank{rank}"),
            (_, Some(file)) => format!("file{file}"),
            _ => word.to_owned(),
        };
        let list = |setting: super::Setting| {
            let squares = setting.value.split_whitespace();
            let squares: Vec<String> = squares.map(|word| quoted(&named(word))).collect();
            format!("[{}]", squares.join(", "))
        };
        let (white_list, black_list) = (list(white), list(black));
        self.set_text("end.reach", "piece", &letter, piece_line);
        self.set("end.reach", "squares", white_list, white.line);
        match (self.mirrored(&sides[0]) == sides[1], sides[0] == sides[1]) {
            (true, _) => {}
            (false, true) => self.set("end.reach", "both", "true".to_owned(), black.line),
            (false, false) => self.set("end.reach", "black", black_list, black.line),
        }
        if count != 1 {
            self.set("end.reach", "count", count.to_string(), count_line);
        }
        // What the move after an arrival may still do depends on whether a king arrives.
        let moves = match has_king && letter == "K" {
            true => "reply",
            false => "stays",
        };
        for (holds, key, line) in [(move_after, moves, move_line), (safe, "safe", safe_line)] {
            if holds {
                self.set("end.reach", key, "true".to_owned(), line);
            }
        }
        Ok(())
    }

    pub(super) fn turns(&mut self, array: &str) -> Read<()> {
        let (always, line) = self.flag("pass", false)?;
        let (stuck, stuck_line) = self.flag("passOnStalemate", false)?;
        match (always, stuck) {
            (true, _) => self.set_text("turn", "pass", "always", line),
            (false, true) => self.set_text("turn", "pass", "when-stuck", stuck_line),
            (false, false) => {}
        }
        for (key, usual, ours) in [
            ("mustCapture", false, "must-capture"),
            ("checking", true, "no-checks"),
        ] {
            let (given, line) = self.flag(key, usual)?;
            if given != usual {
                self.set("turn", ours, "true".to_owned(), line);
            }
        }
        let (counts, line) = self.flag("checkCounting", false)?;
        if counts {
            // How many are left to give stands in the array, such as 3+3.
            let left = array.split(' ').find_map(|field| field.split_once('+'));
            let left = left.map_or("3", |(white, _)| white);
            self.set("counters", "checks", left.to_owned(), line);
        }
        Ok(())
    }
}
