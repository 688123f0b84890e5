//! Speaks the Chess Engine Communication Protocol, version 2, of XBoard and WinBoard.

mod notation;
mod time;

use std::io::{self, BufRead, Write};
use std::time::Instant;

use retrograde_probe::{ProbeError, Tablebase, Wdl};
use retrograde_rules::{
    Colour, DoubleStep, EnPassant, Game, History, MoveError, PieceType, Position, shortened,
};
use time::TimeControl;

use crate::choose::{Choice, Task};
use crate::clock::Effort;
use crate::score::Score;
use crate::session::{self, Leaving, NAME, Session, Thinker, one_line};
use crate::settings::{Defaults, HASH, Settings, THREADS};

/// Answers commands until `quit`, or until there are no more. `quit` cuts short what is being
/// thought about, and leaves when that is answered.
///
/// Moves are those of `retrograde_rules`, but a pass is `@@@@`, and on boards of ten ranks,
/// ranks are numbered from 0. Games that XBoard does not know are described to it by `setup`,
/// with their boards and piece letters. A command that means nothing is answered by `Error`.
///
/// # Errors
/// The output cannot be written. A closed pipe counts as such an error.
pub fn xboard(
    input: impl BufRead + Send + 'static,
    output: impl Write,
    defaults: Defaults,
) -> io::Result<()> {
    let settings = Settings::new(defaults);
    session::run(input, |thinker| XboardSession {
        output,
        record: History::new(settings.game.array()),
        settings,
        thinker,
        own: Some(Colour::Black),
        analyses: false,
        began: Instant::now(),
        time: TimeControl::default(),
        posts: false,
        pings: Vec::new(),
        leaving: Leaving::default(),
    })
}

struct XboardSession<W> {
    output: W,
    settings: Settings,
    record: History,
    thinker: Thinker,
    /// The side that is played; `None` in force mode.
    own: Option<Colour>,
    /// Whether every position is analysed.
    analyses: bool,
    /// The time at which the thought in progress began.
    began: Instant,
    time: TimeControl,
    /// Whether thinking is shown.
    posts: bool,
    /// The pings to be answered once the move has been made.
    pings: Vec<String>,
    leaving: Leaving,
}

impl<W: Write> Session for XboardSession<W> {
    fn thinker(&self) -> &Thinker {
        &self.thinker
    }

    fn leaving(&self) -> Leaving {
        self.leaving
    }

