//! Supplies the tests with games to try, and with random positions of them.

use std::sync::LazyLock;

use proptest::prelude::*;
use retrograde_rules::{
    Colour, Counters, Game, Move, MoveKind, OptionValues, Piece, PieceType, Position, Square,
};

/// Definitions that are like no game that is built in: other boards and letters, riders and
/// leapers, pieces that look ahead, pawns that move in another way, no king or several, passes,
/// vitality, captured kings, and other ends.
const ODD: &[&str] = &[
    "board.size = \"5x5\"; pawns.double-step = \"off\"; end.stalemate = \"loss\"",
    "board.size = \"4x10\"; pieces = { order = \"KXYP\", X = \"N\", Y = \"RF\" }; pawns.first-rank = 3; pawns.double-step = [3]",
    "board.size = \"12x8\"; pieces = { order = \"KQZHP\", Z = \"NN\", H = \"DDA\" }; end.no-progress = 0; pawns.double-step = [2, 3]",
    "pieces.order = \"RNP\"; royal.rule = \"none\"; end = { all-lost = \"loss\", no-progress = 0, stalemate = \"win\" }",
    "pieces = { order = \"MRBNP\", M = \"KA\" }; royal.rule = \"none\"; end = { extinct = \"win\", extinct-types = \"MN\", no-progress = 0 }",
    "extends = \"kings\"; board.size = \"7x7\"; board.array = \"rnbkkbr/ppppppp/7/7/7/PPPPPPP/RNBKKBR w - -\"; royal.spare = \"KAA\"; royal.ranks = [\"high\", \"low\"]",
    "extends = \"extinction-mating\"; board.size = \"6x7\"; board.array = \"nqkqgn/pppppp/6/6/6/PPPPPP/NQKQGN w - -\"; pieces = { order = \"KQGNP\", G = \"B2D\" }; pawns.promotes-to = \"KQGN\"",
    "extends = \"high-chess\"; board.size = \"9x7\"; board.array = \"rnbqkbnrr/ppppppppp/9/9/9/PPPPPPPPP/RNBQKBNRR w - -\"; counters.vitality = { full = [3, 2], centre = [\"c3\", \"h5\"], pays = \"both\" }",
    "extends = \"kings\"; turn.pass = \"unless-in-check\"; end.no-progress = 0; counters.vitality = { full = 2, ties = \"white\" }",
    "extends = \"chess99\"; board.size = \"6x7\"; board.array = \"nqkazn/pppppp/6/6/6/PPPPPP/NQKAZN w - -\"; pieces = { order = \"KQAZNP\", Z = \"FFW\" }; pawns.promotes-to = \"AN\"",
    "extends = \"chess99\"; castling.rule = \"off\"; pawns.en-passant = \"off\"; end.king-capture-in-check = \"loss\"",
    "turn.pass = \"when-stuck\"; pieces = { order = \"KMRP\", K = \"N\", M = \"K\" }",
    "turn.pass = \"always\"; end.no-progress = 20; pawns.en-passant = \"off\"",
    "end = { no-progress = 0, reach = { piece = \"N\", squares = [\"rank7\", \"d4\"] } }; pawns.promotes-to = \"NQ\"",
    "board.size = \"6x8\"; pieces = { order = \"KRGNP\", R = \"fRsbW\", G = \"KmNNbA\", N = \"flNrvWcbD\" }; pawns = { promotion = \"optional\", promotion-ranks = 2 }",
    "pieces = { order = \"KQSNP\", K = \"fKbsW\", Q = \"mQcN\", S = \"FfW\", N = \"lNmA\" }; turn.pass = \"always\"; pawns.promotion = \"optional\"",
    "extends = \"kings\"; board.size = \"6x7\"; board.array = \"rbkkbr/pppppp/6/6/6/PPPPPP/RBKKBR w - -\"; pieces.B = \"fBmbW\"; royal.spare = \"KlbNcD\"; pawns = { double-step = \"off\", promotion-ranks = 3 }",
    "extends = \"chess99\"; board.size = \"6x7\"; board.array = \"nqkazn/pppppp/6/6/6/PPPPPP/NQKAZN w - -\"; pieces = { order = \"KQAZNP\", K = \"fKmbW\", Z = \"mFFcrW\" }; pawns.promotes-to = \"AZ\"",
    "board.size = \"6x6\"; pawns = { moves = \"mWcfF\", first-rank = 1, double-step = [2] }; end.no-progress = 0",
    "board.size = \"6x7\"; pawns = { moves = \"mfFcfW\", en-passant = \"off\" }; turn.pass = \"always\"",
    "board.size = \"7x6\"; pawns = { moves = \"mfFcfW\", first-rank = 1, double-step = [1, 2] }; end.no-progress = 0",
    "pawns = { moves = \"mflFcflW\", double-step = \"off\", promotion = \"optional\", promotion-ranks = 2 }",
    "board.size = \"5x7\"; pawns = { moves = \"mfWcF\", first-rank = [3, 2], double-step = [2, 3] }; end.no-progress = 0",
    "pawns = { moves = \"K\", en-passant = \"off\" }; royal = { rule = \"none\", kings = [0, \"any\"] }; end = { all-lost = \"loss\", no-progress = 0 }",
    "board.size = \"6x6\"; end = { bare = \"win\", checkmate = \"win\" }; turn.must-capture = true",
    "board.size = \"5x6\"; royal.rule = \"none\"; end.bare = \"loss\"",
    "pieces.order = \"KQNP\"; royal.rule = \"none\"; end = { extinct = \"loss\", extinct-types = \"QN\", extinct-count = 1 }",
    "board.size = \"6x6\"; royal = { rule = \"none\", kings = [1, \"any\"] }; capture.explodes = true; end = { extinct = \"loss\", extinct-types = \"K\" }",
    "pieces.order = \"KRNP\"; royal.rule = \"none\"; capture.explodes = true; turn.must-capture = true; end = { all-lost = \"win\", all-lost-alone = true, stalemate = \"win\" }",
    "board.array = \"4k2r/8/8/8/8/8/8/C3K2R w KQk - 0 1\"; pieces = { order = \"KRCNP\", C = \"RN\" }; castling = { with = \"RC\", opposite-sides = true }",
    "board.size = \"6x6\"; capture = { explodes = true, spares = \"QN\" }",
    "board.size = \"6x6\"; royal = { rule = \"only-of-type\", types = \"QKP\" }",
    "board.size = \"6x6\"; royal = { rule = \"only-of-type\", types = \"QK\", at-most = 3 }",
    "board.size = \"6x6\"; royal = { rule = \"none\", kings = [1, \"any\"] }; capture = { explodes = true, spares = \"KP\", survives = \"KNP\", mutually-immune = \"KR\" }; end = { extinct = \"loss\", extinct-types = \"K\" }",
    "board = { size = \"7x6\", holes = [\"a1\", \"d3\", \"d4\", \"g6\", \"b3\"] }; pieces.N = \"NNF\"; end.no-progress = 0",
    "board = { holes = [\"a1\", \"c1\", \"b2\", \"e5\", \"h7\"] }; end.no-progress = 0; end.stalemate = \"loss\"",
    "board.size = \"6x6\"; royal = { rule = \"none\", kings = [0, \"any\"] }; capture = { explodes = true, spares = \"\" }; end.all-lost = \"loss\"",
    "extends = \"kings\"; pawns = { moves = \"fsmWcfFcbW\", en-passant-from = [2] }; end.no-progress = 0",
    "end = { no-progress = 0, reach = { piece = \"NRQ\", squares = [\"rank7\", \"d4\"], black = [\"rank2\", \"e4\"], count = 2, safe = true } }",
    "royal = { rule = \"none\", kings = [0, \"any\"] }; end = { extinct = \"loss\", extinct-types = \"QP\", no-progress = 0, reach = { piece = \"*\", squares = [\"rank8\", \"c4\"], safe = true, stays = true } }",
];

