"""The examples in docstrings, and the licence texts."""

from __future__ import annotations

import doctest
import importlib.metadata

import retrograde

OPTIONS = doctest.ELLIPSIS | doctest.IGNORE_EXCEPTION_DETAIL


def documented():
    yield "retrograde", retrograde
    for name in retrograde.__all__:
        thing = getattr(retrograde, name)
        yield name, thing
        if isinstance(thing, type):
            for part, member in vars(thing).items():
                if not part.startswith("_"):
                    yield f"{name}.{part}", member


def test_examples():
    parser, runner = doctest.DocTestParser(), doctest.DocTestRunner(optionflags=OPTIONS)
    for name, thing in documented():
        text = getattr(thing, "__doc__", None) or ""
        example = parser.get_doctest(text, {"retrograde": retrograde}, name, None, 0)
        runner.run(example)
    assert runner.tries > 25
    assert runner.failures == 0


def test_everything_is_documented():
    own = [thing for thing in map(retrograde.__dict__.get, retrograde.__all__) if isinstance(thing, type)]
    assert len(own) > 20
    for thing in own:
        assert thing.__doc__, thing
        for part, member in vars(thing).items():
            if not part.startswith("_") and thing.__module__ == "retrograde":
                assert getattr(member, "__doc__", None), f"{thing.__name__}.{part}"


def test_the_licence_texts_are_there():
    files = importlib.metadata.files("retrograde") or []
    texts = {file.name: file.read_text() for file in files if "LICENSE" in file.name}
    assert "Permission is hereby granted" in texts["LICENSE-MIT"]
    assert "Apache License" in texts["LICENSE-APACHE"]
