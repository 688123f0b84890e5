//! Makes numpy arrays of numbers from Rust; numpy is loaded when the first one is made.

use pyo3::exceptions::PyModuleNotFoundError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyByteArray;

/// A number that arrays can have, and its name in numpy.
pub(crate) trait Number: Copy {
    const DTYPE: &'static str;
    const SIZE: usize;
    fn write(self, to: &mut [u8]);
}

macro_rules! number {
    ($type:ty, $name:literal) => {
        impl Number for $type {
            const DTYPE: &'static str = $name;
            const SIZE: usize = size_of::<$type>();
            #[inline]
            fn write(self, to: &mut [u8]) {
                to.copy_from_slice(&self.to_ne_bytes());
            }
        }
    };
}

number!(i8, "int8");
number!(i16, "int16");
number!(u8, "uint8");
number!(u64, "uint64");
number!(i64, "int64");

/// An error that a package is not there, with what to do about it.
fn advised(py: Python<'_>, error: PyErr, package: &str) -> PyErr {
    if !error.is_instance_of::<PyModuleNotFoundError>(py) {
        return error;
    }
    let text = format!("this takes {package}: pip install {package}");
    PyModuleNotFoundError::new_err(text)
}

/// A package that not every user has.
pub(crate) fn import<'py>(py: Python<'py>, package: &str) -> PyResult<Bound<'py, PyModule>> {
    py.import(package)
        .map_err(|error| advised(py, error, package))
}

/// A writable array of one dimension.
pub(crate) fn array<'py, T: Number>(py: Python<'py>, values: &[T]) -> PyResult<Bound<'py, PyAny>> {
    static FROM_BUFFER: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let from_buffer = FROM_BUFFER.import(py, "numpy", "frombuffer");
    let from_buffer = from_buffer.map_err(|error| advised(py, error, "numpy"))?;
    let bytes = PyByteArray::new_with(py, values.len() * T::SIZE, |bytes| {
        for (place, &value) in bytes.chunks_exact_mut(T::SIZE).zip(values) {
            value.write(place);
        }
        Ok(())
    })?;
    from_buffer.call1((bytes, T::DTYPE))
}

/// A writable array of rows of `width` values each.
pub(crate) fn matrix<'py, T: Number>(
    py: Python<'py>,
    values: &[T],
    width: usize,
) -> PyResult<Bound<'py, PyAny>> {
    let rows = values.len() / width.max(1);
    array(py, values)?.call_method1("reshape", (rows, width))
}
