//! Tests connections: heads that are too long, clients that are slow, and stopping.

use std::num::NonZeroU32;
use std::time::{Duration, Instant};

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

const HEALTH: &[u8] = b"GET /health HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n";

const LINE: &str = "8/8/8/3k4/8/8/8/KQ6 w - -\n";

/// Connections that have sent half a request.
async fn half(address: std::net::SocketAddr, count: usize, sent: &str) -> Vec<TcpStream> {
    let mut streams = Vec::new();
    for _ in 0..count {
        let mut stream = TcpStream::connect(address).await.unwrap();
        stream.write_all(sent.as_bytes()).await.unwrap();
        streams.push(stream);
    }
    streams
}

/// Sends bytes little by little, then reads until the server closes the connection, which it
/// must do in order.
async fn upload(address: std::net::SocketAddr, bytes: &[u8]) -> String {
    let mut stream = TcpStream::connect(address).await.unwrap();
    for part in bytes.chunks(20_000) {
        stream.write_all(part).await.unwrap();
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).await.unwrap();
    String::from_utf8_lossy(&answer).into_owned()
}

fn post(path: &str, body: &str) -> Vec<u8> {
    let length = body.len();
    let head = format!(
        "POST {path} HTTP/1.1\r\nhost: x\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n"
    );
    (head + body).into_bytes()
}

/// Clients that send everything before they read get the last line, too.
#[tokio::test]
async fn what_is_not_read_does_not_cost_the_answer() {
    let limits = Limits {
        batch: 1000,
        body: 500_000,
        ..Limits::default()
    };
    let running = start(limits).await;
    let batch = "/api/orthodox/batch";
    let many = LINE.repeat(15_000);
    let answer = upload(running.address, &post(batch, &many)).await;
    assert_eq!(answer.matches("\"category\":\"win\"").count(), 1000);
    assert!(answer.contains("at most 1000 positions"), "{answer}");

    let head = "POST /api/orthodox/batch HTTP/1.1\r\nhost: x\r\n\
        transfer-encoding: chunked\r\nconnection: close\r\n\r\n";
    let long = format!("{:1000}\n", "x").repeat(1500);
    let chunked = format!("{head}{:x}\r\n{long}\r\n0\r\n\r\n", long.len());
    let answer = upload(running.address, chunked.as_bytes()).await;
    assert!(answer.contains("at most 500000 bytes"), "{answer}");

    let long = LINE.repeat(40_000);
    for (path, status) in [
        (batch, 413),
        ("/api/nothing/batch", 404),
        ("/api/games", 405),
    ] {
        let answer = upload(running.address, &post(path, &long)).await;
        assert!(
            answer.starts_with(&format!("HTTP/1.1 {status} ")),
            "{answer}"
        );
        assert!(answer.contains("\"detail\""), "{answer}");
    }
    let long = format!("GET /{} HTTP/1.1\r\n\r\n", "8".repeat(500_000));
    let answer = upload(running.address, long.as_bytes()).await;
    assert!(answer.starts_with("HTTP/1.1 4"), "{answer}");
}

/// Some clients wait to be told before they send a long body, for a second if they are not.
#[tokio::test]
async fn clients_are_told_to_send_a_batch() {
    let running = start(Limits::default()).await;
    let mut stream = TcpStream::connect(running.address).await.unwrap();
    let request = String::from_utf8(post("/api/orthodox/batch", LINE)).unwrap();
    let (head, body) = request.split_once("\r\n\r\n").unwrap();
    let head = format!("{head}\r\nexpect: 100-continue\r\n\r\n");
    stream.write_all(head.as_bytes()).await.unwrap();
    let mut told = [0; 25];
    let read = tokio::time::timeout(Duration::from_secs(5), stream.read_exact(&mut told));
    read.await.unwrap().unwrap();
    assert_eq!(&told, b"HTTP/1.1 100 Continue\r\n\r\n");
    stream.write_all(body.as_bytes()).await.unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.unwrap();
    assert!(answer.starts_with("HTTP/1.1 200 OK"), "{answer}");
    assert!(answer.contains("\"category\":\"win\""), "{answer}");
    // What is refused need not be sent.
    let head = head.replace("content-length: 26", "content-length: 999999999");
    let answer = talk(running.address, head.as_bytes()).await;
    assert!(answer.starts_with("HTTP/1.1 413"), "{answer}");
}

