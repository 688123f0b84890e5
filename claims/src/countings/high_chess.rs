//! Claims about High Chess (Grant Sinclair, 2021): counts each over whole tables.

use std::cmp::Ordering;
use std::sync::LazyLock;

use retrograde_index::{Thresholds, Wdl};
use retrograde_probe::WinBy;
use retrograde_rules::{
    Board, Colour, Counters, End, Game, Move, Piece, PieceType, Position, Square, Toll,
    VitalityRules,
};
use serde_json::json;

use crate::chart::Chart;
use crate::engine::{Class, Counting, Findings, Inquiry};
use crate::error::ClaimError;
use crate::formula::{Counted, percent, percent_of};
use crate::position::carried_over;
use crate::study::{Visitor, visiting, with_rights};
use crate::tables::{Curve, Curves, Lookup, Results};
use crate::tally::ClassTally;

/// The countings of the claims about this game.
pub(crate) const COUNTINGS: &[Counting] = &[
    Counting::of("HC0", orthodox_draws).finish(tell_causes_and_squares),
    Counting::of("HC1", ends),
    Counting::of("HC2", races_to_the_centre),
    Counting::of("HC3", bishop_and_knight).finish(tell_needs),
    Counting::of("HC4", zugzwangs_and_passes),
    Counting::of("HC5", orthodox_stalemates),
    Counting::of("HC6", shares).after_class(compare_with_decisive_games),
    Counting::of("HC7", counters_that_matter).finish(tell_by_counter),
    Counting::of("HC8", inward_moves).after_class(compare_shares),
    Counting::of("HC9", readings),
    Counting::of("HC10", ways_to_win),
    Counting::of("HC11", shares).after_class(compare_with_both),
];

/// The rules of vitality that the claims are about.
pub(crate) static VITALITY: LazyLock<&VitalityRules> = LazyLock::new(|| {
    let game = Game::parse("high-chess").ok();
    let rules = game.and_then(Game::vitality);
    rules.unwrap_or_else(|| unreachable!("High Chess has vitality"))
});

/// The rules of vitality of the first of some games.
fn rules(games: &[Game]) -> &'static VitalityRules {
    let rules = games.first().and_then(|game| game.vitality());
    rules.unwrap_or(&VITALITY)
}

/// Counts who wins the drawn positions of orthodox chess, by the reason why they are drawn there:
/// want of material (place 0), stalemate (1), play (2) or the fifty-move rule (3).
fn orthodox_draws<'a>(class: &'a Class<'a>) -> Result<Visitor<'a>, ClaimError> {
    let (curves, orthodox) = (class.values::<Curves>()?, class.only::<Results>(1)?);
    let full = rules(class.inquiry.games).full();
    visiting(move |tally, spot| {
        tally.add("positions");
        let Some(same) = carried_over(spot.position, class.inquiry.games[1]) else {
            return Ok(());
        };
        let wdl = orthodox.wdl(&same)?;
        if !is_drawn(wdl) {
            return Ok(());
        }
        let cause = match wdl {
            Wdl::Draw if same.dead() == Some(true) => 0,
            Wdl::Draw if same.legal_moves().is_empty() => 1,
            Wdl::Draw => 2,
            _ => 3,
        };
        let winner = curves.winner(spot.turn(), spot.index, full);
        let by_high = winner == VITALITY.high(&same);
        tally.add("drawn_in_orthodox");
        tally.add_if(by_high, "won_by_high");
        tally.add(("drawn", cause));
        tally.add_if(by_high, ("by_high", cause));
        // A pair of kings stands for all its images, which differ in the square: those are added
        // when the picture is drawn.
        let king = same.royals(Colour::White).first().unwrap_or_default();
        tally.add(("king", octant(king)));
        tally.add_if(winner == Colour::White, ("king_wins", octant(king)));
        tally.show(if by_high { "high" } else { "low" }, spot.position);
        Ok(())
    })
}

/// Whether nobody wins, were it for the fifty-move rule alone.
fn is_drawn(wdl: Wdl) -> bool {
    wdl == Wdl::Draw || wdl.is_cursed()
}

/// The square among those of a1, b1, b2, c1 … d4 that a square is symmetric to, and so the
/// number of a class of squares: 64 at most are used.
fn octant(square: Square) -> usize {
    let geometry = Game::default().geometry();
    let fold = |line: u8| line.min(7 - line);
    let (file, rank) = (fold(geometry.file(square)), fold(geometry.rank(square)));
    usize::from(8 * file.min(rank) + file.max(rank))
}