/// Options that meet, or need each other.
const TOGETHER: [&str; 12] = [
    "high-chess:vital-restores=both,vitality=3",
    "high-chess:exhaustion=before-mate,pays=both,ties=white,vitality=2",
    "high-chess:en-passant=made,pays=both,vitality=2",
    "chess99:castling=off,deferred-promotion=off,ep-by=pawn,king-capture-in-check=win",
    "chess99:castling=past-men,deferred-promotion=must,king-capture-in-check=illegal,promotes-to=all",
    "kings:spare-king=queen,promote-to-king=off",
    "kings:spare-king=duke,tie-break=rank1",
    "kings:black-corner=h8,spare-king=queen,tie-break=rank1",
    "kings:black-corner=h8,tie-break=rank1",
    "kings:black-corner=h8,board=10x10,chancellor=on,spare-king=duke",
    "kings:board=10x8,chancellor=on,spare-king=queen",
    "extinction-mating:promote-to-king=off,stalemate=loss",
];

/// The game with some keys in TOML, separated by semicolons.
pub(crate) fn define(name: &str, keys: &str) -> Game {
    let none = |name: &str, _: &str| Err(format!("there is no {name}"));
    let text = format!("name = \"{name}\"\n{}", keys.replace("; ", "\n"));
    Game::define("test.toml", &text, "", &[], &none).unwrap_or_else(|e| panic!("{keys}: {e}"))
}

