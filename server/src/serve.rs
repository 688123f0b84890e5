//! Connections: accepting them, and ending them in order.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Extension;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::{GracefulShutdown, Watcher};
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio_io_timeout::TimeoutStream;

use crate::rate::Client;
use crate::router::router;
use crate::state::App;

/// How long requests may go on after the program has been told to stop.
const GRACE: Duration = Duration::from_secs(10);

/// The most bytes before the body of a request, and the most headers.
const LONGEST_HEAD: usize = 16 << 10;
const MOST_HEADERS: usize = 64;

/// How long to wait if no connection can be accepted, for want of file handles.
const PAUSE: Duration = Duration::from_millis(100);

/// How serving ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// All requests were answered.
    Finished,
    /// Some were cut off.
    CutOff,
}

/// Serves connections until `stop` is ready, then lets those that are under way finish.
pub async fn serve(listener: TcpListener, app: App, stop: impl Future<Output = ()>) -> Stop {
    let places = Arc::new(Semaphore::new(app.limits.connections));
    let graceful = GracefulShutdown::new();
    let application = router(app.clone());
    let mut stop = std::pin::pin!(stop);
    loop {
        let accepted = tokio::select! {
            biased;
            () = &mut stop => break,
            accepted = accept(&listener, &places) => accepted,
        };
        let (stream, address, place) = match accepted {
            Ok(accepted) => accepted,
            Err(error) => {
                tracing::warn!(%error, "a connection could not be accepted");
                tokio::time::sleep(PAUSE).await;
                continue;
            }
        };
        let client = Client(address.ip());
        let service = TowerToHyperService::new(application.clone().layer(Extension(client)));
        let connection = Connection {
            app: app.clone(),
            _place: place,
        };
        tokio::spawn(connection.run(stream, service, graceful.watcher()));
    }
    drop(listener);
    match tokio::time::timeout(GRACE, graceful.shutdown()).await {
        Ok(()) => Stop::Finished,
        Err(_) => Stop::CutOff,
    }
}

/// Waits for a place, then for a connection.
async fn accept(
    listener: &TcpListener,
    places: &Arc<Semaphore>,
) -> io::Result<(TcpStream, SocketAddr, OwnedSemaphorePermit)> {
    let place = Arc::clone(places).acquire_owned().await;
    let place = place.map_err(io::Error::other)?;
    let (stream, address) = listener.accept().await?;
    Ok((stream, address, place))
}

struct Connection {
    app: App,
    _place: OwnedSemaphorePermit,
}

impl Connection {
    async fn run(
        self,
        stream: TcpStream,
        service: TowerToHyperService<axum::Router>,
        watcher: Watcher,
    ) {
        let time = self.app.limits.time;
        // Answers are small and should not wait for more.
        let _ = stream.set_nodelay(true);
        let mut stream = TimeoutStream::new(stream);
        // Who does not read is cut off; who does not write is a matter of the protocol.
        stream.set_write_timeout(Some(time));
        let connection = http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(time)
            .max_buf_size(LONGEST_HEAD)
            .max_headers(MOST_HEADERS)
            .serve_connection(TokioIo::new(Box::pin(stream)), service);
        self.app.metrics.connections.inc();
        // That a client goes away, or writes nonsense, is no failure of the server.
        if let Err(error) = watcher.watch(connection).await {
            tracing::debug!(%error, "a connection ended");
        }
        self.app.metrics.connections.dec();
    }
}
