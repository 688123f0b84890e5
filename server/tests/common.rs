//! Asks the application without a port, for the other tests.

use std::path::{Path, PathBuf};

use axum::Router;
use axum::body::{Body, Bytes};
use axum::http::{HeaderMap, HeaderValue, Request, StatusCode, header};
use http_body_util::BodyExt;
use retrograde_server::{App, Library, Limits, router};
use serde_json::Value;
use tower::ServiceExt;

/// The tables that ship.
pub(crate) fn shipped() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../tables")
}

/// The application with the tables that ship.
pub(crate) fn application() -> Router {
    application_with(&[shipped()], Limits::default())
}

/// The application with tables and limits.
pub(crate) fn application_with(folders: &[PathBuf], limits: Limits) -> Router {
    let library = Library::open(folders.to_vec()).unwrap();
    router(App::new(library, limits))
}

/// A response, read to its end.
pub(crate) struct Got {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Bytes,
}

impl Got {
    pub(crate) fn text(&self) -> &str {
        std::str::from_utf8(&self.body).unwrap()
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|_| panic!("{}", self.text()))
    }

    pub(crate) fn lines(&self) -> Vec<Value> {
        let lines = self.text().lines();
        lines
            .map(|line| serde_json::from_str(line).unwrap())
            .collect()
    }

    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers
            .get(name)
            .map_or("", |value| value.to_str().unwrap())
    }

    /// Expects a problem of a kind, and gives its detail.
    pub(crate) fn expect_problem(&self, status: u16, kind: &str) -> String {
        assert_eq!(self.status.as_u16(), status, "{}", self.text());
        assert_eq!(self.header("content-type"), "application/problem+json");
        let problem = self.json();
        assert_eq!(problem["status"], status);
        assert_eq!(problem["kind"], kind, "{problem}");
        problem["detail"].as_str().unwrap().to_owned()
    }
}

/// Asks anything, of a host, as every client does.
pub(crate) async fn ask(application: &Router, mut request: Request<Body>) -> Got {
    let host = header::HOST;
    request
        .headers_mut()
        .entry(host)
        .or_insert(HeaderValue::from_static("localhost"));
    let response = application.clone().oneshot(request).await.unwrap();
    let (parts, body) = response.into_parts();
    Got {
        status: parts.status,
        headers: parts.headers,
        body: body.collect().await.unwrap().to_bytes(),
    }
}

/// Asks with GET; spaces are written as they are in a URI.
pub(crate) async fn get(application: &Router, uri: &str) -> Got {
    let uri = uri.replace(' ', "%20");
    ask(application, Request::get(uri).body(Body::empty()).unwrap()).await
}

/// A runtime for tests that are not asynchronous themselves.
pub(crate) fn block_on<T>(future: impl Future<Output = T>) -> T {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build();
    runtime.unwrap().block_on(future)
}
