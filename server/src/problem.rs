//! Reports why a request has no answer, as `application/problem+json` (RFC 9457).

use std::fmt::Display;

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use retrograde_probe::object::ErrorObject;
use retrograde_probe::{ProbeError, TableFault};
use retrograde_rules::ReadError;
use serde::Serialize;
use utoipa::ToSchema;

use crate::log_limits::{ERRORS, shortened};

/// The reason why a request has no answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub(crate) struct Problem {
    /// Always `about:blank`: `kind` says what it is.
    #[serde(rename = "type")]
    problem_type: &'static str,
    /// The meaning of the status.
    title: &'static str,
    /// The status of the response.
    status: u16,
    /// The fault, and the remedy.
    pub(crate) detail: String,
    /// A word for what is wrong: `bad-request`, `bad-fen`, `illegal-position`,
    /// `unknown-game`, `bad-material`, `missing-table`, `corrupt-table`,
    /// `unreadable-table`, `unsupported`, `not-found`, `limit`, `busy` or `fault`.
    pub(crate) kind: &'static str,
    /// The place in the FEN, in bytes, for `bad-fen`.
    #[serde(skip_serializing_if = "Option::is_none")]
    offset: Option<usize>,
    /// Seconds to wait.
    #[serde(skip)]
    retry_after: Option<u64>,
}

impl Problem {
    pub(crate) fn new(
        status: StatusCode,
        kind: &'static str,
        detail: impl Into<String>,
    ) -> Problem {
        Problem {
            problem_type: "about:blank",
            title: status.canonical_reason().unwrap_or("Error"),
            status: status.as_u16(),
            detail: detail.into(),
            kind,
            offset: None,
            retry_after: None,
        }
    }

    /// The request makes no sense.
    pub(crate) fn bad_request(detail: impl Into<String>) -> Problem {
        Problem::new(StatusCode::BAD_REQUEST, "bad-request", detail)
    }

    /// The problem of a path that leads nowhere.
    pub(crate) fn not_found(detail: impl Into<String>) -> Problem {
        Problem::new(StatusCode::NOT_FOUND, "not-found", detail)
    }

    /// The problem of too many requests at once; try again in so many seconds.
    pub(crate) fn busy(detail: impl Into<String>, retry_after: u64) -> Problem {
        Problem {
            retry_after: Some(retry_after),
            ..Problem::new(StatusCode::SERVICE_UNAVAILABLE, "busy", detail)
        }
    }

    /// The client sends too many requests; it may try again in so many seconds.
    pub(crate) fn too_many(retry_after: u64) -> Problem {
        let detail = format!(
            "too many requests; wait {retry_after} s, or ask for many \
            positions at once with a batch"
        );
        Problem {
            retry_after: Some(retry_after),
            ..Problem::new(StatusCode::TOO_MANY_REQUESTS, "limit", detail)
        }
    }

    /// The problem of a fault in this program, which is logged.
    pub(crate) fn fault(what: &str, error: &dyn Display) -> Problem {
        log_failure(what, error);
        let detail = "something went wrong in the server; its log says what";
        Problem::new(StatusCode::INTERNAL_SERVER_ERROR, "fault", detail)
    }

    /// The status.
    pub(crate) fn status(&self) -> StatusCode {
        StatusCode::from_u16(self.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR)
    }

    /// The problem as the object for a line of a batch.
    pub(crate) fn object(&self) -> ErrorObject {
        ErrorObject {
            kind: self.kind,
            message: self.detail.clone(),
            offset: self.offset,
        }
    }
}

/// Logs what went wrong in this program or its tables.
fn log_failure(what: &str, error: &dyn Display) {
    if let Some(left_out) = ERRORS.pass() {
        tracing::error!(left_out, error = shortened(error), "{what}");
    }
}

impl From<ReadError> for Problem {
    fn from(error: ReadError) -> Problem {
        let ErrorObject {
            kind,
            message,
            offset,
        } = ErrorObject::from(&error);
        Problem {
            offset,
            ..Problem::new(StatusCode::BAD_REQUEST, kind, message)
        }
    }
}

impl From<ProbeError> for Problem {
    fn from(error: ProbeError) -> Problem {
        let status = match error.is_unknown() {
            true => StatusCode::NOT_FOUND,
            false => {
                log_failure("a table cannot be used", &error);
                StatusCode::INTERNAL_SERVER_ERROR
            }
        };
        Problem::new(status, error.kind(), public(&error))
    }
}

/// The fault in words, without saying where the server has its files.
pub(crate) fn public(error: &ProbeError) -> String {
    match error {
        ProbeError::Missing {
            game,
            material,
            metric,
            ..
        } => {
            let material = material.name_in(game);
            match metric {
                None => format!("this server has no table {material} of {game}"),
                Some(metric) => {
                    format!("this server has no {metric} table of {material} of {game}")
                }
            }
        }
        ProbeError::Table {
            error,
            game,
            material,
        } => {
            let name = error.path.as_ref().and_then(|path| path.file_name());
            let name =
                name.map_or_else(|| material.name_in(game), |name| name.display().to_string());
            match error.fault {
                TableFault::Io(_) => format!("the table {name} of {game} cannot be read"),
                ref fault => format!("the table {name} of {game} cannot be used: {fault}"),
            }
        }
        error => error.to_string(),
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let body = serde_json::to_vec(&self).unwrap_or_default();
        self.with_body(body, "application/problem+json")
    }
}

impl Problem {
    /// A response of nothing but what is wrong, as plain text.
    pub(crate) fn into_plain_response(self) -> Response {
        let body = self.detail.clone().into_bytes();
        self.with_body(body, "text/plain; charset=utf-8")
    }

    fn with_body(self, body: Vec<u8>, media: &'static str) -> Response {
        let mut response = (self.status(), body).into_response();
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(media));
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
        if let Some(seconds) = self.retry_after {
            headers.insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        response.extensions_mut().insert(self);
        response
    }
}
