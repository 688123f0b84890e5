//! Tables read whole: all values of a material at once, and the values of whatever
//! position its moves lead to.

mod curves;
mod ground;
mod helpmates;
mod library;
mod values;

pub(crate) use curves::{Curve, Curves};
pub(crate) use ground::Ground;
pub(crate) use helpmates::Helpmates;
pub(crate) use library::Library;
pub(crate) use values::Values;
