"""Threads, forks and other processes."""

from __future__ import annotations

import multiprocessing
import os
import pickle
import shutil
import signal
import subprocess
import sys
import textwrap
import threading

import pytest

import retrograde

FENS = ["8/8/8/3k4/8/8/8/KQ6 w - -", "8/8/8/3k4/8/8/8/KQ6 b - -", "8/8/8/3k4/8/8/8/KN6 w - -"]
VALUES = [2, -2, 0]


def ask(tablebase):
    return [tablebase.probe_wdl(fen) for fen in FENS], tablebase.probe_many(FENS).wdl.tolist()


def test_threads(tables):
    with retrograde.open_tablebase(tables) as tablebase:
        wrong = []

        def work():
            for _ in range(200):
                if ask(tablebase) != (VALUES, VALUES):
                    wrong.append(1)

        threads = [threading.Thread(target=work) for _ in range(8)]
        [thread.start() for thread in threads]
        [thread.join() for thread in threads]
        assert not wrong


def test_no_folder_is_lost(tables, tmp_path):
    names = [path.name for path in sorted((tables / "orthodox").glob("K?vK.*"))][:8]
    for name in names:
        (tmp_path / name / "orthodox").mkdir(parents=True)
        shutil.copy(tables / "orthodox" / name, tmp_path / name / "orthodox")
    (tmp_path / "none").mkdir()
    for _ in range(20):
        added = []
        tablebase = retrograde.open_tablebase(tmp_path / "none")
        together = threading.Barrier(len(names))

        def add(name):
            together.wait()
            added.append(tablebase.add_directory(tmp_path / name))

        threads = [threading.Thread(target=add, args=[name]) for name in names]
        [thread.start() for thread in threads]
        [thread.join() for thread in threads]
        assert sorted(tablebase.paths[1:]) == [tmp_path / name for name in names]
        assert added == [1] * len(names)


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="no such signal")
def test_ctrl_c_while_a_table_is_read(tmp_path):
    retrograde.generate("orthodox", "KNvKN", out=tmp_path, metrics=["wdl"])
    program = textwrap.dedent(
        f"""
        import signal
        import time
        import retrograde
        table = retrograde.open_tablebase({str(tmp_path)!r}).table("KNvKN")
        start = time.monotonic()
        table.positions()
        whole = time.monotonic() - start
        signal.signal(signal.SIGALRM, signal.default_int_handler)
        signal.setitimer(signal.ITIMER_REAL, 0.01)
        start = time.monotonic()
        try:
            table.positions()
        except KeyboardInterrupt:
            print("interrupted", time.monotonic() - start, whole)
        """
    )
    # With one thread it takes long everywhere.
    alone = dict(os.environ, RAYON_NUM_THREADS="1")
    done = subprocess.run([sys.executable, "-c", program], env=alone, capture_output=True, text=True)
    word, time, whole = done.stdout.split()
    assert word == "interrupted" and float(time) < 0.75 * float(whole)


def test_closing_while_others_ask(tables):
    tablebase = retrograde.open_tablebase(tables)
    outcomes = set()

    def work():
        try:
            while True:
                ask(tablebase)
        except ValueError as error:
            outcomes.add(str(error))

    threads = [threading.Thread(target=work) for _ in range(4)]
    [thread.start() for thread in threads]
    tablebase.close()
    [thread.join() for thread in threads]
    assert outcomes == {"the tablebase is closed; open it again"}


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_fork(tables):
    tablebase = retrograde.open_tablebase(tables)
    assert ask(tablebase) == (VALUES, VALUES)
    child = os.fork()
    if child == 0:
        status = 1
        try:
            fresh = retrograde.open_tablebase(tables)
            status = int(ask(tablebase) != (VALUES, VALUES) or ask(fresh) != (VALUES, VALUES))
            made = tablebase.table("KQvK").values("white")
            status += int(made.max() != 2)
        finally:
            os._exit(status)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert ask(tablebase) == (VALUES, VALUES)


@pytest.mark.parametrize("method", multiprocessing.get_all_start_methods())
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_pools_of_processes(tables, method):
    if method == "fork" and sys.platform == "darwin":
        pytest.skip("not safe there")
    with retrograde.open_tablebase(tables) as tablebase:
        ask(tablebase)
        with multiprocessing.get_context(method).Pool(2) as pool:
            assert pool.map(tablebase.probe_wdl, FENS) == VALUES
            assert pool.map(tablebase.probe, FENS) == [tablebase.probe(fen) for fen in FENS]


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="no timers that send signals")
def test_signals_are_heard_while_many_positions_are_looked_up(tables):
    heard = []
    # Five parts of what is looked up at a time, each of which takes longer than a tick.
    fens = FENS[:1] * (5 << 17)
    handler = signal.signal(signal.SIGALRM, lambda *_: heard.append(1))
    try:
        with retrograde.open_tablebase(tables) as tablebase:
            signal.setitimer(signal.ITIMER_REAL, 0.001, 0.001)
            tablebase.probe_many(fens)
            signal.setitimer(signal.ITIMER_REAL, 0)
    finally:
        signal.signal(signal.SIGALRM, handler)
    # Before and after it can be two; and one of them raising ends it.
    assert len(heard) >= 4


def test_pickles(tables):
    with retrograde.open_tablebase(tables, "king-of-the-hill") as tablebase:
        again = pickle.loads(pickle.dumps(tablebase))
        assert again.game == "king-of-the-hill"
        assert again.probe_wdl("8/8/2k5/8/8/2K5/8/8 w - -") == 2
    for error in (
        retrograde.MissingTableError("m", "orthodox", "KQvK", "wdl"),
        retrograde.PositionError("m", "bad-fen", 3),
        retrograde.CorruptTableError("m", "path"),
    ):
        again = pickle.loads(pickle.dumps(error))
        assert (type(again), str(again), vars(again)) == (type(error), "m", vars(error))
