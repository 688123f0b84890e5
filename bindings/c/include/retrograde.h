/* Retrograde: endgame tablebases for chess and its variants.
 *
 * Every function that can fail returns a RetrogradeStatus; retrograde_last_error()
 * says in words what went wrong in the calling thread. A call that fails leaves the
 * places for numbers and answers as they were; those for pointers become null. A
 * tablebase may be used by any number of threads at once.
 *
 * Made by cbindgen from bindings/c/src; scripts/run bindings c --header makes it anew. */

#ifndef RETROGRADE_H
#define RETROGRADE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The most moves of a position that tables can have.
#define RETROGRADE_MOST_MOVES 256

// The rank of a move that surely wins. A sure loss has the rank below 0 that is as far from it.
#define RETROGRADE_RANK_WIN (1 << 18)

// Stands for a number that is not known, or that there is none of.
#define RETROGRADE_UNKNOWN INT32_MIN

// The most vitality that a side can have in any game.
#define RETROGRADE_MOST_VITALITY 100

// The most thresholds that there are: in some games sides can have no points, too.
#define RETROGRADE_MOST_THRESHOLDS 101

// The status of a call. The numbers are exit codes of the program, except 70; it says 6 where
// memory runs out, which counts as `Io` here.
typedef enum RetrogradeStatus {
  // The call has succeeded.
  RETROGRADE_STATUS_OK = 0,
  // A null pointer, a bad game or FEN, or a position that no table can have.
  RETROGRADE_STATUS_USAGE = 2,
  // A table is missing.
  RETROGRADE_STATUS_MISSING = 3,
  // A file is damaged, or is not the table that its name says.
  RETROGRADE_STATUS_CORRUPT = 4,
  // A file or folder cannot be read.
  RETROGRADE_STATUS_IO = 5,
  // A fault in the library itself.
  RETROGRADE_STATUS_FAULT = 70,
} RetrogradeStatus;

// The tables of one game. Any number of threads may ask it at once.
typedef struct RetrogradeTablebase RetrogradeTablebase;

// A legal move at the root, from the view of the side that makes it. Distances are counted from
// the position before it, so that they include it.
typedef struct RetrogradeRootMove {
  // The square that the piece leaves: 0 is a1, 1 b1, 63 h8.
  uint8_t from;
  // The square that the piece goes to.
  uint8_t to;
  // The piece that a pawn becomes: 1 queen, 2 rook, 3 bishop, 4 knight; 0 if it is no promotion.
  uint8_t promotion;
  // Whether it captures en passant.
  bool en_passant;
  // Whether it is a capture or a pawn move, which restart the half-move clock.
  bool zeroing;
  // The result at the half-move clock that the move leaves: 2 win, 1 cursed win, 0 draw, -1
  // blessed loss, -2 loss. Without the fifty-move rule there are no cursed and blessed ones.
  // `RETROGRADE_UNKNOWN` where only a DTZ table could tell.
  int32_t wdl;
  // The result with the half-move clock at 0 after the move, always by the fifty-move rule.
  int32_t wdl_at_clock_0;
  // Plies to the next capture, pawn move or mate with the half-move clock at 0, negative for a
  // loss, 0 for a draw. Cursed results have 100 more. `RETROGRADE_UNKNOWN` where a DTZ table is
  // missing.
  int32_t dtz;
  // Plies to mate, negative for a loss, 0 for a draw, ignoring the fifty-move rule;
  // `RETROGRADE_UNKNOWN` without a DTM table.
  int32_t dtm;
  // The rank: the greater, the better, and equal for moves that a filter of moves need not tell
  // apart. Negative for losses, 0 for draws.
  int32_t rank;
} RetrogradeRootMove;

