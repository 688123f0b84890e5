//! Builds the application: its routes, and the checks and limits that every request passes.

use std::net::IpAddr;

use axum::Router;
use axum::extract::{Request, State};
use axum::http::uri::Authority;
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, Version, header};
use axum::middleware::{Next, from_fn, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::compression::CompressionLayer;
use tower_http::compression::CompressionLevel;
use tower_http::cors::{Any, CorsLayer};
use tower_http::set_header::SetResponseHeaderLayer;

use crate::observe::observe;
use crate::openapi;
use crate::problem::Problem;
use crate::rate::{Client, Paid};
use crate::routes::{
    batch, endings, games, line, page, pgn, play, position, probe, search, service, standard, stats,
};
use crate::state::App;

/// The whole application.
pub fn router(app: App) -> Router {
    let mut api = Router::new();
    for name in standard::GAMES {
        api = api
            .route(&format!("/{name}"), get(standard::probe))
            .route(&format!("/{name}/mainline"), get(standard::mainline));
    }
    let api = api
        .route("/api/openapi.json", get(openapi::openapi))
        .route("/api/games", get(games::games))
        .route("/api/games/{game}", get(games::game))
        .route("/api/{game}", get(probe::probe))
        .route("/api/{game}/line", get(line::line))
        .route("/api/{game}/search", get(search::search))
        .route("/api/{game}/play", get(play::play))
        .route("/api/{game}/random", get(position::random_position))
        .route("/api/{game}/endings", get(endings::endings))
        .route("/api/{game}/stats/{material}", get(stats::stats))
        .route("/api/{game}/batch", post(batch::batch))
        .route("/api/{game}/pgn", post(pgn::pgn))
        .layer(from_fn_with_state(app.clone(), limit));
    let cors = CorsLayer::new()
        .allow_origin(Any)
        .allow_methods([Method::GET, Method::HEAD, Method::POST])
        .allow_headers([header::CONTENT_TYPE, header::IF_NONE_MATCH])
        .expose_headers([header::ETAG, header::RETRY_AFTER])
        .max_age(std::time::Duration::from_secs(86_400));
    let constant =
        |name, value| SetResponseHeaderLayer::if_not_present(name, HeaderValue::from_static(value));
    api.route("/health", get(service::health))
        .route("/metrics", get(service::metrics))
        .route("/", get(page::index))
        .route("/api", get(openapi::api))
        .route("/api/", get(openapi::api))
        .route("/{*path}", get(page::file))
        .method_not_allowed_fallback(async || {
            let detail = "use POST for a batch or a PGN, and GET for all else";
            Problem::new(StatusCode::METHOD_NOT_ALLOWED, "bad-request", detail)
        })
        .fallback(async || Problem::not_found("there is nothing here; see /api"))
        .layer(from_fn(unambiguous))
        .layer(CatchPanicLayer::custom(panicked))
        .layer(cors)
        .layer(CompressionLayer::new().quality(CompressionLevel::Fastest))
        .layer(constant(header::X_CONTENT_TYPE_OPTIONS, "nosniff"))
        .layer(from_fn_with_state(app.clone(), observe))
        .with_state(app)
}

/// Refuses a request that somebody in between may have read as another one, or as two.
async fn unambiguous(request: Request, next: Next) -> Response {
    match framing(request.version(), request.headers()) {
        Ok(()) => next.run(request).await,
        Err(detail) => {
            let mut response = Problem::bad_request(detail).into_response();
            // Where it ends is not certain.
            let close = HeaderValue::from_static("close");
            response.headers_mut().insert(header::CONNECTION, close);
            response
        }
    }
}

/// Whether headers say which host is meant and where the body ends, each in one way (RFC 9112).
fn framing(version: Version, headers: &HeaderMap) -> Result<(), &'static str> {
    let mut hosts = headers.get_all(header::HOST).iter();
    match (hosts.next(), hosts.next()) {
        (None, _) if version >= Version::HTTP_11 => return Err("send a Host header"),
        (Some(_), Some(_)) => return Err("send one Host header"),
        (Some(host), None) if !is_host(host) => return Err("the Host header names no host"),
        _ => {}
    }
    let mut codings = headers.get_all(header::TRANSFER_ENCODING).iter();
    let coding = codings.next().map(HeaderValue::as_bytes);
    match coding.is_none_or(|coding| coding.eq_ignore_ascii_case(b"chunked")) {
        true if codings.next().is_none() => Ok(()),
        _ => Err("the only Transfer-Encoding here is chunked"),
    }
}

/// Whether this may be a host with a port; nothing at all may be one, too.
fn is_host(host: &HeaderValue) -> bool {
    let host = host.as_bytes();
    host.is_empty() || (Authority::try_from(host).is_ok() && !host.contains(&b'@'))
}

/// Answers a request whose handler panicked. Nothing should panic; if something does, it is one
/// request that fails.
fn panicked(error: Box<dyn std::any::Any + Send>) -> Response {
    let text = error
        .downcast_ref::<String>()
        .map(String::as_str)
        .or_else(|| error.downcast_ref::<&str>().copied());
    Problem::fault("a request panicked", &text.unwrap_or("unknown")).into_response()
}

/// Refuses clients that ask too often.
async fn limit(State(app): State<App>, request: Request, next: Next) -> Response {
    let paid = request.extensions().get::<Paid>();
    if let Some(rate) = &app.rate
        && !paid.is_some_and(Paid::spend)
        && let Some(client) = client(&request, app.limits.behind_proxy)
        && let Err(wait) = rate.ask(client)
    {
        let seconds = wait.as_millis().div_ceil(1000) as u64;
        return Problem::too_many(seconds.max(1)).into_response();
    }
    next.run(request).await
}

/// The address of the client.
fn client(request: &Request, behind_proxy: bool) -> Option<IpAddr> {
    let forwarded = || {
        let all = request.headers().get_all("x-forwarded-for");
        let last = all.iter().next_back()?.to_str().ok()?.rsplit(',').next()?;
        last.trim().parse().ok()
    };
    let connected = request.extensions().get::<Client>().map(|client| client.0);
    match behind_proxy {
        true => forwarded().or(connected),
        false => connected,
    }
}
