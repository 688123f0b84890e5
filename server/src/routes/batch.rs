//! Probes many positions, streamed in and out, for `POST /api/{game}/batch`.

use std::future::ready;
use std::io;
use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use bytes::{Buf, Bytes};
use http_body_util::BodyExt;
use retrograde_probe::Tablebase;
use retrograde_probe::object::{ErrorObject, Include, RefusalObject};
use serde::{Deserialize, Serialize};
use tokio::sync::{mpsc, oneshot};
use tokio::task::JoinHandle;
use tokio::time::{Instant, sleep, timeout, timeout_at};
use tokio_stream::wrappers::ReceiverStream;
use utoipa::IntoParams;

use crate::extract::{Asked, GameOf, LONGEST_FEN, position};
use crate::problem::Problem;
use crate::routes::probe::answer;
use crate::state::App;

/// The number of lines that are answered at a time, and the number if the answers are long.
const TOGETHER: usize = 128;
const FEW: usize = 16;

/// The bytes of answers that are written before they are sent. One answer may be longer.
const MOST_WRITTEN: usize = 64 << 10;

/// The factor by which more lines may be looked up, or wait to be sent, before more are read.
const AHEAD: usize = 4;

/// The time that the next part of a batch may take while the program stops.
const LAST_WAIT: Duration = Duration::from_millis(500);

/// The time that a client may pause which still sends what is not read any more.
const MOST_BETWEEN: Duration = Duration::from_secs(1);

/// UTF-8's byte-order mark.
const MARK: &[u8] = b"\xEF\xBB\xBF";

/// The longest line, in bytes.
const LONGEST_LINE: usize = LONGEST_FEN + 128;

/// The parameters that hold for every position of a batch.
#[derive(Clone, Copy, Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
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
    let (answers, receiver) = mpsc::channel(1);
    let (blocks, ahead) = mpsc::channel(AHEAD);
    let (begun, has_begun) = oneshot::channel();
    let asker = Asker {
        tables: app.library.tables(game),
        app,
        query,
    };
    let session = Session {
        deadline: Instant::now() + asker.app.limits.batch_time,
        left: asker.app.limits.batch,
        asker: asker.clone(),
        blocks,
        begun: Some(begun),
    };
    tokio::spawn(session.run(body));
    tokio::spawn(asker.send_all(ahead, answers));
    if headers.contains_key(header::EXPECT) {
        // Asking for the body is what tells the client to send it; after the head of the answer
        // it would be too late to do so, and the client would wait for nothing.
        let _ = has_begun.await;
    }
    let stream = ReceiverStream::new(receiver);
    let media = [
        (header::CONTENT_TYPE, "application/jsonl"),
        (header::CACHE_CONTROL, "no-store"),
    ];
    Ok((media, Body::from_stream(stream)).into_response())
}

/// Answers that are being looked up, and the lines that are left; or why there are no more.
type Block = JoinHandle<Result<(Vec<u8>, Part), Problem>>;

/// Whole lines of a batch.
struct Part {
    text: Bytes,
    lines: usize,
}

/// Looks up the answers to the lines of a batch.
#[derive(Clone)]
struct Asker {
    app: App,
    tables: Arc<Tablebase>,
    query: BatchQuery,
}

impl Asker {
    /// Has lines answered, while others are.
    fn ask(&self, mut part: Part) -> Block {
        let (asker, app) = (self.clone(), self.app.clone());
        let work = move || {
            let mut written = Vec::new();
            while part.lines > 0 && written.len() < MOST_WRITTEN {
                let end = part.text.iter().position(|&byte| byte == b'\n');
                let line = part.text.split_to(end.unwrap_or(part.text.len()));
                part.text.advance(part.text.len().min(1));
                part.lines -= 1;
                write_answer(&asker.tables, asker.query, &line, &mut written);
            }
            (written, part)
        };
        tokio::spawn(async move { app.pool.run(work).await })
    }

    /// Sends answers in the order of their lines, until one of them says that there are no more,
    /// or the client takes too long to read.
    async fn send_all(
        self,
        mut blocks: mpsc::Receiver<Block>,
        answers: mpsc::Sender<io::Result<Bytes>>,
    ) {
        while let Some(mut block) = blocks.recv().await {
            loop {
                let answered = block.await.unwrap_or_else(|error| {
                    Err(Problem::fault("a batch could not be answered", &error))
                });
                let (written, left) = match answered {
                    Ok((written, part)) => (written, Some(part)),
                    Err(problem) => (last_line(&problem), None),
                };
                let sent = timeout(self.app.limits.time, answers.send(Ok(written.into()))).await;
                match left {
                    Some(part) if matches!(sent, Ok(Ok(()))) => match part.lines {
                        0 => break,
                        _ => block = self.ask(part),
                    },
                    _ => return,
                }
            }
        }
    }
}

/// A batch that is being answered.
struct Session {
    asker: Asker,
    blocks: mpsc::Sender<Block>,
    /// Dropped when the body has been asked for.
    begun: Option<oneshot::Sender<()>>,
    /// The time at which the batch ends, however much is still to come.
    deadline: Instant,
    /// The number of positions that may still come.
    left: u64,
}

/// The reasons why a batch ends early.
enum Ended {
    /// The client must be told.
    Told(Problem),
    /// The client has been told, or is gone.
    Gone,
}

impl Ended {
    fn limit(detail: String) -> Ended {
        Ended::Told(Problem::new(StatusCode::PAYLOAD_TOO_LARGE, "limit", detail))
    }
}