    fn command(&mut self, line: &str) -> io::Result<()> {
        let (name, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        match name {
            "xboard" => self.say(""),
            "protover" => {
                let features = introduction(&self.settings.variants());
                self.say(&features)
            }
            "new" => {
                self.settings.set_game(Game::default());
                // Analysis goes on with the array.
                self.own = Some(Colour::Black).filter(|_| !self.analyses);
                self.time = self.time.without_depth();
                self.set_record(History::new(self.settings.game.array()))
            }
            "variant" => self.variant(rest),
            "quit" => {
                self.thinker.hurry();
                self.leaving = Leaving::soon();
                Ok(())
            }
            "force" | "result" => {
                self.own = None;
                self.give_up()
            }
            "go" => {
                self.own = Some(self.record.position().turn());
                self.react()
            }
            "playother" => {
                self.own = Some(self.record.position().turn().other());
                self.give_up()
            }
            "white" | "black" => {
                // Of version 1: the side to move is set, and the other one is played.
                let turn = if name == "white" {
                    Colour::White
                } else {
                    Colour::Black
                };
                self.own = Some(turn.other());
                match self.record.position().turn() == turn {
                    true => self.give_up(),
                    false => self.error("the other side is to move", line),
                }
            }
            "usermove" => self.user_move(rest, line),
            "setboard" => match Position::from_fen(self.settings.game, rest) {
                Ok(position) => self.set_record(History::new(position)),
                Err(error) => {
                    self.give_up()?;
                    self.say(&format!(
                        "tellusererror Illegal position: {}",
                        one_line(&error.to_string())
                    ))
                }
            },
            "undo" => self.undo(1, line),
            "remove" => self.undo(2, line),
            "level" | "st" | "sd" | "time" | "otim" => match self.time.read(name, rest) {
                true => Ok(()),
                false => self.error("bad number", line),
            },
            "?" => {
                self.thinker.hurry();
                Ok(())
            }
            "ping" => {
                self.pings.push(rest.to_owned());
                // While analysing, no move is going to come.
                match self.thinker.is_busy() && !self.analyses {
                    true => Ok(()),
                    false => self.pong(),
                }
            }
            "draw" => self.draw(),
            "hint" => self.hint(),
            "post" | "nopost" => {
                self.posts = name == "post";
                Ok(())
            }
            "analyze" => {
                self.own = None;
                self.analyses = true;
                self.posts = true;
                self.react()
            }
            "exit" => {
                self.analyses = false;
                self.give_up()
            }
            "memory" | "cores" => self.resources(name, rest, line),
            "egtpath" => {
                let path = rest
                    .split_once(char::is_whitespace)
                    .map_or("", |(_, path)| path);
                self.settings.set_folders(path.trim());
                Ok(())
            }
            "option" => match rest.split_once('=') {
                Some(("TablebasePath", path)) => {
                    self.settings.set_folders(path.trim());
                    Ok(())
                }
                _ => self.error("unknown option", line),
            },
            // Nothing depends on these.
            "" | "accepted" | "rejected" | "random" | "hard" | "easy" | "computer" | "name"
            | "rating" | "ics" | "bk" | "." | "nps" | "pause" | "resume" => Ok(()),
            // Programs of the first version send moves without a word before them.
            _ => match notation::read(self.record.position(), name) {
                Err(MoveError::Syntax { .. }) if !notation::looks_like_squares(name) => {
                    self.error("unknown command", line)
                }
                _ => self.user_move(name, line),
            },
        }
    }

    fn end(&mut self) -> io::Result<()> {
        self.thinker.hurry();
        self.leaving.ending = true;
        Ok(())
    }

    fn progress(&mut self, choice: &Choice) -> io::Result<()> {
        self.report(choice)
    }

    fn thought(&mut self, choice: Choice) -> io::Result<()> {
        self.conclude(&choice)
    }
}

impl<W: Write> XboardSession<W> {
    fn say(&mut self, text: &str) -> io::Result<()> {
        writeln!(self.output, "{text}")?;
        self.output.flush()
    }

    /// Tells people something.
    fn note(&mut self, text: &str) -> io::Result<()> {
        self.say(&format!("# {}", one_line(text)))
    }

    fn error(&mut self, why: &str, line: &str) -> io::Result<()> {
        self.say(&format!("Error ({why}): {}", shortened(&one_line(line))))
    }

    /// Gives up the thought in progress; what waits for it is answered.
    fn give_up(&mut self) -> io::Result<()> {
        self.thinker.give_up();
        self.pong()
    }

    fn pong(&mut self) -> io::Result<()> {
        for number in std::mem::take(&mut self.pings) {
            self.say(&format!("pong {number}"))?;
        }
        Ok(())
    }

    /// Goes on with another game or position. Nothing is moved before the next command.
    fn set_record(&mut self, record: History) -> io::Result<()> {
        self.record = record;
        self.give_up()?;
        match self.analyses {
            true => self.react(),
            false => Ok(()),
        }
    }

    fn variant(&mut self, name: &str) -> io::Result<()> {
        match self.settings.variant(name) {
            Ok(game) => {
                self.settings.set_game(game);
                self.set_record(History::new(game.array()))?;
                match setup(game) {
                    Some(setup) => self.say(&setup),
                    None => Ok(()),
                }
            }
            Err(why) => self.error(&why, &format!("variant {name}")),
        }
    }

    fn undo(&mut self, plies: usize, line: &str) -> io::Result<()> {
        match self.record.undo(plies) {
            true => self.set_record(self.record.clone()),
            false => self.error("there is no such move", line),
        }
    }

    fn resources(&mut self, name: &str, text: &str, line: &str) -> io::Result<()> {
        let bounds = if name == "memory" { HASH } else { THREADS };
        match text.parse::<u64>() {
            Ok(number) if number >= bounds.least => {
                let number = number.min(bounds.most);
                match name {
                    "memory" => self.settings.hash = number,
                    _ => self.settings.threads = number as usize,
                }
                Ok(())
            }
            _ => self.error("bad number", line),
        }
    }

