//! Reads claims from their table in `games/*.toml`: wording, classes, figures and verdict rules.
//!
//! The parts of an answer are here too.
//!
//! The table is beside the sources: who says what, and every number, row, picture, example and
//! threshold that the answer is made of, in the language of [`formula`](crate::formula). What a
//! position counts as is a [counting](crate::engine::Counting) of the same tag.

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::chart::Chart;
use crate::example::Example;
use crate::formula::Counted;
use crate::predicate::Predicate;

/// The name of who makes a claim that nobody else has made.
pub(crate) const OUR_QUESTION: &str = "our question";

/// A claim: what is said, by whom, and how tables tell whether it is so.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Claim {
    /// The tag, such as `HC1`.
    pub tag: String,
    /// The names of the games that it is about, the first being whose designer makes it.
    pub games: Vec<String>,
    /// The claim as a sentence in plain words.
    pub title: String,
    /// The claim in the words of who makes it, a short phrase of them.
    pub quote: Option<String>,
    /// The name of who makes the claim; `our question` for what nobody else has said.
    pub who: String,
    /// The quantity that is counted.
    pub method: String,
    /// The rule by which the verdict follows from the figures, in words.
    pub rule: String,
    /// The limits of the figures: what they do not show.
    pub limits: String,
    /// The ids of the games that positions are looked up in, if these are not the games that
    /// the claim is about. The first one's positions are walked over. Options are set one by
    /// one; of several values (`mover|both`) the first that makes another game is taken.
    #[serde(default)]
    pub(crate) compared: Vec<String>,
    /// The classes that are walked over.
    #[serde(default)]
    pub(crate) classes: Classes,
    /// The tables that it takes.
    #[serde(default)]
    pub(crate) tables: Tables,
    /// The walks over a class.
    #[serde(default)]
    pub(crate) walks: Walks,
    /// The positions that count, by the names of the numbers; empty if a counting says it.
    #[serde(default)]
    pub(crate) counts: BTreeMap<String, Predicate>,
    /// A formula: a legal position speaks against a sentence about all if it does not give 0.
    pub(crate) refuted_if: Option<String>,
    /// Why it is true whatever the tables say.
    pub(crate) follows: Option<Follows>,
    /// Properties without which there is no answer, and what is said then.
    #[serde(default)]
    pub(crate) without: BTreeMap<Property, String>,
    /// The rule by which the verdict follows, for the engine.
    pub(crate) verdict: VerdictRule,
    /// The formula for how many positions were looked at.
    #[serde(default = "positions")]
    pub(crate) positions: String,
    /// The answer as a sentence.
    #[serde(default)]
    pub(crate) answer: String,
    /// A sentence about each class, for `{each_class}`: with `{class}`, and the men of its
    /// `{first}` and `{second}` side.
    pub(crate) each_class: Option<EachClass>,
    /// The sentence that replaces the answer if a formula gives 0.
    pub(crate) answer_if_none: Option<Instead>,
    /// The list of figures; the names of tables stand for these.
    pub(crate) figures: String,
    /// Tables with rows for each class.
    #[serde(default)]
    pub(crate) rows: Vec<ClassTable>,
    /// Tables of what all classes add up to.
    #[serde(default)]
    pub(crate) lists: Vec<TotalTable>,
    /// Pictures with bars for each class.
    #[serde(default)]
    pub(crate) charts: Vec<BarChart>,
    /// Kinds of examples, in order.
    #[serde(default)]
    pub(crate) examples: Vec<ExampleKind>,
}

fn positions() -> String {
    "positions".to_owned()
}

/// The classes of positions that a claim is counted in.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
pub(crate) enum Classes {
    /// Classes picked by a property.
    Chosen(ClassChoice),
    /// Classes named by their materials.
    Named(Vec<String>),
}

impl Default for Classes {
    fn default() -> Self {
        Classes::Chosen(ClassChoice::All)
    }
}

/// A choice among all classes of a game.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum ClassChoice {
    /// All classes.
    All,
    /// Classes of up to three men.
    UpToThree,
    /// Classes of up to three men, and larger ones with the same men on both sides. Countings that
    /// play every move of every position use these.
    FewOrEven,
    /// Classes of more than two men with the same men on both sides.
    Even,
    /// Classes with pawns.
    Pawns,
    /// Classes in which a side has several kings or can get them by promotion; all others are
    /// endings of orthodox chess.
    SpareKings,
}

