"""Answers for single positions."""

from __future__ import annotations

import collections.abc
import copy
import json
import pickle
import shutil
import subprocess
import sys

import pytest

import retrograde

KQK = "8/8/8/3k4/8/8/8/KQ6 w - -"
MATED = "k7/1Q6/K7/8/8/8/8/8 b - -"
STALEMATE = "k7/8/1Q6/8/8/8/8/K7 b - -"
MISSING = "8/8/8/3k3r/8/8/8/KQ6 w - -"


def test_numbers(orthodox):
    assert orthodox.probe_wdl(KQK) == 2
    assert orthodox.probe_dtz(KQK) == 17
    assert orthodox.probe_dtm(KQK) == 17
    after = KQK.replace(" w ", " b ")
    assert orthodox.probe_wdl(after) == -2
    assert orthodox.probe_dtz(after) == -18
    assert orthodox.probe_dtm(after) == -18


def test_ended(orthodox):
    assert orthodox.probe_wdl(MATED) == -2
    assert orthodox.probe_dtz(MATED) == -1
    assert orthodox.probe_dtm(MATED) == 0
    assert orthodox.probe_wdl(STALEMATE) == 0
    assert orthodox.probe_dtz(STALEMATE) == 0
    assert orthodox.probe_wdl("8/8/8/3k4/8/8/8/K7 w - -") == 0


def test_numbers_leave_the_clock_out(orthodox):
    late = KQK + " 90 120"
    assert orthodox.probe_wdl(late) == 2
    answer = orthodox.probe(late)
    assert (answer.category, answer.category_at_clock_0) == ("cursed-win", "win")
    assert (answer.clock, answer.wdl) == (90, 1)


def test_missing_tables(orthodox):
    for probe in (orthodox.probe_wdl, orthodox.probe_dtz, orthodox.probe_dtm):
        with pytest.raises(retrograde.MissingTableError) as caught:
            probe(MISSING)
        assert isinstance(caught.value, KeyError)
        assert caught.value.material == "KQvKR"
        assert caught.value.game == "orthodox"
        assert 'retrograde.generate("orthodox", ["KQvKR"]' in str(caught.value)
    for get in (orthodox.get_wdl, orthodox.get_dtz, orthodox.get_dtm):
        assert get(MISSING) is None
        assert get(MISSING, 7) == 7
        assert get(MISSING, default="x") == "x"
        assert get(KQK, 7) != 7


def test_what_the_rules_know_takes_no_table(tables, tmp_path, orthodox):
    mate = "k7/1Q6/K7/8/8/8/8/7n b - -"
    stalemate = "k7/p7/K7/8/8/8/8/1R6 b - -"
    for fen, numbers in ((mate, (-2, -1, 0)), (stalemate, (0, 0, 0))):
        asked = orthodox.probe_wdl(fen), orthodox.probe_dtz(fen), orthodox.probe_dtm(fen)
        assert asked == numbers
        assert orthodox.get_wdl(fen, "x") == numbers[0]
        batch = orthodox.probe_many([fen], ["dtm", "dtz"])
        assert not batch.errors
        assert (batch.wdl[0], batch.dtz[0], batch.dtm[0]) == numbers
    (tmp_path / "orthodox").mkdir()
    dead = "8/8/8/3k4/8/8/8/KN6 w - -"
    with retrograde.open_tablebase(tmp_path) as empty:
        assert [empty.probe_wdl(dead), empty.probe_dtz(dead), empty.probe_dtm(dead)] == [0] * 3
    with retrograde.open_tablebase(tmp_path, "king-of-the-hill") as hill:
        assert hill.probe_wdl("8/8/2k5/8/3K4/8/8/8 b - -") == -2
    # Who wins and DTZ of a draw take the same table; DTM takes its own.
    shutil.copy(tables / "orthodox" / "KPvK.wdl", tmp_path / "orthodox")
    draw, win = "8/8/8/8/8/k7/p7/K7 b - -", "8/2k5/8/8/8/8/3p4/1K6 b - -"
    with retrograde.open_tablebase(tmp_path) as only_wdl:
        assert only_wdl.probe_wdl(draw) == only_wdl.probe_dtz(draw) == 0
        for ask, fen in ((only_wdl.probe_dtz, win), (only_wdl.probe_dtm, win), (only_wdl.probe_dtm, draw)):
            with pytest.raises(retrograde.MissingTableError):
                ask(fen)
    (tmp_path / "orthodox" / "KPvK.wdl").unlink()
    shutil.copy(tables / "orthodox" / "KPvK.dtm", tmp_path / "orthodox")
    with retrograde.open_tablebase(tmp_path) as only_dtm:
        assert (only_dtm.probe_dtm(draw), only_dtm.probe_dtm(win)) == (0, 13)