// The legal moves of a position at the root, the best first.
typedef struct RetrogradeRoot {
  // The number of moves; 0 if the side to move is mated or stalemated.
  uint32_t moves_len;
  // Whether the side to move is attacked.
  bool check;
  // Whether the ranks are those by DTZ. If not, they are by WDL alone, because a DTZ table is
  // missing, and do not lead to the end: an engine has to find the way.
  bool ranked_by_dtz;
  // The moves: wins by smaller DTZ, draws, losses by larger DTZ; then by DTM.
  struct RetrogradeRootMove moves[RETROGRADE_MOST_MOVES];
} RetrogradeRoot;

// The answer about a position.
typedef struct RetrogradeAnswer {
  // The result for the side to move, at the half-move clock: 2 win, 1 cursed win, 0 draw, -1
  // blessed loss, -2 loss.
  int32_t wdl;
  // The category with the clock at 0; `RETROGRADE_UNKNOWN` where no table has the position and
  // its moves tell only what holds at its clock.
  int32_t wdl_at_clock_0;
  // Plies to the end with best play, not negative; `RETROGRADE_UNKNOWN` for a draw,
  // in games with vitality, and without a depth table.
  int32_t depth_plies;
  // Plies to the next capture, pawn move or mate, not negative;
  // `RETROGRADE_UNKNOWN` for a draw, and without the fifty-move rule.
  int32_t dtz_plies;
  // Whether the side to move is attacked.
  bool check;
  // Whether it is mated.
  bool checkmate;
  // Whether it is stalemated.
  bool stalemate;
  // Whether the game has ended, by mate or otherwise.
  bool ended;
  // Whether the fields that follow mean anything: in games with vitality. In other games all are
  // 0.
  bool has_vitality;
  // White's points.
  uint8_t white;
  // Black's points.
  uint8_t black;
  // The points that White needs to win; one more than all for never.
  uint8_t white_needs;
  // The points that Black needs to win.
  uint8_t black_needs;
  // The points with which White forces mate; 0 without a table of mates.
  uint8_t white_mates;
  // The points with which Black forces mate; 0 without a table of mates.
  uint8_t black_mates;
  // The number of thresholds: as many as different points that Black can have.
  uint8_t thresholds_len;
  // The least vitality with which White wins, for each vitality of Black from the fewest points
  // that it can have, which is 1 unless High pays, too.
  uint8_t thresholds[RETROGRADE_MOST_THRESHOLDS];
} RetrogradeAnswer;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

// The error of the last call of this thread that failed, in words and what to do about it; empty
// if none has. The text is valid until the next call of this thread fails.
const char *retrograde_last_error(void);

// The kind of the last failure of this thread, as JSON has it; empty if there was none.
// It is finer than the status: of a position with castling rights or too many pieces
// `unsupported`, else `bad-fen`, `illegal-position`, `missing-table`, `corrupt-table`,
// `unreadable-table`, `usage` or `fault`. The text is valid until the next call of this
// thread fails.
const char *retrograde_last_error_kind(void);

// The name of a status, such as `missing`. Any number is allowed.
const char *retrograde_status_name(int32_t status);

// The version of the library.
const char *retrograde_version(void);

// Sets how many bytes of tables that were read stay in memory, all tablebases of the
// process together; 1 GiB unless this is called. The rest is read again whenever it is
// asked for. What is there already stays there.
void retrograde_set_memory_limit(uint64_t bytes);

// Opens the tables of a game, such as `orthodox`, in some folders. The game may also be the
// path of a definition (it has a `/` or ends in `.toml`), the name of one in the folders that
// the environment variable `RETROGRADE_GAMES` lists, the text of one, or, as `NAME@DIGEST`, one
// that the folders have tables of.
//
// The folders are a list as in `PATH`, with `:` between two, on Windows `;`. Null, or a list without folders,
// stands for what the environment variable `RETROGRADE_TABLES` says, else `tables`.
// On Unix folders need not be UTF-8. One that does not exist is an error, as the status
// `Io`. Files are opened when they are first needed. Those that appear later are not
// noticed: open the tablebase again.
//
// Writes the tablebase to `*opened`, or null if it fails.
//
// What is required:
// Texts are null or end with a 0; `opened` is null or a place for a pointer.
enum RetrogradeStatus retrograde_open(const char *game,
                                      const char *folders,
                                      struct RetrogradeTablebase **opened);

