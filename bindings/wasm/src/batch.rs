//! Probes many positions in one call of JavaScript's `probeMany`, faster than one by one.

use js_sys::{Int8Array, Int16Array, Map, Object, Reflect, try_iter};
use retrograde_probe::{Metric, Value};
use retrograde_rules::Position;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::error::Failure;
use crate::tablebase::Tablebase;

/// Stands for a WDL that is not known.
const NO_WDL: i8 = i8::MIN;

/// Stands for a distance that is not known.
const NO_PLIES: i16 = i16::MIN;

/// The values of some positions, in the order in which they were given.
struct Values {
    wdl: Vec<i8>,
    dtm: Vec<i16>,
    dtz: Vec<i16>,
    /// The reasons why positions have no values, by their places.
    errors: Map,
}

impl Values {
    fn unknown(positions: usize) -> Values {
        Values {
            wdl: vec![NO_WDL; positions],
            dtm: vec![NO_PLIES; positions],
            dtz: vec![NO_PLIES; positions],
            errors: Map::new(),
        }
    }

    fn set(&mut self, at: usize, value: &Value) {
        let short = |plies: Option<i32>| plies.and_then(|plies| plies.try_into().ok());
        self.wdl[at] = value.wdl.number();
        self.dtm[at] = short(value.signed_dtm()).unwrap_or(NO_PLIES);
        self.dtz[at] = short(value.signed_dtz()).unwrap_or(NO_PLIES);
    }

    fn fail(&self, at: usize, failure: impl Into<Failure>) {
        let error = JsValue::from(failure.into());
        self.errors.set(&(at as f64).into(), &error);
    }

    /// The object that JavaScript gets.
    fn into_object(self, has_dtm: bool, has_dtz: bool) -> Result<JsValue, JsValue> {
        let plies = |has: bool, plies: &[i16]| match has {
            true => Int16Array::from(plies).into(),
            false => JsValue::NULL,
        };
        let batch = Object::new();
        for (name, value) in [
            ("wdl", Int8Array::from(&self.wdl[..]).into()),
            ("dtm", plies(has_dtm, &self.dtm)),
            ("dtz", plies(has_dtz, &self.dtz)),
            ("errors", self.errors.into()),
        ] {
            Reflect::set(&batch, &name.into(), &value)?;
        }
        Ok(batch.into())
    }
}

#[wasm_bindgen]
impl Tablebase {
    /// The values of many positions: `probeWdl`, `probeDtm` and `probeDtz` of each, as arrays.
    /// -128 and -32768 are for what no table says; `errors` has the reason by the place of the
    /// position, if it has no value at all. `dtm` and `dtz` are null in games that have none.
    #[wasm_bindgen(js_name = probeMany, unchecked_return_type = "Batch")]
    pub fn probe_many(
        &self,
        #[wasm_bindgen(unchecked_param_type = "Iterable<string>")] fens: &JsValue,
    ) -> Result<JsValue, JsValue> {
        let wrong = || Failure::usage("probeMany takes a list of FENs");
        // A string is not one: it would be taken letter by letter.
        let given = match fens.is_object() {
            true => try_iter(fens)?,
            false => None,
        };
        let given = given.ok_or_else(wrong)?.collect::<Result<Vec<_>, _>>()?;
        let mut values = Values::unknown(given.len());
        let (mut places, mut positions): (Vec<usize>, Vec<Position>) = Default::default();
        for (at, fen) in given.iter().enumerate() {
            match self.position_at_clock_0(fen) {
                Ok(position) => {
                    places.push(at);
                    positions.push(position);
                }
                Err(failure) => values.fail(at, failure),
            }
        }
        let found = self
            .tables
            .probe_batch(&positions, &[Metric::Dtm, Metric::Dtz]);
        for (at, value) in places.into_iter().zip(found) {
            match value {
                Ok(value) => values.set(at, &value),
                Err(error) => values.fail(at, error),
            }
        }
        let game = self.tables.game();
        let has_dtm = game.vitality().is_none();
        values.into_object(has_dtm, game.zeroing_limit().is_some())
    }
}
