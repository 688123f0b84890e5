//! Serves the browser's page with the board, whose files are built into the program.

use std::borrow::Cow;
use std::collections::HashMap;

use axum::extract::{Query, State};
use axum::http::{HeaderMap, HeaderValue, Uri, header};
use axum::response::Response;
use bytes::Bytes;
use retrograde_rules::{Game, Material};
use rust_embed::{EmbeddedFile, RustEmbed};

use crate::problem::Problem;
use crate::reply::kept;
use crate::state::App;

/// The files that Vite builds from `server/web`.
#[derive(RustEmbed)]
#[folder = "web/dist"]
struct Files;

/// The pages of the report on what is claimed about the games.
#[derive(RustEmbed)]
#[folder = "claims"]
struct Claims;

/// The page for people.
const INDEX: &str = "index.html";

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

/// The page for people. Programs that show what a link leads to read its head and run no script:
/// it names the game and the ending.
pub(crate) async fn index(
    State(app): State<App>,
    uri: Uri,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let Some((title, about)) = subject(&app, &uri) else {
        return answer(INDEX, &headers);
    };
    let (file, policy) = find(INDEX).ok_or_else(nothing)?;
    let page = String::from_utf8_lossy(&file.data)
        .replace("<title>", &format!("<title>{title} · "))
        .replace("content=\"Retrograde\"", &format!("content=\"{title}\""))
        .replace("Endgame tablebases of chess and its variants", &about);
    Ok(respond(page.into(), INDEX, policy, &headers))
}

/// The title and a description of what an address names, as HTML; `None` without a game.
fn subject(app: &App, uri: &Uri) -> Option<(String, String)> {
    let Query(query) = Query::<HashMap<String, String>>::try_from_uri(uri).ok()?;
    let game = app.library.game(query.get("game")?).ok()?;
    let ending = query.get("ending");
    let ending = ending.and_then(|name| Material::parse(game, name).ok());
    let title = match ending {
        Some(material) => format!("{} · {}", material.normal(game).0.name(game), game.title()),
        None if query.contains_key("page") => format!("Endings of {}", game.title()),
        None => game.title().to_owned(),
    };
    let about = game.about().unwrap_or(game.title());
    Some((escaped(&title), escaped(about)))
}

/// A text within HTML.
fn escaped(text: &str) -> String {
    let replaced = text.replace('&', "&amp;").replace('<', "&lt;");
    replaced.replace('>', "&gt;").replace('"', "&quot;")
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

fn nothing() -> Problem {
    Problem::not_found("there is nothing here; see /api")
}

pub(crate) fn answer(path: &str, asked: &HeaderMap) -> Result<Response, Problem> {
    let (file, policy) = find(path).ok_or_else(nothing)?;
    let body = match file.data {
        Cow::Borrowed(bytes) => Bytes::from_static(bytes),
        Cow::Owned(bytes) => Bytes::from(bytes),
    };
    Ok(respond(body, path, policy, asked))
}

/// The response with a file; the end of `path` gives its media type.
fn respond(body: Bytes, path: &str, policy: &'static str, asked: &HeaderMap) -> Response {
    let max_age = match path.starts_with("assets/") {
        true => FOR_EVER,
        false => 0,
    };
    let mut response = kept(body, media(path), asked, max_age);
    let headers = response.headers_mut();
    let policy = HeaderValue::from_static(policy);
    headers.insert(header::CONTENT_SECURITY_POLICY, policy);
    let referrer = HeaderValue::from_static("no-referrer");
    headers.insert(header::REFERRER_POLICY, referrer);
    response
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