// Closes a tablebase. Null is allowed. No other call with it may be under way, and
// none may follow.
//
// What is required:
// It is null, or comes from `retrograde_open` and has not been closed.
void retrograde_close(struct RetrogradeTablebase *tablebase);

// The most pieces that any of the tables has; 0 if there are none. With more there is
// no need to ask.
//
// What is required:
// The tablebase is null, or open.
uint32_t retrograde_largest(const struct RetrogradeTablebase *tablebase);

// The number of open tables of one kind, such as `wdl`; of all kinds if `metric` is null. The most
// pieces that any of them has is written to `pieces` unless that is null; 0 if there are none.
//
// What is required:
// The tablebase is null, or open; the text is null or ends with a 0; `pieces` is null or a place
// for a number.
uint32_t retrograde_tables(const struct RetrogradeTablebase *tablebase,
                           const char *metric,
                           uint32_t *pieces);

// Looks up the result of a position of orthodox chess, for the side to move: 2 win, 1 cursed win,
// 0 draw, -1 blessed loss, -2 loss. Bit 0 of a set is a1, bit 1 b1, bit 63 h8; `rule50` is the
// half-move clock, which counts: unless it is 0, this takes the DTZ table as well as the WDL
// table. `castling` must be 0; `ep` is the e.p. square or 0, and is ignored where no pawn can have
// passed over it or none can capture; `turn` is true for White. A position in which the game has
// ended, or that is a draw by the pieces alone, takes no table, nor does one whose moves settle
// who wins. If the call fails, `wdl` is left as it was.
//
// What is required:
// The tablebase is null or open; `wdl` is null or a place for a number.
enum RetrogradeStatus retrograde_probe_wdl(const struct RetrogradeTablebase *tablebase,
                                           uint64_t white,
                                           uint64_t black,
                                           uint64_t kings,
                                           uint64_t queens,
                                           uint64_t rooks,
                                           uint64_t bishops,
                                           uint64_t knights,
                                           uint64_t pawns,
                                           uint32_t rule50,
                                           uint32_t castling,
                                           uint32_t ep,
                                           bool turn,
                                           int32_t *wdl);

// Plies to the next capture, pawn move or mate with the half-move clock at 0, negative
// for a loss, 0 for a draw; -1 if mated. Cursed results have 100 more. A draw takes the
// WDL table alone. The arguments are those of `retrograde_probe_wdl`; there is no clock. If
// the call fails, `dtz` is left as it was.
//
// What is required:
// The tablebase is null or open; `dtz` is null or a place for a number.
enum RetrogradeStatus retrograde_probe_dtz(const struct RetrogradeTablebase *tablebase,
                                           uint64_t white,
                                           uint64_t black,
                                           uint64_t kings,
                                           uint64_t queens,
                                           uint64_t rooks,
                                           uint64_t bishops,
                                           uint64_t knights,
                                           uint64_t pawns,
                                           uint32_t castling,
                                           uint32_t ep,
                                           bool turn,
                                           int32_t *dtz);

// Plies to mate, negative for a loss, 0 for a draw and if mated. The fifty-move rule is
// left out of account. The arguments are those of `retrograde_probe_wdl`; there is no clock.
// If the call fails, `dtm` is left as it was.
//
// What is required:
// The tablebase is null or open; `dtm` is null or a place for a number.
enum RetrogradeStatus retrograde_probe_dtm(const struct RetrogradeTablebase *tablebase,
                                           uint64_t white,
                                           uint64_t black,
                                           uint64_t kings,
                                           uint64_t queens,
                                           uint64_t rooks,
                                           uint64_t bishops,
                                           uint64_t knights,
                                           uint64_t pawns,
                                           uint32_t castling,
                                           uint32_t ep,
                                           bool turn,
                                           int32_t *dtm);