/// Says how often High wins by cause, and draws how often White does by the square of its king.
fn tell_causes_and_squares(_: &Inquiry, found: &mut Findings) -> Result<(), ClaimError> {
    let counted = &mut found.counted;
    let places = [
        "where there is no material to mate with",
        "in stalemates",
        "where orthodox play leads to the draw",
    ];
    let of = |name, at: usize| counted.list(name).get(at).copied().unwrap_or_default();
    let parts = places
        .iter()
        .enumerate()
        .filter(|&(at, _)| of("drawn", at) > 0);
    let parts: Vec<String> = parts
        .map(|(at, place)| format!("{} {place}", percent(of("by_high", at), of("drawn", at))))
        .collect();
    let squares = Game::default().geometry().all().map(|square| {
        let at = octant(square);
        let all = of("king", at);
        (all > 0).then(|| of("king_wins", at) as f64 / all as f64)
    });
    found.charts.push(Chart::Board {
        title: "How often White wins what orthodox chess draws, by the square of the white king"
            .to_owned(),
        files: 8,
        squares: squares.collect(),
    });
    // Of a single one all has been said.
    let text = match &parts[..] {
        [others @ .., last] if !others.is_empty() => {
            format!(" It is {}, and {last}.", others.join(", "))
        }
        _ => String::new(),
    };
    counted.set("causes", text);
    Ok(())
}

/// Counts positions by how they end. A game without counters in the place of the first is counted too, for
/// comparison.
fn ends<'a>(class: &'a Class<'a>) -> Result<Visitor<'a>, ClaimError> {
    let Some(rules) = class.game().vitality() else {
        let values = class.values::<Results>()?;
        return visiting(move |tally, spot| {
            let is_drawn = is_drawn(values.wdl(spot.turn(), spot.index));
            tally.add("positions");
            tally.add(if is_drawn { "drawn" } else { "by_mate" });
            if is_drawn {
                tally.show("drawn", spot.position);
            }
            Ok(())
        });
    };
    let curves = class.values::<Curves>()?;
    visiting(move |tally, spot| {
        tally.add("positions");
        match curves.outcome(spot.turn(), spot.index, rules.full()).1 {
            WinBy::Mate => tally.add("by_mate"),
            WinBy::Exhaustion => {
                tally.add("by_exhaustion");
                tally.show("by_exhaustion", spot.position);
            }
        }
        Ok(())
    })
}

/// Counts who is nearer to the centre, and who wins. Bishops on squares of both colours are left out, and
/// two knights are counted apart.
fn races_to_the_centre<'a>(class: &'a Class<'a>) -> Result<Visitor<'a>, ClaimError> {
    /// All positions, those that the nearer side wins, and those that High wins.
    const NAMES: [[&str; 3]; 2] = [
        ["positions", "won_by_nearer", "won_by_high"],
        ["neighbours", "neighbours_won", "neighbours_by_high"],
    ];
    let curves = class.values::<Curves>()?;
    let full = rules(class.inquiry.games).full();
    let knights = Colour::BOTH.map(|colour| Piece::new(colour, PieceType::Knight));
    let is_neighbour = knights
        .iter()
        .any(|&knight| class.material.count(knight) > 1);
    let [all, by_nearer, by_high] = NAMES[usize::from(is_neighbour)];
    visiting(move |tally, spot| {
        if has_bishops_on_both_colours(spot.position) {
            return Ok(());
        }
        let winner = curves.winner(spot.turn(), spot.index, full);
        let nearer = nearer_to_the_centre(spot.position.board(), spot.turn());
        tally.add(all);
        tally.add_if(winner == VITALITY.high(spot.position), by_high);
        tally.add_if(winner == nearer, by_nearer);
        if winner != nearer && !is_neighbour {
            tally.show("won_by_other", spot.position);
        }
        Ok(())
    })
}

/// Whether some bishops stand on light squares and some on dark ones.
fn has_bishops_on_both_colours(position: &Position) -> bool {
    let geometry = position.game().geometry();
    let mut bishops = position.board().piece_type(PieceType::Bishop);
    let mut shades = bishops
        .by_ref()
        .map(|square| (geometry.file(square) + geometry.rank(square)) % 2);
    let first = shades.next();
    shades.any(|shade| Some(shade) != first)
}

/// The side whose king is nearer to the centre (H1), and with equal distances the side to move.
fn nearer_to_the_centre(board: &Board, turn: Colour) -> Colour {
    let [white, black] = Colour::BOTH.map(|colour| {
        let king = board.of(Piece::new(colour, PieceType::King)).first();
        king.map_or(0, |king| VITALITY.distance(king))
    });
    match white.cmp(&black) {
        Ordering::Less => Colour::White,
        Ordering::Greater => Colour::Black,
        Ordering::Equal => turn,
    }
}