/// The games that are built in, and odd ones.
pub(crate) fn plain_games() -> &'static [Game] {
    static GAMES: LazyLock<Vec<Game>> = LazyLock::new(|| {
        let odd = ODD
            .iter()
            .enumerate()
            .map(|(n, keys)| define(&format!("odd-{n}"), keys));
        Game::all().iter().copied().chain(odd).collect()
    });
    &GAMES
}

/// The games with every value of their options: of numbers of points with a small one and the
/// least.
pub(crate) fn games() -> &'static [Game] {
    static GAMES: LazyLock<Vec<Game>> = LazyLock::new(|| {
        let with_values = |&game: &Game| {
            let options = game.offers().iter().flat_map(move |offer| {
                let values = match offer.values {
                    OptionValues::OneOf(ref words) => words.clone(),
                    OptionValues::Number(least, _) => {
                        [least, least + 2].map(|n| n.to_string()).into()
                    }
                };
                let id = move |value| format!("{}:{}={value}", game.id(), offer.name);
                values.into_iter().map(id)
            });
            // A value may need that of another option.
            options.filter_map(|id| Game::parse(&id).ok())
        };
        let mut games = plain_games().to_vec();
        games.extend(Game::all().iter().flat_map(with_values));
        games.extend(TOGETHER.map(|id| Game::parse(id).unwrap()));
        games.sort_by_key(|game| game.id());
        games.dedup();
        games
    });
    &GAMES
}

pub(crate) fn any_game() -> impl Strategy<Value = Game> {
    prop_oneof![
        prop::sample::select(plain_games()),
        prop::sample::select(games())
    ]
}

/// The legal moves in UCI, sorted.
pub(crate) fn moves(position: &Position) -> Vec<String> {
    let moves = position.legal_moves();
    let mut names: Vec<String> = moves.iter().map(|&mv| position.uci(mv)).collect();
    names.sort();
    names
}

pub(crate) fn any_colour() -> impl Strategy<Value = Colour> {
    prop::sample::select(&Colour::BOTH[..])
}

/// A king a side, or anything where a side may be without, often on the first rank, and up to
/// seven other pieces as they fall. Kings and pawns are more frequent than each other type.
pub(crate) fn any_pieces(game: Game) -> impl Strategy<Value = Vec<(Piece, Square)>> {
    let board = game.geometry();
    let square = move || (0..board.squares() as u8).prop_map(Square);
    let first = |rank: u8| (0..board.files).prop_map(move |file| board.square(file, rank));
    let mut types = game.piece_types().to_vec();
    types.extend(
        types
            .iter()
            .filter(|t| matches!(t, PieceType::King | PieceType::Pawn))
            .copied()
            .collect::<Vec<_>>(),
    );
    // A second king is of use only where there may be one.
    types.retain(|&t| t != PieceType::King || game.kings(Colour::White).1 > 1);
    let any_type = prop::sample::select(types);
    let [white, black] = Colour::BOTH.map(|side| match game.kings(side).0 {
        0 => any_type.clone().boxed(),
        _ => Just(PieceType::King).boxed(),
    });
    let other = (any_colour(), any_type, square());
    let other = other.prop_map(|(colour, piece_type, at)| (Piece::new(colour, piece_type), at));
    let white = (white, prop_oneof![2 => square(), 1 => first(0)]);
    let black = (
        black,
        prop_oneof![2 => square(), 1 => first(board.ranks - 1)],
    );
    (prop::collection::vec(other, 0..=7), white, black).prop_map(|(mut pieces, white, black)| {
        for (colour, (piece_type, at)) in [(Colour::White, white), (Colour::Black, black)] {
            pieces.push((Piece::new(colour, piece_type), at));
        }
        pieces
    })
}

/// The start of a random game, and the choices by which it goes on.
#[derive(Clone, Debug)]
struct Start {
    pieces: Vec<(Piece, Square)>,
    turn: Colour,
    points: [prop::sample::Index; 2],
    /// A double step that an enemy pawn may answer en passant: it is played first, if it is
    /// legal.
    step: Option<(Square, Square)>,
    /// The number of the next move, among double steps if one is wanted.
    choices: Vec<(prop::sample::Index, bool)>,
}

