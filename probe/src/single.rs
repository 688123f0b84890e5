//! From a position to its value, through tables and rules.

use retrograde_index::{Helpmate, Metric};
use retrograde_rules::{BareKings, Colour, End, Material, PieceType, Position};

use crate::Wdl;
use crate::answer::{Answer, Extra};
use crate::best::Best;
use crate::error::{ProbeError, Unsupported};
use crate::facts::Facts;
use crate::known::Known;
use crate::stored::Stored;
use crate::tablebase::Tablebase;
use crate::value::{Dtm, Dtz, Value};
use crate::wanted::Wanted;

impl Tablebase {
    /// What the tables say about a position: the value alone, which is all
    /// that most programs need.
    ///
    /// A position with an e.p. right gets its exact value from its successors
    /// (O2). The half-move clock is taken as 0 (O4). What the moves of a position without a table
    /// tell is left to [`Tablebase::probe`] and [`Tablebase::wdl`].
    ///
    /// # Errors
    /// See [`ProbeError`]. Without a WDL table, the other tables do not tell
    /// whether the fifty-move rule turns some long wins into draws: then it is
    /// [`ProbeError::Missing`].
    pub fn value(&self, position: &Position) -> Result<Value, ProbeError> {
        self.expect_game(position)?;
        self.value_of(position)
    }

    /// Who wins, for the side to move, at the position's half-move clock (O7).
    ///
    /// This reads a table of [`Metric::Wdl`] alone, in games with vitality one of
    /// [`Metric::Thresholds`]. Under the fifty-move rule it takes
    /// [`Metric::Dtz`] too if the clock is not at 0 or a value has to be found
    /// among the successors, as with an e.p. right (O2). Where no table of the position tells,
    /// its moves may, as in [`Tablebase::probe`]; so it is with [`Tablebase::dtm`] and
    /// [`Tablebase::dtz`].
    ///
    /// # Errors
    /// See [`ProbeError`].
    pub fn wdl(&self, position: &Position) -> Result<Wdl, ProbeError> {
        self.expect_game(position)?;
        let found = self.wdl_of_tables(position);
        or_else(found, || {
            let told = self.value_of(position);
            let told = told.and_then(|at_0| self.now(position, at_0));
            Ok(self.by_moves_unless(told, position)?.map(|value| value.wdl))
        })
    }

    fn wdl_of_tables(&self, position: &Position) -> Result<Wdl, ProbeError> {
        if self.game().vitality().is_some() {
            return Ok(self.value_with_vitality(position)?.wdl);
        }
        let wanted = match position.halfmoves() {
            0 => Wanted::Wdl,
            _ => Wanted::Wdl.of_successors(),
        };
        let at_0 = self.read_wanted(position, wanted)?;
        Ok(self.now(position, at_0)?.wdl)
    }

    /// Depth to mate, or to how the game ends otherwise; `None` for a draw. The
    /// fifty-move rule is left out of account (O4). Reads tables of
    /// [`Metric::Dtm`], and what those that are packed small rest on.
    ///
    /// # Errors
    /// See [`ProbeError`]; [`Unsupported::Metric`] in games with vitality, which have no
    /// such tables.
    pub fn dtm(&self, position: &Position) -> Result<Option<Dtm>, ProbeError> {
        let value = self.value_for_dtm(position)?;
        self.distance(position, value, value.dtm, Metric::Dtm)
    }

    /// What tables of [`Metric::Dtm`] say: the sign of the distance, too.
    fn value_for_dtm(&self, position: &Position) -> Result<Value, ProbeError> {
        self.expect_game(position)?;
        self.expect_metric(Metric::Dtm)?;
        let found = self.read_wanted(position, Wanted::Dtm);
        or_else(found, || {
            self.by_moves_unless(self.value_of(position), position)
        })
    }

    /// [`Tablebase::dtm`] as a signed number: negative for a loss; 0 for a draw and
    /// where the game has ended.
    ///
    /// # Errors
    /// As [`Tablebase::dtm`].
    pub fn signed_dtm(&self, position: &Position) -> Result<i32, ProbeError> {
        let value = self.value_for_dtm(position)?;
        let dtm = self.distance(position, value, value.dtm, Metric::Dtm)?;
        Ok(dtm.map_or(0, |dtm| dtm.signed(value.wdl)))
    }

    /// Depth to zeroing, with the half-move clock at 0; `None` for a draw. A
    /// table of [`Metric::Dtz`] says nothing about draws, so this reads one of
    /// [`Metric::Wdl`] as well.
    ///
    /// # Errors
    /// See [`ProbeError`]; [`Unsupported::Metric`] in games without the
    /// fifty-move rule.
    pub fn dtz(&self, position: &Position) -> Result<Option<Dtz>, ProbeError> {
        self.expect_game(position)?;
        self.expect_metric(Metric::Dtz)?;
        let found = self.read_wanted(position, Wanted::Dtz);
        let value = or_else(found, || {
            self.by_moves_unless(self.value_of(position), position)
        })?;
        self.distance(position, value, value.dtz, Metric::Dtz)
    }