/// Counts what the side with the pieces needs to win and to force mate; and where it is to move and
/// wins in both games, how many of its moves keep the win.
fn bishop_and_knight<'a>(class: &'a Class<'a>) -> Result<Visitor<'a>, ClaimError> {
    let strong = match class.material.side_len(Colour::White) {
        3 => Colour::White,
        _ => Colour::Black,
    };
    let plain = class.inquiry.games[1];
    let (curves, around) = (class.values::<Curves>()?, class.around::<Curves>()?);
    let orthodox: Lookup<Results> = Lookup::around(class.library(), plain, class.material)?;
    let full = rules(class.inquiry.games).full();
    visiting(move |tally, spot| {
        let (turn, position) = (spot.turn(), spot.position);
        tally.add("positions");
        let (winner, by) = curves.outcome(turn, spot.index, full);
        if winner != strong {
            return Ok(());
        }
        let curve = curves.curve(turn, spot.index);
        let needs = curve.needs(strong)[usize::from(full.of(strong.other())) - 1];
        let mates = curves.mates(turn, spot.index)[strong.index()];
        let kind = match needs.cmp(&mates) {
            Ordering::Less => "cheaper",
            Ordering::Equal => "equal",
            Ordering::Greater => "dearer",
        };
        tally.add("won");
        tally.add(kind);
        tally.show(kind, position);
        tally.add_if(by == WinBy::Exhaustion, "only_by_exhaustion");
        tally.add(("needs", usize::from(needs)));
        tally.add(("mates", usize::from(mates)));
        let Some(same) = carried_over(position, plain).filter(|_| turn == strong) else {
            return Ok(());
        };
        if orthodox.wdl(&same)? != Wdl::Win {
            return Ok(());
        }
        let high = keeping(position, |after| Ok(around.winner(after)? == turn))?;
        let low = keeping(&same, |after| Ok(orthodox.wdl(after)? == Wdl::Loss))?;
        tally.add("both");
        for (share, only, keeping) in [
            ("keep_high", "only_high", &high),
            ("keep_orthodox", "only_orthodox", &low),
        ] {
            tally.add_times(keeping.millionths(), share);
            tally.add_if(keeping.kept == 1, only);
        }
        match high.millionths().cmp(&low.millionths()) {
            Ordering::Greater => tally.show("easier", position),
            Ordering::Less => tally.show("harder", position),
            Ordering::Equal => {}
        }
        Ok(())
    })
}

/// The legal moves of a position, and those among them that keep what it is worth.
struct Keeping {
    moves: u64,
    kept: u64,
}

impl Keeping {
    /// The share of moves that keep it, in millionths.
    fn millionths(&self) -> u64 {
        1_000_000 * self.kept / self.moves.max(1)
    }
}

/// Counts the legal moves after which `keeps` is true.
fn keeping(
    position: &Position,
    keeps: impl Fn(&Position) -> Result<bool, ClaimError>,
) -> Result<Keeping, ClaimError> {
    let legal = position.legal_moves();
    let mut found = Keeping {
        moves: legal.len() as u64,
        kept: 0,
    };
    for &mv in &legal {
        found.kept += u64::from(keeps(&position.play(mv))?);
    }
    Ok(found)
}

/// Draws how many wins so much vitality suffices for.
fn tell_needs(inquiry: &Inquiry, found: &mut Findings) -> Result<(), ClaimError> {
    let counted = &mut found.counted;
    let longest = inquiry
        .study
        .longest_win(inquiry.games[1], &inquiry.classes[0])?;
    counted.set("longest", json!(longest));
    for (text, share) in [
        ("share_high", "keep_high / 1000000*both"),
        ("share_orthodox", "keep_orthodox / 1000000*both"),
    ] {
        let share = percent_of(counted.ratio(share));
        counted.set(text, share);
    }
    let won = counted.get("won").max(1) as f64;
    let points = |name: &str| -> Vec<(f64, f64)> {
        let numbers = counted.list(name);
        let points =
            (1..=usize::from(rules(inquiry.games).full().white) + 1).scan(0, |so_far, needs| {
                *so_far += numbers.get(needs).copied().unwrap_or_default();
                Some((needs as f64, *so_far as f64 / won))
            });
        points.collect()
    };
    found.charts.push(Chart::Lines {
        title: "KBN v K: share of the wins that so much vitality suffices for (51: no vitality \
                forces mate)"
            .to_owned(),
        axes: [
            "vitality of the side with the pieces".to_owned(),
            "share of its wins".to_owned(),
        ],
        lines: vec![
            ("to win".to_owned(), points("needs")),
            ("to force mate".to_owned(), points("mates")),
        ],
    });
    Ok(())
}

/// The kinds of zugzwangs and useful passes, of the side that speaks against the claim; so many
/// places further on, of the other side.
const ZUGZWANG: usize = 0;
const PASS: usize = 1;
const PASS_WITH_RIGHT: usize = 2;
const AS_CLAIMED: usize = 3;

