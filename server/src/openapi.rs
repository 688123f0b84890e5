//! The description of the interface.

use utoipa::OpenApi;

use crate::routes::{batch, games, line, play, position, probe, service, standard, stats};

/// Everything that can be asked, for programs that read OpenAPI.
#[derive(OpenApi)]
#[openapi(
    info(
        title = "Retrograde",
        description = "Endgame tablebases of chess and its variants. Positions are FENs, \
            distances are plies, and a category is for the side to move; that of a move is for \
            the side that makes it."
    ),
    paths(
        probe::probe,
        line::line,
        batch::batch,
        play::play,
        position::random_position,
        games::games,
        games::game,
        stats::stats,
        standard::probe,
        standard::mainline,
        service::health,
        service::metrics,
    )
)]
pub(crate) struct Document;
