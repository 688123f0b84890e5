"""Teaches schemathesis, which tests the server, two media types that it does not know."""

import json

import cbor2
import schemathesis


@schemathesis.serializer("application/jsonl")
def write_jsonl(_context, value):
    """A body that may be any text is sent as it is, all else as one line."""
    text = value if isinstance(value, str) else json.dumps(value)
    return text.encode("utf-8", "surrogatepass")


@schemathesis.deserializer("application/cbor")
def read_cbor(_context, response):
    """CBOR, as Python has JSON."""
    return cbor2.loads(response.content)