/// Counts whether being to move costs the mover points, and whether the pass is its only best choice.
fn zugzwangs_and_passes<'a>(class: &'a Class<'a>) -> Result<Visitor<'a>, ClaimError> {
    let (curves, around) = (class.values::<Curves>()?, class.around::<Curves>()?);
    let rules = rules(class.inquiry.games);
    visiting(move |tally, spot| {
        let (position, turn) = (spot.position, spot.turn());
        let is_low = VITALITY.high(position) != turn;
        tally.add("positions");
        let mine = of_curve(rules, curves.curve(turn, spot.index));
        let waiting = of_curve(rules, curves.curve(turn.other(), spot.index));
        if waiting.beyond(turn, &mine) > 0 && is_quiet(position) {
            let found = CounterPairs {
                by: waiting,
                not_by: mine,
            };
            let kind = ZUGZWANG + if is_low { AS_CLAIMED } else { 0 };
            if let Some(example) = found.count(tally, rules, kind, position) {
                tally.show(("full", kind), &example);
            }
        }
        let toll = if is_low { Toll::Paid } else { Toll::Free };
        let pass = waiting.before(rules, turn, toll);
        let claimed = if is_low { 0 } else { AS_CLAIMED };
        if let Some(found) = useful_pass(&around, rules, position, pass)?
            && let Some(example) = found.count(tally, rules, PASS + claimed, position)
        {
            tally.show(("full", PASS + claimed), &example);
        }
        if !class.material.has_pawns() {
            return Ok(());
        }
        for right in with_rights(position) {
            tally.add("positions_with_an_ep_right");
            let pass = waiting.before(rules, turn, Toll::Vital);
            let kind = PASS_WITH_RIGHT + claimed;
            if let Some(found) = useful_pass(&around, rules, &right, pass)?
                && let Some(example) = found.count(tally, rules, kind, &right)
            {
                tally.show_played(("full", kind), &example);
            }
        }
        Ok(())
    })
}

/// Pairs of counters: those with which the mover wins in one way, and not in another.
struct CounterPairs {
    by: Thresholds,
    not_by: Thresholds,
}

impl CounterPairs {
    /// Counts a position in which there are such pairs: with some counter of the other side; with
    /// its full counter, where the mover has just what the first way needs; and with both full.
    /// The second makes it an example.
    fn count(
        &self,
        tally: &mut ClassTally,
        rules: &VitalityRules,
        kind: usize,
        position: &Position,
    ) -> Option<Position> {
        let (side, full) = (position.turn(), rules.full());
        let wins = |ways: &Thresholds, pair| ways.white_wins(pair) == (side == Colour::White);
        let is_such = |pair: &Counters| wins(&self.by, *pair) && !wins(&self.not_by, *pair);
        tally.add(("some", kind));
        tally.add_if(is_such(&full), ("value", kind));
        let pairs = (1..=full.of(side)).map(|mine| full.with(side, mine));
        let least = pairs.into_iter().find(is_such)?;
        tally.add(("full", kind));
        position.with_vitality(least)
    }
}

/// Whether neither side is in check, so that either could be to move.
fn is_quiet(position: &Position) -> bool {
    let mut sides = Colour::BOTH.into_iter();
    sides.all(|colour| !position.in_check(colour))
}

/// The pairs of counters with which the pass wins, and no other move; `None` if there are none.
fn useful_pass(
    around: &Lookup<Curves>,
    rules: &'static VitalityRules,
    position: &Position,
    pass: Thresholds,
) -> Result<Option<CounterPairs>, ClaimError> {
    let turn = position.turn();
    let mut others = Thresholds::always(rules.counters(), turn.other());
    if pass.beyond(turn, &others) == 0 || position.is_check() {
        return Ok(None);
    }
    for &mv in position.legal_moves().iter().filter(|mv| !mv.is_pass()) {
        others.join(turn, &needs_of_move(around, rules, position, mv)?);
        if pass.beyond(turn, &others) == 0 {
            return Ok(None);
        }
    }
    Ok(Some(CounterPairs {
        by: pass,
        not_by: others,
    }))
}

/// The thresholds of a curve.
fn of_curve(rules: &VitalityRules, curve: &Curve) -> Thresholds {
    let counters = rules.counters();
    let thresholds = Thresholds::of(counters, &curve.white_needs);
    thresholds.unwrap_or(Thresholds::always(counters, Colour::White))
}

/// The needs of a position; one with an e.p. right is resolved from its successors (O2).
fn needs(
    around: &Lookup<Curves>,
    rules: &'static VitalityRules,
    position: &Position,
) -> Result<Thresholds, ClaimError> {
    if position.ep().is_none() {
        return Ok(of_curve(rules, around.curve(position)?));
    }
    let turn = position.turn();
    let mut best = Thresholds::always(rules.counters(), turn.other());
    for &mv in &position.legal_moves() {
        best.join(turn, &needs_of_move(around, rules, position, mv)?);
    }
    Ok(best)
}

