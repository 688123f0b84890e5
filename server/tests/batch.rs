//! Tests batches of many positions at once.

use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::http::Request;
use http_body_util::BodyExt;
use retrograde_server::Limits;
use tokio::sync::mpsc;
use tokio_stream::wrappers::ReceiverStream;
use tower::ServiceExt;

use crate::common::{application, application_with, ask, get, shipped};

const FEN: &str = "8/8/8/3k4/8/8/8/KQ6 w - -";

fn post(query: &str, body: impl Into<Body>) -> Request<Body> {
    Request::post(format!("/api/orthodox/batch{query}"))
        .header("host", "localhost")
        .body(body.into())
        .unwrap()
}

#[tokio::test]
async fn every_line_has_an_answer() {
    let body = format!(
        "{FEN}\r\n\n\"{FEN}\"\n{{\"fen\":\"{FEN}\",\"moves\":true}}\n{{\"fen\":1}}\nnonsense"
    );
    let lines = ask(&application(), post("", body)).await.lines();
    assert_eq!(lines.len(), 6);
    for place in [0, 2, 3] {
        assert_eq!(lines[place]["depth_plies"], 17, "{place}");
    }
    assert!(lines[2]["moves"].is_null() && lines[3]["moves"].is_array());
    assert_eq!(lines[1]["error"]["kind"], "bad-fen");
    assert_eq!(lines[4]["error"]["kind"], "bad-request");
    assert_eq!(
        (&lines[5]["fen"], &lines[5]["error"]["offset"]),
        (&"nonsense".into(), &1.into())
    );
    let lines = ask(&application(), post("?line=true", FEN)).await.lines();
    assert_eq!(lines[0]["line"].as_array().unwrap().len(), 17);
}

/// Programs of some systems begin every text by a byte-order mark.
#[tokio::test]
async fn a_byte_order_mark_is_skipped() {
    let mark = "\u{feff}";
    for line in [
        FEN.to_owned(),
        format!("\"{FEN}\""),
        format!("{{\"fen\":\"{FEN}\"}}"),
    ] {
        for end in ["", "\n", "\r\n"] {
            let lines = ask(&application(), post("", format!("{mark}{line}{end}")))
                .await
                .lines();
            assert_eq!(lines.len(), 1);
            assert_eq!(lines[0]["category"], "win", "{}", lines[0]);
        }
    }
    // In parts, too; only there, and it is no line by itself.
    let parts = [
        "\u{feff}".as_bytes(),
        FEN.as_bytes(),
        b"\n\xEF\xBB\xBF",
        FEN.as_bytes(),
    ];
    let parts = parts.iter().flat_map(|part| part.chunks(1));
    let parts: Vec<Result<_, std::io::Error>> = parts.map(|p| Ok(p.to_vec())).collect();
    let body = Body::from_stream(tokio_stream::iter(parts));
    let lines = ask(&application(), post("", body)).await.lines();
    assert_eq!(lines.len(), 2);
    assert_eq!(lines[0]["category"], "win");
    assert_eq!(lines[1]["error"]["kind"], "bad-fen");
    assert_eq!(ask(&application(), post("", mark)).await.lines().len(), 0);
    assert_eq!(
        ask(&application(), post("", format!("{mark}\n")))
            .await
            .lines()
            .len(),
        1
    );
}

/// A line with anything besides a question is refused.
#[tokio::test]
async fn what_a_line_has_besides_is_refused() {
    let line = format!("{{\"fen\":\"{FEN}\",\"move\":true}}");
    let lines = ask(&application(), post("", line)).await.lines();
    assert_eq!(lines[0]["error"]["kind"], "bad-request");
}

#[tokio::test]
async fn answers_come_while_questions_are_sent() {
    let (sender, receiver) = mpsc::channel::<Result<Bytes, std::io::Error>>(1);
    let body = Body::from_stream(ReceiverStream::new(receiver));
    let response = application().oneshot(post("", body)).await.unwrap();
    let mut answers = response.into_body();
    for _ in 0..3 {
        sender.send(Ok(format!("{FEN}\n").into())).await.unwrap();
        let answer = answers.frame().await.unwrap().unwrap().into_data().unwrap();
        assert!(answer.starts_with(b"{\"fen\":") && answer.ends_with(b"\n"));
    }
    drop(sender);
    assert!(answers.frame().await.is_none());
}

#[tokio::test]
async fn limits_end_a_batch_and_say_so() {
    let limits = Limits {
        batch: 3,
        ..Limits::default()
    };
    let few = application_with(&[shipped()], limits);
    let lines = ask(&few, post("", format!("{FEN}\n").repeat(10)))
        .await
        .lines();
    assert_eq!(lines.len(), 4);
    assert_eq!(lines[2]["category"], "win");
    assert_eq!(lines[3]["error"]["kind"], "limit");
    assert!(lines[3].get("fen").is_none());

    let limits = Limits {
        body: 1000,
        ..Limits::default()
    };
    let short = application_with(&[shipped()], limits);
    let long = format!("{FEN}\n").repeat(100);
    let mut said = post("", long.clone());
    said.headers_mut()
        .insert("content-length", long.len().into());
    ask(&short, said).await.expect_problem(413, "limit");
    // One that does not say how long it is.
    let parts: Vec<Result<_, std::io::Error>> = vec![Ok(long)];
    let body = Body::from_stream(tokio_stream::iter(parts));
    let lines = ask(&short, post("", body)).await.lines();
    assert_eq!(lines.last().unwrap()["error"]["kind"], "limit");
}