impl Session {
    async fn run(mut self, mut body: Body) {
        let time = self.asker.app.limits.time;
        let ended = match timeout_at(self.deadline, self.answer_all(&mut body)).await {
            Ok(ended) => ended,
            // Whatever it was waiting for: more to come, answers, or somebody to read them.
            Err(_) => {
                let seconds = self.asker.app.limits.batch_time.as_secs();
                let detail = format!("a batch may take {seconds} s here; send another");
                Err(Ended::limit(detail))
            }
        };
        if let Err(Ended::Told(problem)) = ended {
            let end = tokio::spawn(ready(Err(problem)));
            let _ = timeout(time, self.blocks.send(end)).await;
        }
        drop(self.blocks);
        // A client that reads only after it has sent everything would lose the last answers if
        // the connection were closed before.
        let read_all =
            async { while let Ok(Some(Ok(_))) = timeout(MOST_BETWEEN, body.frame()).await {} };
        let _ = timeout(time, read_all).await;
    }

    async fn answer_all(&mut self, body: &mut Body) -> Result<(), Ended> {
        let (mut lines, mut seen) = (Lines::default(), 0);
        let BatchQuery { moves, line } = self.asker.query;
        let together = if moves || line { FEW } else { TOGETHER };
        while let Some(data) = self.more(body).await? {
            seen += data.len() as u64;
            if seen > self.asker.app.limits.body {
                let most = self.asker.app.limits.body;
                return Err(Ended::limit(format!(
                    "a batch has at most {most} bytes here"
                )));
            }
            for part in data.split_inclusive(|&byte| byte == b'\n') {
                lines.add(part);
                if lines.whole == together {
                    self.answer(&mut lines).await?;
                }
            }
            // What is there is answered before more is waited for.
            self.answer(&mut lines).await?;
        }
        if !lines.is_between() {
            lines.add(b"\n");
        }
        self.answer(&mut lines).await
    }

    /// The next part of the body; `None` at its end.
    async fn more(&mut self, body: &mut Body) -> Result<Option<Bytes>, Ended> {
        let time = self.asker.app.limits.time;
        let stopping = async {
            self.asker.app.stop.cancelled().await;
            sleep(LAST_WAIT).await;
        };
        let mut stopping = std::pin::pin!(stopping);
        let frame = loop {
            tokio::select! {
                biased;
                frame = timeout(time, body.frame()) => break frame,
                // By now it has been asked for.
                () = ready(()), if self.begun.is_some() => self.begun = None,
                () = &mut stopping => {
                    let detail = "the server stops; send the rest to another one";
                    return Err(Ended::Told(Problem::busy(detail, 1)));
                }
            }
        };
        match frame {
            Err(_) => {
                let seconds = time.as_secs();
                Err(Ended::limit(format!("nothing came for {seconds} s")))
            }
            // Who has sent half a body may still read.
            Ok(Some(Err(error))) => {
                let detail = format!("the batch broke off: {error}");
                Err(Ended::Told(Problem::bad_request(detail)))
            }
            Ok(None) => Ok(None),
            // Trailers say nothing.
            Ok(Some(Ok(frame))) => Ok(Some(frame.into_data().unwrap_or_default())),
        }
    }

    /// Has all whole lines answered, while more come.
    async fn answer(&mut self, lines: &mut Lines) -> Result<(), Ended> {
        let asked = lines.whole as u64;
        let taken = asked.min(self.left);
        self.left -= taken;
        let text = lines.take();
        if taken > 0 {
            self.asker.app.metrics.positions.inc_by(taken);
            let block = self.asker.ask(Part {
                text: text.into(),
                lines: usize::try_from(taken).unwrap_or(usize::MAX),
            });
            self.blocks.send(block).await.map_err(|_| Ended::Gone)?;
        }
        match taken < asked {
            true => Err(Ended::limit(format!(
                "a batch has at most {} positions here; send another",
                self.asker.app.limits.batch
            ))),
            false => Ok(()),
        }
    }
}

/// The line that says why a batch ends early.
fn last_line(problem: &Problem) -> Vec<u8> {
    let end = EndObject {
        error: problem.object(),
    };
    let mut line = serde_json::to_vec(&end).unwrap_or_default();
    line.push(b'\n');
    line
}

/// The lines of a batch as they come.
#[derive(Default)]
struct Lines {
    /// The lines, each with a line feed, and the beginning of one that is not whole.
    text: Vec<u8>,
    /// The number of lines that are whole.
    whole: usize,
    /// The offset of the last line.
    last: usize,
    /// Whether a line was begun.
    is_begun: bool,
}

impl Lines {
    /// Adds a part of a line, with the line feed if the line ends there. A line that is too long
    /// is cut, and refused for what it is then; a byte-order mark before the first one is
    /// dropped.
    fn add(&mut self, part: &[u8]) {
        let content = part.strip_suffix(b"\n");
        let room = (LONGEST_LINE + 1).saturating_sub(self.text.len() - self.last);
        let added = content.unwrap_or(part);
        self.text.extend_from_slice(&added[..added.len().min(room)]);
        if content.is_some() {
            if !self.is_begun && self.text.starts_with(MARK) {
                self.text.drain(..MARK.len());
            }
            self.is_begun = true;
            self.text.push(b'\n');
            self.whole += 1;
            self.last = self.text.len();
        }
    }

    /// Whether no line is begun, or nothing but a byte-order mark.
    fn is_between(&self) -> bool {
        let begun = &self.text[self.last..];
        begun.is_empty() || (!self.is_begun && begun == MARK)
    }

    /// Takes the whole lines.
    fn take(&mut self) -> Vec<u8> {
        let begun = self.text.split_off(self.last);
        (self.whole, self.last) = (0, 0);
        std::mem::replace(&mut self.text, begun)
    }
}

/// A line of a batch, if it is JSON.
#[derive(Deserialize)]
#[serde(untagged, deny_unknown_fields)]
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

/// Reads a line: the position, and what is to be answered about it.
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
