"""Games that are not built in: from files, folders, texts and tables."""

import copy
import os
import pathlib
import pickle

import pytest

import retrograde

EXAMPLES = pathlib.Path(__file__).parents[3] / "games" / "examples"
FEN = "5/5/2k2/5/KQ3 w - -"


@pytest.fixture(scope="module")
def tables(tmp_path_factory):
    folder = tmp_path_factory.mktemp("gardner")
    made = retrograde.generate(EXAMPLES / "gardner.toml", "KQK", out=folder)
    assert [table.material for table in made] == ["KQvK"]
    return folder


def test_every_way_to_name_a_game(tables, monkeypatch):
    path = EXAMPLES / "gardner.toml"
    by_path = retrograde.open_tablebase(tables, str(path))
    depth = by_path.probe_dtm(FEN)
    assert by_path.game.startswith("gardner@") and depth > 0
    for game, games in [
        (path, None),
        ("gardner", EXAMPLES),
        ("gardner", [EXAMPLES]),
        (path.read_text(), None),
        (by_path.game, None),
    ]:
        tablebase = retrograde.Tablebase(tables, game, games=games)
        assert tablebase.game == by_path.game
        assert tablebase.probe_dtm(FEN) == depth
    monkeypatch.setenv("RETROGRADE_GAMES", os.fspath(EXAMPLES))
    assert retrograde.open_tablebase(tables, "gardner").game == by_path.game
    assert [table.material for table in retrograde.plan("gardner", "KQK")] == ["KQvK"]


def test_games_of_folders_are_listed():
    names = [game.id for game in retrograde.games(EXAMPLES)]
    assert names[0] == "orthodox" and any("gardner" in name for name in names)


def test_pickles(tables):
    tablebase = retrograde.open_tablebase(tables, EXAMPLES / "gardner.toml")
    answer = tablebase.probe(FEN, moves=True, line=True)
    assert copy.copy(answer).depth_plies == answer.depth_plies
    again = pickle.loads(pickle.dumps(tablebase))
    assert again.game == tablebase.game
    assert again.probe_dtm(FEN) == tablebase.probe_dtm(FEN)


def test_letters_are_those_of_the_game(tmp_path):
    retrograde.generate(EXAMPLES / "knightmate.toml", "KMK", out=tmp_path)
    table = retrograde.open_tablebase(tmp_path, EXAMPLES / "knightmate.toml").table("KMK")
    assert sorted(table.pieces) == ["K", "M", "k"]


def test_what_is_no_game():
    for game, part in [
        ("./nowhere.toml", "cannot be read"),
        ("no-such-game", "the games are"),
        ("name = \"x\"\nend.stalemat = \"loss\"\n", "the nearest is end.stalemate"),
    ]:
        with pytest.raises(ValueError, match=part):
            retrograde.open_tablebase("tables", game)
    with pytest.raises(TypeError, match="games is a folder"):
        retrograde.open_tablebase("tables", "no-such-game", games=[5])