def test_advice_about_missing_tables(tmp_path):
    first, second = tmp_path / "a", tmp_path / "b"
    first.mkdir(), second.mkdir()
    with retrograde.open_tablebase(first) as tablebase:
        for ask in (tablebase.probe_wdl, tablebase.probe_dtz, tablebase.line):
            with pytest.raises(retrograde.MissingTableError) as caught:
                ask(KQK)
            assert f"(looked in {first})" in str(caught.value)
            call = f'retrograde.generate("orthodox", ["KQvK"], out="{first}")'
            assert str(caught.value).endswith(f"{call}, then open the tablebase again")
        assert call in tablebase.probe(KQK).error.message
        # What is advised works.
        eval(call)
        with pytest.raises(retrograde.MissingTableError):
            tablebase.probe_wdl(KQK)
    assert retrograde.open_tablebase(first).probe_wdl(KQK) == 2
    with retrograde.open_tablebase([first, second]) as tablebase:
        with pytest.raises(retrograde.MissingTableError) as caught:
            tablebase.probe_wdl(MISSING)
        folders = f'out="{first}", tables=["{first}", "{second}"])'
        assert folders in str(caught.value)


def test_unsupported(orthodox):
    castling = "8/8/8/3k4/8/8/8/4K2R w K -"
    with pytest.raises(retrograde.UnsupportedPositionError, match="castling") as caught:
        orthodox.probe_wdl(castling)
    assert isinstance(caught.value, KeyError)
    assert orthodox.get_wdl(castling, 5) == 5
    crowd = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - -"
    with pytest.raises(retrograde.UnsupportedPositionError, match="32 pieces"):
        orthodox.probe_wdl(crowd)
    answer = orthodox.probe(castling)
    assert answer.category == "unknown"
    assert answer.wdl is None
    assert answer.error.kind == "unsupported"


def test_answer(orthodox):
    answer = orthodox.probe(KQK, moves=True, line=True)
    assert answer.fen == KQK + " 0 1"
    assert (answer.game, answer.material) == ("orthodox", "KQvK")
    assert (answer.category, answer.winner) == ("win", "white")
    assert (answer.depth_plies, answer.dtz_plies) == (17, 17)
    assert not (answer.check or answer.checkmate or answer.stalemate or answer.dead)
    assert answer.end is None and answer.error is None
    assert answer.vitality is None and answer.royal is None and answer.checks is None
    assert answer.moves[0].depth_plies == 16
    assert [mv.category for mv in answer.moves].index("draw") > 0
    assert len(answer.line) == 17
    assert list(answer.line) == answer.line.moves
    assert answer.line.end == "checkmate"
    with pytest.raises(IndexError):
        answer.line[17]
    assert isinstance(answer.line, collections.abc.Sequence)
    assert answer.line[-1] == answer.line[16]
    with pytest.raises(IndexError):
        answer.line[-18]
    assert answer.line[1:3] == answer.line.moves[1:3]
    assert answer.line.index(answer.line[3]) == answer.line.moves.index(answer.line[3])
    assert answer.line.index(answer.line[3], -17, -1) <= 3
    with pytest.raises(ValueError):
        answer.line.index("a1a1")
    assert answer.line.count(answer.line[3]) > answer.line.count("a1a1") == 0
    plain = orthodox.probe(KQK)
    assert plain.moves is None and plain.line is None
    assert plain == orthodox.probe(KQK)
    assert plain != answer
    assert json.loads(answer.to_json()) == answer.as_dict()
    assert "depth 17 plies" in repr(answer)


