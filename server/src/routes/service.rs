//! Reports the server's health and its counters, for `GET /health` and `/metrics`.

use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use utoipa::ToSchema;

use crate::state::App;

/// Whether the server works.
#[derive(Serialize, ToSchema)]
pub(crate) struct Health {
    /// Always `ok`: a server that does not work does not answer.
    status: &'static str,
    /// The version of the program.
    version: &'static str,
    /// The number of tables.
    tables: usize,
}

/// Whether the server works.
#[utoipa::path(
    get,
    path = "/health",
    tag = "service",
    responses((status = 200, description = "It works", body = Health))
)]
pub(crate) async fn health(State(app): State<App>) -> Response {
    let health = Health {
        status: "ok",
        version: env!("CARGO_PKG_VERSION"),
        tables: app.library.len(),
    };
    let headers = [(header::CACHE_CONTROL, "no-store")];
    (headers, axum::Json(health)).into_response()
}

/// Counters for Prometheus.
#[utoipa::path(
    get,
    path = "/metrics",
    tag = "service",
    responses((status = 200, description = "The counters", body = String, content_type = "application/openmetrics-text"))
)]
pub(crate) async fn metrics(State(app): State<App>) -> Response {
    let media = "application/openmetrics-text; version=1.0.0; charset=utf-8";
    let headers = [
        (header::CONTENT_TYPE, media),
        (header::CACHE_CONTROL, "no-store"),
    ];
    (headers, app.metrics.text()).into_response()
}
