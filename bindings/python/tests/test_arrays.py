"""Many positions, and whole tables, as arrays."""

from __future__ import annotations

import random
import shutil

import numpy as np
import pytest

import retrograde

KQK = "8/8/8/3k4/8/8/8/KQ6 w - -"


def test_batches_agree_with_single_probes(orthodox):
    table = orthodox.table("KPvK")
    fens = table.positions().fens()
    random.Random(1).shuffle(fens)
    fens = fens[:5000]
    batch = orthodox.probe_many(fens, ["wdl", "dtm", "dtz"])
    assert len(batch) == len(fens) and batch.errors == {}
    assert batch.wdl.dtype == np.int8 and batch.dtm.dtype == batch.dtz.dtype == np.int16
    assert batch.wdl.tolist() == [orthodox.probe_wdl(fen) for fen in fens]
    assert batch.dtm.tolist() == [orthodox.probe_dtm(fen) for fen in fens]
    assert batch.dtz.tolist() == [orthodox.probe_dtz(fen) for fen in fens]
    assert set(batch.wdl) == {2, 0, -2}
    plain = orthodox.probe_many(fens)
    assert plain.dtm is None and plain.dtz is None and plain.thresholds is None
    assert (plain.wdl == batch.wdl).all()
    for metric in ("dtm", "dtz"):
        alone = orthodox.probe_many(fens, [metric])
        assert (alone.wdl == batch.wdl).all()
        assert (getattr(alone, metric) == getattr(batch, metric)).all()
    batch.wdl[0] = 7  # the arrays can be written to


def test_batches_with_bad_positions(orthodox):
    missing = "8/8/8/3k3r/8/8/8/KQ6 w - -"
    given = [KQK, "?", None, missing, 7, "\ud800", KQK]
    batch = orthodox.probe_many(given, ["dtm"])
    assert batch.wdl.tolist() == [2, *[retrograde.NO_WDL] * 5, 2]
    assert batch.dtm.tolist() == [17, *[retrograde.NO_PLIES] * 5, 17]
    kinds = {place: type(error) for place, error in batch.errors.items()}
    assert kinds == {
        1: retrograde.PositionError,
        2: TypeError,
        3: retrograde.MissingTableError,
        4: TypeError,
        5: UnicodeEncodeError,
    }
    assert len(orthodox.probe_many([])) == 0
    assert len(orthodox.probe_many(iter([KQK]))) == 1
    for wrong in (None, 7, KQK):
        with pytest.raises(TypeError):
            orthodox.probe_many(wrong)
    for wrong in (["thresholds"], ["helpmate"]):
        with pytest.raises(ValueError, match="wdl, dtm, dtz"):
            orthodox.probe_many([KQK], wrong)
    for wrong in ("dtm", 7, [7]):
        with pytest.raises(TypeError, match="list of names"):
            orthodox.probe_many([KQK], wrong)


def test_large_batches(orthodox):
    batch = orthodox.probe_many([KQK, KQK.replace(" w ", " b ")] * 100_000)
    assert (batch.wdl[::2] == 2).all() and (batch.wdl[1::2] == -2).all()


def test_errors_keep_their_places_in_large_batches(orthodox):
    given = [KQK] * 150_000
    # In the first and the last task, and on both sides of where parts end.
    places = [0, 1, 255, 256, 16_384, 131_071, 131_072, 149_999]
    for place in places:
        given[place] = "?" if place % 2 else 7
    batch = orthodox.probe_many(given, ["dtz"])
    assert list(batch.errors) == places
    assert np.flatnonzero(batch.wdl != 2).tolist() == places
    assert np.flatnonzero(batch.dtz == retrograde.NO_PLIES).tolist() == places
    kinds = {type(batch.errors[place]) for place in places if place % 2}
    assert kinds == {retrograde.PositionError}


def test_batches_of_high_chess(high_chess):
    fens = ["8/8/8/3k4/8/8/8/K6R w - - 6+50", "8/8/8/3k4/8/8/8/K6R w - - 5+50", "?"]
    batch = high_chess.probe_many(fens)
    assert batch.wdl.tolist() == [2, -2, retrograde.NO_WDL]
    assert batch.thresholds.shape == (3, 50)
    vitality = high_chess.probe(fens[0]).vitality
    assert (batch.thresholds[0] == vitality.thresholds).all()
    assert batch.white_mates.tolist() == [vitality.white_mates] * 2 + [0]
    assert batch.black_mates.tolist() == [vitality.black_mates] * 2 + [0]
    assert high_chess.probe_many(fens, ["wdl"]).thresholds is None


