//! HC4: who can be in zugzwang, and who gains by passing.

use retrograde_rules::{Colour, Position, Toll, VitalityRules};
use serde_json::{Value, json};

use crate::claim::{Claim, Outcome};
use crate::counts::{Counts, Sums};
use crate::error::ClaimError;
use crate::figures::{count, row, share};
use crate::study::{Study, with_rights};
use crate::tables::{Curves, Ground};

use super::VITALITY;
use retrograde_index::Thresholds;

use super::turns::{needs_of_move, of_curve};

pub(super) const CLAIM: Claim = Claim {
    tag: "HC4",
    games: &["high-chess"],
    title: "Only Low can be in zugzwang, and passing is only useful to High.",
    source: "Grant Sinclair, designer of High Chess.",
    method: "Every position with every pair of counters, from 1 to full each. Zugzwang: neither \
             side is in check, the mover loses, and would win if it were the other side's \
             turn. A useful pass: of all winning moves the pass is the only one. High and Low \
             are told by the position as it stands, which a pass does not change. Positions \
             with an e.p. right are looked at too: there Low's pass is vital and refills its \
             points (H7).",
    rule: "The share of all zugzwangs and useful passes, each position counting once for each \
           pair of counters, in which Low is in zugzwang or High passes.",
    limits: "That High's pass is free (H5) leaves little room: High is never worse off on move \
             than waiting, and neither is Low, since High could pass the move back. A zugzwang \
             that only costs points is not counted.",
    needs: |scope| scope.all(&["high-chess"]),
    examine,
};

/// What is counted, by kind.
const KINDS: [(&str, &str); 6] = [
    ("high_in_zugzwang", "High is in zugzwang"),
    ("only_low_pass_wins", "only the pass wins, and Low passes"),
    (
        "only_low_pass_wins_with_an_ep_right",
        "only the pass wins for Low, who may capture en passant",
    ),
    ("low_in_zugzwang", "Low is in zugzwang"),
    ("only_high_pass_wins", "only the pass wins, and High passes"),
    (
        "only_high_pass_wins_with_an_ep_right",
        "only the pass wins for High, who may capture en passant",
    ),
];
const ZUGZWANG: usize = 0;
const PASS: usize = 1;
const PASS_WITH_RIGHT: usize = 2;
/// From what speaks against the claim to the same for the other side.
const AS_CLAIMED: usize = 3;

const ALL: usize = 0;
const RIGHTS: usize = 1;
/// By kind: positions with some counters, those with full counters among them, and pairs.
const SOME: usize = 2;
const FULL: usize = 8;
const PAIRS: usize = 14;
type Tally = Counts<20, 6>;

fn examine(study: &Study) -> Result<Outcome, ClaimError> {
    let game = study.game("high-chess");
    let Some(rules) = game.vitality() else {
        return Ok(Outcome::not_decidable("The game has no pass."));
    };
    let mut sum = Sums::default();
    let materials = study.scope.materials(game);
    study.each(game, &materials, |material| {
        let curves = study.library.curves(game, material)?;
        let ground = Ground::around(study.library, game, material)?;
        let tally = study.walk(game, curves.index(), |tally: &mut Tally, spot| {
            let (position, turn, weight) = (spot.position, spot.turn(), spot.weight);
            let is_low = VITALITY.high(position) != turn;
            tally[ALL] += weight;
            let mine = of_curve(rules, curves.curve(turn, spot.index));
            let waiting = of_curve(rules, curves.curve(turn.other(), spot.index));
            if waiting.beyond(turn, &mine) > 0 && is_quiet(position) {
                let found = Found {
                    by: waiting,
                    not_by: mine,
                };
                let kind = if is_low {
                    ZUGZWANG + AS_CLAIMED
                } else {
                    ZUGZWANG
                };
                if let Some(example) = found.count(tally, kind, weight, position) {
                    tally.samples[kind].offer(spot.number(), &example);
                }
            }
            let toll = if is_low { Toll::Paid } else { Toll::Free };
            let pass = waiting.before(rules, turn, toll);
            if let Some(found) = useful_pass(&ground, rules, position, pass)? {
                let kind = if is_low { PASS } else { PASS + AS_CLAIMED };
                if let Some(example) = found.count(tally, kind, weight, position) {
                    tally.samples[kind].offer(spot.number(), &example);
                }
            }
            if curves.index().material().has_pawns() {
                for right in with_rights(position) {
                    tally[RIGHTS] += weight;
                    let pass = waiting.before(rules, turn, Toll::Vital);
                    if let Some(found) = useful_pass(&ground, rules, &right, pass)? {
                        let kind = PASS_WITH_RIGHT + if is_low { 0 } else { AS_CLAIMED };
                        if let Some(example) = found.count(tally, kind, weight, &right) {
                            tally.samples[kind].offer_played(&example);
                        }
                    }
                }
            }
            Ok(())
        })?;
        let some = [3, 0, 1, 4].map(|kind: usize| (KINDS[kind].0, tally[SOME + kind]));
        sum.rows.push(row(material, tally[ALL], &some));
        sum.add(material, tally);
        Ok(())
    })?;
    let points = u64::from(rules.full().white);
    let pairs = |kinds: std::ops::Range<usize>| kinds.map(|kind| sum[PAIRS + kind]).sum::<u64>();
    let (against, as_claimed) = (pairs(0..AS_CLAIMED), pairs(AS_CLAIMED..6));
    let all = against + as_claimed;
    let both = |kind: usize| sum[SOME + kind] + sum[SOME + kind + 1];
    let answer = format!(
        "With some counters Low is in zugzwang in {} positions and High in {}. The pass is the \
         only winning move for High in {} positions, with full counters in {} of them, and for \
         Low in {}, {} of them with a right to capture en passant.",
        count(sum[SOME + ZUGZWANG + AS_CLAIMED]),
        count(sum[SOME + ZUGZWANG]),
        count(both(PASS + AS_CLAIMED)),
        count(sum[FULL + PASS + AS_CLAIMED] + sum[FULL + PASS_WITH_RIGHT + AS_CLAIMED]),
        count(both(PASS)),
        count(sum[SOME + PASS_WITH_RIGHT]),
    );
    let by_kind = KINDS.iter().enumerate().map(|(kind, (_, words))| {
        json!({
            "what": words,
            "positions_with_some_counters": sum[SOME + kind],
            "positions_with_full_counters": sum[FULL + kind],
            "pairs_of_counters": sum[PAIRS + kind],
        })
    });
    let positions = sum[ALL] + sum[RIGHTS];
    let mut outcome = Outcome::of(as_claimed, all, positions, answer)
        .figure("positions", sum[ALL])
        .figure("positions_with_an_ep_right", sum[RIGHTS])
        .figure("pairs_of_counters", points * points * positions)
        .figure("zugzwangs_and_useful_passes", all)
        .figure("as_claimed", as_claimed)
        .figure("as_claimed_share", share(as_claimed, all))
        .figure("by_kind", by_kind.collect::<Value>())
        .figure("by_class", Value::Array(sum.rows));
    for ((_, kind), spread) in KINDS.into_iter().zip(&sum.spreads) {
        outcome = outcome.examples(study.examples(kind, spread, &[])?);
    }
    Ok(outcome)
}

