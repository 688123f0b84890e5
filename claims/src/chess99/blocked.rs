//! C99-4: there is no stalemate.

use retrograde_rules::{Piece, PieceType, Position, Royalty};
use serde_json::Value;

use crate::claim::{Claim, Outcome};
use crate::counts::{Counts, Sums};
use crate::error::ClaimError;
use crate::example::Example;
use crate::figures::{count, row};
use crate::study::Study;

pub(super) const CLAIM: Claim = Claim {
    tag: "C99-4",
    games: &["chess99"],
    title: "There is no stalemate.",
    source: "Claude Lapointe, designer of Chess 99.",
    method: "Check forbids no move, so only a side whose men cannot move at all is blocked (C4). \
             All such positions are counted. A position of more men is checked by the rules \
             alone, and counts like one of a table.",
    rule: "The claim holds if no position is blocked, those checked by the rules alone among \
           them.",
    limits: "A king has a move unless all squares around it hold men of its own side, three at \
             least, none of which can move either; so few men as in tables cannot be blocked. \
             Where the rules have castling, a king on its first rank has a move beside any \
             neighbour. How rare it is in games \
             is not in the tables.",
    needs: |scope| scope.all(&["chess99"]),
    examine,
};

/// A position of more men than tables have: the king in the corner, a knight and pawns that stand
/// in each other's way.
const BLOCKED_OF_MORE: [&str; 1] = ["KN1r5/PPpP5/P1P6/9/4k4/9/9/9/9 w - -"];

const ALL: usize = 0;
const BLOCKED: usize = 1;
type Tally = Counts<2, 1>;

fn examine(study: &Study) -> Result<Outcome, ClaimError> {
    let game = study.game("chess99");
    let mut sum = Sums::default();
    let materials = study.scope.materials(game);
    study.each(game, &materials, |material| {
        let values = study.library.values(game, material)?;
        let tally = study.walk(game, values.index(), |tally: &mut Tally, spot| {
            tally[ALL] += spot.weight;
            if is_blocked(spot.position) {
                tally[BLOCKED] += spot.weight;
                tally.offer(0, spot);
            }
            Ok(())
        })?;
        sum.rows
            .push(row(material, tally[ALL], &[("blocked", tally[BLOCKED])]));
        sum.add(material, tally);
        Ok(())
    })?;
    let mut answer = format!(
        "{} of {} positions in tables are blocked.",
        count(sum[BLOCKED]),
        count(sum[ALL]),
    );
    let refuting: Vec<Position> = BLOCKED_OF_MORE
        .into_iter()
        .filter_map(|fen| Position::from_fen(game, fen).ok())
        .filter(is_blocked)
        .collect();
    for position in &refuting {
        let fen = position.fen();
        answer.push_str(&format!(
            " With more men there are others: in {fen} the side to move has no move."
        ));
    }
    let all = sum[ALL] + refuting.len() as u64;
    let examples = refuting.iter().map(|position| {
        let kind = "blocked, by the rules alone";
        Example::by_the_rules(kind, position, Vec::new())
    });
    Ok(Outcome::of(sum[ALL] - sum[BLOCKED], all, sum[ALL], answer)
        .examples(examples.collect())
        .figure("positions", sum[ALL])
        .figure("blocked_by_the_rules_alone", refuting.len())
        .figure("blocked", sum[BLOCKED])
        .figure("by_class", Value::Array(sum.rows))
        .examples(study.examples("blocked", &sum.spreads[0], &[])?))
}

/// Whether the side to move has no move and is not mated.
fn is_blocked(position: &Position) -> bool {
    // A king that can step to a square is the quickest proof, where check forbids nothing.
    if position.game().royalty() == Royalty::None && king_can_step(position) {
        return false;
    }
    position.legal_moves().is_empty()
        && position
            .end()
            .is_some_and(|end| end.winner(position.turn()).is_none())
}

fn king_can_step(position: &Position) -> bool {
    const STEPS: [(i8, i8); 8] = [
        (1, 0),
        (-1, 0),
        (0, 1),
        (0, -1),
        (1, 1),
        (1, -1),
        (-1, 1),
        (-1, -1),
    ];
    let geometry = position.game().geometry();
    let own = position.board().by(position.turn());
    let mut kings = position
        .board()
        .of(Piece::new(position.turn(), PieceType::King));
    kings.any(|king| {
        STEPS.iter().any(|&(files, ranks)| {
            geometry
                .offset(king, files, ranks)
                .is_some_and(|square| !own.contains(square))
        })
    })
}
