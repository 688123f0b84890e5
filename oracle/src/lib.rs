//! Interprets game definitions naively: a second opinion on rules and tables.
//!
//! It reads the text of a definition, plays the game on a plain mailbox and solves whole
//! materials, without symmetry, by reversing the graph of all moves. It shares no code with the
//! other crates, and prefers what is obvious to what is fast: three men on 9x9, or four on 6x6,
//! take some seconds. Tags such as O2 refer to the rulings in `docs/RULES.md`.
//!
//! ```
//! use retrograde_oracle::{Category, Game, Solver};
//!
//! let text = r#"
//!     format = 1
//!     name = "tiny"
//!     board.size = "4x4"
//! "#;
//! let game = Game::read(text, &|_| None, &[])?;
//! let value = Solver::new(&game).value("k3/4/1K2/2Q1 w - -")?;
//! assert_eq!((value.category, value.depth), (Category::Win, Some(1)));
//! # Ok::<(), String>(())
//! ```

mod betza;
mod game;
mod moves;
mod position;
mod solve;

pub use game::{Game, Resolve, Side};
pub use moves::Move;
pub use position::{End, Position, Reason};
pub use solve::{Category, Solver, Table, Value};
