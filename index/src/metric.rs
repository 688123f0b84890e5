//! Metrics (WDL, DTZ, DTM, ...), and the numbers by which tables express their values.

use std::fmt;

use retrograde_rules::{Colour, Game, shortened};
use thiserror::Error;

/// The kind of values that a table holds.
///
/// Values are `i16`. Those of [`Metric::Wdl`] and [`Metric::Dtm`] are scores for the side
/// to move: positive for a win, 0 for a draw, negative for a loss. See [`score`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Metric {
    /// The result: 1 for a win, 0 for a draw, -1 for a loss; in games with the fifty-move rule, 2
    /// for a cursed win and -2 for a blessed loss (O4).
    Wdl = 1,
    /// Plies to the end with best play: `n` for a win in `n` plies, 0 for a draw,
    /// `-(n + 1)` for a loss in `n` plies, so that -1 means "has lost"; and
    /// [`score::WON`] for "has won".
    Dtm = 2,
    /// Plies to the next capture, pawn move or mate under play that keeps the
    /// category; never negative (O4). [`Metric::Wdl`] tells who gains by it; for a
    /// draw it is meaningless.
    Dtz = 3,
    /// The winners with all vitalities, in games with vitality. A value is the place of a
    /// [`ThresholdCurve`](crate::ThresholdCurve) in a list of the file, as a `u16`.
    Thresholds = 4,
    /// The least vitalities with which White, and Black, forces mate, in games with vitality; see
    /// [`needs`].
    Mates = 5,
    /// The sides that can be mated by some series of legal moves of both sides (O5); see
    /// [`Helpmate`], which names White and Black, whoever is to move.
    Helpmate = 6,
}

impl Metric {
    /// All metrics.
    pub const ALL: [Metric; 6] = [
        Metric::Wdl,
        Metric::Dtm,
        Metric::Dtz,
        Metric::Thresholds,
        Metric::Mates,
        Metric::Helpmate,
    ];

    /// The metrics of a game's tables, in the order in which they are made: WDL
    /// and DTM, with the fifty-move rule DTZ too; with vitality, curves and mates
    /// instead. All that decides who wins is among them; others are made
    /// [on request](Metric::on_request).
    pub fn of(game: Game) -> &'static [Metric] {
        match (game.vitality(), game.zeroing_limit()) {
            (Some(_), _) => &[Metric::Thresholds, Metric::Mates],
            (None, Some(_)) => &[Metric::Wdl, Metric::Dtm, Metric::Dtz],
            (None, None) => &[Metric::Wdl, Metric::Dtm],
        }
    }

    /// The metrics that a game can have beside those that are made by default: helpmates
    /// where the rules speak of dead positions (O5).
    pub fn on_request(game: Game) -> &'static [Metric] {
        match game.has_dead_positions() {
            true => &[Metric::Helpmate],
            false => &[],
        }
    }

    /// All metrics that a game can have: those [made by default](Metric::of), then those
    /// made [on request](Metric::on_request).
    pub fn known(game: Game) -> impl Iterator<Item = Metric> + Clone {
        let (default, more) = (Metric::of(game), Metric::on_request(game));
        default.iter().chain(more).copied()
    }

    /// The name, which is also the file extension: `dtm`.
    pub const fn name(self) -> &'static str {
        match self {
            Metric::Wdl => "wdl",
            Metric::Dtm => "dtm",
            Metric::Dtz => "dtz",
            Metric::Thresholds => "thresholds",
            Metric::Mates => "mates",
            Metric::Helpmate => "helpmate",
        }
    }

    /// The metric with a name.
    pub fn parse(name: &str) -> Option<Metric> {
        Metric::ALL.into_iter().find(|m| m.name() == name)
    }

    /// The metric of a game with a name.
    ///
    /// # Errors
    /// Tables of the game have no such metric.
    pub fn parse_of(game: Game, name: &str) -> Result<Metric, MetricError> {
        let metric = Metric::parse(name).filter(|&m| Metric::known(game).any(|known| known == m));
        metric.ok_or_else(|| {
            let known: Vec<&str> = Metric::known(game).map(Metric::name).collect();
            MetricError {
                game: game.id(),
                name: shortened(name).into_owned(),
                known: known.join(", "),
            }
        })
    }

    /// The number of the metric in files.
    pub const fn id(self) -> u8 {
        self as u8
    }

    /// The metric with a number in files.
    pub fn from_id(id: u8) -> Option<Metric> {
        Metric::ALL.into_iter().find(|m| m.id() == id)
    }

    /// The unit of distances as a number in files: 0 for none, 1 for plies, 2 for
    /// points of vitality.
    pub const fn unit(self) -> u8 {
        match self {
            Metric::Wdl | Metric::Helpmate => 0,
            Metric::Dtm | Metric::Dtz => 1,
            Metric::Thresholds | Metric::Mates => 2,
        }
    }

    /// Whether a table of this metric can hold the value.
    pub const fn allows(self, value: i16) -> bool {
        match self {
            Metric::Wdl => -2 <= value && value <= 2,
            Metric::Dtm => value != score::DONT_CARE,
            // One ply more must still be a number: values of `i16::MAX` could support
            // each other.
            Metric::Dtz => 0 <= value && value != i16::MAX,
            Metric::Thresholds => value != score::DONT_CARE,
            Metric::Helpmate => 0 <= value && value <= 3,
            Metric::Mates => {
                let [white, black] = needs::split(value);
                needs::join([white, black]) == value && white <= needs::MOST && black <= needs::MOST
            }
        }
    }
}

