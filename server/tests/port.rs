//! Connections: heads that are too long, clients that are slow, and stopping.

use std::time::Duration;

use retrograde_server::{App, Library, Limits, Stop, serve};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

use crate::common::shipped;

struct Running {
    address: std::net::SocketAddr,
    stop: oneshot::Sender<()>,
    task: JoinHandle<Stop>,
}

async fn start(limits: Limits) -> Running {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let app = App::new(Library::open(vec![shipped()]).unwrap(), limits);
    let (stop, stopped) = oneshot::channel();
    let task = tokio::spawn(serve(listener, app, async {
        let _ = stopped.await;
    }));
    Running {
        address,
        stop,
        task,
    }
}

/// Sends bytes, and reads until the server closes the connection.
async fn talk(address: std::net::SocketAddr, bytes: &[u8]) -> String {
    let mut stream = TcpStream::connect(address).await.unwrap();
    // The server may have had enough before all is sent.
    let _ = stream.write_all(bytes).await;
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer).await;
    String::from_utf8_lossy(&answer).into_owned()
}

#[tokio::test]
async fn heads_are_limited() {
    let running = start(Limits::default()).await;
    let good = b"GET /health HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n";
    assert!(
        talk(running.address, good)
            .await
            .starts_with("HTTP/1.1 200 OK")
    );
    let flood: String = (0..1000).map(|n| format!("x-{n}: y\r\n")).collect();
    let flood = format!("GET /health HTTP/1.1\r\n{flood}\r\n");
    let answer = talk(running.address, flood.as_bytes()).await;
    assert!(
        answer.starts_with("HTTP/1.1 431 ") || answer.is_empty(),
        "{answer}"
    );
    let long = format!(
        "GET /api/orthodox?fen={} HTTP/1.1\r\n\r\n",
        "8".repeat(1 << 20)
    );
    let answer = talk(running.address, long.as_bytes()).await;
    assert!(
        answer.starts_with("HTTP/1.1 4") || answer.is_empty(),
        "{answer}"
    );
    let answer = talk(running.address, b"\x16\x03\x01 nonsense \xff\r\n\r\n").await;
    assert!(answer.starts_with("HTTP/1.1 400 "), "{answer}");
    assert!(
        talk(running.address, good)
            .await
            .starts_with("HTTP/1.1 200 OK")
    );
}

#[tokio::test]
async fn slow_clients_are_cut_off() {
    let limits = Limits {
        time: Duration::from_millis(200),
        ..Limits::default()
    };
    let running = start(limits).await;
    // Half a head, and no more: the server closes the connection.
    talk(running.address, b"GET /health HTTP/1.1\r\nhost:").await;
    // Half a batch: the answers so far come, and why there are no more.
    let batch = b"POST /api/orthodox/batch HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n\
        connection: close\r\n\r\n8/8/8/3k4/8/8/8/KQ6 w - -\n8/8";
    let answer = talk(running.address, batch).await;
    assert!(answer.contains("\"category\":\"win\""), "{answer}");
    assert!(answer.contains("\"kind\":\"limit\""), "{answer}");
}

#[tokio::test]
async fn stopping_lets_requests_finish() {
    let running = start(Limits::default()).await;
    let mut stream = TcpStream::connect(running.address).await.unwrap();
    let head = b"POST /api/orthodox/batch HTTP/1.1\r\nhost: x\r\ncontent-length: 26\r\n\r\n";
    stream.write_all(head).await.unwrap();
    let mut answer = [0; 12];
    stream.read_exact(&mut answer).await.unwrap();
    assert_eq!(&answer, b"HTTP/1.1 200");
    running.stop.send(()).unwrap();
    stream
        .write_all(b"8/8/8/3k4/8/8/8/KQ6 w - -\n")
        .await
        .unwrap();
    let mut rest = String::new();
    stream.read_to_string(&mut rest).await.unwrap();
    assert!(rest.contains("\"depth_plies\":17"), "{rest}");
    assert_eq!(running.task.await.unwrap(), Stop::Finished);
    assert!(TcpStream::connect(running.address).await.is_err());
}
