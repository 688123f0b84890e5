//! Planning, solving, packing and verifying of endgame tablebases.