// Ranks all legal moves of a position of orthodox chess for the root of a search, the best first.
// The position is given as for `retrograde_probe_wdl`; its half-move clock `rule50` counts.
// `repeated` says whether a position has occurred twice since the clock was last at 0: then wins
// rank by how soon they zero it. `fifty_moves` says whether the fifty-move rule is played: if
// not, cursed wins are wins.
//
// An engine searches only the moves whose rank is that of the first, or plays the first. Ranks
// take the DTZ tables of the positions after the moves, and only WDL after captures and pawn
// moves; if one is missing, they are by WDL alone. Where a WDL table is missing the call fails,
// and `root` is left as it was. Unless tables have to be read, or a side has more than 64 moves, no
// memory is allocated.
//
// What is required:
// The tablebase is null or open; `root` is null or a place for the answer.
enum RetrogradeStatus retrograde_probe_root(const struct RetrogradeTablebase *tablebase,
                                            uint64_t white,
                                            uint64_t black,
                                            uint64_t kings,
                                            uint64_t queens,
                                            uint64_t rooks,
                                            uint64_t bishops,
                                            uint64_t knights,
                                            uint64_t pawns,
                                            uint32_t rule50,
                                            uint32_t castling,
                                            uint32_t ep,
                                            bool turn,
                                            bool repeated,
                                            bool fifty_moves,
                                            struct RetrogradeRoot *root);

// Looks up a position of any game, given as a FEN. With a clock other than 0, orthodox chess takes
// the DTZ table as well as the WDL table. If the call fails, `answer` is left as it was.
//
// What is required:
// The tablebase is null or open; the text is null or ends with a 0; `answer` is null or a
// place for an answer.
enum RetrogradeStatus retrograde_probe_fen(const struct RetrogradeTablebase *tablebase,
                                           const char *fen,
                                           struct RetrogradeAnswer *answer);

// Gives the answer about a position as the line of JSON that the program prints: `retrograde probe
// --json`, with `--moves` and `--line` if they are wanted. Where a table is missing or damaged, or
// none can have the position, the line says so and what the rules know; of a bad FEN it says what
// is wrong; the status is that of the failure. The text must be given back to
// `retrograde_free_string`; it is null only where a pointer was, where the FEN is not UTF-8, and
// after a fault in the library itself.
//
// What is required:
// The tablebase is null or open; the text is null or ends with a 0; `json` is null or a
// place for a pointer.
enum RetrogradeStatus retrograde_probe_json(const struct RetrogradeTablebase *tablebase,
                                            const char *fen,
                                            bool moves,
                                            bool line,
                                            char **json);

// Gives a text back. Null is allowed.
//
// What is required:
// It is null, or comes from `retrograde_probe_json`, `retrograde_legal_moves` or
// `retrograde_play` and has not been given back.
void retrograde_free_string(char *text);

// The legal moves of a position, in UCI's long form and alphabetical order, with a space
// between two; empty if there are none. No table is needed. The text must be given back to
// `retrograde_free_string`; it is null if the call fails.
//
// What is required:
// The tablebase is null or open; the text is null or ends with a 0; `moves` is null or a
// place for a pointer.
enum RetrogradeStatus retrograde_legal_moves(const struct RetrogradeTablebase *tablebase,
                                             const char *fen,
                                             char **moves);

// The FEN of the position after a legal move, which is given in UCI's long form. No table
// is needed. The text must be given back to `retrograde_free_string`; it is null if the call
// fails.
//
// What is required:
// The tablebase is null or open; texts are null or end with a 0; `after` is null or a place
// for a pointer.
enum RetrogradeStatus retrograde_play(const struct RetrogradeTablebase *tablebase,
                                      const char *fen,
                                      const char *uci,
                                      char **after);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* RETROGRADE_H */