/// Pieces as they fall, with pawns at home now and then, so that there are double steps; often
/// with one that gives an e.p. right at once.
fn any_start(game: Game) -> impl Strategy<Value = Start> {
    let (board, home) = (game.geometry(), game.pawn_home());
    let step = prop::option::weighted(0.4, (0..board.files, any::<bool>(), any::<bool>()));
    let choice = (any::<prop::sample::Index>(), prop::bool::weighted(0.3));
    let choices = prop::collection::vec(choice, 0..12);
    let setup = (
        any_pieces(game),
        any_colour(),
        any::<bool>(),
        any::<[prop::sample::Index; 2]>(),
    );
    (setup, step, choices).prop_map(
        move |((mut pieces, turn, fresh, points), step, mut choices)| {
            let on = |colour, file, rank| match colour {
                Colour::White => board.square(file, rank),
                Colour::Black => board.square(file, board.ranks - 1 - rank),
            };
            for (piece, square) in &mut pieces {
                if fresh && piece.piece_type == PieceType::Pawn {
                    *square = on(piece.colour, board.file(*square), home);
                }
            }
            let step = step.map(|(file, to_the_left, stop)| {
                let (from, to) = (on(turn, file, home), on(turn, file, home + 2));
                let right = file == 0 || file < board.files - 1 && !to_the_left;
                let beside = if right { to.0 + 1 } else { to.0 - 1 };
                // The others are few, lest they stand in the way.
                pieces.drain(..pieces.len().saturating_sub(6));
                pieces.push((Piece::new(turn, PieceType::Pawn), from));
                pieces.push((Piece::new(turn.other(), PieceType::Pawn), Square(beside)));
                if stop {
                    choices.clear();
                }
                (from, to)
            });
            Start {
                pieces,
                turn,
                points,
                step,
                choices,
            }
        },
    )
}

impl Start {
    /// The positions of the game from the start on, as far as the choices and the game go;
    /// `None` if it is no position.
    fn play(&self, game: Game) -> Option<Vec<Position>> {
        let mut start = Position::from_pieces(game, self.pieces.iter().copied(), self.turn)?;
        if let Some(counters) = game.counters() {
            let points = |side: Colour| {
                // Who has moved and has no points left has lost, if it is Low.
                let least = u8::from(side != start.turn());
                let range = counters.of(side).filter(|&points| points >= least);
                *self.points[side.index()].get(&range.collect::<Vec<u8>>())
            };
            let (white, black) = (points(Colour::White), points(Colour::Black));
            start = start.with_counters(Counters { white, black })?;
        }
        let mut line = vec![start];
        let step = |mv: &&Move| self.step == Some((mv.from, mv.to));
        if let Some(&mv) = line[0].legal_moves().iter().find(step) {
            line.push(line[0].play(mv));
        }
        for (choice, doubles) in &self.choices {
            let position = line[line.len() - 1];
            let mut moves = position.legal_moves().to_vec();
            let is_double = |mv: &Move| mv.kind == MoveKind::DoubleStep;
            if *doubles && moves.iter().any(is_double) {
                moves.retain(is_double);
            }
            if moves.is_empty() {
                break;
            }
            line.push(position.play(*choice.get(&moves)));
        }
        Some(line)
    }
}

/// The positions of a random game of one of some games, the last of which may be its end.
pub(crate) fn any_line(games: impl Strategy<Value = Game>) -> impl Strategy<Value = Vec<Position>> {
    games
        .prop_flat_map(|game| (Just(game), any_start(game)))
        .prop_filter_map("no position of the game", |(game, start)| start.play(game))
}

/// A position of any game that random play has led to; the game may be over.
pub(crate) fn any_position() -> impl Strategy<Value = Position> {
    any_line(any_game()).prop_map(|line| line[line.len() - 1])
}

/// Whether a position can be set up: it shows all that its game knows, no side is without pieces,
/// and the game is not over, unless by mate, stalemate or arrival.
pub(crate) fn can_be_set_up(position: &Position) -> bool {
    let has_points = position
        .counters()
        .zip(position.game().counters())
        .is_none_or(|(v, c)| c.contain(v));
    let is_over = (position.finished()).is_some_and(|end| !["bare", "hill"].contains(&end.name()));
    let is_empty = position.board().by(position.turn()).is_empty();
    has_points && !is_over && !is_empty
}
