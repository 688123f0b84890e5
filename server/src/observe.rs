//! Counts and logs each request with its answer, as a layer around all routes.

use std::time::Instant;

use axum::extract::{MatchedPath, Request, State};
use axum::http::{Method, StatusCode};
use axum::middleware::Next;
use axum::response::Response;

use crate::log_limits::{ERRORS, WARNINGS, shortened};
use crate::problem::Problem;
use crate::state::App;

/// Counts a request and logs it: failures and, as warnings, mistakes of clients, so many a
/// second; all others only if debugging.
pub(crate) async fn observe(State(app): State<App>, request: Request, next: Next) -> Response {
    let started = Instant::now();
    let method = request.method().clone();
    let route = request.extensions().get::<MatchedPath>().cloned();
    let asked = tracing::enabled!(tracing::Level::ERROR).then(|| request.uri().clone());
    let response = next.run(request).await;
    let (status, time) = (response.status(), started.elapsed());
    // Anything else would let clients make as many counters as they like.
    let route = route.as_ref().map_or("none", MatchedPath::as_str);
    let verb = match method {
        Method::GET | Method::HEAD | Method::POST | Method::OPTIONS => method.as_str(),
        _ => "other",
    };
    app.metrics.count(route, verb, status.as_u16(), time);
    if let Some(uri) = asked {
        let micros = time.as_micros() as u64;
        let problem = response.extensions().get::<Problem>();
        let detail = || problem.map_or(String::new(), |problem| shortened(&problem.detail));
        let (status, uri) = (status.as_u16(), || shortened(&uri));
        if response.status().is_server_error() && status != StatusCode::SERVICE_UNAVAILABLE {
            if let Some(left_out) = ERRORS.pass() {
                let (uri, detail) = (uri(), detail());
                tracing::error!(
                    method = verb,
                    uri,
                    status,
                    micros,
                    detail,
                    left_out,
                    "request failed"
                );
            }
        } else if problem.is_some() {
            if tracing::enabled!(tracing::Level::WARN)
                && let Some(left_out) = WARNINGS.pass()
            {
                let (uri, detail) = (uri(), detail());
                tracing::warn!(
                    method = verb,
                    uri,
                    status,
                    micros,
                    detail,
                    left_out,
                    "request refused"
                );
            }
        } else {
            tracing::debug!(method = verb, uri = uri(), status, micros, "request");
        }
    }
    response
}
