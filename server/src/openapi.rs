//! Serves the OpenAPI description of the HTTP interface.

use std::sync::OnceLock;

use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::Response;
use bytes::Bytes;
use utoipa::OpenApi;

use crate::problem::Problem;
use crate::reply::{JSON, kept};
use crate::routes::{
    batch, endings, games, line, page, pgn, play, position, probe, search, service, standard, stats,
};

/// The description of the interface, for programs that read OpenAPI.
#[derive(OpenApi)]
#[openapi(
    info(
        title = "Retrograde",
        description = "Endgame tablebases of chess and its variants. Positions are FENs, \
            distances are plies, and a category is for the side to move; that of a move is for \
            the side that makes it."
    ),
    paths(
        probe::probe,
        line::line,
        batch::batch,
        search::search,
        play::play,
        pgn::pgn,
        position::random_position,
        games::games,
        games::game,
        endings::endings,
        stats::stats,
        standard::probe,
        standard::mainline,
        service::health,
        service::metrics,
    )
)]
pub(crate) struct Document;

/// The description of everything that can be asked, with each game that has an answer in the form
/// of `/standard`.
fn document() -> utoipa::openapi::OpenApi {
    let mut document = Document::openapi();
    let [standard, others @ ..] = standard::GAMES;
    for end in ["", "/mainline"] {
        let Some(item) = document.paths.paths.get(&format!("/{standard}{end}")) else {
            continue;
        };
        let item = item.clone();
        for name in others {
            let mut item = item.clone();
            if let Some(operation) = &mut item.get {
                operation.operation_id = Some(format!("{name}{}", end.replace('/', "_")));
            }
            document.paths.paths.insert(format!("/{name}{end}"), item);
        }
    }
    document
}

/// The description in JSON.
pub(crate) async fn openapi(headers: HeaderMap) -> Result<Response, Problem> {
    static TEXT: OnceLock<Bytes> = OnceLock::new();
    let text = TEXT.get_or_init(|| {
        let json = document().to_json();
        json.map(Bytes::from).unwrap_or_default()
    });
    Ok(kept(text.clone(), JSON, &headers, 3600))
}

/// The description of the interface: a page for browsers, which ask for HTML, and JSON for others.
pub(crate) async fn api(headers: HeaderMap) -> Result<Response, Problem> {
    let accept = headers.get(header::ACCEPT);
    let accept = accept.and_then(|accept| accept.to_str().ok());
    let mut response = match accept.is_some_and(|accept| accept.contains("text/html")) {
        true => page::answer("api.html", &headers),
        false => openapi(headers).await,
    }?;
    let varies = HeaderValue::from_static("accept");
    response.headers_mut().insert(header::VARY, varies);
    Ok(response)
}