def test_moves_and_line(orthodox):
    moves = orthodox.moves(KQK)
    assert [mv.uci for mv in moves] == [mv.uci for mv in orthodox.probe(KQK, moves=True).moves]
    best = moves[0]
    assert best.wdl == 2 and best.winner == "white" and best.zeroing is False
    assert best.as_dict()["uci"] == best.uci
    assert orthodox.line(KQK).moves == orthodox.probe(KQK, line=True).line.moves
    assert orthodox.line(STALEMATE).moves == []
    with pytest.raises(retrograde.MissingTableError):
        orthodox.line(MISSING)
    assert all(mv.category in ("unknown", "win") for mv in orthodox.moves(MISSING)[:3])


def test_moves_and_lines_can_be_followed(orthodox, tables):
    best = orthodox.moves(KQK)[0]
    assert orthodox.probe(best.fen).depth_plies == best.depth_plies
    assert best.fen == orthodox.play(KQK, best.uci) == orthodox.probe(KQK, moves=True).moves[0].fen
    assert orthodox.legal_moves(KQK) == sorted(mv.uci for mv in orthodox.moves(KQK))
    for line in (orthodox.line(KQK), orthodox.probe(KQK, line=True).line):
        fen, names = KQK, []
        for uci in line.moves:
            names.append({mv.uci: mv.san for mv in orthodox.moves(fen)}[uci])
            fen = orthodox.play(fen, uci)
        assert line.san == names and names[-1].endswith("#")
        assert orthodox.probe(fen).checkmate and orthodox.legal_moves(fen) == []
    for wrong in ("a1a8", "x", "", "Ka2"):
        with pytest.raises(ValueError):
            orthodox.play(KQK, wrong)
    with retrograde.open_tablebase(tables, "chess99") as chess99:
        fen = "9/9/9/4k4/9/9/9/3A5/K8 w - -"
        assert chess99.play(fen, chess99.line(fen)[0]) == chess99.moves(fen)[0].fen


@pytest.mark.parametrize(
    ("game", "fen"),
    [
        ("orthodox", KQK + " 90 120"),
        ("orthodox", MATED),
        ("orthodox", STALEMATE),
        ("orthodox", MISSING),
        ("orthodox", "8/8/8/3k4/8/8/8/4K2R w K -"),
        ("orthodox", "8/8/8/8/8/k7/p7/K7 b - -"),
        ("high-chess", "8/8/8/3k4/8/8/8/K6R w - - 6+50"),
        ("chess99", "9/9/9/9/9/9/4k4/4K4/4A4 b - -"),
        ("kings", "8/8/8/8/3K3k/8/1K6/8 w - -"),
        ("extinction", "8/8/8/8/8/1k6/K6Q/8 w - -"),
        ("king-of-the-hill", "8/8/2k5/8/3K4/8/8/8 b - -"),
    ],
)
def test_answers_are_values(tables, game, fen):
    with retrograde.open_tablebase(tables, game) as tablebase:
        answer = tablebase.probe(fen, moves=True, line=True)
        things = [answer, tablebase.probe(fen), *answer.moves]
        things += [answer.error, answer.line, answer.vitality]
        for thing in filter(None, things):
            for again in (
                pickle.loads(pickle.dumps(thing)),
                pickle.loads(pickle.dumps(thing, 0)),
                copy.copy(thing),
                copy.deepcopy(thing),
            ):
                assert type(again) is type(thing)
                assert again == thing and hash(again) == hash(thing)
                assert repr(again) == repr(thing)
        assert pickle.loads(pickle.dumps(answer)).to_json() == answer.to_json()
        assert len({*answer.moves, *tablebase.moves(fen)}) == len(answer.moves)


