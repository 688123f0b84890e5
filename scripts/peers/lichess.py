"""Checks retrograde-server with berserk, a client that is written for lichess's tablebase."""

import json
import sys
import urllib.request

import berserk
import cbor2

FIELDS = {
    "checkmate", "stalemate", "variant_win", "variant_loss", "insufficient_material",
    "dtz", "precise_dtz", "dtm", "dtw", "dtc", "category",
}  # fmt: skip


def main(url: str) -> None:
    tables = berserk.Client(tablebase_url=url).tablebase
    answer = tables.look_up("8/8/8/3k4/8/8/8/KQ6 w - - 0 1")
    assert set(answer) == FIELDS | {"moves"}, set(answer)
    assert (answer["category"], answer["dtz"], answer["dtm"]) == ("win", 17, 17), answer
    for move in answer["moves"]:
        assert set(move) == FIELDS | {"uci", "san", "zeroing", "conversion"}, set(move)
    best = answer["moves"][0]
    assert (best["category"], best["dtz"], best["dtm"]) == ("loss", -16, -16), best

    mated = tables.look_up("k7/1Q6/1K6/8/8/8/8/8 b - - 0 1")
    assert mated["checkmate"] and mated["category"] == "loss" and mated["moves"] == []

    atomic = tables.atomic("8/8/8/3k4/8/8/8/KQ6 w - - 0 1")
    assert set(atomic) == FIELDS | {"moves"}, set(atomic)
    assert (atomic["category"], atomic["dtz"]) == ("win", 9), atomic
    blow = tables.atomic("3rk3/8/8/8/8/8/8/K2R4 w - - 0 1")["moves"][0]
    assert (blow["uci"], blow["variant_loss"], blow["checkmate"]) == ("d1d8", True, False), blow
    stuck = tables.antichess("8/8/8/8/8/p7/P7/8 w - - 0 1")
    assert stuck["stalemate"] and stuck["variant_win"] and stuck["category"] == "win", stuck
    taken = tables.look_up("8/8/8/8/8/8/1k6/K7 w - - 0 1", variant="antichess")
    assert (taken["category"], taken["dtz"], len(taken["moves"])) == ("loss", -1, 1), taken

    request = urllib.request.Request(
        f"{url}/standard?fen=8/8/8/3k4/8/8/8/KQ6_w_-_-_0_1",
        headers={"Accept": "application/cbor"},
    )
    with urllib.request.urlopen(request) as response:
        assert cbor2.loads(response.read()) == json.loads(json.dumps(answer))
    print("berserk understands the answers")


main(sys.argv[1])
