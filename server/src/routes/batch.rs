//! `POST /api/{game}/batch`: many positions, streamed in and out.

use std::io;
use std::sync::Arc;

use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use http_body_util::BodyExt;
use retrograde_probe::Tablebase;
use retrograde_probe::object::{ErrorObject, Include, RefusalObject};
use serde::{Deserialize, Serialize};
use tokio::sync::mpsc;
use tokio::time::{Instant, timeout, timeout_at};
use tokio_stream::wrappers::ReceiverStream;
use utoipa::IntoParams;

use crate::extract::{Asked, GameOf, LONGEST_FEN, position};
use crate::problem::Problem;
use crate::routes::probe::answer;
use crate::state::App;

/// How many lines are answered at a time.
const TOGETHER: usize = 64;

/// The longest line, in bytes.
const LONGEST_LINE: usize = LONGEST_FEN + 128;

/// What to ask about every position.
#[derive(Clone, Copy, Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct BatchQuery {
    /// Whether to list the legal moves, best first.
    #[serde(default)]
    moves: bool,
    /// Whether to play the best moves to the end.
    #[serde(default)]
    line: bool,
}

/// Answers many positions of a game, one a line. A line is a FEN as it is, as a JSON string, or
/// as an object `{"fen":…}` that may also have `moves` and `line`. Every line, a blank one too,
/// gets one line of JSON, in the same order, while later ones are still being sent.
#[utoipa::path(
    post,
    path = "/api/{game}/batch",
    tag = "positions",
    params(("game" = String, Path, description = "A game, with its rule options", example = "orthodox"), BatchQuery),
    request_body(
        content(
            (Option<String> = "text/plain", example = "8/8/8/3k4/8/8/8/KQ6 w - -"),
            (Option<serde_json::Value> = "application/jsonl", example = "{\"fen\":\"8/8/8/3k4/8/8/8/KQ6 w - -\"}"),
        ),
        description = "A position a line"
    ),
    responses(
        (status = 200, description = "An object a line, as `GET /api/{game}` answers, or `{\"fen\":…,\"error\":{…}}`. If the batch ends early, the last line has an `error` of the kind `limit`, `busy`, `bad-request` or `fault` and no `fen`", body = String, content_type = "application/jsonl"),
        (status = 400, description = "The parameters make no sense", body = Problem, content_type = "application/problem+json"),
        (status = 404, description = "There is no such game", body = Problem, content_type = "application/problem+json"),
        (status = 413, description = "The body is too long", body = Problem, content_type = "application/problem+json"),
        (status = 415, description = "The body is compressed", body = Problem, content_type = "application/problem+json"),
        (status = 429, description = "Too many requests", body = Problem, content_type = "application/problem+json"),
        (status = 503, description = "The server is busy", body = Problem, content_type = "application/problem+json"),
    )
)]
pub(crate) async fn batch(
    State(app): State<App>,
    GameOf(game): GameOf,
    Asked(query): Asked<BatchQuery>,
    headers: HeaderMap,
    body: Body,
) -> Result<Response, Problem> {
    let length = headers.get(header::CONTENT_LENGTH);
    let length = length.and_then(|length| length.to_str().ok()?.parse().ok());
    if length.is_some_and(|length: u64| length > app.limits.body) {
        let detail = format!("a batch has at most {} bytes here", app.limits.body);
        return Err(Problem::new(StatusCode::PAYLOAD_TOO_LARGE, "limit", detail));
    }
    if let Some(coding) = headers.get(header::CONTENT_ENCODING)
        && coding != "identity"
    {
        let status = StatusCode::UNSUPPORTED_MEDIA_TYPE;
        let detail = "send the lines as they are, without Content-Encoding";
        return Err(Problem::new(status, "bad-request", detail));
    }
    let (sender, receiver) = mpsc::channel(2);
    let tables = app.library.tables(game);
    let session = Session {
        deadline: Instant::now() + app.limits.batch_time,
        left: app.limits.batch,
        app,
        tables,
        query,
        sender,
    };
    tokio::spawn(session.run(body));
    let stream = ReceiverStream::new(receiver);
    let media = [
        (header::CONTENT_TYPE, "application/jsonl"),
        (header::CACHE_CONTROL, "no-store"),
    ];
    Ok((media, Body::from_stream(stream)).into_response())
}

/// A batch that is being answered.
struct Session {
    app: App,
    tables: Arc<Tablebase>,
    query: BatchQuery,
    sender: mpsc::Sender<io::Result<Bytes>>,
    /// When it ends, however much is still to come.
    deadline: Instant,
    /// How many positions may still come.
    left: u64,
}

/// Why a batch ends early.
enum Ended {
    /// The client must be told.
    Told(Problem),
    /// The client is gone.
    Gone,
}

impl Ended {
    fn limit(detail: String) -> Ended {
        Ended::Told(Problem::new(StatusCode::PAYLOAD_TOO_LARGE, "limit", detail))
    }
}

impl Session {
    async fn run(mut self, body: Body) {
        let told = match timeout_at(self.deadline, self.answer_all(body)).await {
            Ok(Err(ended)) => Some(ended),
            Ok(Ok(())) => None,
            // Whatever it was waiting for: more to come, answers, or somebody to read them.
            Err(_) => {
                let seconds = self.app.limits.batch_time.as_secs();
                let detail = format!("a batch may take {seconds} s here; send another");
                Some(Ended::limit(detail))
            }
        };
        if let Some(Ended::Told(problem)) = told {
            let end = EndObject {
                error: problem.object(),
            };
            let mut line = serde_json::to_vec(&end).unwrap_or_default();
            line.push(b'\n');
            let _ = self.send(line).await;
        }
    }