/// A client that has sent half a request, of any kind, makes room for others, and for more of its
/// own.
#[tokio::test]
async fn half_requests_keep_nobody_out() {
    let body = "POST /api/orthodox/batch HTTP/1.1\r\nhost: x\r\ncontent-length: 999\r\n\r\n8/8";
    let expecting = body.replace("\r\n\r\n8/8", "\r\nexpect: 100-continue\r\n\r\n");
    for sent in [
        "",
        "GET / HT",
        "GET / HTTP/1.1\r\nhost: x\r\nx-",
        body,
        &expecting,
    ] {
        for (connections, client_connections) in [(8, 8), (100, 8)] {
            let limits = Limits {
                connections,
                client_connections,
                ..Limits::default()
            };
            let running = start(limits).await;
            let _half = half(running.address, 20, sent).await;
            let began = Instant::now();
            for _ in 0..20 {
                let answer = talk(running.address, HEALTH).await;
                assert!(answer.starts_with("HTTP/1.1 200 OK"), "{answer}");
            }
            assert!(began.elapsed() < Duration::from_secs(4), "{sent}");
        }
    }
}

/// A batch that is being sent goes on while others come and go.
#[tokio::test]
async fn requests_under_way_make_no_room() {
    let limits = Limits {
        connections: 4,
        ..Limits::default()
    };
    let running = start(limits).await;
    let mut batch = TcpStream::connect(running.address).await.unwrap();
    let request = post("/api/orthodox/batch", &LINE.repeat(40));
    for part in request.chunks(request.len() / 6) {
        batch.write_all(part).await.unwrap();
        tokio::time::sleep(Duration::from_millis(20)).await;
        let _half = half(running.address, 4, "GET / HT").await;
    }
    let mut answer = String::new();
    batch.read_to_string(&mut answer).await.unwrap();
    assert_eq!(answer.matches("\"category\":\"win\"").count(), 40);
}

