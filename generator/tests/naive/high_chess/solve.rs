//! Materials: each place by itself, after all places that its vital moves lead
//! to.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use super::super::state::{Side, State, pieces_of};
use super::place::{Place, PlaceIndexing};
use super::quiet::{Quiet, Status, Vital};
use super::rules::{self, Reading, Rules};
use super::values::{Answer, Lists, Value};
use super::{layers, mates};

/// Solves what it is asked about, and remembers it.
pub(crate) struct Solver {
    pub(crate) rules: Rules,
    lists: Lists,
    places: HashMap<Place, Arc<Solved>>,
}

struct Solved {
    indexing: PlaceIndexing,
    values: Vec<Value>,
}

impl Solver {
    /// For the game with this full counter (H3), 1 to 50, and this reading of
    /// H4.
    pub(crate) fn new(full: u8, reading: Reading) -> Solver {
        assert!((1..=50).contains(&full));
        Solver {
            rules: Rules { full, reading },
            lists: Lists::default(),
            places: HashMap::new(),
        }
    }

    /// The answer for a state; `None` if it is illegal.
    pub(crate) fn answer(&mut self, state: &State) -> Option<Answer<'_>> {
        let value = self.value(state);
        self.lists.answer(value)
    }

    /// Visits every way to place the pieces of a material, in its order, with either
    /// side to move and with every right to take en passant that the pawns
    /// allow; illegal states too.
    pub(crate) fn each(&mut self, name: &str, mut visit: impl FnMut(&State, Option<Answer>)) {
        for place in Place::all(&pieces_of(name)) {
            let Solved { indexing, values } = &*self.place(&place);
            for (index, &value) in values.iter().enumerate() {
                visit(&indexing.state(index), self.lists.answer(value));
            }
        }
    }

    /// The names of the materials that have been solved, in part or in whole, in
    /// order.
    pub(crate) fn endgames(&self) -> BTreeSet<String> {
        self.places.keys().map(Place::endgame).collect()
    }

    fn value(&mut self, state: &State) -> Value {
        let Solved { indexing, values } = &*self.place(&Place::of(state));
        values[indexing.index_of(state)]
    }

    fn place(&mut self, place: &Place) -> Arc<Solved> {
        if let Some(solved) = self.places.get(place) {
            return Arc::clone(solved);
        }
        let indexing = PlaceIndexing::new(*place);
        let quiet = self.prepare(&indexing);
        let values = if self.rules.full <= 7 {
            self.solve::<u8>(&quiet)
        } else {
            self.solve::<u64>(&quiet)
        };
        let solved = Arc::new(Solved { indexing, values });
        self.places.insert(*place, Arc::clone(&solved));
        solved
    }

    /// Looks at every state once: is it legal, what are its moves, and what
    /// are the vital ones value?
    fn prepare(&mut self, indexing: &PlaceIndexing) -> Quiet {
        let game = self.rules;
        let mut quiet = Quiet::new(indexing);
        for idx in 0..indexing.len() {
            if rules::legal(&indexing.state(idx)) {
                quiet.status[idx] = Status::Open;
            }
        }
        let pieces = Side::BOTH.map(|side| indexing.of_side(side));
        for idx in 0..indexing.len() {
            if quiet.status[idx] == Status::Illegal {
                continue;
            }
            let state = indexing.state(idx);
            let mine = &pieces[state.turn as usize];
            let mut vital = self.no_vital_move(state.turn);
            let mut moves = 0;
            rules::each_move(&state, |next| {
                if rules::vital(&state, &next) {
                    if let Some(answer) = self.answer(&next) {
                        moves += 1;
                        let value = value(game, &answer, state.turn);
                        vital = best(vital, value, state.turn);
                    }
                } else if quiet.status[indexing.index_of(&next)] != Status::Illegal {
                    moves += 1;
                    let moved = |&&nth: &&usize| {
                        let slot = indexing.slot(nth);
                        state.squares[slot] != next.squares[slot]
                    };
                    // Nobody moves in a pass.
                    let piece = mine.iter().find(moved).unwrap_or(&mine[0]);
                    let index = mine.iter().position(|nth| nth == piece).expect("a piece");
                    quiet.add(idx, index, next.squares[indexing.slot(*piece)]);
                }
            });
            quiet.vital[idx] = vital;
            if moves == 0 {
                quiet.status[idx] = Status::Mated;
            }
        }
        quiet
    }

    /// What it is worth to have no vital move.
    fn no_vital_move(&self, turn: Side) -> Vital {
        let never = self.rules.full + 1;
        Vital {
            wins: 0,
            mates: match turn {
                Side::White => [never, 0],
                Side::Black => [0, never],
            },
        }
    }

    fn solve<C: layers::Cell>(&mut self, quiet: &Quiet) -> Vec<Value> {
        let full = self.rules.full;
        let thresholds = layers::thresholds::<C>(quiet, full);
        let [white, black] = Side::BOTH.map(|side| mates::least::<C>(quiet, side, full));
        let value = |(index, list): (usize, &[u8])| match quiet.status[index] {
            Status::Illegal => Value::ILLEGAL,
            _ => self.lists.value(list, white[index], black[index]),
        };
        let lists = thresholds.chunks_exact(usize::from(full));
        lists.enumerate().map(value).collect()
    }
}

/// The value of a vital move to a state with this answer.
fn value(rules: Rules, after: &Answer, mover: Side) -> Vital {
    let Rules { full, reading } = rules;
    let never = full + 1;
    let [white, black] = [after.white_mates, after.black_mates];
    let all_or_none = |wins: bool, all: u8, none: u8| if wins { all } else { none };
    let forced = |least: u8| all_or_none(least <= full, 1, never);
    // With `mover` the other side's counter stays; with `both` it is full.
    let avoided = |least: u8| match reading {
        Reading::Mover => least,
        Reading::Both => all_or_none(least <= full, 0, never),
    };
    match (mover, reading) {
        (Side::White, Reading::Mover) => Vital {
            wins: after.most_black(full),
            mates: [forced(white), avoided(black)],
        },
        (Side::White, Reading::Both) => Vital {
            wins: all_or_none(after.white_wins(full, full), full, 0),
            mates: [forced(white), avoided(black)],
        },
        (Side::Black, Reading::Mover) => Vital {
            wins: after.thresholds[usize::from(full) - 1],
            mates: [avoided(white), forced(black)],
        },
        (Side::Black, Reading::Both) => Vital {
            wins: all_or_none(after.white_wins(full, full), 0, never),
            mates: [avoided(white), forced(black)],
        },
    }
}

/// What two vital moves are worth together.
fn best(one: Vital, other: Vital, mover: Side) -> Vital {
    let mate = |side: Side| {
        let (a, b) = (one.mates[side as usize], other.mates[side as usize]);
        if mover == side { a.min(b) } else { a.max(b) }
    };
    Vital {
        // White's best has room for the most points of Black's, Black's asks
        // for the most of White's.
        wins: one.wins.max(other.wins),
        mates: Side::BOTH.map(mate),
    }
}
