#![doc = include_str!("../README.md")]

mod betza;
mod bitboards;
mod board;
mod castling;
mod catalogue;
mod definition;
mod epd;
mod fault;
mod features;
mod fen;
mod game;
mod geometry;
mod history;
mod keys;
mod material;
mod moves;
mod piece;
mod play;
mod position;
mod powers;
mod pseudo;
mod reach;
mod record;
mod rules;
mod san;
mod shortened;
mod square;
mod symmetry;
mod table;
mod uci;
mod validity;
mod vitality;

pub use betza::{Modality, Mover, Parts, Ray, Step};
pub use bitboards::{Bitboards, BitboardsError};
pub use board::Board;
pub use castling::CastlingRights;
pub use catalogue::GameError;
pub use definition::{GameOption, OptionValues, Resolve};
pub use epd::{Epd, Operand, Operation};
pub use fault::{CastlingFault, EpFault, Fault, Forgive, PositionError};
pub use features::{
    BareKings, CaptureInCheck, Destination, DoubleStep, End, Goal, KingOrder, LastOfType, Pawns,
    Royalty,
};
pub use fen::{FenError, FenErrorKind, Setup};
pub use game::Game;
pub use geometry::{Geometry, Transform};
pub use history::History;
pub use keys::{Bare, EnPassant, Pass, is_usual};
pub use material::{Material, MaterialError};
pub use moves::{Move, MoveKind, MoveList};
pub use piece::{Colour, Piece, PieceType};
pub use position::Position;
pub use shortened::{nearest, shortened};
pub use square::{Square, SquareSet};
pub use symmetry::{Interchange, Symmetry};
pub use table::{DefinitionError, Place};
pub use uci::{MoveError, MoveName};
pub use validity::ReadError;
pub use vitality::{CounterRange, Counters, Restores, Toll, VitalityRules};