    fn user_move(&mut self, text: &str, line: &str) -> io::Result<()> {
        if self.thinker.is_busy() && !self.analyses {
            return self.error("it is not your turn", line);
        }
        match notation::read(self.record.position(), text) {
            Ok(mv) => {
                self.record.play(mv);
                self.react()
            }
            Err(_) => {
                let text = one_line(text);
                self.say(&format!("Illegal move: {text}"))
            }
        }
    }

    /// After a move, and when told to play: claims the result of a finished game, or thinks
    /// if it is time to.
    fn react(&mut self) -> io::Result<()> {
        let position = *self.record.position();
        if let Some(result) = result(&self.record) {
            self.give_up()?;
            return match self.analyses {
                true => self.note(&result),
                false => self.say(&result),
            };
        }
        if self.own != Some(position.turn()) && !self.analyses {
            return self.give_up();
        }
        let (tables, words) = self.settings.tables();
        words.iter().try_for_each(|words| self.note(words))?;
        let effort = match self.analyses {
            true => Effort::default(),
            false => self.time.effort(self.record.plies() / 2),
        };
        self.began = Instant::now();
        self.thinker.start(Task {
            tables,
            record: self.record.clone(),
            only: Vec::new(),
            effort,
            threads: self.settings.threads,
            memory: self.settings.memory(),
            lines: 1,
        })
    }
}

/// The result of a game that is over, or that is drawn by a claim: by the fifty-move rule, or
/// in a game that has it by the third occurrence of a position.
fn result(record: &History) -> Option<String> {
    let position = record.position();
    if let Some(end) = position.end() {
        let result = match end.winner(position.turn()) {
            None => "1/2-1/2",
            Some(Colour::White) => "1-0",
            Some(Colour::Black) => "0-1",
        };
        return Some(format!("{result} {{{}}}", end.name()));
    }
    let limit = position.game().zeroing_limit()?;
    let why = if position.halfmoves() >= limit {
        position.game().zeroing_rule()?
    } else if record.is_drawn_by_repetition() {
        "repetition".to_owned()
    } else {
        return None;
    };
    Some(format!("1/2-1/2 {{{why}}}"))
}

/// The places of the pieces in the protocol's table of letters, white's first half: pawn,
/// knight, bishop, rook, queen, then those of other games, and the king at the end.
const PLACES: usize = 22;

/// The games of this program that XBoard knows, by its names.
const KNOWN: [&str; 2] = ["normal", "twokings"];

/// The lines that introduce this program.
fn introduction(variants: &[&str]) -> String {
    let variants = variants.join(",");
    format!(
        "feature done=0\n\
         feature ping=1 setboard=1 playother=1 san=0 usermove=1 time=1 draw=1\n\
         feature sigint=0 sigterm=0 reuse=1 analyze=1 colors=0 ics=0 name=0 pause=0 nps=0\n\
         feature memory=1 smp=1 debug=1 egt=\"retrograde\"\n\
         feature option=\"TablebasePath -string \"\n\
         feature myname=\"{NAME}\"\n\
         feature variants=\"{variants}\"\n\
         feature done=1"
    )
}

/// The pieces that XBoard knows, after the pawn, by how they move; the place in the list is one
/// less than that among the letters.
const MOVES: [&str; 10] = ["N", "B", "R", "Q", "F", "A", "BN", "RN", "W", "K"];

/// The piece types of a game with their places among the letters, each at the place of the piece
/// that moves alike if there is one, otherwise at one that nothing has, whose moves have to be
/// told.
fn places(game: Game) -> Vec<(PieceType, usize, bool)> {
    let place = |piece_type: PieceType| match piece_type {
        PieceType::Pawn => Some(0),
        PieceType::King => Some(PLACES - 1),
        _ => {
            let moves = game.mover(piece_type).to_string();
            MOVES
                .iter()
                .position(|known| *known == moves)
                .map(|n| n + 1)
        }
    };
    let mut taken = Vec::new();
    let types = game.piece_types().iter();
    let mut places: Vec<(PieceType, Option<usize>)> = types
        .map(|&piece_type| {
            let place = place(piece_type).filter(|place| !taken.contains(place));
            taken.extend(place);
            (piece_type, place)
        })
        .collect();
    let mut free = (MOVES.len() + 1..PLACES - 1).filter(|place| !taken.contains(place));
    let told = |(piece_type, place): (PieceType, Option<usize>)| match place {
        Some(place) => Some((piece_type, place, false)),
        None => Some((piece_type, free.next()?, true)),
    };
    places.drain(..).filter_map(told).collect()
}

/// The commands that tell a game's board, piece letters and array, and how pieces move that
/// XBoard does not know; `None` if XBoard knows the game.
fn setup(game: Game) -> Option<String> {
    if game
        .other_names()
        .iter()
        .any(|name| KNOWN.contains(&name.as_str()))
    {
        return None;
    }
    let mut letters = ['.'; PLACES];
    let mut moves = String::new();
    for (piece_type, place, is_new) in places(game) {
        letters[place] = game.letter(piece_type);
        let betza = game.mover(piece_type).to_string();
        let betza = match piece_type {
            PieceType::Pawn if !game.has_usual_pawns() => &pawn_moves(game),
            PieceType::Pawn if game.pawns().double_step == DoubleStep::None => "fmWfceF",
            PieceType::King if betza != "K" => &betza,
            _ if is_new => &betza,
            _ => continue,
        };
        moves.push_str(&format!("\npiece {}& {betza}", game.letter(piece_type)));
    }
    let white: String = letters.iter().collect();
    let black = white.to_ascii_lowercase();
    let geometry = game.geometry();
    let (files, ranks) = (geometry.files, geometry.ranks);
    let array = game.array().fen();
    let array: Vec<&str> = array.split(' ').take(4).collect();
    Some(format!(
        "setup ({white}{black}) {files}x{ranks}+0_fairy {} 0 1{moves}",
        array.join(" ")
    ))
}

/// The moves of pawns that are not those of orthodox chess, in Betza's notation: the first moves
/// begin with `i`, and captures that may be en passant have an `e`.
fn pawn_moves(game: Game) -> String {
    let mut moves = game.pawn_mover().to_string();
    if game.pawns().double_step == DoubleStep::None {
        return moves;
    }
    if game.ep_by() != EnPassant::Off {
        moves = moves.replace('c', "ce");
    }
    moves
        + match game.pawn_mover().doubled() {
            [(0, _)] => "ifmnD",
            [(-1, _)] => "iflmnA",
            [(1, _)] => "ifrmnA",
            _ => "ifmnA",
        }
}

/// A mate in no moves, in the scores of the protocol.
const MATE: i32 = 100_000;

/// The most moves of a line that are shown: programs keep room for no more.
const MOST_SHOWN_MOVES: usize = 40;

impl<W: Write> XboardSession<W> {
    fn report(&mut self, choice: &Choice) -> io::Result<()> {
        for note in &choice.notes {
            self.note(note)?;
        }
        self.post(choice)
    }

