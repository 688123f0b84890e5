//! Tracks open connections, how each fares, and which one makes room for another.

use std::collections::HashMap;
use std::net::IpAddr;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use axum::body::{Body, Bytes, HttpBody};
use hyper::body::{Frame, SizeHint};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

use crate::limits::Limits;
use crate::rate::network;

/// The time that the connection which was asked to make room may take before another one is asked.
const PAUSE: Duration = Duration::from_millis(100);

/// The milliseconds that a request under way may stand still longer than a connection without one,
/// before it is the first to make room.
const PATIENCE: u64 = 1000;

/// The open connections.
pub(crate) struct Connections {
    most: usize,
    /// The most of one client.
    most_of_client: usize,
    places: Arc<Semaphore>,
    open: Mutex<HashMap<u64, Arc<Progress>>>,
    is_cut_off: AtomicBool,
}

/// A place among the open connections; it is given back when it is dropped.
pub(crate) struct Place {
    connections: Arc<Connections>,
    id: u64,
    pub(crate) progress: Arc<Progress>,
    _permit: OwnedSemaphorePermit,
}

impl Connections {
    pub(crate) fn new(limits: &Limits) -> Connections {
        let most = limits.connections;
        Connections {
            most,
            // A proxy's connections are those of all clients.
            most_of_client: if limits.behind_proxy {
                most
            } else {
                limits.client_connections
            },
            places: Arc::new(Semaphore::new(most)),
            open: Mutex::default(),
            is_cut_off: AtomicBool::new(false),
        }
    }

    /// Takes a place for a connection. If there is none, the connection that has stood still for
    /// the longest time gives up its own; one whose request is being looked up does not stand
    /// still. `None` if its client has as many such connections as one may have.
    pub(crate) async fn admit(self: &Arc<Self>, id: u64, client: IpAddr) -> Option<Place> {
        let client = network(client);
        let of_client = |progress: &Progress| progress.client == client;
        let is_full = {
            let open = self.open();
            let staying = open
                .values()
                .filter(|one| of_client(one) && !one.is_leaving());
            staying.count() >= self.most_of_client
        };
        if is_full && !self.make_room(of_client) {
            return None;
        }
        let permit = loop {
            if let Ok(permit) = Arc::clone(&self.places).try_acquire_owned() {
                break permit;
            }
            self.make_room(|_| true);
            let permit = Arc::clone(&self.places).acquire_owned();
            if let Ok(permit) = timeout(PAUSE, permit).await {
                break permit.ok()?;
            }
        };
        let progress = Arc::new(Progress::new(client));
        self.open().insert(id, Arc::clone(&progress));
        Some(Place {
            connections: Arc::clone(self),
            id,
            progress,
            _permit: permit,
        })
    }

    /// Ready when no connection is open any more.
    pub(crate) async fn closed(&self) {
        let all = u32::try_from(self.most).unwrap_or(u32::MAX);
        let _ = self.places.acquire_many(all).await;
    }

    /// Whether a connection ended before its request was answered, because it stood still.
    pub(crate) fn is_cut_off(&self) -> bool {
        self.is_cut_off.load(Ordering::Relaxed)
    }

    /// Tells one of these to leave: the one that has stood still for the longest time.
    fn make_room(&self, among: impl Fn(&Progress) -> bool) -> bool {
        let open = self.open();
        let still = open
            .values()
            .filter(|one| among(one) && !one.is_leaving() && one.stage() != Stage::Answering);
        let oldest = still.min_by_key(|one| {
            let patience = match one.stage() {
                Stage::Sending => PATIENCE,
                Stage::Idle | Stage::Answering => 0,
            };
            one.moved.load(Ordering::Relaxed) + patience
        });
        oldest.inspect(|one| one.leave.cancel()).is_some()
    }

    fn open(&self) -> MutexGuard<'_, HashMap<u64, Arc<Progress>>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Place {
    /// Notes that a request was not answered.
    pub(crate) fn cut_off(&self) {
        self.connections.is_cut_off.store(true, Ordering::Relaxed);
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.connections.open().remove(&self.id);
    }
}

/// The state of a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stage {
    /// The next request has not come, or only half of its head, or the client is still sending
    /// what nobody reads any more.
    Idle,
    /// The server works on a request.
    Answering,
    /// The body of the answer is under way; that of the request may be, too.
    Sending,
}

/// The progress of a connection.
pub(crate) struct Progress {
    client: IpAddr,
    began: Instant,
    /// The time at which a byte of a request or an answer last moved, in milliseconds after the
    /// process's first connection.
    moved: AtomicU64,
    stage: AtomicU8,
    leave: CancellationToken,
}

impl Progress {
    fn new(client: IpAddr) -> Progress {
        static FIRST: std::sync::OnceLock<Instant> = std::sync::OnceLock::new();
        let progress = Progress {
            client,
            began: *FIRST.get_or_init(Instant::now),
            moved: AtomicU64::new(0),
            stage: AtomicU8::new(Stage::Idle as u8),
            leave: CancellationToken::new(),
        };
        progress.moved();
        progress
    }

    /// Bytes were read, which counts once the head of a request is complete: a head that drips
    /// is no progress.
    pub(crate) fn read(&self) {
        if self.stage() != Stage::Idle {
            self.moved();
        }
    }

    /// Notes that a byte has moved.
    pub(crate) fn moved(&self) {
        self.moved.store(self.now(), Ordering::Relaxed);
    }

    /// The time for which nothing has moved.
    pub(crate) fn still(&self) -> Duration {
        let moved = self.moved.load(Ordering::Relaxed);
        Duration::from_millis(self.now().saturating_sub(moved))
    }

    pub(crate) fn stage(&self) -> Stage {
        match self.stage.load(Ordering::Relaxed) {
            stage if stage == Stage::Answering as u8 => Stage::Answering,
            stage if stage == Stage::Sending as u8 => Stage::Sending,
            _ => Stage::Idle,
        }
    }

    /// Ready when the connection has to make room for another.
    pub(crate) async fn leave(&self) {
        self.leave.cancelled().await;
    }

    fn is_leaving(&self) -> bool {
        self.leave.is_cancelled()
    }

    fn enter(&self, stage: Stage) {
        self.stage.store(stage as u8, Ordering::Relaxed);
        self.moved();
    }

    fn now(&self) -> u64 {
        u64::try_from(self.began.elapsed().as_millis()).unwrap_or(u64::MAX)
    }
}

/// A request that is being answered, until this is dropped.
pub(crate) struct Request(Arc<Progress>);

impl Request {
    pub(crate) fn begin(progress: &Arc<Progress>) -> Request {
        progress.enter(Stage::Answering);
        Request(Arc::clone(progress))
    }

    /// The body of the answer, with which the request ends.
    pub(crate) fn answered(self, body: Body) -> Answer {
        self.0.enter(Stage::Sending);
        Answer {
            body,
            _request: self,
        }
    }
}

impl Drop for Request {
    fn drop(&mut self) {
        self.0.enter(Stage::Idle);
    }
}

/// The body of an answer.
pub(crate) struct Answer {
    body: Body,
    _request: Request,
}

impl HttpBody for Answer {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        Pin::new(&mut self.body).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