#[tokio::test]
async fn heads_have_little_time() {
    let running = start(Limits::default()).await;
    let mut half = half(running.address, 1, "GET / HT").await;
    let began = Instant::now();
    // A head that drips is not given more.
    let drip = async {
        while half[0].write_all(b"T").await.is_ok() {
            tokio::time::sleep(Duration::from_millis(300)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(10), drip)
        .await
        .unwrap();
    assert!(began.elapsed() < Duration::from_secs(8));
}

/// Connections count as requests, those that send half of one, too.
#[tokio::test]
async fn half_requests_count() {
    let limits = Limits {
        rate: NonZeroU32::new(3),
        ..Limits::default()
    };
    let games = b"GET /api/games HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n";
    let running = start(limits).await;
    // One request on each connection counts once.
    for _ in 0..3 {
        assert!(
            talk(running.address, games)
                .await
                .starts_with("HTTP/1.1 200")
        );
    }
    assert!(
        talk(running.address, games)
            .await
            .starts_with("HTTP/1.1 429")
    );
    tokio::time::sleep(Duration::from_millis(1100)).await;
    let mut half = half(running.address, 4, "GET / HT").await;
    assert!(
        talk(running.address, games)
            .await
            .starts_with("HTTP/1.1 429")
    );
    assert!(
        talk(running.address, HEALTH)
            .await
            .starts_with("HTTP/1.1 200")
    );
    // The one too many has less time.
    let last = tokio::time::timeout(Duration::from_secs(3), half[3].read_u8());
    last.await.unwrap().unwrap_err();
}

#[tokio::test]
async fn requests_that_may_be_read_in_two_ways_are_refused() {
    let running = start(Limits::default()).await;
    let asks = |headers: &str| {
        let lines = "8/8/8/3k4/8/8/8/KQ6 w - -\n";
        let chunked = format!("{:x}\r\n{lines}\r\n0\r\n\r\n", lines.len());
        let close = "connection: close\r\n";
        format!("POST /api/orthodox/batch HTTP/1.1\r\n{close}{headers}\r\n{chunked}")
    };
    for headers in [
        "transfer-encoding: chunked\r\n",
        "host: a\r\nhost: b\r\ntransfer-encoding: chunked\r\n",
        "host: a\r\nhost: a\r\ntransfer-encoding: chunked\r\n",
        "host: a b\r\ntransfer-encoding: chunked\r\n",
        "host: a/b\r\ntransfer-encoding: chunked\r\n",
        "host: a@b\r\ntransfer-encoding: chunked\r\n",
        "host: x\r\ntransfer-encoding: gzip, chunked\r\n",
        "host: x\r\ntransfer-encoding: gzip\r\ntransfer-encoding: chunked\r\n",
        "host: x\r\ntransfer-encoding: chunked, chunked\r\n",
    ] {
        let answer = talk(running.address, asks(headers).as_bytes()).await;
        assert!(answer.starts_with("HTTP/1.1 400 "), "{headers}: {answer}");
        assert!(
            answer.contains("\"kind\":\"bad-request\""),
            "{headers}: {answer}"
        );
    }
    for headers in ["host: \r\n", "host: x:8080\r\n", "host: [::1]:80\r\n"] {
        let request = asks(&format!("{headers}transfer-encoding: Chunked\r\n"));
        let answer = talk(running.address, request.as_bytes()).await;
        assert!(
            answer.contains("\"category\":\"win\""),
            "{headers}: {answer}"
        );
    }
    let old = b"GET /health HTTP/1.0\r\n\r\n";
    assert!(talk(running.address, old).await.starts_with("HTTP/1.0 200"));
}

/// Nobody who has sent half a request, or does not read, is waited for.
#[tokio::test]
async fn half_requests_do_not_delay_a_stop() {
    let running = start(Limits::default()).await;
    let mut kept = TcpStream::connect(running.address).await.unwrap();
    kept.write_all(b"GET /health HTTP/1.1\r\nhost: x\r\n\r\n")
        .await
        .unwrap();
    kept.read_u8().await.unwrap();
    let _none = half(running.address, 3, "").await;
    let _half = half(running.address, 3, "GET / HT").await;
    let head = "POST /api/orthodox/batch HTTP/1.1\r\nhost: x\r\ncontent-length: 1000\r\n\r\n";
    let mut batch = half(running.address, 1, &format!("{head}{LINE}8/8")).await;
    tokio::time::sleep(Duration::from_millis(300)).await;
    let began = Instant::now();
    running.stop.send(()).unwrap();
    let mut answer = String::new();
    batch[0].read_to_string(&mut answer).await.unwrap();
    assert!(answer.contains("\"kind\":\"busy\""), "{answer}");
    assert_eq!(running.task.await.unwrap(), Stop::Finished);
    assert!(
        began.elapsed() < Duration::from_secs(3),
        "{:?}",
        began.elapsed()
    );

    let limits = Limits {
        batch: u64::MAX,
        body: u64::MAX,
        ..Limits::default()
    };
    let running = start(limits).await;
    let head = "POST /api/orthodox/batch?moves=true HTTP/1.1\r\nhost: x\r\n\
        content-length: 100000000\r\n\r\n";
    let mut unread = half(running.address, 1, head).await;
    let send = async {
        let lines = LINE.repeat(1000);
        while unread[0].write_all(lines.as_bytes()).await.is_ok() {}
    };
    tokio::time::timeout(Duration::from_secs(1), send)
        .await
        .unwrap_err();
    let began = Instant::now();
    running.stop.send(()).unwrap();
    assert_eq!(running.task.await.unwrap(), Stop::CutOff);
    assert!(
        began.elapsed() < Duration::from_secs(5),
        "{:?}",
        began.elapsed()
    );
}

#[tokio::test]
async fn heads_are_limited() {
    let running = start(Limits::default()).await;
    let good = HEALTH;
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

/// Whoever closes the connection stops the search: its place is free at once.
#[tokio::test(flavor = "multi_thread")]
async fn a_search_stops_with_its_client() {
    let running = start(Limits {
        searches: 1,
        search_time: Duration::from_secs(600),
        ..Limits::default()
    })
    .await;
    let ask = |fen: &str| {
        let fen = fen.replace(' ', "_");
        let path = format!("/api/orthodox/search?fen={fen}");
        format!("GET {path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n")
    };
    let array = ask("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    let problem = ask("8/6R1/7p/5K1k/8/6p1/5bPP/4N3 w - - 0 1");
    let mut stream = TcpStream::connect(running.address).await.unwrap();
    stream.write_all(array.as_bytes()).await.unwrap();
    tokio::time::sleep(Duration::from_millis(500)).await;
    let answer = talk(running.address, problem.as_bytes()).await;
    assert!(answer.starts_with("HTTP/1.1 503"), "{answer}");
    drop(stream);
    let begun = Instant::now();
    loop {
        let answer = talk(running.address, problem.as_bytes()).await;
        if answer.starts_with("HTTP/1.1 200") {
            break;
        }
        assert!(answer.starts_with("HTTP/1.1 503"), "{answer}");
        assert!(begun.elapsed() < Duration::from_secs(30));
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

/// A server that stops does not wait for a search: what it knows by then is the answer.
#[tokio::test(flavor = "multi_thread")]
async fn a_search_ends_with_the_server() {
    let Running {
        address,
        stop,
        task,
    } = start(Limits {
        search_time: Duration::from_secs(600),
        ..Limits::default()
    })
    .await;
    let fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR_w_KQkq_-_0_1";
    let path = format!("/api/orthodox/search?fen={fen}");
    let head = format!("GET {path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n");
    let asked = tokio::spawn(async move { talk(address, head.as_bytes()).await });
    tokio::time::sleep(Duration::from_millis(500)).await;
    stop.send(()).unwrap();
    let answer = asked.await.unwrap();
    assert!(answer.contains("(interrupted)"), "{answer}");
    assert_eq!(task.await.unwrap(), Stop::Finished);
}
