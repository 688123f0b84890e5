//! EX-4: what ends a fork of royal men.

use retrograde_rules::{Game, Move, Position};
use serde_json::{Value, json};

use crate::claim::{Claim, Outcome};
use crate::counts::{Counts, Sums};
use crate::error::ClaimError;
use crate::example::Example;
use crate::figures::{count, percent, row_of, share};
use crate::study::Study;

use super::threats::{is_attacked, threats};

pub(super) const CLAIM: Claim = Claim {
    tag: "EX-4",
    games: &["extinction-mating"],
    title: "The only way to end all threats of a fork of royal men in one move is to capture the threatening piece.",
    source: "The designer of extinction chess with mating rules (2011): “the only way to end all \
             the threats in one move is to capture the threatening piece”.",
    method: "All positions in which two or more royal men are attacked and there is a legal \
             move: does every legal move capture a man that attacks one of them? A position of \
             more men is checked by the rules alone, and counts like one of a table. Another \
             shows that a single threat may be ended without a move of the attacked man, a \
             block or a capture.",
    rule: "The share of these positions, those checked by the rules alone among them, in which \
           every legal move captures an attacker.",
    limits: "Forks by several men at once count, too.",
    needs: |scope| scope.all(&["extinction-mating"]),
    examine,
};

/// Forks that more men are in than tables have, checked by the rules alone: here a promotion
/// to a second rook blocks the check, and the attacked rook is royal no longer.
const FORKS_OF_MORE: [&str; 1] = ["8/5p2/8/8/r7/8/6p1/3Q3k b - -"];

/// A threat that is ended although the attacked man stays attacked: promotion to a second
/// king makes it an ordinary man.
const STAYS_ATTACKED: &str = "4r3/2P5/8/8/8/P7/8/4K3 w - -";

const ALL: usize = 0;
const FORKS: usize = 1;
const CAPTURED: usize = 2;
type Tally = Counts<3, 2>;

fn examine(study: &Study) -> Result<Outcome, ClaimError> {
    let game = study.game("extinction-mating");
    let mut sum = Sums::default();
    let materials = study.scope.materials(game);
    study.each(game, &materials, |material| {
        let values = study.library.values(game, material)?;
        let tally = study.walk(game, values.index(), |tally: &mut Tally, spot| {
            let (position, weight) = (spot.position, spot.weight);
            tally[ALL] += weight;
            let Some(by_capture) = ends_by_capture(position) else {
                return Ok(());
            };
            tally[FORKS] += weight;
            tally[CAPTURED] += weight * u64::from(by_capture);
            tally.offer(usize::from(by_capture), spot);
            Ok(())
        })?;
        if tally[FORKS] > 0 {
            sum.rows.push(row_of(
                material,
                ("forks_with_an_answer", tally[FORKS]),
                &[("only_captures", tally[CAPTURED])],
            ));
        }
        sum.bars.add(
            material,
            tally[FORKS],
            &[tally[CAPTURED], tally[FORKS] - tally[CAPTURED]],
        );
        sum.add(material, tally);
        Ok(())
    })?;
    let checked: Vec<Checked> = FORKS_OF_MORE
        .into_iter()
        .filter_map(|fen| Checked::new(game, fen))
        .collect();
    let forks = checked.iter().filter_map(|c| c.by_capture);
    let (mut all, mut captured) = (sum[FORKS], sum[CAPTURED]);
    for by_capture in forks {
        all += 1;
        captured += u64::from(by_capture);
    }
    let refuted: Vec<&Checked> = checked
        .iter()
        .filter(|c| c.by_capture == Some(false))
        .collect();
    let mut answer = match sum[FORKS] {
        0 => "No fork of royal men in these tables can be answered.".to_owned(),
        forks => format!(
            "Of {} forks of royal men in tables that can be answered, only capturing an \
             attacker ends all threats in {}.",
            count(forks),
            percent(sum[CAPTURED], forks),
        ),
    };
    for refuted in &refuted {
        answer.push_str(&format!(
            " With more men the rules alone refute the claim: in {} the fork of {} is ended by {}.",
            refuted.position.fen(),
            refuted.royals.join(" and "),
            refuted.others.join(", "),
        ));
    }
    let stays = Checked::new(game, STAYS_ATTACKED);
    let of_rules = checked.iter().chain(&stays).map(Checked::row);
    let by_the_rules: Vec<Value> = of_rules.collect();
    let mut examples: Vec<Example> = refuted
        .iter()
        .map(|c| {
            let kind = "a fork of more men that another move ends, by the rules alone";
            Example::by_the_rules(kind, &c.position, c.others.clone())
        })
        .collect();
    examples.extend(stays.filter(|c| !c.staying.is_empty()).map(|c| {
        let kind = "the threat is ended, but the man stays attacked, by the rules alone";
        Example::by_the_rules(kind, &c.position, c.staying)
    }));
    Ok(Outcome::of(captured, all, sum[ALL], answer)
        .figure("positions", sum[ALL])
        .figure("forks_with_an_answer", sum[FORKS])
        .figure("only_captures", sum[CAPTURED])
        .figure("only_captures_share", share(sum[CAPTURED], sum[FORKS]))
        .figure("by_the_rules_alone", by_the_rules)
        .figure("by_class", Value::Array(sum.rows))
        .chart(sum.bars.chart(
            "Forks of royal men that can be answered",
            &["only by capturing an attacker", "otherwise"],
        ))
        .examples(examples)
        .examples(study.examples("a fork that another move ends", &sum.spreads[0], &[])?)
        .examples(study.examples("a fork that only a capture ends", &sum.spreads[1], &[])?))
}