    /// The value of a position by its moves, unless tables of other metrics have told it.
    #[cold]
    fn by_moves_unless(
        &self,
        told: Result<Value, ProbeError>,
        position: &Position,
    ) -> Result<Option<Value>, ProbeError> {
        match told {
            Err(error) if error.is_unknown() => self.value_by_moves(position),
            told => told.map(|_| None),
        }
    }

    /// A distance that must be known unless the position is drawn.
    fn distance<D>(
        &self,
        position: &Position,
        value: Value,
        distance: Option<D>,
        metric: Metric,
    ) -> Result<Option<D>, ProbeError> {
        match (value.wdl, &distance) {
            (Wdl::Draw, _) | (_, Some(_)) => Ok(distance),
            (_, None) => Err(self.missing(&position.material(), Some(metric))),
        }
    }

    /// Checks that a position is of the game of the tables.
    pub(crate) fn expect_game(&self, position: &Position) -> Result<(), ProbeError> {
        if position.game() == self.game() {
            return Ok(());
        }
        Err(ProbeError::Unsupported(Unsupported::Game {
            position: position.game().id(),
            tables: self.game().id(),
        }))
    }

    /// Checks that the game has tables of a metric.
    pub(crate) fn expect_metric(&self, metric: Metric) -> Result<(), ProbeError> {
        if Metric::of(self.game()).contains(&metric) {
            return Ok(());
        }
        let game = self.game().id();
        Err(ProbeError::Unsupported(Unsupported::Metric {
            game,
            metric,
        }))
    }

    /// [`Tablebase::value`] of a position of the game.
    pub(crate) fn value_of(&self, position: &Position) -> Result<Value, ProbeError> {
        if self.game().vitality().is_some() {
            return self.value_with_vitality(position);
        }
        self.read_wanted(position, Wanted::All)
    }

    /// What the wanted tables say about a position, in games without vitality.
    fn read_wanted(&self, position: &Position, wanted: Wanted) -> Result<Value, ProbeError> {
        if let Some(end) = position.finished() {
            return Ok(self.ended(end, position.turn()));
        }
        if let Err(error) = refuse_castling(position) {
            // The rules know how a game has ended.
            let end = position.end().ok_or(error)?;
            return Ok(self.ended(end, position.turn()));
        }
        if position.ep().is_some() {
            return self.search(position, wanted);
        }
        let material = position.material();
        if self.game().needs_no_table(&material) {
            return Ok(self.value_without_table(position));
        }
        let (mut stored, mut unsupported) = (Stored::default(), None);
        let mut known = Known::default();
        if let Some(entry) = self.store.entry(&material) {
            for &metric in wanted.metrics(self.game()) {
                let Some(table) = self.table_of(entry, metric)? else {
                    continue;
                };
                match self.entry_in(entry, table, position, &material, &mut known) {
                    Ok((value, ..)) => stored.set(metric, value),
                    // A table that this one rests on cannot be done without.
                    Err(error) if self.lacks(&material, &error) => {}
                    Err(error @ ProbeError::Unsupported(_)) => unsupported = Some(error),
                    Err(error) => return Err(error),
                }
            }
        }
        if let Some(value) = stored.value(wanted.limit(self.limit)) {
            return Ok(value);
        }
        // What the rules know needs no table.
        if let Some(end) = position.end() {
            return Ok(self.ended(end, position.turn()));
        }
        // Nobody wins where neither side can be mated.
        if position.dead() == Some(true) || self.helpmate(position)?.is_some_and(Helpmate::is_dead)
        {
            return Ok(Value::DRAW);
        }
        let missing = || {
            let has_tables = self.store.entry(&material).is_some();
            self.missing(&material, has_tables.then_some(wanted.first()))
        };
        Err(unsupported.unwrap_or_else(missing))
    }

    /// Everything that rules and tables say about a position, except its moves. Where no table
    /// has the position, its moves may settle who wins ([`Answer::by_moves`]).
    ///
    /// # Errors
    /// See [`ProbeError`].
    pub fn probe(&self, position: &Position) -> Result<Answer, ProbeError> {
        self.expect_game(position)?;
        let at_0 = self.value_of(position);
        let known = at_0.as_ref().ok().copied();
        let found = at_0.and_then(|at_0| self.answer(position, at_0));
        or_else(found, || self.answer_by_moves(position, known))
    }

