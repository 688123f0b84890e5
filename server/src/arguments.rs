//! Defines the command-line arguments of `retrograde-server`.

use std::net::{SocketAddr, ToSocketAddrs};
use std::num::NonZeroU32;
use std::path::PathBuf;
use std::time::Duration;

use clap::{Parser, ValueEnum};
use retrograde::numbers::{positive, whole};
use retrograde_probe::{FindError, GameFinder, default_folders};

use crate::limits::Limits;

/// Serve endgame tablebases over HTTP, and show a board in the browser
///
/// Tables are looked for in the folders given by --tables, else in those of the
/// environment variable RETROGRADE_TABLES, else in ./tables. Nothing else can be read.
/// The description of the interface is at /api/openapi.json.
#[derive(Clone, Debug, Parser)]
#[command(name = "retrograde-server", version)]
pub struct Arguments {
    /// The address or host name, and the port, to listen on
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:8080",
          value_parser = address)]
    pub listen: SocketAddr,
    /// A folder of tables; may be given several times [default: the folders of
    /// RETROGRADE_TABLES, else ./tables]
    #[arg(long, value_name = "DIR")]
    pub tables: Vec<PathBuf>,
    /// A folder of definitions of games, NAME.toml, which are read at the start; may be given
    /// several times [default: the folders of RETROGRADE_GAMES]
    #[arg(long, value_name = "DIR")]
    pub games: Vec<PathBuf>,
    /// Requests a second that a client may send; more are answered by 429 [default: any
    /// number]
    #[arg(long, value_name = "N", value_parser = whole(NonZeroU32::MIN..=NonZeroU32::MAX))]
    pub rate: Option<NonZeroU32>,
    /// Take the last address in X-Forwarded-For as the client's. Only for use behind a proxy
    /// that writes it
    #[arg(long)]
    pub behind_proxy: bool,
    /// The longest body of a request, in bytes
    #[arg(long, value_name = "BYTES", default_value_t = Limits::default().body,
          value_parser = positive)]
    pub max_body: u64,
    /// The most positions in a batch
    #[arg(long, value_name = "N", default_value_t = Limits::default().batch,
          value_parser = positive)]
    pub max_batch: u64,
    /// Seconds that a request may take, and that a client may keep the program waiting
    #[arg(long, value_name = "SECONDS", default_value_t = 20,
          value_parser = whole(1..=3600_u64))]
    pub timeout: u64,
    /// Connections that may be open at once. For another one, the one that has stood still for
    /// the longest time is closed
    #[arg(long, value_name = "N", default_value_t = Limits::default().connections,
          value_parser = whole(1..=65_536_usize))]
    pub max_connections: usize,
    /// Connections of one client that may be open at once; with --behind-proxy, all are
    #[arg(long, value_name = "N", default_value_t = Limits::default().client_connections,
          value_parser = whole(1..=65_536_usize))]
    pub max_client_connections: usize,
    /// Bytes of memory that counting a material may take, if its tables do not keep their
    /// statistics; more is answered by 503
    #[arg(long, value_name = "BYTES", default_value_t = Limits::default().memory,
          value_parser = positive)]
    pub max_memory: u64,
    /// Threads that look up positions
    #[arg(long, value_name = "N", default_value_t = Limits::default().threads,
          value_parser = whole(1..=65_536_usize))]
    pub threads: usize,
    /// Searches for a proof that may run at once, each in a thread; more are answered by 503
    #[arg(long, value_name = "N", default_value_t = Limits::default().searches,
          value_parser = whole(1..=1024_usize))]
    pub searches: usize,
    /// Seconds that a search for a proof may take; 0 for no searches
    #[arg(long, value_name = "SECONDS", default_value_t = Limits::default().search_time.as_secs(),
          value_parser = whole(0..=3600_u64))]
    pub search_time: u64,
    /// Seconds that browsers and proxies may keep answers
    #[arg(long, value_name = "SECONDS", default_value_t = Limits::default().max_age,
          value_parser = whole(0..=u32::MAX))]
    pub max_age: u32,
    /// How much to log
    #[arg(long, value_enum, default_value_t = Level::Info)]
    pub log: Level,
    /// How to write the log, which goes to stderr
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub log_format: Format,
}

/// The detail of the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Level {
    /// Failures of the server and of tables
    Error,
    /// And what clients did wrong
    Warn,
    /// And when the program starts and stops
    Info,
    /// And every request
    Debug,
}

/// The form of the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// For people
    Text,
    /// An object a line
    Json,
}

/// An address and a port. Of a host that has several addresses, the first.
fn address(text: &str) -> Result<SocketAddr, String> {
    let found = text.to_socket_addrs().ok().and_then(|mut all| all.next());
    let advice = "write an address and a port, as in 127.0.0.1:8080, [::1]:8080 or localhost:8080";
    found.ok_or_else(|| advice.to_owned())
}

impl Arguments {
    /// The table folders, at least one.
    pub fn folders(&self) -> Vec<PathBuf> {
        match self.tables.is_empty() {
            true => default_folders(),
            false => self.tables.clone(),
        }
    }

    /// The finder of games that the arguments describe.
    ///
    /// # Errors
    ///
    /// A folder that is given cannot be read.
    pub fn finder(&self) -> Result<GameFinder, FindError> {
        let mut finder = GameFinder::from_environment();
        if !self.games.is_empty() {
            finder.folders.clone_from(&self.games);
            finder.check_folders()?;
        }
        Ok(finder)
    }

    /// The limits.
    pub fn limits(&self) -> Limits {
        Limits {
            body: self.max_body,
            batch: self.max_batch,
            time: Duration::from_secs(self.timeout),
            batch_time: Duration::from_secs(self.timeout) * Limits::PATIENCE,
            connections: self.max_connections,
            client_connections: self.max_client_connections,
            memory: self.max_memory,
            threads: self.threads,
            rate: self.rate,
            behind_proxy: self.behind_proxy,
            searches: self.searches,
            search_time: Duration::from_secs(self.search_time),
            max_age: self.max_age,
            ..Limits::default()
        }
    }
}