/// The tables that a claim needs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Tables {
    /// Tables of its classes in all games.
    #[default]
    Compared,
    /// Tables of its classes in the first game.
    First,
    /// Tables of all classes in all games.
    All,
    /// Tables of all classes, and their helpmate tables if the game has any.
    Helpmates,
    /// Tables of its classes, and of both colourings of these in all games but the first.
    Colourings,
}

/// The walks over a class.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Walks {
    /// Once, as it is in the first game.
    #[default]
    Once,
    /// Once in each game.
    EachGame,
    /// Once as it is, and once with the colours swapped where that is no table of its own.
    Colourings,
}

/// A property that rules or tables may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Property {
    /// Vitality.
    Vitality,
    /// Tables of helpmates.
    Helpmates,
    /// A board of 8x8.
    EightByEight,
    /// A class of so few men.
    Classes,
    /// Men that become royal, or are so no longer.
    ChangingRoyalty,
    /// Promotion to king.
    PromotionToKing,
    /// Classes that are not alike if the colours are swapped and the board is turned over.
    UnlikeColours,
    /// Castling.
    Castling,
    /// Other men that capture en passant than in the second game.
    OtherEnPassant,
    /// A fifty-move rule.
    FiftyMoves,
}

/// The rule by which a verdict follows from the numbers. Shares are of cases that bear the claim out.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(tag = "by", rename_all = "kebab-case", deny_unknown_fields)]
pub(crate) enum VerdictRule {
    /// The claim holds if there is no exception, and mostly in more than half of the cases.
    Share {
        of: String,
        /// A formula; the claim is left open if it would hold and this gives 0.
        open_unless: Option<String>,
    },
    /// It holds if one share is larger than another, and is left open if they are equal.
    More { of: String, than: String },
    /// It holds if there is any case; see [`Outcome::of_occurrence`].
    Occurrence {
        of: String,
        excluded: Option<Excluded>,
    },
    /// These tables never tell.
    #[default]
    Open,
}

/// The reason why something cannot occur: the rules lack a property.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Excluded {
    pub(crate) without: Property,
    pub(crate) why: String,
}

/// The reason why a claim follows from rules that have a property.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Follows {
    pub(crate) with: Property,
    pub(crate) why: String,
}

/// A sentence about each class, and what stands between two.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct EachClass {
    pub(crate) say: String,
    pub(crate) join: String,
}

/// A sentence for when there is nothing.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Instead {
    /// The formula that gives 0.
    pub(crate) of: String,
    pub(crate) say: String,
}

/// A table with rows for each class.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ClassTable {
    #[serde(default = "by_class")]
    pub(crate) name: String,
    /// A sentence after the name of the class.
    #[serde(default)]
    pub(crate) suffix: String,
    /// The formula that does not give 0 if there is a row.
    #[serde(rename = "if")]
    pub(crate) condition: Option<String>,
    /// Texts that stand for `@`, in a row each.
    #[serde(default = "nothing")]
    pub(crate) keys: Vec<String>,
    pub(crate) columns: String,
}

impl ClassTable {
    /// A table with a row for each class.
    pub(crate) fn by_class(columns: String) -> ClassTable {
        ClassTable {
            name: by_class(),
            suffix: String::new(),
            condition: None,
            keys: nothing(),
            columns,
        }
    }
}

fn by_class() -> String {
    "by_class".to_owned()
}

fn nothing() -> Vec<String> {
    vec![String::new()]
}

/// A table of what all classes add up to.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct TotalTable {
    pub(crate) name: String,
    /// The name of the first column.
    pub(crate) label: String,
    /// The rows: the text of the first column, and what replaces `@` in the others.
    pub(crate) rows: Vec<(String, String)>,
    pub(crate) columns: String,
}

/// A picture with bars for each class.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct BarChart {
    pub(crate) title: String,
    pub(crate) parts: Vec<String>,
    /// The bars of a class; none where the whole is 0.
    pub(crate) bars: Vec<Bar>,
}

/// A bar of a picture.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Bar {
    /// A sentence after the name of the class.
    #[serde(default)]
    pub(crate) suffix: String,
    /// The formula that does not give 0 if there is a bar.
    #[serde(rename = "if")]
    pub(crate) condition: Option<String>,
    pub(crate) whole: String,
    /// A formula for each part.
    pub(crate) of: String,
}

/// A kind of examples.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ExampleKind {
    /// The key under which they were shown.
    pub(crate) of: String,
    pub(crate) caption: String,
    /// The places of the other games that say what they make of them.
    #[serde(default)]
    pub(crate) also: Vec<usize>,
}

