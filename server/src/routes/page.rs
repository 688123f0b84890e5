//! Serves the browser's page with the board, whose files are built into the program.

use axum::http::{HeaderMap, HeaderValue, Uri, header};
use axum::response::Response;
use bytes::Bytes;
use retrograde_rules::Game;
use rust_embed::{EmbeddedFile, RustEmbed};

use crate::openapi::openapi;
use crate::problem::Problem;
use crate::reply::kept;

/// The files that Vite builds from `server/web`.
#[derive(RustEmbed)]
#[folder = "web/dist"]
struct Files;

/// The pages of the report on what is claimed about the games.
#[derive(RustEmbed)]
#[folder = "../docs/claims"]
struct Claims;

/// The folder of those pages in addresses.
const CLAIMS: &str = "claims/";

/// A year: the names of these files change with their contents.
const FOR_EVER: u32 = 31_536_000;

/// The content security policy: the page may load what comes from here, and nothing else.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; \
    img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; \
    frame-ancestors 'self'";

/// The content security policy of the report, whose pages have all they need within them.
const CLAIMS_POLICY: &str = "default-src 'none'; script-src 'unsafe-inline'; \
    style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; \
    frame-ancestors 'self'";

/// The board.
pub(crate) async fn index(headers: HeaderMap) -> Result<Response, Problem> {
    answer("index.html", &headers)
}

/// The description of the interface: a page for browsers, which ask for HTML, and JSON for others.
pub(crate) async fn api(headers: HeaderMap) -> Result<Response, Problem> {
    let accept = headers.get(header::ACCEPT);
    let accept = accept.and_then(|accept| accept.to_str().ok());
    let mut response = match accept.is_some_and(|accept| accept.contains("text/html")) {
        true => answer("api.html", &headers),
        false => openapi(headers).await,
    }?;
    let varies = HeaderValue::from_static("accept");
    response.headers_mut().insert(header::VARY, varies);
    Ok(response)
}

/// Answers with any other file of the page.
pub(crate) async fn file(uri: Uri, headers: HeaderMap) -> Result<Response, Problem> {
    // No name of a file has anything to decode.
    answer(uri.path().trim_start_matches('/'), &headers)
}

/// The address of the report on a game, if there is one.
pub(crate) fn claims(game: Game) -> Option<String> {
    let name = format!("{}.html", game.name());
    (game.is_built_in() && Claims::get(&name).is_some()).then(|| format!("{CLAIMS}{name}"))
}

/// The file at an address, and its policy.
fn find(path: &str) -> Option<(EmbeddedFile, &'static str)> {
    match path.strip_prefix(CLAIMS) {
        Some(name) => Some((Claims::get(name)?, CLAIMS_POLICY)),
        None => Some((Files::get(path)?, POLICY)),
    }
}

fn answer(path: &str, asked: &HeaderMap) -> Result<Response, Problem> {
    let nothing = || Problem::not_found("there is nothing here; see /api");
    let (file, policy) = find(path).ok_or_else(nothing)?;
    let max_age = match path.starts_with("assets/") {
        true => FOR_EVER,
        false => 0,
    };
    let body = match file.data {
        std::borrow::Cow::Borrowed(bytes) => Bytes::from_static(bytes),
        std::borrow::Cow::Owned(bytes) => Bytes::from(bytes),
    };
    let mut response = kept(body, media(path), asked, max_age);
    let headers = response.headers_mut();
    let policy = HeaderValue::from_static(policy);
    headers.insert(header::CONTENT_SECURITY_POLICY, policy);
    let referrer = HeaderValue::from_static("no-referrer");
    headers.insert(header::REFERRER_POLICY, referrer);
    Ok(response)
}

/// The media type of a file, by the end of its name.
fn media(path: &str) -> &'static str {
    match path.rsplit('.').next() {
        Some("html") => "text/html; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("svg") => "image/svg+xml",
        Some("json") => "application/json",
        Some("md" | "txt") => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}