/// The needs of a position with full counters if a move is played, by the counters before it.
fn needs_of_move(
    around: &Lookup<Curves>,
    rules: &'static VitalityRules,
    position: &Position,
    mv: Move,
) -> Result<Thresholds, ClaimError> {
    let (turn, after) = (position.turn(), position.play(mv));
    let toll = VITALITY.toll(position, mv);
    // Mate comes before exhaustion (H6).
    if toll == Toll::Paid && mates(&after) {
        return Ok(Thresholds::always(rules.counters(), turn));
    }
    Ok(needs(around, rules, &after)?.before(rules, turn, toll))
}

/// Whether the side to move is mated.
fn mates(after: &Position) -> bool {
    after.is_check() && after.end() == Some(End::Checkmate)
}

/// Counts orthodox stalemates by how they end for the side that could not move.
fn orthodox_stalemates<'a>(class: &'a Class<'a>) -> Result<Visitor<'a>, ClaimError> {
    let (curves, full) = (class.values::<Curves>()?, rules(class.inquiry.games).full());
    visiting(move |tally, spot| {
        tally.add("positions");
        let is_stalemate = !spot.position.is_check()
            && carried_over(spot.position, class.inquiry.games[1])
                .is_some_and(|same| same.legal_moves().is_empty());
        if !is_stalemate {
            return Ok(());
        }
        tally.add("stalemates");
        let kind = match curves.outcome(spot.turn(), spot.index, full) {
            (winner, _) if winner == spot.turn() => "won",
            (_, WinBy::Mate) => "lost_by_mate",
            (_, WinBy::Exhaustion) => "lost_by_exhaustion",
        };
        tally.add(kind);
        tally.show(kind, spot.position);
        Ok(())
    })
}

/// The names of the numbers by game: positions that are decided, and that White wins.
const DECIDED: &str = "decided";
const WHITE: &str = "white";

/// The share that White, to move, wins of the decided positions of a class with the same men on both
/// sides, by game; and what Black, to move, wins in High Chess: White's share if ties were given to
/// White.
fn shares<'a>(class: &'a Class<'a>) -> Result<Visitor<'a>, ClaimError> {
    let curves = class.values::<Curves>()?;
    let full = rules(class.inquiry.games).full();
    let others = (1..class.inquiry.games.len()).map(|game| class.only::<Results>(game));
    let others = others.collect::<Result<Vec<_>, ClaimError>>()?;
    visiting(move |tally, spot| {
        let winner = curves.winner(spot.turn(), spot.index, full);
        if spot.turn() == Colour::Black {
            tally.add("tie_decided");
            tally.add_if(winner == Colour::Black, "tie_white");
            return Ok(());
        }
        let mut winners = vec![Some(winner)];
        for (lookup, &game) in others.iter().zip(&class.inquiry.games[1..]) {
            let Some(same) = carried_over(spot.position, game) else {
                return Ok(());
            };
            let wdl = lookup.wdl(&same)?;
            winners.push(wdl.winner(Colour::White).filter(|_| !wdl.is_cursed()));
        }
        tally.add("positions");
        for (game, winner) in winners.iter().enumerate() {
            tally.add_if(winner.is_some(), (DECIDED, game));
            tally.add_if(*winner == Some(Colour::White), (WHITE, game));
        }
        let [high, plain] = [winners[0], winners[1]];
        match plain {
            Some(Colour::White) if high != plain => tally.show("lost", spot.position),
            Some(Colour::Black) if high != plain => tally.show("gained", spot.position),
            _ => {}
        }
        if let Some(None) = winners.get(2) {
            tally.show("drawn_on_the_hill", spot.position);
        }
        Ok(())
    })
}

/// Whether White's share is nearer to one half in High Chess than in decisive games of orthodox
/// chess.
fn compare_with_decisive_games(_: &Class, counted: &mut Counted) -> Result<(), ClaimError> {
    compare_with_one_half(counted, &["white.1 / decided.1"]);
    Ok(())
}

/// Whether it is nearer than in Armageddon, which gives draws to Black, and than on the hill.
fn compare_with_both(_: &Class, counted: &mut Counted) -> Result<(), ClaimError> {
    compare_with_one_half(counted, &["white.1 / positions", "white.2 / decided.2"]);
    Ok(())
}

/// Counts the other shares that there are, and those further from one half than that of High Chess;
/// one that is as far counts for neither.
fn compare_with_one_half(counted: &mut Counted, others: &[&str]) {
    let off = |share: &str| (counted.ratio(share) - 0.5).abs();
    let here = off("white.0 / decided.0");
    let others = others.iter().filter(|share| counted.parts(share).1 > 0);
    let others: Vec<f64> = others
        .map(|share| off(share))
        .filter(|&off| off != here)
        .collect();
    let nearer = others.iter().filter(|&&there| here < there).count();
    counted.add(("even_classes", 0), others.len() as u64);
    counted.add(("nearer", 0), nearer as u64);
}