/// Whether a claim is true, as far as tables tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// The claim holds in every position.
    Holds,
    /// The claim holds in most of the positions, with exceptions.
    HoldsMostly,
    /// The claim holds in half of the positions or fewer.
    Fails,
    /// A sentence about all positions, and a legal position against it.
    #[serde(rename = "refuted-by-example")]
    Refuted,
    /// True whatever the tables say.
    #[serde(rename = "follows-from-rules")]
    Follows,
    /// These tables cannot tell.
    NotDecidable,
}

impl Verdict {
    /// All verdicts, what surprises first.
    pub const ALL: [Verdict; 6] = [
        Verdict::Refuted,
        Verdict::Fails,
        Verdict::HoldsMostly,
        Verdict::Holds,
        Verdict::Follows,
        Verdict::NotDecidable,
    ];

    /// The verdict if `bearing_out` of `all` cases bear the claim out: it holds without an
    /// exception, holds mostly in more than half of the cases, and otherwise fails.
    pub fn of(bearing_out: u64, all: u64) -> Verdict {
        match (bearing_out, all) {
            (_, 0) => Verdict::NotDecidable,
            _ if bearing_out == all => Verdict::Holds,
            _ if 2 * u128::from(bearing_out) > u128::from(all) => Verdict::HoldsMostly,
            _ => Verdict::Fails,
        }
    }

    /// The word in JSON: `holds-mostly`.
    pub const fn name(self) -> &'static str {
        match self {
            Verdict::Holds => "holds",
            Verdict::HoldsMostly => "holds-mostly",
            Verdict::Fails => "fails",
            Verdict::Refuted => "refuted-by-example",
            Verdict::Follows => "follows-from-rules",
            Verdict::NotDecidable => "not-decidable",
        }
    }

    /// The word for people: `holds mostly`.
    pub const fn words(self) -> &'static str {
        match self {
            Verdict::Holds => "holds",
            Verdict::HoldsMostly => "holds mostly",
            Verdict::Fails => "fails",
            Verdict::Refuted => "refuted by example",
            Verdict::Follows => "follows from the rules",
            Verdict::NotDecidable => "not decidable here",
        }
    }
}

/// The outcome of a claim: the verdict, and what it is made of.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Outcome {
    pub(crate) verdict: Verdict,
    /// The answer in a sentence or two, with the figures that matter.
    pub(crate) answer: String,
    /// The share of cases that bear the claim out, from 0 to 1; `None` if there are none.
    pub(crate) support: Option<f64>,
    /// The number of positions that were looked at, on the whole board.
    pub(crate) positions: u64,
    /// The figures, for programs and people: numbers, and lists of objects that are tables
    /// with a row for each. What ends in `share` is a share from 0 to 1.
    pub(crate) figures: Map<String, Value>,
    pub(crate) charts: Vec<Chart>,
    pub(crate) examples: Vec<Example>,
}

impl Outcome {
    /// The answer if `bearing_out` of `all` cases bear the claim out: see [`Verdict::of`].
    pub(crate) fn of(bearing_out: u64, all: u64, positions: u64, answer: String) -> Outcome {
        Outcome {
            verdict: Verdict::of(bearing_out, all),
            answer,
            // Rounded, so that it is the same when it has been written and read.
            support: (all > 0).then(|| (bearing_out as f64 / all as f64 * 1e9).round() / 1e9),
            positions,
            figures: Map::new(),
            charts: Vec::new(),
            examples: Vec::new(),
        }
    }

    /// The answer to a claim that something occurs: it holds if it was `found` in any
    /// case. If not, it fails only if the rules exclude it, `excluded` being a sentence that
    /// says why; else these tables cannot tell, since it may occur with more men.
    pub(crate) fn of_occurrence(
        found: u64,
        positions: u64,
        answer: String,
        excluded: Option<&str>,
    ) -> Outcome {
        let (verdict, support, why) = match (found, excluded) {
            (0, Some(why)) => (Verdict::Fails, Some(0.0), why),
            (0, None) => (
                Verdict::NotDecidable,
                None,
                "None occurs in these tables; others, of more men, may have one.",
            ),
            _ => (Verdict::Holds, Some(1.0), ""),
        };
        let answer = format!("{answer} {why}").trim_end().to_owned();
        Outcome {
            verdict,
            support,
            ..Outcome::of(0, 0, positions, answer)
        }
    }

    /// An outcome without an answer, and the reason for that.
    pub(crate) fn not_decidable(why: impl Into<String>) -> Outcome {
        Outcome::of(0, 0, 0, why.into())
    }
}

