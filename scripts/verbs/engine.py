"""Lets the engine play games against other engines, and under XBoard."""

import os
import re
import subprocess
import time
from pathlib import Path

import lib
from verbs.crosscheck import CHESS


@lib.command
def uci(
    *,
    tables: Path = lib.ROOT / "tables",
    games: int = 100,
    seed: int = 1,
    only: list[str] | None = None,
) -> int:
    """Plays won positions against other engines, and counts the moves.

    Talks to `retrograde uci` with the engine client of python-chess, and then lets it win N random
    positions of each game from tables of three and four men, all with the side to move winning:

      - orthodox chess, and kings and wild 9 where they are orthodox chess (one king a side, no
        pawns), against Stockfish;
      - King of the Hill, and extinction chess with the same kinds on both sides, against
        Fairy-Stockfish;
      - all games against itself and against random moves.

    Every game must be won within the distance of the table: plies, against whatever defence. High
    Chess, which has no such distance, must be won, and so must as many positions of orthodox chess
    in which the fifty-move rule leaves little time.

    Needs stockfish and fairy-stockfish, which are packages of Debian; what is not there is left
    out, and said so. All of these run as separate programs.

    tables: the table folder; the default has three men only
    games: how many against each opponent
    seed: the random seed
    only: only this game; may be given several times
    """
    python = lib.venv(lib.TARGET / "engine/venv", f"chess=={CHESS}")
    lib.build("retrograde")
    if unknown := set(only or []) - set(lib.games()):
        lib.fail(f"there is no game {', '.join(sorted(unknown))}", 2)
    options = [
        "--games",
        games,
        "--seed",
        seed,
        *(word for one in only or [] for word in ("--only", one)),
    ]
    ours = ("--retrograde", lib.RETROGRADE, "--tables", tables)
    return 0 if lib.holds(python, lib.PEERS / "engines.py", *ours, *options) else 1


@lib.command
def xboard(
    *,
    tables: Path = lib.ROOT / "tables",
    fen: str = "8/8/8/3k4/8/8/8/KQ6 w - - 0 1",
    moves: int = 9,
) -> None:
    """Plays a game in XBoard, which judges every move, against Fairy-Stockfish.

    Starts XBoard on a display that nobody sees, with `retrograde xboard` as White and
    Fairy-Stockfish as Black, and lets White win a position of orthodox chess within N moves. Exits
    with 1 if White does not win in time.

    Needs xboard, Xvfb and fairy-stockfish, which are packages of Debian (xboard, xvfb,
    fairy-stockfish).

    tables: the table folder
    fen: the position
    moves: how many the win may take
    """
    lib.needs("xboard", "Xvfb", "fairy-stockfish")
    lib.build("retrograde")
    with lib.work() as made:
        log, start, game = (made / name for name in ("log", "start.fen", "game.pgn"))
        written = log.open("w")
        # Xvfb picks a display that is free, and says which.
        screen = ["Xvfb", "-displayfd", "1", "-screen", "0", "1024x768x24"]
        display = subprocess.Popen(screen, stdout=subprocess.PIPE, stderr=written, text=True)
        try:
            number = display.stdout.readline().strip()
            number or lib.fail(f"Xvfb does not start: {log.read_text()}", 2)
            start.write_text(f"{fen}\n")
            command = ["xboard", "-mg", "1", "-tc", "1", "-inc", "1", "-xponder", "-fd", made]
            command += ["-fcp", f"{lib.RETROGRADE} xboard --tables {tables}", "-sd", made]
            command += ["-scp", "fairy-stockfish", "-lpf", start, "-lpi", "1", "-sgf", game]
            shown = {
                "stdout": written,
                "stderr": written,
                "env": os.environ | {"DISPLAY": f":{number}"},
            }
            board = subprocess.Popen(command, **shown)
            for _ in range(180):
                text = game.read_text() if game.exists() else ""
                if re.search(r"^\{.*\} [01*/2-]*$", text, re.MULTILINE) or board.poll() is not None:
                    break
                time.sleep(1)
            # It stays on screen after the match.
            board.kill()
            board.wait()
        finally:
            lib.stop(display)
        text = game.read_text() if game.exists() else ""
        text or lib.fail(f"no game was played: {log.read_text()}", 2)
    played = text[text.index("\n1.") :]
    print(played)
    '[Result "1-0"]' in text or lib.fail("xboard: White did not win")
    count = int(re.findall(r"\b(\d+)\. ", played)[-1])
    count <= moves or lib.fail(f"xboard: {count} moves, not {moves}")
    print(f"won in {count} moves")