    async fn answer_all(&mut self, mut body: Body) -> Result<(), Ended> {
        let (mut lines, mut text, mut seen) = (Vec::new(), Vec::new(), 0);
        let time = self.app.limits.time;
        loop {
            let frame = match timeout(time, body.frame()).await {
                Err(_) => {
                    let seconds = time.as_secs();
                    return Err(Ended::limit(format!("nothing came for {seconds} s")));
                }
                // Who has sent half a body may still read.
                Ok(Some(Err(error))) => {
                    let detail = format!("the batch broke off: {error}");
                    return Err(Ended::Told(Problem::bad_request(detail)));
                }
                Ok(None) => break,
                Ok(Some(Ok(frame))) => frame,
            };
            let Some(data) = frame.data_ref() else {
                continue;
            };
            seen += data.len() as u64;
            if seen > self.app.limits.body {
                let most = self.app.limits.body;
                return Err(Ended::limit(format!(
                    "a batch has at most {most} bytes here"
                )));
            }
            for part in data.split_inclusive(|&byte| byte == b'\n') {
                // A line that is too long is cut, and refused for what it is then.
                let room = (LONGEST_LINE + 1).saturating_sub(text.len());
                let whole = part.last() == Some(&b'\n');
                let content = &part[..part.len() - usize::from(whole)];
                text.extend_from_slice(&content[..content.len().min(room)]);
                if whole {
                    lines.push(std::mem::take(&mut text));
                    if lines.len() == TOGETHER {
                        self.answer(std::mem::take(&mut lines)).await?;
                    }
                }
            }
            // What is there is answered before more is waited for.
            self.answer(std::mem::take(&mut lines)).await?;
        }
        if !text.is_empty() {
            self.answer(vec![text]).await?;
        }
        Ok(())
    }

    async fn answer(&mut self, mut lines: Vec<Vec<u8>>) -> Result<(), Ended> {
        let asked = lines.len() as u64;
        lines.truncate(usize::try_from(self.left).unwrap_or(usize::MAX));
        self.left -= lines.len() as u64;
        let is_over = (lines.len() as u64) < asked;
        if !lines.is_empty() {
            self.app.metrics.positions.inc_by(lines.len() as u64);
            let (tables, query) = (Arc::clone(&self.tables), self.query);
            let work = move || {
                let mut written = Vec::new();
                for line in &lines {
                    write_answer(&tables, query, line, &mut written);
                }
                written
            };
            let written = self.app.pool.run(work).await;
            let written = written.map_err(Ended::Told)?;
            self.send(written).await?;
        }
        match is_over {
            true => Err(Ended::limit(format!(
                "a batch has at most {} positions here; send another",
                self.app.limits.batch
            ))),
            false => Ok(()),
        }
    }

    /// Sends what has been written, unless the client takes too long to read.
    async fn send(&self, written: Vec<u8>) -> Result<(), Ended> {
        let sent = self.sender.send(Ok(written.into()));
        match timeout(self.app.limits.time, sent).await {
            Ok(Ok(())) => Ok(()),
            _ => Err(Ended::Gone),
        }
    }
}

/// A line of a batch, if it is JSON.
#[derive(Deserialize)]
#[serde(untagged)]
enum Line {
    Fen(String),
    Object {
        fen: String,
        moves: Option<bool>,
        line: Option<bool>,
    },
}

/// The last line of a batch that ends early.
#[derive(Serialize)]
struct EndObject {
    error: ErrorObject,
}

/// Adds the answer to a line.
fn write_answer(tables: &Tablebase, query: BatchQuery, line: &[u8], written: &mut Vec<u8>) {
    let text = String::from_utf8_lossy(line);
    let text = text.trim_end_matches('\r');
    let (fen, include) = match read_line(text, query) {
        Ok((fen, include)) => (fen, Ok(include)),
        Err(problem) => (text.to_owned(), Err(problem)),
    };
    let found = include.and_then(|include| {
        let position = position(tables.game(), &fen)?;
        answer(tables, &position, include)
    });
    let result = match found {
        Ok(answer) => serde_json::to_writer(&mut *written, &answer),
        Err(problem) => {
            let refused = RefusalObject::new(&fen, problem.object());
            serde_json::to_writer(&mut *written, &refused)
        }
    };
    // Writing to memory cannot fail.
    debug_assert!(result.is_ok());
    written.push(b'\n');
}

/// What a line asks.
fn read_line(text: &str, query: BatchQuery) -> Result<(String, Include), Problem> {
    let BatchQuery { moves, line } = query;
    if text.len() > LONGEST_LINE {
        let detail = format!("a line has at most {LONGEST_LINE} bytes");
        return Err(Problem::new(StatusCode::BAD_REQUEST, "bad-fen", detail));
    }
    if !text.trim_start().starts_with(['{', '"']) {
        return Ok((text.to_owned(), Include { moves, line }));
    }
    match serde_json::from_str(text) {
        Ok(Line::Fen(fen)) => Ok((fen, Include { moves, line })),
        Ok(Line::Object {
            fen,
            moves: own_moves,
            line: own_line,
        }) => {
            let include = Include {
                moves: own_moves.unwrap_or(moves),
                line: own_line.unwrap_or(line),
            };
            Ok((fen, include))
        }
        Err(_) => Err(Problem::bad_request(
            "a line is a FEN, a JSON string, or an object {\"fen\":…,\"moves\":true,\"line\":true}",
        )),
    }
}
