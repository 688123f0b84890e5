//! Reads and evaluates predicates: what makes a position count, as tables of claims write it.
//!
//! A *predicate* is a list of terms between `and`, such as `won and not check and there drawn`. A
//! term asks something of the position; after `there`, of the same placement in the second game;
//! `not` turns it round. Values are for the side to move, with full counters.

use std::cell::OnceCell;

use retrograde_index::Wdl;
use retrograde_rules::{Colour, End, Position};
use serde::Deserialize;

use crate::error::ClaimError;
use crate::position::ends_at_once;
use crate::tables::Standings;
use crate::tally::place;

/// Something that is true of a position or is not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Term {
    Won,
    Drawn,
    Lost,
    Decided,
    WhiteWins,
    BlackWins,
    WhiteToMove,
    BlackToMove,
    Check,
    Checkmate,
    Stalemate,
    Over,
    Capture,
    AtOnce,
    Changed,
    OtherWinner,
}

/// All terms by their names.
const TERMS: [(&str, Term); 16] = [
    ("won", Term::Won),
    ("drawn", Term::Drawn),
    ("lost", Term::Lost),
    ("decided", Term::Decided),
    ("white-wins", Term::WhiteWins),
    ("black-wins", Term::BlackWins),
    ("white-to-move", Term::WhiteToMove),
    ("black-to-move", Term::BlackToMove),
    ("check", Term::Check),
    ("checkmate", Term::Checkmate),
    ("stalemate", Term::Stalemate),
    ("over", Term::Over),
    ("capture", Term::Capture),
    ("at-once", Term::AtOnce),
    ("changed", Term::Changed),
    ("other-winner", Term::OtherWinner),
];

/// A predicate of positions.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub(crate) struct Predicate {
    /// All of these are true.
    terms: Vec<Asked>,
    /// Not all of these are true, if there are any.
    except: Vec<Asked>,
}

/// A term as it is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Asked {
    term: Term,
    is_not: bool,
    is_there: bool,
}

impl TryFrom<String> for Predicate {
    type Error = String;

    fn try_from(text: String) -> Result<Predicate, String> {
        let asked = |part: &str| {
            let part = part.trim();
            let (is_not, part) = match part.strip_prefix("not ") {
                Some(rest) => (true, rest.trim()),
                None => (false, part),
            };
            let (is_there, part) = match part.strip_prefix("there ") {
                Some(rest) => (true, rest.trim()),
                None => (false, part),
            };
            let term = TERMS.into_iter().find(|(name, _)| *name == part);
            let (_, term) = term.ok_or_else(|| {
                let known = TERMS.map(|(name, _)| name).join(", ");
                format!("there is no term \"{part}\"; the terms are: {known}")
            })?;
            Ok(Asked {
                term,
                is_not,
                is_there,
            })
        };
        let terms = text.split(" and ").map(asked);
        Ok(Predicate {
            terms: terms.collect::<Result<_, String>>()?,
            except: Vec::new(),
        })
    }
}

impl Predicate {
    /// Whether it asks about another game.
    pub(crate) fn asks_there(&self) -> bool {
        let is_of_two = |term| matches!(term, Term::Changed | Term::OtherWinner);
        let mut terms = self.terms.iter().chain(&self.except);
        terms.any(|asked| asked.is_there || is_of_two(asked.term))
    }

    /// The predicate of positions for which both are true.
    pub(crate) fn and(&self, other: &Predicate) -> Predicate {
        let terms = self.terms.iter().chain(&other.terms);
        Predicate {
            terms: terms.copied().collect(),
            except: self.except.clone(),
        }
    }

    /// The predicate of positions for which it is true, and another is not.
    pub(crate) fn and_not(&self, other: &Predicate) -> Predicate {
        Predicate {
            terms: self.terms.clone(),
            except: other.terms.clone(),
        }
    }

