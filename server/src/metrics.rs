//! Counts requests, positions and connections, and gives the counters to Prometheus.

use std::time::Duration;

use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::{Registry, Unit};

/// Seconds: from a probe in memory to the longest that is allowed.
const BUCKETS: [f64; 10] = [
    0.000_1, 0.000_25, 0.000_5, 0.001, 0.005, 0.025, 0.1, 0.5, 2.5, 10.0,
];

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Request {
    route: String,
    method: String,
    status: u16,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Route {
    route: String,
}

/// The counters.
pub(crate) struct Metrics {
    registry: Registry,
    requests: Family<Request, Counter>,
    seconds: Family<Route, Histogram>,
    /// Positions that were looked up, moves not counted.
    pub(crate) positions: Counter,
    /// Connections that are open.
    pub(crate) connections: Gauge,
}

impl Metrics {
    pub(crate) fn new(tables: usize) -> Metrics {
        let mut registry = Registry::with_prefix("retrograde");
        let requests = Family::default();
        let help = "Requests by route, method and status";
        registry.register("requests", help, requests.clone());
        let histogram = || Histogram::new(BUCKETS);
        let seconds: Family<Route, Histogram> = Family::new_with_constructor(histogram);
        let help = "Time until the head of the response";
        registry.register_with_unit("request_duration", help, Unit::Seconds, seconds.clone());
        let positions = Counter::default();
        let help = "Positions that were looked up";
        registry.register("positions", help, positions.clone());
        let connections = Gauge::default();
        registry.register(
            "connections",
            "Connections that are open",
            connections.clone(),
        );
        let found: Gauge<i64, _> = Gauge::<i64, std::sync::atomic::AtomicI64>::default();
        found.set(i64::try_from(tables).unwrap_or(i64::MAX));
        registry.register("tables", "Tables in the folders", found);
        Metrics {
            registry,
            requests,
            seconds,
            positions,
            connections,
        }
    }

    /// Counts a request. The route is a pattern, not what the client wrote.
    pub(crate) fn count(&self, route: &str, method: &str, status: u16, time: Duration) {
        let request = Request {
            route: route.to_owned(),
            method: method.to_owned(),
            status,
        };
        self.requests.get_or_create(&request).inc();
        let route = Route {
            route: route.to_owned(),
        };
        self.seconds
            .get_or_create(&route)
            .observe(time.as_secs_f64());
    }

    /// The counters as Prometheus reads them.
    pub(crate) fn text(&self) -> String {
        let mut text = String::new();
        // Writing to a string cannot fail.
        let _ = encode(&mut text, &self.registry);
        text
    }
}