def test_thresholds_alone(tables, tmp_path, high_chess):
    folder = tmp_path / "high-chess"
    folder.mkdir()
    shutil.copy(tables / "high-chess" / "KRvK.thresholds", folder)
    fen = "8/8/8/3k4/8/8/8/K6R w - - 6+50"
    with retrograde.open_tablebase(tmp_path, "high-chess") as alone:
        answer = alone.probe(fen)
        assert (answer.category, answer.win_by) == ("win", None)
        assert (answer.vitality.white_needs, answer.vitality.white_mates) == (6, None)
        batch = alone.probe_many([fen])
        assert not batch.errors and batch.wdl.tolist() == [2]
        assert batch.white_mates.tolist() == [0]
        found = alone.table("KRvK").positions("white")
        assert (found.thresholds == high_chess.table("KRvK").positions("white").thresholds).all()
        assert not found.white_mates.any()


@pytest.mark.parametrize("material", ["KQvK", "KPvK", "KNvK"])
def test_values_of_whole_tables(orthodox, material):
    table = orthodox.table(material)
    assert table.metrics == ["wdl", "dtm", "dtz"]
    for side in ("white", "black"):
        columns = {metric: table.values(side, metric) for metric in table.metrics}
        found = table.positions(side)
        assert (found.side == (side == "black")).all()
        there = np.zeros(len(table), bool)
        there[found.index] = True
        for metric, none in (
            ("wdl", retrograde.NO_WDL),
            ("dtm", retrograde.NO_PLIES),
            ("dtz", retrograde.NO_PLIES),
        ):
            assert (columns[metric][found.index] == getattr(found, metric)).all()
            assert (columns[metric][~there] == none).all()
            assert (columns[metric][there] != none).all()
        for row in random.Random(2).sample(range(len(found)), 300):
            fen = found.fen(row)
            assert table.index(fen) == (found.index[row], side)
            assert table.fen(int(found.index[row]), side) == fen
            assert orthodox.probe_wdl(fen) == found.wdl[row]
            assert orthodox.probe_dtm(fen) == found.dtm[row]
            assert orthodox.probe_dtz(fen) == found.dtz[row]


def damage(path):
    """Leaves what is read when the file is opened; the values of Black to move are in the middle."""
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 255
    path.write_bytes(content)


def test_values_need_no_other_files(tables, tmp_path, orthodox):
    folder = tmp_path / "orthodox"
    shutil.copytree(tables / "orthodox", folder)
    whole = orthodox.table("KQvK")

    def has(metric):
        with retrograde.open_tablebase(tmp_path) as tablebase:
            values = tablebase.table("KQvK").values("black", metric)
        return (values == whole.values("black", metric)).all()

    damage(folder / "KQvK.dtm")
    assert has("wdl") and has("dtz")
    with pytest.raises(retrograde.CorruptTableError):
        has("dtm")
    shutil.copy(tables / "orthodox" / "KQvK.dtm", folder)
    damage(folder / "KQvK.wdl")
    assert has("dtm")
    for metric in ("wdl", "dtz"):
        with pytest.raises(retrograde.CorruptTableError):
            has(metric)
    (folder / "KQvK.wdl").unlink()
    assert has("dtm") and has("dtz")
    (folder / "KQvK.dtz").unlink()
    assert has("dtm")


def test_conditions(orthodox):
    table = orthodox.table("KQvK")
    everything = table.positions()
    assert len(table.positions("white")) + len(table.positions("black")) == len(everything)
    longest = table.positions(dtm=(19, None))
    assert len(longest) > 0 and (longest.dtm == 19).all()
    assert len(longest) == (everything.dtm == 19).sum()
    some = table.positions(True, wdl=2, dtm=(None, 3), dtz=(2, 9))
    mask = (everything.side == 0) & (everything.wdl == 2)
    mask &= (everything.dtm <= 3) & (everything.dtz >= 2) & (everything.dtz <= 9)
    assert some.index.tolist() == everything.index[mask].tolist()
    assert len(table.positions(wdl=1)) == 0
    assert table.positions(wdl=1).squares.shape == (0, 3)
    for wrong in ("x", (1,), (1, 2, 3), 1.5):
        with pytest.raises(ValueError, match="condition"):
            table.positions(wdl=wrong)
    for wrong in ("x", 7, None):
        with pytest.raises(ValueError, match="side"):
            table.values(wrong)
    with pytest.raises(ValueError, match="wdl, dtm, dtz"):
        table.values("white", "mates")
    with pytest.raises(IndexError):
        table.fen(len(table), "white")
    with pytest.raises(IndexError):
        longest.fen(len(longest))
    assert longest.fen(-1) == longest.fens()[-1]
    size = len(table)
    assert [table.fen(n - size, "white") for n in range(size)] == [
        table.fen(n, "white") for n in range(size)
    ]
    with pytest.raises(IndexError):
        table.fen(-1 - size, "white")


def test_tables_that_are_not_there(orthodox):
    with pytest.raises(retrograde.MissingTableError):
        orthodox.table("KQvKR")
    with pytest.raises(ValueError, match="X"):
        orthodox.table("KXvK")
    with pytest.raises(ValueError, match="KRvK"):
        orthodox.table("KQvK").index("8/8/8/3k4/8/8/8/KR6 w - -")