    /// The predicate with the two games in each other's place.
    pub(crate) fn swapped(&self) -> Predicate {
        let swapped = |terms: &[Asked]| {
            let swapped = terms.iter().map(|&asked| Asked {
                is_there: !asked.is_there,
                ..asked
            });
            swapped.collect()
        };
        Predicate {
            terms: swapped(&self.terms),
            except: swapped(&self.except),
        }
    }

    /// Whether it is true of a position, of which the second game may have a view too.
    pub(crate) fn holds(&self, here: &View, there: Option<&View>) -> Result<bool, ClaimError> {
        let is_excepted = !self.except.is_empty() && all_hold(&self.except, here, there)?;
        Ok(!is_excepted && all_hold(&self.terms, here, there)?)
    }
}

/// Whether all of some terms are true of a position in one game or in the other.
fn all_hold(terms: &[Asked], here: &View, there: Option<&View>) -> Result<bool, ClaimError> {
    for asked in terms {
        let (view, other) = match asked.is_there {
            false => (Some(here), there),
            true => (there, Some(here)),
        };
        let Some(view) = view else {
            return Ok(false);
        };
        if view.is(asked.term, other)? == asked.is_not {
            return Ok(false);
        }
    }
    Ok(true)
}

/// A position in one of the games, looked up once.
pub(crate) struct View<'a> {
    position: &'a Position,
    standings: &'a Standings,
    wdl: OnceCell<Wdl>,
}

impl<'a> View<'a> {
    pub(crate) fn new(position: &'a Position, standings: &'a Standings) -> View<'a> {
        View {
            position,
            standings,
            wdl: OnceCell::new(),
        }
    }

    fn wdl(&self) -> Result<Wdl, ClaimError> {
        if let Some(&wdl) = self.wdl.get() {
            return Ok(wdl);
        }
        let wdl = self.standings.wdl(self.position)?;
        Ok(*self.wdl.get_or_init(|| wdl))
    }

    /// The winner, the fifty-move rule apart.
    fn winner(&self) -> Result<Option<Colour>, ClaimError> {
        Ok(self.wdl()?.winner(self.position.turn()))
    }

    fn is(&self, term: Term, other: Option<&View>) -> Result<bool, ClaimError> {
        let position = self.position;
        Ok(match term {
            Term::Won => place(self.wdl()?) == 0,
            Term::Drawn => place(self.wdl()?) == 1,
            Term::Lost => place(self.wdl()?) == 2,
            Term::Decided => place(self.wdl()?) != 1,
            Term::WhiteWins => self.winner()? == Some(Colour::White),
            Term::BlackWins => self.winner()? == Some(Colour::Black),
            Term::WhiteToMove => position.turn() == Colour::White,
            Term::BlackToMove => position.turn() == Colour::Black,
            Term::Check => position.is_check(),
            Term::Checkmate => position.end() == Some(End::Checkmate),
            Term::Stalemate => matches!(position.end(), Some(End::Stalemate { .. })),
            Term::Over => position.end().is_some(),
            Term::Capture => position.legal_moves().iter().any(|mv| mv.is_capture()),
            Term::AtOnce => ends_at_once(position),
            Term::Changed => match other {
                Some(other) => place(self.wdl()?) != place(other.wdl()?),
                None => false,
            },
            Term::OtherWinner => match other {
                Some(other) => {
                    let winners = [self.winner()?, other.winner()?];
                    winners[0] != winners[1] && winners.iter().all(Option::is_some)
                }
                None => false,
            },
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn predicates_are_read_as_they_are_written() {
        let read = |text: &str| Predicate::try_from(text.to_owned());
        let both = read("won and not there drawn").unwrap();
        assert_eq!(
            both,
            read("won").unwrap().and(&read("not there drawn").unwrap())
        );
        assert_eq!(both.swapped(), read("there won and not drawn").unwrap());
        assert!(both.asks_there() && read("changed").unwrap().asks_there());
        assert!(!read("won and check").unwrap().asks_there());
        let error = read("won and wonn").unwrap_err();
        assert!(
            error.contains("\"wonn\"") && error.contains("drawn"),
            "{error}"
        );
    }
}