def test_answers_are_frozen(orthodox):
    answer = orthodox.probe(KQK, line=True)
    answer.line.moves.clear()
    answer.as_dict().clear()
    dead = orthodox.probe("8/8/8/3k4/8/8/8/K7 w - -")
    dead.helpmate.clear()
    assert len(answer.line) == 17 and answer.as_dict() and dead.helpmate
    for thing, name in ((answer, "fen"), (answer, "wdl"), (answer.line, "end"), (answer, "none")):
        with pytest.raises(AttributeError):
            setattr(thing, name, "")


def test_results_of_another_version_are_refused():
    from retrograde import _native

    with pytest.raises(ValueError, match="word"):
        _native._fault("new-kind", "")
    for json_text in ("", "[]", '{"uci": "a1a1"}'):
        with pytest.raises(ValueError):
            _native._move("orthodox", KQK, json_text)


def test_unknown_says_what_rules_know(orthodox):
    answer = orthodox.probe(MISSING, moves=True, line=True)
    assert answer.category == "unknown"
    assert answer.error.kind == "missing-table"
    assert "KQvKR" in str(answer.error)
    assert len(answer.moves) > 5
    assert answer.line is None
    assert answer.depth_plies is None


@pytest.mark.parametrize(
    ("fen", "kind"),
    [
        ("", "bad-fen"),
        ("8/8/8/8/8/8/8/8", "bad-fen"),
        ("8/8/8/8/8/8/8/8 w - -", "illegal-position"),
        ("8/8/8/3k4/8/8/8/KQ6 x - -", "bad-fen"),
        ("8/8/8/3k4/8/8/8/KX6 w - -", "bad-fen"),
        ("8/8/8/3k4/8/8/8/KQ6\0 w - -", "bad-fen"),
        ("8/8/8/3k4/3K4/8/8/Q7 w - -", "illegal-position"),
        ("x" * 10_000_000, "bad-fen"),
        ("8" * 1_000_000 + " w - -", "bad-fen"),
    ],
)
def test_bad_positions(orthodox, fen, kind):
    for ask in (orthodox.probe_wdl, orthodox.get_wdl, orthodox.probe, orthodox.moves):
        with pytest.raises(retrograde.PositionError) as caught:
            ask(fen)
        assert caught.value.kind == kind
        assert isinstance(caught.value, ValueError)
    assert (caught.value.offset is None) == (kind == "illegal-position")


@pytest.mark.parametrize("thing", [None, 7, 7.5, b"8/8", [], {}, object(), ("a", "b"), True])
def test_wrong_types(orthodox, thing):
    for ask in (
        orthodox.probe_wdl,
        orthodox.probe_dtz,
        orthodox.probe_dtm,
        orthodox.get_wdl,
        orthodox.probe,
        orthodox.moves,
        orthodox.line,
    ):
        with pytest.raises(TypeError, match="FEN"):
            ask(thing)


def test_text_that_is_not_text(orthodox):
    with pytest.raises(UnicodeEncodeError):
        orthodox.probe_wdl("\ud800")