/// Tables of a game have no such metric.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{game} has no metric \"{name}\"; it has {known}")]
pub struct MetricError {
    game: String,
    name: String,
    known: String,
}

impl fmt::Display for Metric {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A result for one side, and whether the fifty-move rule changes it.
///
/// The order is from the best to the worst.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Wdl {
    /// A win.
    Win,
    /// A win that the fifty-move rule turns into a draw (O4).
    CursedWin,
    /// A draw.
    Draw,
    /// A loss that the fifty-move rule turns into a draw (O4).
    BlessedLoss,
    /// A loss.
    Loss,
}

impl Wdl {
    /// All results, from the best to the worst.
    pub const ALL: [Wdl; 5] = [
        Wdl::Win,
        Wdl::CursedWin,
        Wdl::Draw,
        Wdl::BlessedLoss,
        Wdl::Loss,
    ];

    /// The word on the command line and in JSON: `cursed-win`.
    pub const fn name(self) -> &'static str {
        match self {
            Wdl::Win => "win",
            Wdl::CursedWin => "cursed-win",
            Wdl::Draw => "draw",
            Wdl::BlessedLoss => "blessed-loss",
            Wdl::Loss => "loss",
        }
    }

    /// The result that a value in a table of [`Metric::Wdl`] stands for.
    pub const fn from_value(value: i16) -> Wdl {
        match value {
            1 => Wdl::Win,
            2.. => Wdl::CursedWin,
            0 => Wdl::Draw,
            -1 => Wdl::Loss,
            _ => Wdl::BlessedLoss,
        }
    }

    /// The value for it in a table of [`Metric::Wdl`].
    pub const fn to_value(self) -> i16 {
        match self {
            Wdl::Win => 1,
            Wdl::CursedWin => 2,
            Wdl::Draw => 0,
            Wdl::BlessedLoss => -2,
            Wdl::Loss => -1,
        }
    }

    /// The number that other tablebases use: from 2 for a win to -2 for a loss.
    #[inline]
    pub const fn number(self) -> i8 {
        2 - self as i8
    }

    /// This result if the fifty-move rule turns wins into draws (O4).
    #[must_use]
    pub const fn cursed(self) -> Wdl {
        match self {
            Wdl::Win => Wdl::CursedWin,
            Wdl::Loss => Wdl::BlessedLoss,
            wdl => wdl,
        }
    }

    /// The result of a decided game for the side `turn`; a draw if nobody wins.
    pub fn of_winner(winner: Option<Colour>, turn: Colour) -> Wdl {
        match winner {
            None => Wdl::Draw,
            Some(winner) if winner == turn => Wdl::Win,
            Some(_) => Wdl::Loss,
        }
    }

    /// Whether it is a win, the fifty-move rule apart.
    #[inline]
    pub const fn is_win(self) -> bool {
        matches!(self, Wdl::Win | Wdl::CursedWin)
    }

    /// Whether the fifty-move rule turns it into a draw.
    pub const fn is_cursed(self) -> bool {
        matches!(self, Wdl::CursedWin | Wdl::BlessedLoss)
    }

    /// This result as the other side sees it.
    #[must_use]
    pub const fn reversed(self) -> Wdl {
        Wdl::ALL[Wdl::Loss as usize - self as usize]
    }

    /// The winner if this is the value for `side`, the fifty-move rule apart; `None` for a draw.
    pub const fn winner(self, side: Colour) -> Option<Colour> {
        match self {
            Wdl::Win | Wdl::CursedWin => Some(side),
            Wdl::Loss | Wdl::BlessedLoss => Some(side.other()),
            Wdl::Draw => None,
        }
    }
}