/// Counts the counters of High, and of Low, with which the winner is another than with a full one.
fn counters_that_matter<'a>(class: &'a Class<'a>) -> Result<Visitor<'a>, ClaimError> {
    let curves = class.values::<Curves>()?;
    let differ = Colour::BOTH.map(|high| differences(&curves, high));
    let all = u64::from(rules(class.inquiry.games).full().white).pow(2);
    visiting(move |tally, spot| {
        let high = VITALITY.high(spot.position);
        let place = curves.place(spot.turn(), spot.index);
        let by_counter = &differ[high.index()][place];
        let [pairs, low_pairs] = [by_counter, &differ[high.other().index()][place]]
            .map(|by_counter| by_counter.iter().map(|&n| u64::from(n)).sum::<u64>());
        tally.add("positions");
        tally.add_times(all, "pairs");
        tally.add_if(low_pairs > 0, "changed_somewhere_by_low_counter");
        tally.add_times(low_pairs, "pairs_changed_by_low_counter");
        if pairs > 0 {
            tally.add("changed_somewhere");
            tally.add_times(pairs, "pairs_changed");
            for (n, &differ) in by_counter.iter().enumerate() {
                tally.add_times(differ.into(), ("by_counter", n));
            }
            let curve = curves.curve(spot.turn(), spot.index);
            if let Some(position) = with_counters_that_matter(spot.position, curve, high) {
                tally.show("changed_somewhere", &position);
            }
        }
        Ok(())
    })
}

/// A position with the fullest counters with which the side that is High loses, though it wins
/// with a full one of its own.
fn with_counters_that_matter(position: &Position, curve: &Curve, high: Colour) -> Option<Position> {
    let needs = curve.needs(high);
    let matters = |least: u8| least > 1 && usize::from(least) <= needs.len();
    let mut by_low = (1..=needs.len() as u8).zip(needs.iter().copied());
    let (low, least) = by_low.rfind(|&(_, least)| matters(least))?;
    position.with_vitality(Counters::both(low).with(high, least - 1))
}

/// The counters that matter, for each curve: by the counter of `high` from 1 on, the number of
/// counters of the other side with which the winner is another than with a full counter of `high`.
fn differences(curves: &Curves, high: Colour) -> Vec<Vec<u8>> {
    let list = curves.list().iter().map(|curve| {
        let needs = curve.needs(high);
        let full = needs.len() as u8;
        let mut by_counter = vec![0; needs.len()];
        for &needs in needs.iter().filter(|&&needs| needs <= full) {
            for counter in by_counter.iter_mut().take(usize::from(needs) - 1) {
                *counter += 1;
            }
        }
        by_counter
    });
    list.collect()
}

/// Draws in how many pairs High's counter matters, by that counter.
fn tell_by_counter(inquiry: &Inquiry, found: &mut Findings) -> Result<(), ClaimError> {
    let counted = &found.counted;
    let points = rules(inquiry.games).full().white;
    let all = counted.get("positions") as f64 * f64::from(points);
    let line = (1..=usize::from(points)).map(|counter| {
        let differ = counted.list("by_counter").get(counter - 1).copied();
        (
            counter as f64,
            differ.unwrap_or_default() as f64 / all.max(1.0),
        )
    });
    found.charts.push(Chart::Lines {
        title: "Share of positions and counters of Low in which High, with so few points, loses \
                what a full counter wins"
            .to_owned(),
        axes: ["vitality of High".to_owned(), "share".to_owned()],
        lines: vec![("all classes".to_owned(), line.collect())],
    });
    Ok(())
}

/// Moves of the king to a smaller ring, among the winning moves and among all.
fn inward_moves<'a>(class: &'a Class<'a>) -> Result<Visitor<'a>, ClaimError> {
    let (curves, around) = (class.values::<Curves>()?, class.around::<Curves>()?);
    let full = rules(class.inquiry.games).full();
    visiting(move |tally, spot| {
        let (position, turn) = (spot.position, spot.turn());
        tally.add("positions");
        if curves.winner(turn, spot.index, full) != turn {
            return Ok(());
        }
        let (mut winning, mut inward_winning) = (0, 0);
        for &mv in &position.legal_moves() {
            let is_inward = mv.piece == PieceType::King
                && VITALITY.distance(mv.to) < VITALITY.distance(mv.from);
            tally.add("moves");
            tally.add_if(is_inward, "inward");
            if around.winner(&position.play(mv))? == turn {
                winning += 1;
                inward_winning += u64::from(is_inward);
            }
        }
        tally.add_times(winning, "winning_moves");
        tally.add_times(inward_winning, "inward_winning");
        if winning > 0 && winning == inward_winning {
            tally.show("only_inward", position);
        }
        Ok(())
    })
}