    /// The answer by tables and rules, `at_0` being the value at clock 0.
    fn answer(&self, position: &Position, at_0: Value) -> Result<Answer, ProbeError> {
        let value = self.now(position, at_0)?;
        let facts = Facts::of(position);
        let extra = match (position.vitality(), self.limit) {
            (Some(counters), _) => match self.vitality(position) {
                Ok(answer) => Extra::Vitality {
                    answer,
                    win_by: answer.win_by(counters),
                },
                // Everything about a finished game is known without it.
                Err(error) if error.is_unknown() && facts.end.is_some() => Extra::None,
                Err(error) => return Err(error),
            },
            (None, Some(_)) => Extra::Clock {
                wdl_at_clock_0: at_0.wdl,
            },
            (None, None) => Extra::None,
        };
        Ok(Answer {
            facts,
            value,
            extra,
            by_moves: false,
        })
    }

    /// The value of a position at its half-move clock (O7), `at_0` being the
    /// one at 0.
    ///
    /// # Errors
    /// [`ProbeError::Missing`] if it takes a table of DTZ to tell.
    #[inline]
    pub(crate) fn now(&self, position: &Position, at_0: Value) -> Result<Value, ProbeError> {
        match at_0.at_clock(position.halfmoves(), self.limit) {
            Some(value) => Ok(value),
            None => self.at_the_end(position),
        }
    }

    /// The value of a position of which no table tells the distance, if the game has ended there.
    #[cold]
    fn at_the_end(&self, position: &Position) -> Result<Value, ProbeError> {
        let ended = |end| self.ended(end, position.turn());
        let missing = || self.missing(&position.material(), Some(Metric::Dtz));
        position.end().map(ended).ok_or_else(missing)
    }

    /// The value of a position from those of its successors.
    pub(crate) fn search(&self, position: &Position, wanted: Wanted) -> Result<Value, ProbeError> {
        let wanted = wanted.of_successors();
        let moves = position.legal_moves();
        let mut best = Best::default();
        for &mv in &moves {
            // Every step of this recursion takes an e.p. right, a piece or the
            // other side to move, so it ends.
            let after = position.play(mv);
            let value = self.read_wanted(&after, wanted)?.reversed();
            let clock = u32::from(!mv.is_zeroing());
            let value = value
                .at_clock(clock, wanted.limit(self.limit))
                .ok_or_else(|| self.missing(&after.material(), Some(Metric::Dtz)))?;
            best.add(mv, value);
        }
        if let Some(best) = best.value() {
            return Ok(best);
        }
        let end = position.end_with(&moves);
        Ok(end.map_or(Value::DRAW, |end| self.ended(end, position.turn())))
    }

    /// The value of a finished game.
    pub(crate) fn ended(&self, end: End, turn: Colour) -> Value {
        let winner = end.winner(turn);
        Value {
            wdl: Wdl::of_winner(winner, turn),
            dtm: winner.map(|_| Dtm(0)),
            dtz: winner.and(self.limit).map(|_| Dtz(0)),
        }
    }

    /// The value of a position of two kings: a draw, or a win by taking the
    /// other king, which in extinction chess may stand there to be taken. A side
    /// is never forced to leave its king there: some king move always leads away
    /// from the other king.
    pub(crate) fn value_without_table(&self, position: &Position) -> Value {
        let kings = position.board().piece_type(PieceType::King);
        let mut squares = kings.into_iter();
        let touch = squares.next().zip(squares.next()).is_some_and(|(a, b)| {
            let board = self.game().geometry();
            let files = board.file(a).abs_diff(board.file(b));
            files.max(board.rank(a).abs_diff(board.rank(b))) == 1
        });
        match self.game().bare_kings() {
            BareKings::DrawnUnlessTaken if touch => Value {
                wdl: Wdl::Win,
                dtm: Some(Dtm(1)),
                dtz: self.limit.map(|_| Dtz(1)),
            },
            BareKings::DrawnUnlessTaken | BareKings::Drawn | BareKings::Table => Value::DRAW,
        }
    }
}

/// Keeps a result; where no table tells, takes that of `other`, if it finds any.
pub(crate) fn or_else<T>(
    found: Result<T, ProbeError>,
    other: impl FnOnce() -> Result<Option<T>, ProbeError>,
) -> Result<T, ProbeError> {
    match found {
        Err(error) if error.is_unknown() => other()?.ok_or(error),
        found => found,
    }
}

/// No table has positions with castling rights (O1). With too many pieces it would not help to
/// leave them out.
pub(crate) fn refuse_castling(position: &Position) -> Result<(), ProbeError> {
    if position.castling().is_empty() {
        return Ok(());
    }
    let (pieces, most) = (position.board().occupied().count(), Material::MOST_PIECES);
    Err(ProbeError::Unsupported(match pieces > most {
        true => Unsupported::Pieces { pieces, most },
        false => Unsupported::CastlingRights,
    }))
}
