//! The stored fits of `tests/data/golden.json`, which are Eelbrain's: kernel and C functions give the
//! same bits. (`tests/python/differential/test_golden.py` holds the Python package against the file.)

use std::fmt::Write as _;
use std::fs;

use ndarray::{Array1, Array2, ArrayView2};
use serde_json::Value;
use trfboost_c_harness::artifacts;
use trfboost_kernel::{Entry, ErrorMeasure, Lags, Predictors, Segments, Settings, Split, boosting_fit};
use trfboost_tests::program;

const LISTS: [&str; 3] = ["split_train", "split_validate", "split_train_and_validate"];

/// The members of a fit are those of `boosting_fit`, by name, and its results.
fn stored() -> Vec<Value> {
    let text = fs::read_to_string(artifacts::workspace().join("tests/data/golden.json")).unwrap();
    let mut file: Value = serde_json::from_str(&text).unwrap();
    let fits = file["fits"].take().as_array().unwrap().clone();
    assert!(fits.len() >= 5, "fits are stored");
    fits
}

/// A number, or null for NaN.
fn real(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| if value.is_null() { f64::NAN } else { panic!("{value} is no number") })
}

fn integer(value: &Value) -> i64 {
    value.as_i64().unwrap_or_else(|| panic!("{value} is no integer"))
}

fn vector<T>(value: &Value, number: fn(&Value) -> T) -> Array1<T> {
    value.as_array().unwrap().iter().map(number).collect()
}

fn matrix<T>(value: &Value, number: fn(&Value) -> T) -> Array2<T> {
    let rows = value.as_array().unwrap();
    let columns = rows[0].as_array().unwrap().len();
    let numbers = rows.iter().flat_map(|row| row.as_array().unwrap()).map(number).collect();
    Array2::from_shape_vec((rows.len(), columns), numbers).unwrap()
}

/// All NaN are one; 0.0 and -0.0 are two.
fn bits(numbers: ArrayView2<'_, f64>) -> Vec<u64> {
    numbers.iter().map(|number| if number.is_nan() { u64::MAX } else { number.to_bits() }).collect()
}

/// A history as the file has it; its counts are small.
#[allow(clippy::cast_precision_loss)]
fn rows(history: &[Entry]) -> Array2<f64> {
    let row = |e: &Entry| [e.i_step as f64, e.i_stim as f64, e.i_time as f64, e.delta, e.e_test, e.e_train];
    history.iter().map(row).collect::<Vec<_>>().into()
}

#[test]
fn the_kernel_gives_the_bits_of_the_stored_fits() {
    for fit in stored() {
        let (y, x, x_pads) = (vector(&fit["y"], real), matrix(&fit["x"], real), vector(&fit["x_pads"], real));
        let [start, stop] = ["i_start_by_x", "i_stop_by_x"].map(|name| vector(&fit[name], integer));
        let lists = LISTS.map(|name| matrix(&fit[name], integer));
        let segments = |list: usize| Segments::new(LISTS[list], lists[list].view(), y.len()).unwrap();
        let split = Split { train: segments(0), validate: segments(1), train_and_validate: segments(2) };
        let settings = Settings::new(real(&fit["delta"]))
            .mindelta(real(&fit["mindelta"]))
            .error(ErrorMeasure::from_code(integer(&fit["error"]).try_into().unwrap()).unwrap())
            .selective_stopping(integer(&fit["selective_stopping"]).try_into().unwrap());
        let predictors = Predictors::new(x.view(), x_pads.view()).unwrap();
        let lags = Lags::new(start.view(), stop.view()).unwrap();
        let found = boosting_fit(y.view(), &predictors, &lags, &split, &settings, None).unwrap();
        let name = &fit["name"];
        assert_eq!(bits(rows(&found.history).view()), bits(matrix(&fit["history"], real).view()), "history: {name}");
        assert_eq!(bits(found.h.view()), bits(matrix(&fit["h"], real).view()), "filter: {name}");
    }
}

#[test]
fn the_c_functions_give_the_bits_of_the_stored_fits() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("golden.h"), header(&stored())).unwrap();
    program::run(&program::C, &artifacts::workspace().join("tests/c/golden.c"), folder.path());
}

/// The fits as tables in C, whose type is in `tests/c/golden.c`. Rust writes a number with as many
/// digits as make it the same number when it is read.
fn header(fits: &[Value]) -> String {
    let (mut arrays, mut table) = (String::new(), String::new());
    for (index, fit) in fits.iter().enumerate() {
        let mut array = |name: &str, c_type: &str| {
            let numbers = numbers(&fit[name]);
            writeln!(arrays, "static const {c_type} {name}_{index}[] = {{ {} }};", numbers.join(", ")).unwrap();
            format!("{name}_{index}")
        };
        let real = ["y", "x", "x_pads"].map(|name| array(name, "double")).join(", ");
        let integer = [LISTS[0], LISTS[1], LISTS[2], "i_start_by_x", "i_stop_by_x"];
        let [train, validate, both, start, stop] = integer.map(|name| array(name, "int64_t"));
        let results = ["h", "history"].map(|name| array(name, "double")).join(", ");
        let lengths = [&fit["y"], &fit["x"], &fit["h"][0], &fit["history"]].map(|value| length(value).to_string());
        let rows = LISTS.map(|name| length(&fit[name]).to_string());
        let settings = ["delta", "mindelta", "error", "selective_stopping"].map(|name| fit[name].to_string());
        let (lengths, rows, settings) = (lengths.join(", "), rows.join(", "), settings.join(", "));
        let lists = format!("{{ {train}, {validate}, {both} }}");
        let name = &fit["name"];
        writeln!(
            table,
            "    {{ {name}, {lengths}, {{ {rows} }}, {real}, {lists}, {start}, {stop}, {settings}, {results} }},"
        )
        .unwrap();
    }
    format!("{arrays}static const struct fit fits[] = {{\n{table}}};\n")
}

fn length(value: &Value) -> usize {
    value.as_array().unwrap().len()
}

/// The numbers of an array of any depth, in C.
fn numbers(value: &Value) -> Vec<String> {
    match value {
        Value::Array(values) => values.iter().flat_map(numbers).collect(),
        Value::Null => vec!["NAN".to_owned()],
        number => vec![number.to_string()],
    }
}