impl fmt::Display for Wdl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The sides that can be mated from a position by some series of legal moves of both sides (O5). A
/// position from which neither can is dead.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Helpmate {
    /// Whether White can be mated.
    pub white: bool,
    /// Whether Black can be mated.
    pub black: bool,
}

impl Helpmate {
    /// Neither side can be mated.
    pub const DEAD: Helpmate = Helpmate {
        white: false,
        black: false,
    };

    /// The value in which one side can be mated, as far as is known.
    pub const fn of_mated(side: Colour) -> Helpmate {
        Helpmate {
            white: matches!(side, Colour::White),
            black: matches!(side, Colour::Black),
        }
    }

    /// Whether a side can be mated.
    #[inline]
    pub const fn can_be_mated(self, side: Colour) -> bool {
        match side {
            Colour::White => self.white,
            Colour::Black => self.black,
        }
    }

    /// Whether neither side can be mated.
    #[inline]
    pub const fn is_dead(self) -> bool {
        !self.white && !self.black
    }

    /// The sides that can be mated by this or by another.
    #[inline]
    #[must_use]
    pub const fn or(self, other: Helpmate) -> Helpmate {
        Helpmate {
            white: self.white || other.white,
            black: self.black || other.black,
        }
    }

    /// The value with the colours swapped.
    #[inline]
    #[must_use]
    pub const fn swapped(self) -> Helpmate {
        Helpmate {
            white: self.black,
            black: self.white,
        }
    }

    /// The value of [`Metric::Helpmate`]: 1 if White can be
    /// mated, plus 2 if Black can.
    #[inline]
    pub const fn to_value(self) -> i16 {
        self.white as i16 | (self.black as i16) << 1
    }

    /// The sides that a value of [`Metric::Helpmate`] stands for; bits above
    /// the lowest two are ignored.
    #[inline]
    pub const fn from_value(value: i16) -> Helpmate {
        Helpmate {
            white: value & 1 != 0,
            black: value & 2 != 0,
        }
    }
}

/// Values of [`Metric::Mates`]: what each side needs to force mate, in points
/// of vitality; one more than the full counter if it cannot.
pub mod needs {
    use crate::ThresholdCurve;

    /// The largest need.
    pub const MOST: u8 = ThresholdCurve::MOST + 1;

    /// The value for the needs of White and Black: the low six bits of each, then the seventh
    /// of each, which only full counters above 62 use.
    #[inline]
    pub const fn join([white, black]: [u8; 2]) -> i16 {
        let (high_white, high_black) = (white >> 6 & 1, black >> 6 & 1);
        let low = (white as i16 & 0x3F) << 6 | black as i16 & 0x3F;
        (high_white as i16) << 13 | (high_black as i16) << 12 | low
    }

    /// The needs of White and Black in a value.
    #[inline]
    pub const fn split(value: i16) -> [u8; 2] {
        let (white, black) = (value >> 6 & 0x3F, value & 0x3F);
        let (high_white, high_black) = (value >> 13 & 1, value >> 12 & 1);
        [
            (high_white << 6 | white) as u8,
            (high_black << 6 | black) as u8,
        ]
    }
}

/// Scores of [`Metric::Dtm`].
pub mod score {
    /// A draw.
    pub const DRAW: i16 = 0;

    /// The side to move has won, as a side does that is stalemated in some games: a win in
    /// 0 plies. It is no number of plies that a longer win could have.
    pub const WON: i16 = i16::MAX;

