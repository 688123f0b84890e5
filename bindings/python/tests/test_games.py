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


@pytest.mark.parametrize("pays, least", [("low", 1), ("both", 0)])
def test_counters_that_differ(tmp_path, pays, least):
    text = (
        'name = "vital"\nboard.size = "4x4"\npieces.order = "KR"\nend.no-progress = 0\n'
        'turn.pass = "when-stuck"\n'
        f'counters.vitality = {{ full = [3, 2], pays = "{pays}" }}\n'
    )
    retrograde.generate(text, "KRvK", out=tmp_path)
    tablebase = retrograde.open_tablebase(tmp_path, text)
    fen = "3k/4/4/KR2 w - - 3+2"
    vitality = tablebase.probe(fen).vitality
    assert (vitality.white, vitality.black) == (3, 2)
    assert vitality.thresholds.shape == (3 - least,)
    assert vitality.thresholds[2 - least] == vitality.white_needs
    batch = tablebase.probe_many([fen, "?"])
    assert batch.thresholds.shape == (2, 3 - least)
    assert (batch.thresholds[0] == vitality.thresholds).all()
    table = tablebase.table("KRvK")
    assert table.values("white", "thresholds").shape == (len(table), 3 - least)
    columns = list(table.positions("white").columns())
    assert [name for name in columns if name[0] == "t"] == [f"t{n}" for n in range(least, 3)]


def test_folders_of_definitions(tmp_path):
    (tmp_path / "outside.toml").write_text('name = "inside"\nend.stalemate = "loss"\n')
    game = retrograde.games(tmp_path)[-1]
    assert game.file == "outside" and game.id.startswith("inside@")
    assert retrograde.games(tmp_path)[0].file is None
    assert retrograde.open_tablebase(tmp_path, game.file, games=tmp_path).game == game.id
    with pytest.raises(ValueError, match="is outside meant"):
        retrograde.open_tablebase("tables", "outsid", games=tmp_path)
    for call in (retrograde.games, lambda games: retrograde.open_tablebase("tables", games=games)):
        with pytest.raises(ValueError, match="folder of definitions .* cannot be read"):
            call(games=tmp_path / "nowhere")
