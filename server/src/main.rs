//! Starts the `retrograde-server` program, and stops it on a signal.

use std::future::Future;
use std::io::IsTerminal;
use std::process::ExitCode;

use clap::Parser;
use retrograde::out_of_memory::{self, Memory};
use retrograde_probe::FindError;
use retrograde_server::{App, Arguments, Library, LogFormat, LogLevel, Stop, serve};
use tokio::net::TcpListener;
use tokio::runtime;
use tracing::level_filters::LevelFilter;

/// Exit codes of all programs of the project.
const USAGE: u8 = 2;
const IO: u8 = 5;
const INTERRUPTED: i32 = 75;

#[global_allocator]
static MEMORY: Memory = Memory;

retrograde::watch_before_main!();

fn main() -> ExitCode {
    out_of_memory::watch();
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => {
            let code = if error.use_stderr() { USAGE } else { 0 };
            let _ = error.print();
            return ExitCode::from(code);
        }
    };
    log(&arguments);
    // Every connection and every table takes a file handle.
    #[cfg(unix)]
    let _ = rlimit::increase_nofile_limit(u64::MAX);
    match run(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::from(IO)
        }
    }
}

fn run(arguments: &Arguments) -> Result<(), String> {
    let limits = arguments.limits();
    let runtime = runtime::Builder::new_multi_thread()
        .enable_all()
        .max_blocking_threads(limits.blocking_threads())
        .build();
    let no_threads = |error| out_of_memory::end(format_args!("threads cannot be started: {error}"));
    let runtime = runtime.unwrap_or_else(no_threads);
    let library = Library::open(arguments.folders());
    let library = library.map_err(|error| format!("{error}; name another folder"))?;
    let refused = |error: FindError| -> ! {
        eprintln!("error: {error}");
        std::process::exit(USAGE.into())
    };
    let finder = arguments.finder().unwrap_or_else(|error| refused(error));
    let absent = finder.absent();
    let library = library
        .with_games(finder)
        .unwrap_or_else(|error| refused(error));
    let tables = library.folders().iter().filter(|folder| !folder.exists());
    for folder in tables.chain(&absent) {
        tracing::warn!(folder = %folder.display(), "there is no such folder");
    }
    let tables = library.len();
    let app = App::new(library, limits);
    let served = runtime.block_on(async {
        let listen = arguments.listen;
        let advice = "choose another address with --listen";
        let listener = TcpListener::bind(listen).await;
        let listener = listener.map_err(|error| format!("{listen}: {error}; {advice}"))?;
        let address = listener.local_addr().map_err(|error| error.to_string())?;
        let told = signal().map_err(|error| error.to_string())?;
        let stop = async {
            told.await;
            tokio::spawn(stop_at_once());
        };
        let tables = match tables {
            1 => "1 table".to_owned(),
            many => format!("{many} tables"),
        };
        let serving = format!("serving {tables} at http://{address}/");
        match arguments.log_format {
            // For people and scripts alike, whatever is logged.
            LogFormat::Text => eprintln!("{serving}"),
            LogFormat::Json => tracing::info!("{serving}"),
        }
        match serve(listener, app, stop).await {
            Stop::Finished => tracing::info!("stopped"),
            Stop::CutOff => tracing::warn!("stopped; some requests were cut off"),
        }
        Ok(())
    });
    // Nobody waits any more for what is still being looked up or counted.
    runtime.shutdown_background();
    served
}

/// Ends the program if it is told to stop once more: whoever does that does not want to wait
/// for requests that are under way.
async fn stop_at_once() {
    if let Ok(told) = signal() {
        told.await;
        std::process::exit(INTERRUPTED);
    }
}

/// Ready when the program is told to stop.
#[cfg(unix)]
fn signal() -> std::io::Result<impl Future<Output = ()>> {
    use tokio::signal::unix::{SignalKind, signal};
    let mut terminate = signal(SignalKind::terminate())?;
    let mut interrupt = signal(SignalKind::interrupt())?;
    Ok(async move {
        tokio::select! {
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
        }
    })
}

/// Ready when the program is told to stop.
#[cfg(not(unix))]
fn signal() -> std::io::Result<impl Future<Output = ()>> {
    Ok(async {
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending().await
        }
    })
}

/// Logs to stderr, as the arguments say.
fn log(arguments: &Arguments) {
    let level = match arguments.log {
        LogLevel::Error => LevelFilter::ERROR,
        LogLevel::Warn => LevelFilter::WARN,
        LogLevel::Info => LevelFilter::INFO,
        LogLevel::Debug => LevelFilter::DEBUG,
    };
    let log = tracing_subscriber::fmt()
        .with_max_level(level)
        .with_writer(std::io::stderr)
        .with_ansi(std::io::stderr().is_terminal())
        .with_target(false);
    match arguments.log_format {
        LogFormat::Text => log.init(),
        LogFormat::Json => log.json().flatten_event(true).init(),
    }
}