/// For a fork with a legal answer, whether every answer captures an attacker.
fn ends_by_capture(position: &Position) -> Option<bool> {
    if !position.is_check() {
        return None;
    }
    let threats = threats(position);
    if threats.royals.len() < 2 {
        return None;
    }
    let moves = position.legal_moves();
    let captures = |square| threats.attackers.contains(square);
    (!moves.is_empty()).then(|| moves.iter().all(|mv| mv.captured.is_some_and(captures)))
}

/// What the rules say about a position in which royal men are attacked.
struct Checked {
    position: Position,
    /// The squares of the attacked royal men.
    royals: Vec<String>,
    /// The legal moves.
    moves: Vec<String>,
    /// Those that capture no attacker.
    others: Vec<String>,
    /// Those after which a man that was attacked still is.
    staying: Vec<String>,
    /// For a fork that can be answered, whether every legal move captures an attacker.
    by_capture: Option<bool>,
}

impl Checked {
    /// `None` if it is no position of the game, or no royal man is attacked.
    fn new(game: Game, fen: &str) -> Option<Checked> {
        let position = Position::from_fen(game, fen).ok()?;
        if !position.is_check() {
            return None;
        }
        let threats = threats(&position);
        let legal = position.legal_moves();
        let san = |moves: Vec<Move>| moves.iter().map(|&mv| position.san(mv)).collect();
        let captures = |mv: &Move| mv.captured.is_some_and(|s| threats.attackers.contains(s));
        let stays = |mv: &Move| {
            let after = position.play(*mv);
            threats
                .royals
                .into_iter()
                .any(|man| man != mv.from && is_attacked(&after, man))
        };
        Some(Checked {
            position,
            royals: threats
                .royals
                .map(|square| game.geometry().name(square))
                .collect(),
            moves: san(legal.to_vec()),
            others: san(legal.iter().copied().filter(|mv| !captures(mv)).collect()),
            staying: san(legal.iter().copied().filter(stays).collect()),
            by_capture: ends_by_capture(&position),
        })
    }

    fn row(&self) -> Value {
        json!({
            "fen": self.position.fen(),
            "attacked_royal_men": self.royals.join(", "),
            "legal_moves": self.moves.join(", "),
            "only_captures": self.by_capture,
            "leave_the_man_attacked": self.staying.join(", "),
        })
    }
}
