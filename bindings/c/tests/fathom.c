/* Checks the functions of Fathom, or those of Pyrrhic if RETROGRADE_PYRRHIC is defined.
 *
 *     fathom FOLDER WDL     the folders with the tables that ship, and with WDL of KQvK alone
 *
 * Prints every check that fails; the exit code is 1 if one does. */

#include <tbprobe.h>

#include <retrograde.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int failures;

#define CHECK(what)                                                        \
    do {                                                                   \
        if (!(what)) {                                                     \
            failures++;                                                    \
            fprintf(stderr, "line %d: %s\n", __LINE__, #what);             \
        }                                                                  \
    } while (0)

#ifdef RETROGRADE_PYRRHIC
#define NO_CASTLING
enum { WIN = 1 << 18 };
#else
#define NO_CASTLING 0,
enum { WIN = 1000 };
#endif

struct board {
    uint64_t white, black, kings, queens, rooks, bishops, knights, pawns;
    unsigned ep;
    bool turn;
};

/* The sets of a FEN without a clock. */
static struct board board(const char *fen) {
    struct board b = {0};
    int square = 56;
    for (; *fen != ' '; fen++) {
        if (*fen == '/') {
            square -= 16;
        } else if (*fen < '9') {
            square += *fen - '0';
        } else {
            uint64_t bit = 1ull << square++;
            const char *types = "kqrbnp";
            uint64_t *sets[] = {&b.kings, &b.queens, &b.rooks, &b.bishops, &b.knights, &b.pawns};
            *sets[strchr(types, *fen | 32) - types] |= bit;
            *(*fen >= 'a' ? &b.black : &b.white) |= bit;
        }
    }
    b.turn = fen[1] == 'w';
    if (fen[5] != '-')
        b.ep = (unsigned)(fen[5] - 'a' + 8 * (fen[6] - '1'));
    return b;
}

#define SETS(b) b.white, b.black, b.kings, b.queens, b.rooks, b.bishops, b.knights, b.pawns

static unsigned wdl(const char *fen) {
    struct board b = board(fen);
#ifdef RETROGRADE_PYRRHIC
    return tb_probe_wdl(SETS(b), b.ep, b.turn);
#else
    return tb_probe_wdl(SETS(b), 0, 0, b.ep, b.turn);
#endif
}

static unsigned best(const char *fen, unsigned rule50, unsigned *results) {
    struct board b = board(fen);
    return tb_probe_root(SETS(b), rule50, NO_CASTLING b.ep, b.turn, results);
}

static struct TbRootMoves ranked;

static int by_dtz(const char *fen, unsigned rule50, bool repeated) {
    struct board b = board(fen);
    memset(&ranked, 7, sizeof ranked);
#ifdef RETROGRADE_PYRRHIC
    return tb_probe_root_dtz(SETS(b), rule50, b.ep, b.turn, repeated, &ranked);
#else
    return tb_probe_root_dtz(SETS(b), rule50, 0, b.ep, b.turn, repeated, true, &ranked);
#endif
}

static int by_wdl(const char *fen, bool fifty_moves) {
    struct board b = board(fen);
    memset(&ranked, 7, sizeof ranked);
    return tb_probe_root_wdl(SETS(b), 0, NO_CASTLING b.ep, b.turn, fifty_moves, &ranked);
}

/* The rank of a move by its squares, and its flags. */
static int rank_of(const char *uci, unsigned flags) {
    unsigned from = (unsigned)(uci[0] - 'a' + 8 * (uci[1] - '1'));
    unsigned to = (unsigned)(uci[2] - 'a' + 8 * (uci[3] - '1'));
    for (unsigned i = 0; i < ranked.size; i++)
        if (ranked.moves[i].move == (flags << 12 | from << 6 | to))
            return ranked.moves[i].tbRank;
    return 9999;
}

/* The queen mates on b7 and e8, stalemates on b6, and wins more slowly on other squares. */
static const char MATE[] = "k7/8/K7/1Q6/8/8/8/8 w - -";

static void single_results(void) {
    CHECK(wdl(MATE) == TB_WIN);
    CHECK(wdl("k7/8/K7/1Q6/8/8/8/8 b - -") == TB_DRAW);
    CHECK(wdl("8/8/8/3k4/8/8/8/KQ6 b - -") == TB_LOSS);
    CHECK(wdl("8/8/8/3k4/8/8/8/KN6 w - -") == TB_DRAW);
    /* Kings that touch; pieces that no table has. */
    CHECK(wdl("8/8/8/3kK3/8/8/8/8 w - -") == TB_RESULT_FAILED);
    CHECK(wdl("3r4/8/8/2qk4/8/8/8/KQ6 b - -") == TB_RESULT_FAILED);
    struct board b = board(MATE);
#ifndef RETROGRADE_PYRRHIC
    CHECK(tb_probe_wdl(SETS(b), 1, 0, 0, true) == TB_RESULT_FAILED);
    CHECK(tb_probe_wdl(SETS(b), 0, TB_CASTLING_K, 0, true) == TB_RESULT_FAILED);
    CHECK(tb_probe_root(SETS(b), 0, TB_CASTLING_q, 0, true, NULL) == TB_RESULT_FAILED);
    CHECK(!tb_probe_root_dtz(SETS(b), 0, TB_CASTLING_Q, 0, true, false, true, &ranked));
    CHECK(!tb_probe_root_wdl(SETS(b), 0, TB_CASTLING_k, 0, true, true, &ranked));
#endif
    b.black |= b.white;
    CHECK(tb_probe_root(SETS(b), 0, NO_CASTLING 0, true, NULL) == TB_RESULT_FAILED);
}

/* The result of a move among those of tb_probe_root. */
static unsigned result_of(const unsigned *results, unsigned from, unsigned to, unsigned promotes) {
    for (; *results != TB_RESULT_FAILED; results++)
        if (TB_GET_FROM(*results) == from && TB_GET_TO(*results) == to &&
            TB_GET_PROMOTES(*results) == promotes)
            return *results;
    return TB_RESULT_FAILED;
}

static void best_moves(void) {
    unsigned results[TB_MAX_MOVES], result = best(MATE, 0, results), count = 0;
    CHECK(TB_GET_WDL(result) == TB_WIN && TB_GET_DTZ(result) == 1);
    CHECK(TB_GET_FROM(result) == 33 && TB_GET_PROMOTES(result) == 0 && !TB_GET_EP(result));
    CHECK(results[0] == result);
    while (results[count] != TB_RESULT_FAILED)
        count++;
    CHECK(count == 24);
    /* Qb6 stalemates. */
    CHECK(TB_GET_WDL(result_of(results, 33, 41, 0)) == TB_DRAW);
    /* A mate at the hundredth ply counts, a later one does not. */
    CHECK(TB_GET_WDL(best(MATE, 99, NULL)) == TB_WIN);
    CHECK(TB_GET_WDL(best(MATE, 100, NULL)) == TB_CURSED_WIN);
    result = best("8/8/8/3k4/8/8/8/KQ6 w - -", 0, NULL);
    CHECK(TB_GET_WDL(result) == TB_WIN && TB_GET_DTZ(result) == 17);
    CHECK(TB_GET_WDL(best("8/8/8/3k4/8/8/8/KQ6 w - -", 83, NULL)) == TB_WIN);
    CHECK(TB_GET_WDL(best("8/8/8/3k4/8/8/8/KQ6 w - -", 84, NULL)) == TB_CURSED_WIN);
    result = best("8/8/8/3k4/8/8/8/KQ6 b - -", 0, NULL);
    CHECK(TB_GET_WDL(result) == TB_LOSS && TB_GET_DTZ(result) == 18);
    CHECK(TB_GET_WDL(best("8/8/8/3k4/8/8/8/KQ6 b - -", 83, NULL)) == TB_BLESSED_LOSS);
    CHECK(TB_GET_WDL(best("8/8/8/3k4/8/8/8/KN6 b - -", 0, NULL)) == TB_DRAW);
    CHECK(best("k7/1Q6/K7/8/8/8/8/8 b - -", 0, results) == TB_RESULT_CHECKMATE);
    CHECK(results[0] == TB_RESULT_FAILED);
    CHECK(best("k7/8/KQ6/8/8/8/8/8 b - -", 0, NULL) == TB_RESULT_STALEMATE);
    /* All promotions; only queen and rook win. */
    best("7k/P7/8/8/8/8/8/K7 w - -", 0, results);
    for (unsigned piece = 1; piece <= 4; piece++)
        CHECK(TB_GET_WDL(result_of(results, 48, 56, piece)) == (piece < 3 ? TB_WIN : TB_DRAW));
    /* En passant. */
    best("8/8/8/1k6/2pP4/8/8/4K3 b - d3", 0, results);
    result = result_of(results, 26, 19, 0);
    CHECK(result != TB_RESULT_FAILED && TB_GET_EP(result) == 1);
}

static void ranks(void) {
    CHECK(by_dtz(MATE, 0, false) && ranked.size == 24);
    CHECK(ranked.moves[0].tbRank == WIN && rank_of("b5b6", 0) == 0 && rank_of("a6a5", 0) == WIN);
#ifndef RETROGRADE_PYRRHIC
    CHECK(ranked.moves[0].tbScore == 31744 && ranked.moves[23].tbScore == 0);
    CHECK(ranked.moves[0].pvSize == 1 && ranked.moves[0].pv[0] == ranked.moves[0].move);
#endif
    /* Repeated positions, or a clock, tell wins apart. */
    CHECK(by_dtz(MATE, 0, true) && ranked.moves[0].tbRank == WIN - 1);
    CHECK(rank_of("a6a5", 0) < WIN - 1 && rank_of("b5b6", 0) == 0);
    CHECK(by_dtz(MATE, 98, false) && ranked.moves[0].tbRank == WIN);
    CHECK(by_dtz(MATE, 99, false) && ranked.moves[0].tbRank == WIN - 100);
    CHECK(by_dtz("8/8/8/3k4/8/8/8/KQ6 b - -", 0, false) && ranked.moves[0].tbRank == -WIN);
    CHECK(by_dtz("8/8/8/3k4/8/8/8/KQ6 b - -", 90, false));
    CHECK(ranked.moves[0].tbRank == -WIN + 108);
#ifndef RETROGRADE_PYRRHIC
    CHECK(ranked.moves[0].tbScore == -46);
#endif
    CHECK(by_dtz("k7/1Q6/K7/8/8/8/8/8 b - -", 0, false) && ranked.size == 0);
    CHECK(by_wdl(MATE, true) && ranked.moves[0].tbRank == WIN && rank_of("b5b6", 0) == 0);
    CHECK(!by_wdl("3r4/8/8/2qk4/8/8/8/KQ6 b - -", true));
    CHECK(!by_dtz("3r4/8/8/2qk4/8/8/8/KQ6 b - -", 0, false));
    CHECK(by_dtz("7k/P7/8/8/8/8/8/K7 w - -", 0, false));
    CHECK(rank_of("a7a8", 1) == WIN && rank_of("a7a8", 4) == 0);
    CHECK(by_dtz("8/8/8/1k6/2pP4/8/8/4K3 b - d3", 0, false));
#ifdef RETROGRADE_PYRRHIC
    CHECK(rank_of("c4d3", PYRRHIC_FLAG_ENPASS) != 9999);
#else
    CHECK(rank_of("c4d3", 0) != 9999);
#endif
}

/* An engine that finds no DTZ ranks its moves by WDL. */
static void without_dtz(const char *folder) {
    CHECK(tb_init(folder) && TB_LARGEST == 3);
    CHECK(wdl(MATE) == TB_WIN && best(MATE, 0, NULL) == TB_RESULT_FAILED && !by_dtz(MATE, 0, false));
    CHECK(by_wdl(MATE, true) && ranked.size == 24 && rank_of("b5b7", 0) == WIN);
    CHECK(rank_of("b5a5", 0) == WIN && rank_of("b5b6", 0) == 0);
    CHECK(by_wdl("8/8/8/3k4/8/8/8/KQ6 b - -", true) && ranked.moves[0].tbRank == -WIN);
}

static void opening(const char *folder) {
    CHECK(TB_LARGEST == 0 && wdl(MATE) == TB_RESULT_FAILED && best(MATE, 0, NULL) == TB_RESULT_FAILED);
    CHECK(tb_init("") && tb_init("<empty>") && TB_LARGEST == 0);
    CHECK(!tb_init("/nowhere") && TB_LARGEST == 0);
    CHECK(strstr(retrograde_last_error(), "/nowhere: there is no such folder"));
    CHECK(tb_init(folder) && TB_LARGEST == 4);
#ifdef RETROGRADE_PYRRHIC
    CHECK(TB_NUM_WDL == 35 && TB_NUM_DTZ == 35 && TB_NUM_DTM == 5);
#endif
    CHECK(tb_init(folder) && TB_LARGEST == 4);
}

int main(int argc, char **argv) {
    if (argc != 3) {
        fprintf(stderr, "usage: fathom FOLDER WDL\n");
        return 2;
    }
    opening(argv[1]);
    single_results();
    best_moves();
    ranks();
    without_dtz(argv[2]);
    tb_free();
    CHECK(TB_LARGEST == 0 && wdl(MATE) == TB_RESULT_FAILED);
    if (!failures)
        puts("all checks passed");
    return failures != 0;
}
