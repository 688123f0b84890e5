//! Reads Retrograde's endgame tablebases: index, file format, store, answers.
