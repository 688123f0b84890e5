"""Lets `retrograde uci` win random positions of tables against other engines.

Everything is by UCI. With orthodox chess and King of the Hill python-chess speaks for
both sides and is the referee. In the other games the moves go from one program to the
other as text; `retrograde uci` refuses what is not legal and says when the game is over,
and the plies are counted here. Exits with 1 if a game is not won as it should be.
"""

import argparse
import json
import random
import re
import shutil
import subprocess
import sys
from pathlib import Path

import chess
import chess.engine
import chess.variant

# Where Debian puts games.
GAMES_PATH = "/usr/games:/usr/local/games"

# How hard the defender thinks.
NODES = 20_000

# The longest game without a distance: High Chess.
ENDLESS = 20_000

BOARDS = {"chess99": (9, 9)}


def program(name: str) -> str | None:
    return shutil.which(name) or shutil.which(name, path=GAMES_PATH)


class Failed(Exception):
    """A game was not won as it should be."""


class Uci:
    """An engine that is talked to in plain text."""

    def __init__(self, command: list[str], options: dict[str, str]) -> None:
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
        )
        self.ask("uci", "uciok")
        for name, value in options.items():
            self.send(f"setoption name {name} value {value}")
        self.ask("isready", "readyok")

    def send(self, text: str) -> None:
        self.process.stdin.write(text + "\n")

    def ask(self, text: str, word: str) -> list[str]:
        """The lines up to one that begins with a word."""
        self.send(text)
        lines = []
        for line in self.process.stdout:
            lines.append(line.rstrip("\n"))
            if line.startswith(word):
                return lines
        raise Failed(f"the engine ended; it had said: {lines}")

    def go(self, fen: str, moves: list[str], limits: str) -> tuple[str, list[str]]:
        """The best move, and all that was said before it."""
        played = f" moves {' '.join(moves)}" if moves else ""
        self.send(f"position fen {fen}{played}")
        lines = self.ask(f"go {limits}", "bestmove")
        refused = [line for line in lines if "position refused" in line]
        if refused:
            raise Failed(f"{fen}{played}: {refused[0]}")
        return lines[-1].split()[1], lines

    def quit(self) -> None:
        self.send("quit")
        self.process.stdin.close()
        self.process.wait()


class Tables:
    """Won positions, from the tables that there are."""

    def __init__(self, retrograde: str, folder: Path, rng: random.Random) -> None:
        self.retrograde, self.folder, self.rng = retrograde, folder, rng

    def materials(self, game: str) -> list[str]:
        files = (self.folder / game).glob("K*v*.*")
        names = {file.stem for file in files if file.suffix in (".dtm", ".thresholds")}
        return sorted(name for name in names if len(name) <= 5)

    def random_fen(self, game: str, material: str, clock: int) -> str:
        files, ranks = BOARDS.get(game, (8, 8))
        white, black = material.split("v")
        pieces = white + black.lower()
        squares = self.rng.sample(range(files * ranks), len(pieces))
        board = dict(zip(squares, pieces))
        rows = [range(rank * files, (rank + 1) * files) for rank in reversed(range(ranks))]
        full = "/".join("".join(board.get(square, "1") for square in row) for row in rows)
        placement = re.sub("1+", lambda ones: str(len(ones[0])), full)
        return f"{placement} {self.rng.choice('wb')} - - {clock} 80"

    def won(self, game: str, materials: list[str], count: int, clocks: bool = False) -> list[dict]:
        """Positions that the side to move wins, as `probe --json` describes them; with
        `clocks` at half-move clocks that leave little time."""
        found: list[dict] = []
        while len(found) < count:
            fens = [
                self.random_fen(
                    game, self.rng.choice(materials), self.rng.randrange(60, 99) if clocks else 0
                )
                for _ in range(500)
            ]
            command = [self.retrograde, "probe", game, "-", "--json", "--tables", str(self.folder)]
            answers = subprocess.run(
                command, input="\n".join(fens) + "\n", capture_output=True, text=True, check=False
            )
            for line in answers.stdout.splitlines():
                answer = json.loads(line)
                # What ends at once shows little.
                if answer.get("category") != "win" or answer["depth_plies"] == 1:
                    continue
                if clocks:
                    # The shortest way may be too long for the rule.
                    answer["depth_plies"] = None
                found.append(answer)
        return found[:count]


