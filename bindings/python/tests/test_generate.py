"""Plans, and tables that are made."""

from __future__ import annotations

import errno
import os
import pickle
import shutil
import signal
import subprocess
import sys
import textwrap
import threading
import time

import pytest

import retrograde


def test_plan():
    plan = retrograde.plan("orthodox", ["KQvKR"])
    assert [table.material for table in plan] == ["KQvK", "KRvK", "KQvKR"]
    assert plan[2].needs == ["KQvK", "KRvK"]
    assert 0 < plan[2].least_memory_bytes <= plan[2].memory_bytes
    assert plan[2].memory_bytes > 0 and plan[2].disk_bytes > 0 and plan[2].cpu_seconds > 0
    assert plan == retrograde.plan("orthodox", "KRKQ")
    assert set(plan) == set(pickle.loads(pickle.dumps(plan))) and plan[0] != plan[1]
    assert len(retrograde.plan("orthodox", men=4)) == 35
    for wrong in ({"game": "checkers", "men": 3}, {"game": "orthodox"}):
        with pytest.raises(ValueError, match="name|games"):
            retrograde.plan(**wrong)
    with pytest.raises(ValueError, match="X"):
        retrograde.plan("orthodox", ["KXvK"])
    with pytest.raises(ValueError, match="pieces"):
        retrograde.plan("orthodox", men=99)
    with pytest.raises(TypeError):
        retrograde.plan("orthodox", 7)


def test_generate(tables, tmp_path):
    events = []
    made = retrograde.generate(
        "orthodox", ["KPvK"], out=tmp_path, threads=1, progress=events.append
    )
    assert [table.material for table in made] == ["KQvK", "KRvK", "KBvK", "KNvK", "KPvK"]
    assert not any(table.kept for table in made)
    assert made[0].longest_depth == 20
    for table in made:
        for metric in ("wdl", "dtm", "dtz"):
            name = f"orthodox/{table.material}.{metric}"
            assert (tmp_path / name).read_bytes() == (tables / name).read_bytes()
    ended = [event for event in events if event.phase == "made"]
    assert [event.place for event in ended] == [1, 2, 3, 4, 5]
    assert all(event.of == 5 for event in events)
    phases = {event.phase for event in events}
    assert {"reading", "solving", "zeroing", "writing", "made"} <= phases
    assert {event.metric for event in events} >= {None, "wdl", "dtm", "dtz"}
    assert "KPvK" in repr(events[-1])
    again = retrograde.generate("orthodox", ["KPvK"], out=tmp_path)
    assert all(table.kept for table in again)


def test_metrics(tables, tmp_path):
    retrograde.generate("orthodox", "KQvK", out=tmp_path, metrics=["dtm"])
    found = [path.name for path in (tmp_path / "orthodox").iterdir() if path.suffix[1:] in ("wdl", "dtm", "dtz")]
    assert found == ["KQvK.dtm"]
    name = "orthodox/KQvK.dtm"
    assert (tmp_path / name).read_bytes() == (tables / name).read_bytes()
    # Packed small, depths rest on results.
    retrograde.generate("orthodox", "KRvK", out=tmp_path, metrics=("dtm",), pack="small")
    with retrograde.open_tablebase(tmp_path) as tablebase:
        assert dict(tablebase.list_tables())["KRvK"] == ["wdl", "dtm"]
        assert tablebase.probe_dtm("8/8/8/3k4/8/8/8/KR6 w - -") > 0
    for wrong in (["dtx"], ["thresholds"], []):
        with pytest.raises(ValueError, match="metric"):
            retrograde.generate("orthodox", "KQvK", out=tmp_path, metrics=wrong)


def test_an_empty_variable_names_no_folder(tmp_path, monkeypatch):
    # So the tables beside it do not count: the folder is to be complete in itself.
    monkeypatch.setenv("RETROGRADE_TABLES", "")
    made = retrograde.generate("orthodox", "KQvK", out=tmp_path)
    assert not made[0].kept