def test_opening(tables, monkeypatch, tmp_path):
    with pytest.raises(FileNotFoundError, match="no such folder"):
        retrograde.open_tablebase(tmp_path / "none")
    with pytest.raises(ValueError, match="king-of-the-hill"):
        retrograde.open_tablebase(tables, "checkers")
    with pytest.raises(TypeError, match="folder"):
        retrograde.open_tablebase(7)
    # The folder of the game will do, several will, and so will the environment.
    assert retrograde.open_tablebase(tables / "orthodox").probe_wdl(KQK) == 2
    assert retrograde.open_tablebase([tmp_path, str(tables)]).probe_wdl(KQK) == 2
    monkeypatch.setenv("RETROGRADE_TABLES", str(tables))
    monkeypatch.chdir(tmp_path)
    assert retrograde.open_tablebase().probe_wdl(KQK) == 2
    assert retrograde.Tablebase(tables).probe_wdl(KQK) == 2
    empty = retrograde.open_tablebase(tmp_path)
    assert empty.get_wdl(KQK) is None
    assert empty.add_directory(tables) == 15
    assert empty.probe_wdl(KQK) == 2
    assert len(empty.paths) == 2
    assert dict(empty.list_tables())["KQvK"] == ["wdl", "dtm", "dtz"]
    # The same folder counts once.
    assert empty.add_directory(tables) == 0
    assert empty.add_directory(tables / "orthodox") == 0
    assert len(empty.paths) == 2
    assert len(retrograde.open_tablebase([tables, str(tables), tables / "orthodox"]).paths) == 1


def test_one_table_is_no_tables(tables, tmp_path):
    (tmp_path / "orthodox").mkdir()
    tablebase = retrograde.open_tablebase(tmp_path)
    assert repr(tablebase) == f"<Tablebase of orthodox, 0 tables in {tmp_path}>"
    shutil.copy(tables / "orthodox" / "KQvK.wdl", tmp_path / "orthodox")
    tablebase = retrograde.open_tablebase(tmp_path)
    assert repr(tablebase) == f"<Tablebase of orthodox, 1 table in {tmp_path}>"


def test_reading_fails(tables, tmp_path):
    folder = tmp_path / "orthodox"
    folder.mkdir()
    for name in ("KQvK.wdl", "KQvK.dtm"):
        (folder / name).symlink_to(tmp_path / "nowhere")
    with retrograde.open_tablebase(tmp_path) as tablebase:
        with pytest.raises(FileNotFoundError) as caught:
            tablebase.probe_wdl(KQK)
    assert caught.value.filename == str(folder / "KQvK.wdl")
    assert "os error" not in str(caught.value)
    assert "remove the file if it is a link that leads nowhere" in str(caught.value)


def test_without_numpy(high_chess, monkeypatch):
    program = (
        "import sys; sys.modules['numpy'] = None\n"
        "import retrograde\n"
        "answer = retrograde.open_tablebase('tables', 'high-chess').probe("
        "'8/8/8/3k4/8/8/8/K6R w - - 6+50')\n"
        "try: answer.vitality.thresholds\n"
        "except ModuleNotFoundError as error: print(error)"
    )
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert run.stdout == "this takes numpy: pip install numpy\n"


def test_the_memory_limit(tables):
    retrograde.set_memory_limit(0)
    try:
        assert retrograde.open_tablebase(tables).probe_dtm(KQK) == 17
    finally:
        retrograde.set_memory_limit(1 << 30)


def test_closing(tables):
    with retrograde.open_tablebase(tables, max_fds=None, load_dtz=False) as tablebase:
        assert not tablebase.closed
        assert tablebase.probe_wdl(KQK) == 2
        assert "15 tables" in repr(tablebase)
    assert tablebase.closed
    tablebase.close()
    for ask in (
        lambda: tablebase.probe_wdl(KQK),
        lambda: tablebase.get_wdl(KQK, 3),
        lambda: tablebase.probe(KQK),
        lambda: tablebase.moves(KQK),
        lambda: tablebase.probe_many([KQK]),
        lambda: tablebase.table("KQvK"),
        lambda: tablebase.add_directory(tables),
        lambda: pickle.dumps(tablebase),
        tablebase.__enter__,
    ):
        with pytest.raises(ValueError, match="closed"):
            ask()
    assert "closed" in repr(tablebase)