    /// Shows what has been found out.
    fn post(&mut self, choice: &Choice) -> io::Result<()> {
        let (true, Some(best)) = (self.posts, choice.prospects.first()) else {
            return Ok(());
        };
        let score = match best.value.map(Score::of) {
            Some(Score::Mate(moves)) if moves > 0 => MATE + moves,
            Some(Score::Mate(moves)) => -MATE + moves,
            Some(Score::Points(points)) => points,
            None => 0,
        };
        let position = self.record.position();
        let moves = best.moves.iter().take(MOST_SHOWN_MOVES);
        let moves: Vec<String> = moves.map(|&mv| notation::write(position, mv)).collect();
        let centiseconds = self.began.elapsed().as_millis() / 10;
        let (plies, nodes) = (choice.plies, choice.nodes + choice.hits);
        self.say(&format!(
            "{plies} {score} {centiseconds} {nodes} {}",
            moves.join(" ")
        ))
    }

    fn conclude(&mut self, choice: &Choice) -> io::Result<()> {
        self.thinker.finished();
        self.report(choice)?;
        if !self.analyses {
            self.play(choice)?;
        }
        self.pong()
    }

    fn play(&mut self, choice: &Choice) -> io::Result<()> {
        let Some(best) = choice.best() else {
            return self.say("tellusererror No move was found");
        };
        let text = notation::send(self.record.position(), best);
        self.say(&format!("move {text}"))?;
        self.record.play(best);
        match result(&self.record) {
            Some(result) => self.say(&result),
            None => Ok(()),
        }
    }