/// The answer to a claim.
#[derive(Clone)]
pub struct Answer {
    /// The claim.
    pub claim: Arc<Claim>,
    /// The tables that it was worked out from.
    pub(crate) tables: Vec<String>,
    pub(crate) outcome: Outcome,
}

impl Answer {
    /// The verdict.
    pub fn verdict(&self) -> Verdict {
        self.outcome.verdict
    }

    /// The answer in a sentence or two, with the figures that matter.
    pub fn sentence(&self) -> &str {
        &self.outcome.answer
    }

    /// The FENs of the examples, each with its game and what the report says of it: the
    /// category for the side to move.
    pub fn examples(&self) -> impl Iterator<Item = (&str, &str, &str)> {
        let examples = self.outcome.examples.iter();
        examples.map(|e| {
            (
                e.says.game.as_str(),
                e.fen.as_str(),
                e.says.category.as_str(),
            )
        })
    }
}

impl VerdictRule {
    /// The answer that follows from what was counted.
    pub(crate) fn outcome(
        &self,
        counted: &Counted,
        positions: u64,
        answer: String,
        has: impl Fn(Property) -> bool,
    ) -> Outcome {
        match self {
            VerdictRule::Share { of, open_unless } => {
                let (part, whole) = counted.parts(of);
                let mut outcome = Outcome::of(part, whole, positions, answer);
                let is_open = |formula: &String| counted.get(formula) == 0;
                if outcome.verdict == Verdict::Holds && open_unless.as_ref().is_some_and(is_open) {
                    outcome.verdict = Verdict::NotDecidable;
                }
                outcome
            }
            VerdictRule::More { of, than } => {
                let [(a, all_a), (b, all_b)] = [of, than].map(|share| counted.parts(share));
                let [a, b] = [(a, all_b), (b, all_a)].map(|(x, y)| u128::from(x) * u128::from(y));
                let mut outcome = Outcome::of(0, 0, positions, answer);
                outcome.verdict = match a.cmp(&b) {
                    _ if all_a == 0 || all_b == 0 => Verdict::NotDecidable,
                    Ordering::Greater => Verdict::Holds,
                    Ordering::Less => Verdict::Fails,
                    Ordering::Equal => Verdict::NotDecidable,
                };
                outcome
            }
            VerdictRule::Occurrence { of, excluded } => {
                let excluded = excluded.as_ref().filter(|excluded| !has(excluded.without));
                let why = excluded.map(|excluded| excluded.why.as_str());
                Outcome::of_occurrence(counted.get(of), positions, answer, why)
            }
            VerdictRule::Open => Outcome::of(0, 0, positions, answer),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verdicts_follow_from_counts() {
        for (bearing_out, all, verdict) in [
            (0, 0, Verdict::NotDecidable),
            (7, 7, Verdict::Holds),
            (6, 7, Verdict::HoldsMostly),
            (4, 8, Verdict::Fails),
            (0, 8, Verdict::Fails),
            (u64::MAX - 1, u64::MAX, Verdict::HoldsMostly),
        ] {
            assert_eq!(
                Verdict::of(bearing_out, all),
                verdict,
                "{bearing_out} of {all}"
            );
        }
    }

    #[test]
    fn of_two_shares_the_larger_one_is_asked_for() {
        let rule = VerdictRule::More {
            of: "a / all".to_owned(),
            than: "b / all".to_owned(),
        };
        for (a, b, all, verdict) in [
            (5, 4, 9, Verdict::Holds),
            (4, 5, 9, Verdict::Fails),
            (4, 4, 9, Verdict::NotDecidable),
            (0, 0, 0, Verdict::NotDecidable),
        ] {
            let mut counted = Counted::default();
            counted.add(("a", 0), a);
            counted.add(("b", 0), b);
            counted.add(("all", 0), all);
            let outcome = rule.outcome(&counted, all, String::new(), |_| true);
            assert_eq!(outcome.verdict, verdict, "{a} and {b} of {all}");
        }
    }

    #[test]
    fn what_is_not_found_is_left_open_unless_excluded() {
        for (found, excluded, verdict, answer) in [
            (0, Some("No."), Verdict::Fails, "So many. No."),
            (1, Some("No."), Verdict::Holds, "So many."),
            (1, None, Verdict::Holds, "So many."),
            (
                0,
                None,
                Verdict::NotDecidable,
                "So many. None occurs in these tables; others, of more men, may have one.",
            ),
        ] {
            let outcome = Outcome::of_occurrence(found, 9, "So many.".to_owned(), excluded);
            assert_eq!(
                (outcome.verdict, outcome.answer.as_str()),
                (verdict, answer)
            );
        }
    }
}