def play(winner: Uci, defend, start: dict) -> int:
    """Plays a game out by text; returns the plies. `defend` chooses the other side's moves."""
    fen, plies = start["fen"], start["depth_plies"]
    moves: list[str] = []
    while True:
        best, lines = winner.go(fen, moves, "wtime 60000 btime 60000")
        if best == "(none)":
            # The side to move would be the winner, and has nothing left to do.
            raise Failed(f"{fen} {moves}: over, but not won: {lines}")
        moves.append(best)
        if plies is not None and len(moves) > plies:
            raise Failed(f"{fen} {moves}: more than {plies} plies")
        if len(moves) > ENDLESS:
            raise Failed(f"{fen}: no end in sight")
        reply, lines = winner.go(fen, moves, "movetime 1")
        if reply == "(none)":
            if not any(" score mate 0" in line for line in lines):
                raise Failed(f"{fen} {moves}: over, but not won: {lines}")
            return len(moves)
        moves.append(defend(fen, moves))
        # In High Chess and extinction chess a side may lose by its own move.
        end, lines = winner.go(fen, moves, "movetime 1")
        if end == "(none)":
            last = [line for line in lines if " score " in line][-1]
            if " score mate 0" in last:
                raise Failed(f"{fen} {moves}: the other side has won")
            return len(moves)


def by_engine(engine: Uci):
    return lambda fen, moves: engine.go(fen, moves, f"nodes {NODES}")[0]


def by_chance(engine: Uci, rng: random.Random):
    """Any legal move: the engine lists them all."""

    def choose(fen: str, moves: list[str]) -> str:
        _, lines = engine.go(fen, moves, "movetime 1")
        return rng.choice([line.split(" pv ")[1].split()[0] for line in lines if " pv " in line])

    return choose


def referee(board: chess.Board, name: str, games: list[dict], ours, theirs) -> None:
    """python-chess plays both sides, and sees to the fifty-move rule."""
    for start in games:
        board.set_fen(start["fen"])
        plies = start["depth_plies"]
        while not board.is_game_over() and not (name == "orthodox" and board.is_fifty_moves()):
            ours_to_move = len(board.move_stack) % 2 == 0
            engine = ours if ours_to_move else theirs
            limit = chess.engine.Limit(time=1) if ours_to_move else chess.engine.Limit(nodes=NODES)
            info = chess.engine.INFO_SCORE if ours_to_move else chess.engine.INFO_NONE
            result = engine.play(board, limit, info=info)
            if plies and ours_to_move and len(board.move_stack) == 0:
                mate = result.info["score"].relative.mate()
                if mate != (plies + 1) // 2:
                    raise Failed(f"{name}: {start['fen']}: mate {mate}, not in {plies} plies")
            board.push(result.move)
        played = len(board.move_stack)
        won = board.result() == ("1-0" if " w " in start["fen"] else "0-1")
        if not won or (plies and played > plies):
            raise Failed(f"{name}: {start['fen']}: {board.result()} after {played} of {plies}")


def client(engine: chess.engine.SimpleEngine, fen: str) -> None:
    """Asks for all that a GUI does besides moves: endless analysis, several lines, pondering."""
    board = chess.Board(fen)
    with engine.analysis(board, multipv=3) as analysis:
        for info in analysis:
            if info.get("multipv") == 3:
                break
    lines = engine.analyse(board, chess.engine.Limit(time=1), multipv=3)
    if len(lines) != 3 or not lines[0]["score"].relative.is_mate():
        raise Failed(f"analysis of {fen}: {lines}")
    result = engine.play(board, chess.engine.Limit(time=1), ponder=True)
    board.push(result.move)
    board.push(result.ponder or next(iter(board.legal_moves)))
    engine.play(board, chess.engine.Limit(time=1))
    engine.ping()