    /// The answer of the tables about the position; `None` if they have none.
    fn ask<T>(
        &mut self,
        question: impl Fn(&Tablebase, &History) -> Result<T, ProbeError>,
    ) -> io::Result<Option<T>> {
        let (tables, words) = self.settings.tables();
        words.iter().try_for_each(|words| self.note(words))?;
        let mut told = Vec::new();
        let answer = tables.ask(
            |text| told.push(text),
            |tables| question(tables, &self.record),
        );
        told.iter().try_for_each(|text| self.note(text))?;
        Ok(answer.ok())
    }

    /// Agrees to a draw where tables know of nothing better.
    fn draw(&mut self) -> io::Result<()> {
        let Some(answer) = self.ask(Tablebase::probe_in_game)? else {
            return Ok(());
        };
        let turn = self.record.position().turn();
        let value = match self.own.unwrap_or(turn) == turn {
            true => answer.value,
            false => answer.value.reversed(),
        };
        match value.wdl >= Wdl::Draw {
            true => self.say("offer draw"),
            false => Ok(()),
        }
    }

    fn hint(&mut self) -> io::Result<()> {
        let answers = self.ask(Tablebase::moves_in_game)?.unwrap_or_default();
        match answers.first().filter(|best| best.value.is_some()) {
            Some(best) => {
                let text = notation::write(self.record.position(), best.mv);
                self.say(&format!("Hint: {text}"))
            }
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use retrograde_probe::GameFinder;

    use super::*;

    #[test]
    fn games_are_set_up() {
        for known in ["orthodox", "wild9"] {
            assert_eq!(setup(Game::parse(known).unwrap()), None);
        }
        let game = Game::parse("chess99").unwrap();
        assert_eq!(
            setup(game).unwrap(),
            "setup (PNBRQ..A.............Kpnbrq..a.............k) 9x9+0_fairy \
             rnbakqbnr/ppppppppp/9/9/9/9/9/PPPPPPPPP/RNBQKABNR w - - 0 1"
        );
        // The royal knight keeps the king's place, the man has that of his own kind, and the
        // man's letter stands nowhere else.
        let text = include_str!("../../games/examples/knightmate.toml");
        let game = GameFinder::default().find(text).unwrap();
        assert_eq!(
            setup(game).unwrap(),
            "setup (P.BRQ.....M..........Kp.brq.....m..........k) 8x8+0_fairy \
             rmbqkbmr/pppppppp/8/8/8/8/PPPPPPPP/RMBQKBMR w KQkq - 0 1\npiece K& N"
        );
        let text = include_str!("../../games/examples/amazon.toml");
        let text = setup(GameFinder::default().find(text).unwrap()).unwrap();
        assert!(text.ends_with("KQkq - 0 1\npiece A& QN"), "{text}");
        let text = include_str!("../../games/examples/gardner.toml");
        let text = setup(GameFinder::default().find(text).unwrap()).unwrap();
        assert!(text.ends_with(" w - - 0 1\npiece P& fmWfceF"), "{text}");
        for (pawns, moves) in [
            ("moves = \"mWcfF\"", "P& mWcefFifmnD"),
            ("moves = \"mfFcfW\"", "P& cefWmfFifmnA"),
            (
                "moves = \"mflFcfW\"\nen-passant = \"off\"",
                "P& cfWmflFiflmnA",
            ),
            ("moves = \"K\"\ndouble-step = \"off\"", "P& K"),
        ] {
            let text = format!("name = \"x\"\nend.no-progress = 0\n[pawns]\n{pawns}");
            let text = setup(GameFinder::default().find(&text).unwrap()).unwrap();
            assert!(text.ends_with(&format!("\npiece {moves}")), "{text}");
        }
        let text = setup(Game::parse("kings").unwrap()).unwrap();
        assert!(text.contains(") 8x8+0_fairy ") && text.ends_with(" w ADEHadeh - 0 1"));
        // Counters are no part of what the other program knows.
        let text = setup(Game::parse("high-chess").unwrap()).unwrap();
        assert!(text.ends_with(" w KQkq - 0 1"), "{text}");
    }
}
