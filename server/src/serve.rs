//! Accepts connections, serves the application on them, and ends them in order.

use std::convert::Infallible;
use std::future::poll_fn;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::http::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::{Service, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::time::{sleep, timeout};
use tokio_io_timeout::TimeoutStream;
use tokio_util::io::{InspectReader, InspectWriter};

use crate::connections::{self, Connections, Place, Stage};
use crate::rate::{Client, Paid};
use crate::router::router;
use crate::state::App;

/// The time that requests may go on after the program has been told to stop.
const GRACE: Duration = Duration::from_secs(10);

/// The time that nothing may move on a connection while the program stops: neither a request that
/// is half there nor a client that does not read is waited for any longer.
const STILL: Duration = Duration::from_secs(2);

/// The most that the last bytes of an answer may take to leave while the program stops.
const LEAVING: Duration = Duration::from_millis(250);

/// The interval at which connections are looked at while the program stops.
const LOOK: Duration = Duration::from_millis(100);

/// The longest that the head of a request may take, counted from the last answer, and that of a
/// client that opens more connections than it may send requests.
const HEAD_TIME: Duration = Duration::from_secs(5);
const HASTY_HEAD_TIME: Duration = Duration::from_secs(1);

/// The time that a client may go on sending after the last answer on a connection. Closed while
/// something is unread, a connection is reset, and the client may lose the answer.
const LINGER: Duration = Duration::from_secs(5);

/// The most bytes before the body of a request, and the most headers.
const LONGEST_HEAD: usize = 16 << 10;
const MOST_HEADERS: usize = 64;

/// The pause if no connection can be accepted, for want of file handles.
const PAUSE: Duration = Duration::from_millis(100);

/// The end of serving.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// All requests were answered.
    Finished,
    /// Some requests were cut off.
    CutOff,
}

/// Serves connections until `stop` is ready, then lets those that are under way finish.
pub async fn serve(listener: TcpListener, app: App, stop: impl Future<Output = ()>) -> Stop {
    let connections = Arc::new(Connections::new(&app.limits));
    let application = TowerToHyperService::new(router(app.clone()));
    let mut stop = std::pin::pin!(stop);
    for id in 0.. {
        let accepted = tokio::select! {
            biased;
            () = &mut stop => break,
            accepted = accept(&listener, &connections, id) => accepted,
        };
        match accepted {
            Ok((stream, address, Some(place))) => {
                let connection = Connection {
                    app: app.clone(),
                    client: Client(address.ip()),
                    place,
                };
                tokio::spawn(connection.run(stream, application.clone()));
            }
            Ok((_, address, None)) => {
                tracing::debug!(%address, "a client has too many connections");
            }
            Err(error) => {
                tracing::warn!(%error, "a connection could not be accepted");
                sleep(PAUSE).await;
            }
        }
    }
    drop(listener);
    app.stop.cancel();
    match timeout(GRACE, connections.closed()).await {
        Ok(()) if !connections.is_cut_off() => Stop::Finished,
        _ => Stop::CutOff,
    }
}

/// Waits for a connection, then for a place.
async fn accept(
    listener: &TcpListener,
    connections: &Arc<Connections>,
    id: u64,
) -> io::Result<(TcpStream, SocketAddr, Option<Place>)> {
    let (stream, address) = listener.accept().await?;
    let place = connections.admit(id, address.ip()).await;
    Ok((stream, address, place))
}

struct Connection {
    app: App,
    client: Client,
    place: Place,
}

impl Connection {
    async fn run(self, stream: TcpStream, application: TowerToHyperService<axum::Router>) {
        self.app.metrics.connections.inc();
        self.serve(stream, application).await;
        self.app.metrics.connections.dec();
    }

    async fn serve(&self, stream: TcpStream, application: TowerToHyperService<axum::Router>) {
        let time = self.app.limits.time;
        let (is_hasty, paid) = self.pay();
        let head_time = if is_hasty { HASTY_HEAD_TIME } else { HEAD_TIME };
        let (progress, client) = (&self.place.progress, self.client);
        let service = service_fn(|mut request: Request<Incoming>| {
            let begun = connections::Request::begin(progress);
            request.extensions_mut().insert(client);
            request.extensions_mut().insert(paid.clone());
            let answer = application.call(request);
            Box::pin(async move {
                let answer = answer.await?;
                Ok::<_, Infallible>(answer.map(|body| begun.answered(body)))
            })
        });
        // Answers are small and should not wait for more.
        let _ = stream.set_nodelay(true);
        let stream = InspectReader::new(stream, |_: &[u8]| progress.read());
        let stream = InspectWriter::new(stream, |_: &[u8]| progress.moved());
        let mut stream = TimeoutStream::new(stream);
        // Who does not read is cut off; who does not write is a matter of the protocol.
        stream.set_write_timeout(Some(time));
        let mut connection = http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(head_time.min(time))
            .max_buf_size(LONGEST_HEAD)
            .max_headers(MOST_HEADERS)
            .serve_connection(TokioIo::new(Box::pin(stream)), service);
        let mut is_stopping = false;
        let ended = loop {
            tokio::select! {
                ended = poll_fn(|context| connection.poll_without_shutdown(context)) => break ended,
                () = progress.leave() => return,
                () = self.app.stop.cancelled(), if !is_stopping => {
                    is_stopping = true;
                    Pin::new(&mut connection).graceful_shutdown();
                }
                () = sleep(LOOK), if is_stopping => match progress.stage() {
                    Stage::Idle if progress.still() > LEAVING => return,
                    Stage::Sending if progress.still() > STILL => return self.place.cut_off(),
                    _ => {}
                },
            }
        };
        if let Err(error) = ended {
            // That a client goes away, or writes nonsense, is no failure of the server.
            tracing::debug!(%error, "a connection ended");
            if error.is_timeout() {
                return;
            }
        }
        tokio::select! {
            () = linger(connection.into_parts().io.into_inner()) => {}
            () = progress.leave() => {}
            () = self.app.stop.cancelled() => {}
        }
    }

    /// Counts the connection as a request of its client, so that many without any count, too.
    /// Says whether the client has no more to spend, and what its first request need not pay.
    fn pay(&self) -> (bool, Paid) {
        let rate = self.app.rate.as_ref();
        // A proxy's connections are nobody's.
        match rate.filter(|_| !self.app.limits.behind_proxy) {
            None => (false, Paid::new(false)),
            Some(rate) => {
                let is_paid = rate.ask(self.client.0).is_ok();
                (!is_paid, Paid::new(is_paid))
            }
        }
    }
}

/// Tells the client that nothing more comes, then reads what it still sends.
async fn linger(mut stream: impl AsyncRead + AsyncWrite + Unpin) {
    let read_all = async {
        stream.shutdown().await?;
        let mut unread = vec![0; LONGEST_HEAD];
        while stream.read(&mut unread).await? > 0 {}
        io::Result::Ok(())
    };
    // Whoever sends on for ever, or has gone, is not waited for.
    let _ = timeout(LINGER, read_all).await;
}