def test_damaged_files(tables, tmp_path):
    folder = tmp_path / "orthodox"
    folder.mkdir()
    good = (tables / "orthodox" / "KQvK.wdl").read_bytes()
    (folder / "KQvK.wdl").write_bytes(good[: len(good) // 2])
    (folder / "KRvK.wdl").write_bytes(good)
    (folder / "KPvK.wdl").write_bytes(b"")
    (folder / "KBvK.wdl").mkdir()
    tablebase = retrograde.open_tablebase(tmp_path)
    for name in ("KQvK", "KRvK", "KPvK"):
        fen = f"8/8/8/6k1/8/8/{name[1]}7/K7 w - -"
        for ask in (tablebase.probe_wdl, tablebase.get_wdl, tablebase.probe, tablebase.moves):
            with pytest.raises(retrograde.CorruptTableError):
                ask(fen)
        with pytest.raises(retrograde.CorruptTableError) as caught:
            tablebase.probe_wdl(fen)
        assert caught.value.path.endswith(name + ".wdl")


def test_other_games(tables, high_chess):
    answer = high_chess.probe("8/8/8/3k4/8/8/8/K6R w - - 6+50")
    vitality = answer.vitality
    assert (vitality.white, vitality.black, vitality.white_needs) == (6, 50, 6)
    assert vitality.thresholds.shape == (50,)
    assert vitality.thresholds[49] == 6
    assert answer.win_by == "exhaustion"
    assert answer.high == {"side": "black", "white_distance": 3, "black_distance": 0}
    assert high_chess.probe_wdl("8/8/8/3k4/8/8/8/K6R w - - 6+50") == 2
    assert high_chess.probe_wdl("8/8/8/3k4/8/8/8/K6R w - - 5+50") == -2
    with pytest.raises(retrograde.UnsupportedPositionError, match="dtz"):
        high_chess.probe_dtz("8/8/8/3k4/8/8/8/K6R w - -")
    with retrograde.open_tablebase(tables, "chess99") as chess99:
        answer = chess99.probe("9/9/9/9/9/9/4k4/4K4/4A4 b - -", moves=True)
        assert answer.double_check and answer.checks == {"white": True, "black": True}
        assert answer.moves[0].end == "king-capture"
        assert chess99.probe_dtm("9/9/9/4k4/9/9/9/3A5/K8 w - -") == 29
    with retrograde.open_tablebase(tables, "kings") as kings:
        answer = kings.probe("8/8/8/8/3K3k/8/1K6/8 w - -")
        assert answer.royal == {"white": ["b2"], "black": ["h4"]}
        assert answer.depth_plies == 25


def test_games_are_those_of_the_rules():
    games = {game.id: game for game in retrograde.games()}
    assert len(games) == 16
    assert games["chess99"].board == "9x9"
    assert "A" in games["chess99"].pieces
    assert games["high-chess"].metrics == ["thresholds", "mates"]
    option = {option.name: option for option in games["kings"].options}["board"]
    assert option.values == ["8x8", "10x8", "10x10"] and option.default == "8x8"


def test_known_moves_settle_a_position(tables, orthodox):
    """No table has these positions, but one of their moves wins."""
    for fen, depth in (("8/8/8/3k4/8/8/8/KQr5 w - -", None), ("6k1/5ppp/8/8/8/8/5PPP/R5K1 w - -", 1)):
        answer = orthodox.probe(fen, moves=True)
        assert (answer.category, answer.error) == ("win", None)
        assert (answer.depth_plies, answer.dtz_plies) == (depth, 1)
        assert answer.moves[0].wdl == 2 and answer.moves[-1].wdl is None
        assert (orthodox.probe_wdl(fen), orthodox.probe_dtz(fen)) == (2, 1)
        batch = orthodox.probe_many([fen])
        assert batch.wdl.tolist() == [2] and not batch.errors
    with pytest.raises(KeyError):
        orthodox.probe_dtm("8/8/8/3k4/8/8/8/KQr5 w - -")
    mated = orthodox.probe("1Q5k/8/6K1/8/8/8/8/8 b - - 101 80")
    assert (mated.category, mated.helpmate) == ("loss", {"white": False, "black": True})
    assert orthodox.probe("8/8/8/3k4/8/8/8/K7 w - -").helpmate == {"white": False, "black": False}
