//! What a table says about a position, and how numbers express it.

use std::fmt;

use retrograde_rules::{Game, shortened};
use thiserror::Error;

/// What a table holds.
///
/// Values are `i16`. Those of [`Metric::Wdl`] and [`Metric::Dtm`] are scores for the side
/// to move: positive for a win, 0 for a draw, negative for a loss. See [`score`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Metric {
    /// Who wins: 1 for a win, 0 for a draw, -1 for a loss; in games with the
    /// fifty-move rule, 2 for a cursed win and -2 for a blessed loss (O4).
    Wdl,
    /// Plies to the end with best play: `n` for a win in `n` plies, 0 for a draw,
    /// `-(n + 1)` for a loss in `n` plies, so that -1 means "has lost"; and
    /// [`score::WON`] for "has won".
    Dtm,
    /// Plies to the next capture, pawn move or mate under play that keeps the
    /// category; never negative (O4). [`Metric::Wdl`] tells who gains by it; for a
    /// draw it is meaningless.
    Dtz,
    /// With vitality: who wins with which vitalities. A value is the place of a
    /// [`ThresholdCurve`](crate::ThresholdCurve) in a list of the file, as a `u16`.
    Thresholds,
    /// With vitality: the least vitality with which White forces mate, and the
    /// least with which Black does; see [`needs`].
    Mates,
    /// Which sides can be mated by some series of legal moves of both sides (O5); see
    /// [`Helpmate`](crate::Helpmate), which names White and Black, whoever is to move.
    Helpmate,
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
        match self {
            Metric::Wdl => 1,
            Metric::Dtm => 2,
            Metric::Dtz => 3,
            Metric::Thresholds => 4,
            Metric::Mates => 5,
            Metric::Helpmate => 6,
        }
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

    /// No value: what a writer may be given for indices that stand for no position.
    /// It is never stored; such indices get whatever compresses best.
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
        let mut allowed = 0;
        for value in i16::MIN..=i16::MAX {
            if Metric::Mates.allows(value) {
                assert_eq!(needs::join(needs::split(value)), value);
                allowed += 1;
            }
        }
        assert_eq!(allowed, (u32::from(needs::MOST) + 1).pow(2));
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
    fn needs_round_trip() {
        for white in 0..=needs::MOST {
            for black in 0..=needs::MOST {
                let value = needs::join([white, black]);
                assert_eq!(needs::split(value), [white, black]);
                assert!(Metric::Mates.allows(value));
            }
        }
        assert!(!Metric::Mates.allows(needs::join([1, 102])));
        assert!(!Metric::Mates.allows(i16::MIN));
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
}