#[tokio::test]
async fn a_batch_that_drips_ends() {
    let limits = Limits {
        batch_time: Duration::from_millis(300),
        ..Limits::default()
    };
    let application = application_with(&[shipped()], limits);
    // A byte now and then, for ever, and never too late.
    let (sender, receiver) = mpsc::channel::<Result<Bytes, std::io::Error>>(1);
    tokio::spawn(async move {
        while sender.send(Ok(" ".into())).await.is_ok() {
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
    });
    let body = Body::from_stream(ReceiverStream::new(receiver));
    let lines = ask(&application, post("", body)).await.lines();
    let error = &lines.last().unwrap()["error"];
    assert_eq!(error["kind"], "limit");
    assert!(
        error["message"]
            .as_str()
            .unwrap()
            .contains("a batch may take")
    );
}

/// A batch that never ends, and that somebody reads slowly, is ended.
#[tokio::test]
async fn a_batch_without_end_ends() {
    let limits = Limits {
        batch: u64::MAX,
        body: u64::MAX,
        batch_time: Duration::from_millis(300),
        ..Limits::default()
    };
    let application = application_with(&[shipped()], limits);
    let line = || Ok::<_, std::io::Error>(Bytes::from(format!("{FEN}\n")));
    let body = Body::from_stream(tokio_stream::iter(std::iter::repeat_with(line)));
    let response = application.oneshot(post("", body)).await.unwrap();
    let (mut answers, mut last) = (response.into_body(), Bytes::new());
    let read = async {
        while let Some(frame) = answers.frame().await {
            last = frame.unwrap().into_data().unwrap();
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    let read = tokio::time::timeout(Duration::from_secs(20), read).await;
    assert!(read.is_ok(), "it goes on");
    let last = String::from_utf8_lossy(&last).into_owned();
    assert!(last.contains("a batch may take"), "{last}");
}

/// Half a batch is answered, and the last line says that it broke off.
#[tokio::test]
async fn a_batch_that_breaks_off_says_so() {
    let parts = [
        Ok(Bytes::from(format!("{FEN}\n"))),
        Err(std::io::Error::other("no more")),
    ];
    let body = Body::from_stream(tokio_stream::iter(parts));
    let lines = ask(&application(), post("", body)).await.lines();
    assert_eq!(lines.len(), 2);
    assert_eq!(lines[0]["category"], "win");
    let error = &lines[1]["error"];
    assert_eq!(error["kind"], "bad-request");
    let message = error["message"].as_str().unwrap();
    assert!(message.starts_with("the batch broke off"), "{message}");
}

/// However long answers are, few of them wait in memory to be sent.
#[tokio::test]
async fn long_answers_are_sent_in_parts() {
    let line = "{\"fen\":\"8/8/6k1/8/3Q4/8/Q7/K7 w - -\",\"moves\":true}\n";
    let response = application()
        .oneshot(post("", line.repeat(300)))
        .await
        .unwrap();
    let (mut answers, mut lines) = (response.into_body(), 0);
    while let Some(frame) = answers.frame().await {
        let data = frame.unwrap().into_data().unwrap();
        assert!((5_000..100_000).contains(&data.len()), "{}", data.len());
        lines += data.iter().filter(|&&byte| byte == b'\n').count();
    }
    assert_eq!(lines, 300);
}

#[tokio::test]
async fn a_batch_that_is_compressed_is_refused() {
    let mut request = post("", FEN);
    let headers = request.headers_mut();
    headers.insert("content-encoding", "gzip".parse().unwrap());
    let got = ask(&application(), request).await;
    got.expect_problem(415, "bad-request");
}

#[tokio::test]
async fn a_server_that_is_busy_says_so() {
    let limits = Limits {
        threads: 0,
        waiting: 0,
        ..Limits::default()
    };
    let busy = application_with(&[shipped()], limits);
    let lines = ask(&busy, post("", FEN)).await.lines();
    assert_eq!(lines.len(), 1);
    assert_eq!(lines[0]["error"]["kind"], "busy");
    for uri in ["/api/orthodox?fen=", "/standard?fen="] {
        let got = get(&busy, &format!("{uri}{FEN}")).await;
        assert_eq!(got.status, 503, "{uri}");
        assert_eq!(got.header("retry-after"), "1", "{uri}");
    }
}

#[tokio::test]
async fn long_lines_are_refused_one_by_one() {
    let body = format!("{}\n{FEN}\n", "8".repeat(1 << 20));
    let lines = ask(&application(), post("", body)).await.lines();
    assert_eq!(lines.len(), 2);
    assert_eq!(lines[0]["error"]["kind"], "bad-fen");
    assert!(lines[0].to_string().len() < 4000);
    assert_eq!(lines[1]["category"], "win");
}