/// Whether such moves are more common among the winning moves of a class.
fn compare_shares(_: &Class, counted: &mut Counted) -> Result<(), ClaimError> {
    let more = counted.ratio("inward_winning/winning_moves") > counted.ratio("inward/moves");
    counted.add(("classes", 0), u64::from(counted.get("winning_moves") > 0));
    counted.add(("inward_classes", 0), more.into());
    Ok(())
}

/// Counts the positions in which two readings of a rule name different winners.
fn readings<'a>(class: &'a Class<'a>) -> Result<Visitor<'a>, ClaimError> {
    let rules = rules(class.inquiry.games);
    let curves = class.values::<Curves>()?;
    let other = class.values_in::<Curves>(1)?;
    visiting(move |tally, spot| {
        let (turn, index) = (spot.turn(), spot.index);
        // The same material has the same index in both.
        let [a, b] = [&curves, &other].map(|curves| curves.curve(turn, index));
        let pairs = a.white_needs.iter().zip(&b.white_needs);
        let differ: u64 = pairs.map(|(a, b)| u64::from(a.abs_diff(*b))).sum();
        tally.add("positions");
        tally.add_times(u64::from(rules.full().white).pow(2), "pairs");
        tally.add_times(differ, "pairs_changed");
        tally.add_if(differ > 0, "other_winner_somewhere");
        let winners = [&curves, &other].map(|c| c.winner(turn, index, rules.full()));
        if winners[0] != winners[1] {
            tally.add("other_winner");
            tally.show("other_winner", spot.position);
        } else if differ > 0
            && let Some(position) = fullest_pair(spot.position, a, b)
        {
            tally.show("other_winner_somewhere", &position);
        }
        Ok(())
    })
}

/// A position with the fullest counters with which two curves name different winners.
fn fullest_pair(position: &Position, first: &Curve, second: &Curve) -> Option<Position> {
    let rules = position.game().vitality()?;
    let [first, second] = [first, second].map(|curve| of_curve(rules, curve));
    let pairs = [(&first, &second), (&second, &first)];
    let fullest = pairs
        .into_iter()
        .filter_map(|(one, other)| one.fullest_beyond(Colour::White, other));
    position.with_vitality(fullest.max_by_key(|pair| (pair.black, pair.white))?)
}