def extinction_ini(kinds: str) -> str:
    """Fairy-Stockfish takes a kind that is not on the board for extinct, so that these are
    the kinds of the game."""
    types = kinds.lower()
    return f"[x{types}:extinction]\ncastling = false\nextinctionPieceTypes = {types}\n"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--retrograde", required=True)
    parser.add_argument("--tables", required=True, type=Path)
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", action="append")
    arguments = parser.parse_args()
    rng = random.Random(arguments.seed)
    tables = Tables(arguments.retrograde, arguments.tables, rng)
    command = [arguments.retrograde, "uci", "--tables", str(arguments.tables)]
    stockfish, fairy = program("stockfish"), program("fairy-stockfish")

    def wanted(game: str) -> bool:
        return not arguments.only or game in arguments.only

    def report(game: str, opponent: str, games: list[dict], played: list[int] | None) -> None:
        longest = max((g["depth_plies"] or 0 for g in games), default=0)
        words = f"{game}: {len(games)} games won against {opponent}"
        if longest:
            words += f", the longest distance {longest} plies"
        if played:
            words += f", the longest game {max(played)}"
        print(words, flush=True)

    def refereed(game: str, board: chess.Board, peer: str | None, name: str) -> None:
        if not wanted(game):
            return
        if peer is None:
            print(f"{game}: {name} is not there; left out")
            return
        games = tables.won(game, tables.materials(game), arguments.games)
        late = []
        if game == "orthodox":
            late = tables.won(game, tables.materials(game), arguments.games, clocks=True)
        opened = (chess.engine.SimpleEngine.popen_uci(one, timeout=60) for one in (command, peer))
        with next(opened) as ours, next(opened) as theirs:
            if game == "orthodox":
                client(ours, "8/8/8/3k4/8/8/8/KQ6 w - - 0 1")
            referee(board, game, games + late, ours, theirs)
        report(game, name, games, None)
        if late:
            report(f"{game}, half-move clocks of 60 and more", name, late, None)

    def by_text(game: str, materials: list[str], opponent: str, defender, engine=None) -> None:
        games = tables.won(game, materials, arguments.games)
        winner = Uci(command, {"UCI_Variant": game})
        played = [play(winner, defender, start) for start in games]
        winner.quit()
        if engine:
            engine.quit()
        report(game, opponent, games, played)

    try:
        refereed("orthodox", chess.Board(), stockfish, "Stockfish")
        refereed("king-of-the-hill", chess.variant.KingOfTheHillBoard(), fairy, "Fairy-Stockfish")

        for game in ["kings", "wild9"]:
            names = [m for m in tables.materials(game) if "P" not in m and m.count("K") == 2]
            if wanted(game) and stockfish and names:
                engine = Uci([stockfish], {})
                by_text(game, names, "Stockfish", by_engine(engine), engine)
        alike = [m for m in tables.materials("extinction") if len(set(m.split("v"))) == 1]
        if wanted("extinction") and fairy and alike:
            ini = arguments.retrograde + "-extinction.ini"
            Path(ini).write_text("\n".join(extinction_ini(m.split("v")[0]) for m in alike))
            share = -(-arguments.games // len(alike))
            for material in alike:
                kinds = material.split("v")[0].lower()
                options = {"VariantPath": ini, "UCI_Variant": f"x{kinds}"}
                games = tables.won("extinction", [material], share)
                engine = Uci([fairy], options)
                winner = Uci(command, {"UCI_Variant": "extinction"})
                played = [play(winner, by_engine(engine), start) for start in games]
                engine.quit()
                winner.quit()
                report(f"extinction {material}", "Fairy-Stockfish", games, played)

        ids = json.loads(subprocess.check_output([arguments.retrograde, "games", "--json"]))
        for game in [entry["id"] for entry in ids]:
            names = tables.materials(game)
            if not wanted(game):
                continue
            if not names:
                print(f"{game}: no tables; left out")
                continue
            options = {"UCI_Variant": game}
            engine = Uci(command, options)
            by_text(game, names, "itself", by_engine(engine), engine)
            engine = Uci(command, options | {"MultiPV": "500"})
            by_text(game, names, "random moves", by_chance(engine, rng), engine)
    except Failed as failed:
        print(f"failed: {failed}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