    /// The score of an index that stands for no position, as a writer may be given it. It is never
    /// stored; such indices get whatever compresses best.
    pub const DONT_CARE: i16 = i16::MIN;

    /// The longest distance that has a score.
    pub const MOST_PLIES: u32 = i16::MAX as u32 - 1;

    /// The score of a win in `plies` (0 for "has won", up to [`MOST_PLIES`]).
    #[inline]
    pub const fn win(plies: u32) -> i16 {
        debug_assert!(plies <= MOST_PLIES);
        match plies {
            0 => WON,
            plies => plies as i16,
        }
    }

    /// The score of a loss in `plies` (0 for "has lost", up to
    /// [`MOST_PLIES`]).
    #[inline]
    pub const fn loss(plies: u32) -> i16 {
        debug_assert!(plies <= MOST_PLIES);
        -(plies as i16) - 1
    }

    /// The distance of a score; `None` for a draw.
    #[inline]
    pub const fn plies(score: i16) -> Option<u32> {
        match score {
            DRAW => None,
            WON => Some(0),
            1.. => Some(score as u32),
            _ => Some(-(score as i32 + 1) as u32),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn needs_are_two_numbers_and_nothing_else() {
        let numbers = 0..=needs::MOST;
        let pairs = numbers
            .clone()
            .flat_map(|a| numbers.clone().map(move |b| [a, b]));
        let mut values: Vec<i16> = pairs
            .inspect(|&pair| assert_eq!(needs::split(needs::join(pair)), pair))
            .map(needs::join)
            .collect();
        values.sort_unstable();
        let allowed = (i16::MIN..=i16::MAX).filter(|&value| Metric::Mates.allows(value));
        assert!(allowed.eq(values));
    }

    #[test]
    fn what_decides_is_made_by_default() {
        for &game in Game::all() {
            let known: Vec<Metric> = Metric::known(game).collect();
            assert!(known.starts_with(Metric::of(game)));
            assert!(!Metric::of(game).contains(&Metric::Helpmate));
            let has = known.contains(&Metric::Helpmate);
            assert_eq!(has, game == Game::default(), "{}", game.id());
        }
    }

    #[test]
    fn names_and_numbers_round_trip() {
        for metric in Metric::ALL {
            assert_eq!(Metric::parse(metric.name()), Some(metric));
            assert_eq!(Metric::from_id(metric.id()), Some(metric));
        }
        assert_eq!(Metric::parse("DTZ"), None);
        assert_eq!(Metric::from_id(0), None);
    }

    #[test]
    fn scores_round_trip() {
        for plies in 0..=score::MOST_PLIES {
            assert_eq!(score::plies(score::loss(plies)), Some(plies));
            assert!(score::loss(plies) < 0 && score::win(plies) > 0);
            assert_eq!(score::plies(score::win(plies)), Some(plies));
        }
        assert_eq!(score::plies(score::DRAW), None);
        assert_eq!(score::loss(0), -1);
    }

    #[test]
    fn no_table_has_more_plies_than_can_be_counted_on() {
        let most = score::MOST_PLIES;
        for value in i16::MIN..=i16::MAX {
            let is_score = value != i16::MIN && score::plies(value).is_none_or(|n| n <= most);
            assert_eq!(Metric::Dtm.allows(value), is_score, "{value}");
            let is_plies = u32::try_from(value).is_ok_and(|plies| plies <= most);
            assert_eq!(Metric::Dtz.allows(value), is_plies, "{value}");
        }
    }
    #[test]
    fn values_are_two_bits() {
        for value in -9..=9 {
            let round = Helpmate::from_value(value).to_value();
            assert_eq!(round == value, Metric::Helpmate.allows(value), "{value}");
        }
        let white = Helpmate::of_mated(Colour::White);
        assert_eq!((white.to_value(), white.swapped().to_value()), (1, 2));
        assert!(white.can_be_mated(Colour::White) && !white.can_be_mated(Colour::Black));
        assert_eq!(white.or(white.swapped()).to_value(), 3);
        assert!(Helpmate::DEAD.is_dead() && !white.is_dead());
    }
}