/// Pairs of counters: those with which the mover wins in one way, and not in another.
struct Found {
    by: Thresholds,
    not_by: Thresholds,
}

impl Found {
    /// Counts them, and makes the position an example, with the counters of the fullest pair.
    fn count(
        &self,
        tally: &mut Tally,
        kind: usize,
        weight: u64,
        position: &Position,
    ) -> Option<Position> {
        let side = position.turn();
        let fullest = self.by.fullest_beyond(side, &self.not_by)?;
        tally[SOME + kind] += weight;
        tally[FULL + kind] += weight * u64::from(position.vitality() == Some(fullest));
        tally[PAIRS + kind] += weight * self.by.beyond(side, &self.not_by);
        position.with_vitality(fullest)
    }
}

/// Whether neither side is in check, so that either could be to move.
fn is_quiet(position: &Position) -> bool {
    let mut sides = Colour::BOTH.into_iter();
    sides.all(|colour| !position.in_check(colour))
}

/// The pairs of counters with which the pass wins, and no other move; `None` if there are none.
fn useful_pass(
    ground: &Ground<Curves>,
    rules: &'static VitalityRules,
    position: &Position,
    pass: Thresholds,
) -> Result<Option<Found>, ClaimError> {
    let turn = position.turn();
    let mut others = Thresholds::always(rules.counters(), turn.other());
    if pass.beyond(turn, &others) == 0 || position.is_check() {
        return Ok(None);
    }
    for &mv in position.legal_moves().iter().filter(|mv| !mv.is_pass()) {
        others.join(turn, &needs_of_move(ground, rules, position, mv)?);
        if pass.beyond(turn, &others) == 0 {
            return Ok(None);
        }
    }
    Ok(Some(Found {
        by: pass,
        not_by: others,
    }))
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use retrograde_rules::{Game, Vitality};

    use super::*;
    use crate::tables::Library;

    /// With every pair of counters, every move is played and looked up.
    #[test]
    fn useful_passes_are_those_of_single_pairs_of_counters() {
        let game = Game::parse("high-chess").unwrap();
        let rules = game.vitality().unwrap();
        let tables = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../tables"));
        let library = Library::new(vec![tables]);
        for (fen, is_useful) in [
            ("8/1b6/5k2/8/3K4/8/8/8 w - -", true),
            ("8/8/8/8/3k4/1Q6/2K5/8 b - -", true),
            ("8/3k4/8/8/8/8/2K5/8 w - -", false),
        ] {
            let position = Position::from_fen(game, fen).unwrap();
            let turn = position.turn();
            let (material, _) = position.material().normal(game);
            let ground = Ground::around(&library, game, &material).unwrap();
            let moves = position.legal_moves();
            let (mut pairs, mut fullest) = (0, None);
            for (white, black) in (1..=50).flat_map(|w| (1..=50).map(move |b| (w, b))) {
                let pair = Vitality::both(white).with(Colour::Black, black);
                let there = position.with_vitality(pair).unwrap();
                let wins = |mv| ground.winner(&there.play(mv)).unwrap() == turn;
                if moves.iter().all(|&mv| wins(mv) == mv.is_pass()) {
                    pairs += 1;
                    let key = (pair.of(turn.other()), pair.of(turn));
                    if fullest.is_none_or(|(other, _)| key > other) {
                        fullest = Some((key, there));
                    }
                }
            }
            let &pass = moves.iter().find(|mv| mv.is_pass()).unwrap();
            let pass = needs_of_move(&ground, rules, &position, pass).unwrap();
            let found = useful_pass(&ground, rules, &position, pass).unwrap();
            let mut tally = Tally::default();
            let example = found.and_then(|f| f.count(&mut tally, PASS, 3, &position));
            assert_eq!(tally[PAIRS + PASS], 3 * pairs, "{fen}");
            assert_eq!(example, fullest.map(|(_, there)| there), "{fen}");
            assert_eq!(pairs > 0, is_useful, "{fen}");
        }
    }
}