@pytest.mark.parametrize(
    ("game", "material"),
    [
        ("chess99", "KAvK"),
        ("kings", "KKvK"),
        ("wild9", "KvKK"),
        ("extinction", "KQvK"),
        ("extinction-mating", "KQvK"),
        ("king-of-the-hill", "KPvK"),
    ],
)
def test_tables_of_other_games(tables, game, material):
    with retrograde.open_tablebase(tables, game) as tablebase:
        found = tablebase.table(material).positions()
        assert found.dtz is None
        for side in ("white", "black"):
            some = tablebase.table(material).positions(side)
            for metric in ("wdl", "dtm"):
                values = tablebase.table(material).values(side, metric)
                assert (values[some.index] == getattr(some, metric)).all()
        rows = random.Random(3).sample(range(len(found)), 500)
        batch = tablebase.probe_many([found.fen(row) for row in rows], ["dtm"])
        assert batch.errors == {}
        assert (batch.wdl == found.wdl[rows]).all()
        assert (batch.dtm == found.dtm[rows]).all()


def test_tables_of_high_chess(high_chess):
    table = high_chess.table("KRvK")
    found = table.positions("white")
    thresholds, mates = table.values("white", "thresholds"), table.values("white", "mates")
    assert thresholds.shape == (len(table), 50) and mates.shape == (len(table), 2)
    assert (thresholds[found.index] == found.thresholds).all()
    assert (mates[found.index, 0] == found.white_mates).all()
    for row in random.Random(4).sample(range(len(found)), 100):
        vitality = high_chess.probe(found.fen(row)).vitality
        assert (vitality.thresholds == found.thresholds[row]).all()
        assert vitality.black_mates == found.black_mates[row]
    assert list(found.columns())[:3] == ["fen", "side", "t1"]
    assert list(found.columns())[-2:] == ["white_mates", "black_mates"]


def test_data_frames(orthodox):
    found = orthodox.table("KQvK").positions("black", wdl=0)
    columns = found.columns()
    assert list(columns) == ["fen", "side", "wdl", "dtm", "dtz"]
    assert set(columns["side"]) == {"black"} and set(columns["wdl"]) == {0}
    pandas = pytest.importorskip("pandas")
    frame = found.to_pandas()
    assert isinstance(frame, pandas.DataFrame) and len(frame) == len(found)
    assert frame.dtm.dtype == np.int16


def test_chosen_columns(orthodox, high_chess):
    table = orthodox.table("KQvK")
    found = table.positions()
    columns = found.columns(["dtz", "weight", "index"])
    assert list(columns) == ["dtz", "weight", "index"]
    assert (columns["weight"] == found.weight).all()
    assert (columns["index"] == found.index).all() and (columns["dtz"] == found.dtz).all()
    for wrong in (found.columns, table.to_pandas):
        with pytest.raises((ValueError, ModuleNotFoundError)) as raised:
            wrong(["t1"])
        if raised.type is ValueError:
            assert "no column" in str(raised.value)
    curves = high_chess.table("KRvK").positions("white")
    assert (curves.columns(["t7"])["t7"] == curves.thresholds[:, 6]).all()
    pytest.importorskip("pandas")
    frame = table.to_pandas(["side", "wdl", "dtm", "weight"])
    assert list(frame.columns) == ["side", "wdl", "dtm", "weight"]
    assert (frame.weight == found.weight).all()
    assert (frame.dtm == found.dtm).all() and (frame.wdl == found.wdl).all()
    assert frame.side.tolist() == found.columns(["side"])["side"]
    assert (frame.groupby("side", observed=True).size() > 0).all()
    curve = high_chess.table("KRvK").to_pandas(["t50", "white_mates"])
    assert curve.t50.tolist()[: len(curves)] == curves.thresholds[:, 49].tolist()


def test_weights_and_statistics(tables, orthodox):
    """With their mirror images, positions are as many as statistics count."""
    kings = retrograde.open_tablebase(tables, "kings")
    for table in (orthodox.table("KQvK"), orthodox.table("KPvK"), kings.table("KKvK")):
        stats = table.stats()
        for side in ("white", "black"):
            found = table.positions(side)
            assert int(found.weight.sum()) == stats["positions"][side]
            assert int(found.weight[found.wdl == 0].sum()) == stats["draw"][side]


def test_arrow(orthodox):
    pytest.importorskip("pyarrow")
    chosen = orthodox.table("KQvK").to_arrow(["side", "dtz"])
    assert chosen.column_names == ["side", "dtz"]
    assert set(chosen["side"].to_pylist()) == {"white", "black"}
    table = orthodox.table("KQvK").to_arrow()
    assert table.column_names == ["fen", "side", "wdl", "dtm", "dtz"]
    assert table.num_rows == len(orthodox.table("KQvK").positions())