def test_small(tables, tmp_path):
    retrograde.generate("orthodox", "KQvK", out=tmp_path, pack="small")
    with retrograde.open_tablebase(tmp_path) as small, retrograde.open_tablebase(tables) as fast:
        for side in ("white", "black"):
            for metric in ("wdl", "dtm", "dtz"):
                values = small.table("KQvK").values(side, metric)
                assert (values == fast.table("KQvK").values(side, metric)).all()


def test_reasons_stay_with_what_is_replaced(tables, tmp_path):
    retrograde.generate("orthodox", "KQvK", tables=tables, out=tmp_path, force=True)
    damaged = tmp_path / "orthodox" / "KQvK.dtm"
    damaged.write_bytes(damaged.read_bytes()[:-1])
    events = []
    retrograde.generate("orthodox", "KQvK", out=tmp_path, progress=events.append)
    replacing = [event for event in events if event.phase == "replacing"]
    assert len(replacing) == 1 and str(damaged) in replacing[0].message
    assert {event.phase for event in events} >= {"replacing", "solving", "writing", "made"}
    assert [event for event in events if event.message] == replacing


def test_packing_waits_for_others(tables, tmp_path):
    fcntl = pytest.importorskip("fcntl")
    folder = tmp_path / "orthodox"
    folder.mkdir()
    for metric in ("wdl", "dtm", "dtz"):
        shutil.copy(tables / "orthodox" / f"KNvK.{metric}", folder)
    lock = open(folder / ".KNvK.lock", "w")
    fcntl.flock(lock, fcntl.LOCK_EX)
    events = []

    def progress(event):
        events.append(event)
        if event.phase == "waiting":
            lock.close()

    at_last = threading.Timer(5, lock.close)
    at_last.start()
    retrograde.generate("orthodox", "KNvK", out=tmp_path, pack="small", progress=progress)
    at_last.cancel()
    waiting = [event for event in events if event.phase == "waiting"]
    assert [(event.material, event.metric) for event in waiting] == [("KNvK", None)]
    assert events[-1].phase == "packing"


def test_errors(tmp_path):
    with pytest.raises(retrograde.ResourceError, match="memory"):
        retrograde.generate("orthodox", "KQvKR", out=tmp_path, memory=1)
    with pytest.raises(ValueError, match="fast"):
        retrograde.generate("orthodox", "KQvK", out=tmp_path, pack="tiny")
    blocked = tmp_path / "file"
    blocked.write_text("")
    with pytest.raises(retrograde.GenerateError) as caught:
        retrograde.generate("orthodox", "KQvK", out=blocked)
    assert isinstance(caught.value, OSError) and caught.value.errno in (errno.ENOTDIR, errno.EEXIST)
    assert str(blocked) in str(caught.value)
    again = pickle.loads(pickle.dumps(caught.value))
    assert (type(again), str(again)) == (retrograde.WriteError, str(caught.value))
    for wrong in ("wdl", 7, [7]):
        with pytest.raises(TypeError, match="list of names"):
            retrograde.generate("orthodox", "KQvK", out=tmp_path, metrics=wrong)
    assert issubclass(retrograde.ResourceError, retrograde.GenerateError)


def test_exceptions_of_the_callback_stop_the_work(tmp_path):
    class Enough(Exception):
        pass

    def progress(event):
        if event.place == 2:
            raise Enough

    with pytest.raises(Enough):
        retrograde.generate("orthodox", men=4, out=tmp_path, progress=progress)
    names = {path.name for path in (tmp_path / "orthodox").iterdir()}
    assert "KQvK.dtm" in names and len(names) < 40
    assert not [name for name in names if name.endswith((".partial", ".lock"))]
    # What is finished remains, and the same call continues.
    made = retrograde.generate("orthodox", "KRvK", out=tmp_path)
    assert retrograde.open_tablebase(tmp_path).probe_wdl("8/8/8/3k4/8/8/8/KR6 w - -") == 2
    assert len(made) == 1