/// Counts what decides, and what a winning move of Low does at once: it is vital (place 0), becomes
/// High (1), mates (2), or nothing of these (3).
fn ways_to_win<'a>(class: &'a Class<'a>) -> Result<Visitor<'a>, ClaimError> {
    let (curves, around) = (class.values::<Curves>()?, class.around::<Curves>()?);
    let full = rules(class.inquiry.games).full();
    visiting(move |tally, spot| {
        let (position, turn) = (spot.position, spot.turn());
        let (winner, by) = curves.outcome(turn, spot.index, full);
        tally.add("positions");
        tally.add_if(by == WinBy::Mate, "won_by_mate");
        if winner != turn || VITALITY.is_high(position, turn) {
            return Ok(());
        }
        tally.add("low_to_move_wins");
        let mut does = [false; 3];
        for &mv in &position.legal_moves() {
            let after = position.play(mv);
            let ways = [
                VITALITY.is_vital(position, mv),
                VITALITY.is_high(&after, turn),
                mates(&after),
            ];
            if (0..3).any(|way| ways[way] && !does[way]) && around.winner(&after)? == turn {
                does = std::array::from_fn(|way| does[way] || ways[way]);
            }
        }
        for (way, done) in does.into_iter().enumerate() {
            tally.add_if(done, ("way", way));
        }
        let later = does == [false; 3];
        tally.add_if(later, ("way", 3));
        tally.show(if later { "later" } else { "at_once" }, position);
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    use retrograde_index::ThresholdCurve;
    use retrograde_rules::{CounterRange, Material};

    use super::*;
    use crate::tables::Library;
    use crate::tests::tables;

    #[test]
    fn pairs_that_only_one_of_two_wins() {
        let game = Game::parse("high-chess").unwrap();
        let counters = game.vitality().unwrap().counters();
        let of = |least: [u8; 50]| Thresholds::of(counters, &least).unwrap();
        let mut some = of(std::array::from_fn(|place| if place < 10 { 1 } else { 20 }));
        let mut others = of(std::array::from_fn(|place| match place {
            0..5 => 2,
            5..10 => 1,
            _ => 30,
        }));
        for side in Colour::BOTH {
            let wins = |these: &Thresholds, pair| these.white_wins(pair) == (side == Colour::White);
            let only = |pair: &Counters| wins(&some, *pair) && !wins(&others, *pair);
            let pairs = counters.of(Colour::White).flat_map(|white| {
                (counters.of(Colour::Black)).map(move |black| Counters { white, black })
            });
            let count = pairs.filter(only).count() as u64;
            assert_eq!(some.beyond(side, &others), count);
            let fullest = some.fullest_beyond(side, &others);
            assert_eq!(fullest.is_some(), side == Colour::White);
            assert!(fullest.is_none_or(|pair| only(&pair) && pair.black == 50 && pair.white == 29));
        }
        others.join(Colour::White, &some);
        assert_eq!(some.beyond(Colour::White, &others), 0);
        some.join(Colour::Black, &Thresholds::always(counters, Colour::Black));
        assert_eq!(some, Thresholds::always(counters, Colour::Black));
    }

    /// The best move wins what the position wins.
    #[test]
    fn moves_make_up_the_curve() {
        let game = Game::parse("high-chess").unwrap();
        let rules = game.vitality().unwrap();
        let library = Library::new(vec![tables()]);
        let fens = [
            "8/8/8/3k4/8/8/4P3/K7 w - -",
            "8/8/8/3k4/8/8/4P3/K7 b - -",
            "8/4P3/8/8/2K5/8/8/k7 w - -",
            "8/8/8/8/8/8/nK6/7k b - -",
            "8/8/8/8/1Q6/2K5/4k3/8 b - -",
            "8/3k4/8/8/8/8/2K5/8 w - -",
        ];
        for fen in fens {
            let position = Position::from_fen(game, fen).unwrap();
            let turn = position.turn();
            let (material, _) = position.material().normal(game);
            let ground = Lookup::around(&library, game, &material).unwrap();
            let mut best = Thresholds::always(rules.counters(), turn.other());
            for &mv in &position.legal_moves() {
                best.join(turn, &needs_of_move(&ground, rules, &position, mv).unwrap());
            }
            assert_eq!(best, needs(&ground, rules, &position).unwrap(), "{fen}");
        }
    }

    /// With every pair of counters, every move is played and looked up.
    #[test]
    fn useful_passes_are_those_of_single_pairs_of_counters() {
        let game = Game::parse("high-chess").unwrap();
        let rules = game.vitality().unwrap();
        let library = Library::new(vec![tables()]);
        for (fen, is_useful) in [
            ("8/1b6/5k2/8/3K4/8/8/8 w - -", true),
            ("8/8/8/8/3k4/1Q6/2K5/8 b - -", true),
            ("8/3k4/8/8/8/8/2K5/8 w - -", false),
        ] {
            let position = Position::from_fen(game, fen).unwrap();
            let turn = position.turn();
            let (material, _) = position.material().normal(game);
            let ground = Lookup::around(&library, game, &material).unwrap();
            let moves = position.legal_moves();
            let (mut pairs, mut least) = (0, None::<Position>);
            for (white, black) in (1..=50).flat_map(|w| (1..=50).map(move |b| (w, b))) {
                let pair = Counters::both(white).with(Colour::Black, black);
                let there = position.with_vitality(pair).unwrap();
                let wins = |mv| ground.winner(&there.play(mv)).unwrap() == turn;
                if moves.iter().all(|&mv| wins(mv) == mv.is_pass()) {
                    pairs += 1;
                    let is_full = pair.of(turn.other()) == 50;
                    let mine = |position: &Position| position.vitality().unwrap().of(turn);
                    if is_full && least.is_none_or(|other| mine(&there) < mine(&other)) {
                        least = Some(there);
                    }
                }
            }
            let &pass = moves.iter().find(|mv| mv.is_pass()).unwrap();
            let pass = needs_of_move(&ground, rules, &position, pass).unwrap();
            let found = useful_pass(&ground, rules, &position, pass).unwrap();
            let mut tally = ClassTally {
                weight: 3,
                ..ClassTally::default()
            };
            let example = found.and_then(|found| found.count(&mut tally, rules, PASS, &position));
            assert_eq!(
                tally.counted.get("some.1"),
                3 * u64::from(is_useful),
                "{fen}"
            );
            let counted = tally.counted.get("full.1");
            assert_eq!(counted, 3 * u64::from(least.is_some()), "{fen}");
            assert_eq!(example, least, "{fen}");
            assert_eq!(pairs > 0, is_useful, "{fen}");
        }
    }

    #[test]
    fn counters_are_shown_with_which_winners_differ() {
        let game = Game::parse("high-chess:vitality=5").unwrap();
        let kings = Material::parse(game, "KvK").unwrap();
        let curve = |least| {
            let curve = ThresholdCurve::constant(CounterRange::up_to(5), least);
            Curves::filled(game, &kings, curve, [6, 6]).list()[0].clone()
        };
        let position = Position::from_fen(game, "8/8/8/3k4/8/8/8/K7 w - -").unwrap();
        let pair = |first, second| {
            let found = fullest_pair(&position, &curve(first), &curve(second));
            found.and_then(|position| position.vitality())
        };
        let expected = Counters::both(5).with(Colour::White, 3);
        assert_eq!(pair(4, 2), Some(expected));
        assert_eq!(pair(2, 4), Some(expected));
        assert_eq!(pair(3, 3), None);
    }
}
