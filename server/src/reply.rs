//! Makes JSON and other responses that clients may keep, with tags and a maximum age.

use std::fmt::Display;

use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use serde::Serialize;
use xxhash_rust::xxh3::xxh3_64;

use crate::problem::Problem;

/// JSON.
pub(crate) const JSON: &str = "application/json";

/// A PGN file.
pub(crate) const PGN: &str = "application/x-chess-pgn";

/// A value as JSON that may be kept for so many seconds.
pub(crate) fn json<T: Serialize>(
    value: &T,
    asked: &HeaderMap,
    max_age: u32,
) -> Result<Response, Problem> {
    let body = serde_json::to_vec(value).map_err(|error| unwritten(&error))?;
    Ok(kept(body.into(), JSON, asked, max_age))
}

/// An answer cannot be written.
pub(crate) fn unwritten(error: &dyn Display) -> Problem {
    Problem::fault("an answer cannot be written", error)
}

/// A body that may be kept for so many seconds; nothing but its tag if the client has it.
pub(crate) fn kept(body: Bytes, media: &'static str, asked: &HeaderMap, max_age: u32) -> Response {
    // Weak, because it is the same whether the body is compressed or not.
    let tag = format!("W/\"{:016x}\"", xxh3_64(&body));
    let known = asked.get_all(header::IF_NONE_MATCH).iter();
    let mut known = known.filter_map(|value| value.to_str().ok());
    let is_known = known.any(|list| {
        let mut tags = list.split(',').map(str::trim);
        tags.any(|known| known == "*" || weak(known) == weak(&tag))
    });
    let mut response = match is_known {
        true => StatusCode::NOT_MODIFIED.into_response(),
        false => body.into_response(),
    };
    let headers = response.headers_mut();
    if is_known {
        headers.remove(header::CONTENT_TYPE);
    } else {
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(media));
    }
    if let Ok(tag) = HeaderValue::from_str(&tag) {
        headers.insert(header::ETAG, tag);
    }
    let control = match max_age {
        0 => "no-cache".to_owned(),
        seconds => format!("public, max-age={seconds}"),
    };
    if let Ok(control) = HeaderValue::from_str(&control) {
        headers.insert(header::CACHE_CONTROL, control);
    }
    response
}

/// A tag without the mark that it is weak.
fn weak(tag: &str) -> &str {
    tag.strip_prefix("W/").unwrap_or(tag)
}