@pytest.mark.skipif(not hasattr(signal, "SIGINT") or os.name == "nt", reason="no such signal")
def test_ctrl_c(tmp_path):
    program = textwrap.dedent(
        f"""
        import signal
        import retrograde
        # What runs in the background may begin with the signal switched off.
        signal.signal(signal.SIGINT, signal.default_int_handler)
        try:
            retrograde.generate(
                "orthodox", men=4, out={str(tmp_path)!r},
                progress=lambda event: print(event.phase, flush=True),
            )
        except KeyboardInterrupt:
            print("interrupted")
        """
    )
    process = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True)
    for line in process.stdout:
        if line.strip() == "made":
            break
    process.send_signal(signal.SIGINT)
    rest = process.stdout.read().split()
    assert process.wait() == 0
    assert rest[-1] == "interrupted"
    assert not list((tmp_path / "orthodox").glob("*.partial"))
    assert len(list((tmp_path / "orthodox").glob("*.dtm"))) < 35


def test_other_threads_run_meanwhile(tmp_path):
    ticks = []
    done = threading.Event()

    def tick():
        while not done.is_set():
            ticks.append(1)
            time.sleep(0.001)

    thread = threading.Thread(target=tick)
    thread.start()
    retrograde.generate("orthodox", "KPvK", out=tmp_path, threads=1)
    done.set()
    thread.join()
    assert len(ticks) > 5


@pytest.mark.parametrize(
    ("exception", "name", "call"),
    [
        (TypeError, "memory is a number of bytes", lambda: retrograde.generate("orthodox", "KQK", memory="100M")),
        (TypeError, "memory", lambda: retrograde.generate("orthodox", "KQK", memory=1.5)),
        (ValueError, "memory", lambda: retrograde.generate("orthodox", "KQK", memory=-1)),
        (ValueError, "memory", lambda: retrograde.generate("orthodox", "KQK", memory=2**65)),
        (TypeError, "threads", lambda: retrograde.generate("orthodox", "KQK", threads="2")),
        (ValueError, "threads", lambda: retrograde.generate("orthodox", "KQK", threads=-2)),
        (TypeError, "men", lambda: retrograde.generate("orthodox", men="4")),
        (TypeError, "out is a folder", lambda: retrograde.generate("orthodox", "KQK", out=5)),
        (TypeError, "pack is", lambda: retrograde.generate("orthodox", "KQK", pack=5)),
        (TypeError, "materials is", lambda: retrograde.generate("orthodox", 5)),
        (TypeError, "materials is", lambda: retrograde.generate("orthodox", [5])),
        (TypeError, "metrics is", lambda: retrograde.generate("orthodox", "KQK", metrics=[5])),
        (TypeError, "game is", lambda: retrograde.generate(5, "KQK")),
        (TypeError, "game is", lambda: retrograde.plan(None, "KQK")),
        (TypeError, "men is", lambda: retrograde.plan("orthodox", men="x")),
        (TypeError, "game is", lambda: retrograde.open_tablebase("tables", game=5)),
        (TypeError, "bytes is", lambda: retrograde.set_memory_limit("1G")),
        (TypeError, "bytes is", lambda: retrograde.set_memory_limit(None)),
        (ValueError, "bytes is", lambda: retrograde.set_memory_limit(-1)),
        (TypeError, "material is", lambda: retrograde.open_tablebase("tables").table(5)),
        (TypeError, "path is", lambda: retrograde.open_tablebase("tables").add_directory(5)),
        (TypeError, "uci is", lambda: retrograde.open_tablebase("tables").play("8/8/8/3k4/8/8/8/KQ6 w - -", 5)),
    ],
)
def test_arguments_are_named(exception, name, call):
    with pytest.raises(exception, match=f"^{name}"):
        call()
