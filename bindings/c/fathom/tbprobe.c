/* Answers the functions of Fathom from Retrograde's tables by its library for C; those of Pyrrhic
 * if RETROGRADE_PYRRHIC is defined. */

#ifdef RETROGRADE_PYRRHIC
#include "../pyrrhic/tbprobe.h"
#else
#include "tbprobe.h"
#endif

#include <retrograde.h>

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#define SETS white, black, kings, queens, rooks, bishops, knights, pawns

static RetrogradeTablebase *tables;

#ifdef RETROGRADE_PYRRHIC
int TB_LARGEST, TB_NUM_WDL, TB_NUM_DTM, TB_NUM_DTZ;
#else
unsigned TB_LARGEST;
#endif

/* Says which tables there are. */
static void count(void) {
    uint32_t most, wdl = retrograde_tables(tables, "wdl", &most);
#ifdef RETROGRADE_PYRRHIC
    TB_LARGEST = (int)most;
    TB_NUM_WDL = (int)wdl;
    TB_NUM_DTM = (int)retrograde_tables(tables, "dtm", NULL);
    TB_NUM_DTZ = (int)retrograde_tables(tables, "dtz", NULL);
#else
    (void)wdl;
    TB_LARGEST = most;
#endif
}

void tb_free(void) {
    retrograde_close(tables);
    tables = NULL;
    count();
}

bool tb_init(const char *path) {
    tb_free();
    if (!path || !*path || !strcmp(path, "<empty>"))
        return true;
    RetrogradeStatus status = retrograde_open("orthodox", path, &tables);
    count();
    return status == RETROGRADE_STATUS_OK;
}

static unsigned probe_wdl(RETROGRADE_SETS, unsigned ep, bool turn) {
    int32_t wdl;
    return retrograde_probe_wdl(tables, SETS, 0, 0, ep, turn, &wdl) ? TB_RESULT_FAILED
                                                                     : (unsigned)(wdl + 2);
}

/* A move with the result and the distance that its DTZ says at a half-move clock. */
static unsigned packed(const RetrogradeRootMove *move, unsigned rule50) {
    unsigned dtz = (unsigned)abs(move->dtz), wdl = TB_DRAW;
    bool cursed = (uint64_t)dtz + rule50 > 100;
    if (move->dtz > 0)
        wdl = cursed ? TB_CURSED_WIN : TB_WIN;
    else if (move->dtz < 0)
        wdl = cursed ? TB_BLESSED_LOSS : TB_LOSS;
    return wdl << TB_RESULT_WDL_SHIFT | (unsigned)move->to << TB_RESULT_TO_SHIFT |
           (unsigned)move->from << TB_RESULT_FROM_SHIFT |
           (unsigned)move->promotion << TB_RESULT_PROMOTES_SHIFT |
           (unsigned)move->en_passant << TB_RESULT_EP_SHIFT | dtz << TB_RESULT_DTZ_SHIFT;
}

static unsigned probe_root(RETROGRADE_SETS, unsigned rule50, unsigned ep, bool turn,
                           unsigned *results) {
    RetrogradeRoot root;
    if (retrograde_probe_root(tables, SETS, rule50, 0, ep, turn, false, true, &root) ||
        !root.ranked_by_dtz || root.moves_len >= TB_MAX_MOVES)
        return TB_RESULT_FAILED;
    if (results) {
        for (uint32_t i = 0; i < root.moves_len; i++)
            results[i] = packed(&root.moves[i], rule50);
        results[root.moves_len] = TB_RESULT_FAILED;
    }
    if (root.moves_len == 0)
        return root.check ? TB_RESULT_CHECKMATE : TB_RESULT_STALEMATE;
    return packed(&root.moves[0], rule50);
}

#ifndef RETROGRADE_PYRRHIC

/* The rank of a sure win, and its score in hundredths of a pawn. */
enum { WIN_RANK = 1000, WIN_SCORE = 32000 - 255 - 1 };

/* The score of a rank above 0. It grows to half a pawn, the nearer a win that the fifty-move rule
 * makes a draw comes to a sure one. */
static int32_t score_by_dtz(int32_t rank, bool fifty_moves) {
    int32_t bound = fifty_moves ? WIN_RANK - 100 : 1, near = rank < 800 + 3 ? 3 : rank - 800;
    return rank >= bound ? WIN_SCORE : near / 2;
}

static int32_t score_by_wdl(int32_t rank) {
    return rank == WIN_RANK ? WIN_SCORE : 2;
}

#endif

/* The rank of a win, or of a loss without its sign. */
static int32_t rank_by_wdl(int32_t wdl, bool fifty_moves) {
    return fifty_moves && wdl == 1 ? RETROGRADE_RANK_WIN - 101 : RETROGRADE_RANK_WIN;
}

/* All legal moves with their ranks and, in Fathom, scores; 0 if a table is missing. */
static int root_moves(RETROGRADE_SETS, unsigned rule50, unsigned ep, bool turn, bool repeated,
                      bool fifty_moves, bool by_dtz, struct TbRootMoves *results) {
    RetrogradeRoot root;
    if (retrograde_probe_root(tables, SETS, rule50, 0, ep, turn, repeated, fifty_moves, &root) ||
        (by_dtz && !root.ranked_by_dtz) || root.moves_len > TB_MAX_MOVES)
        return 0;
    results->size = root.moves_len;
    for (uint32_t i = 0; i < root.moves_len; i++) {
        const RetrogradeRootMove *move = &root.moves[i];
        struct TbRootMove *told = &results->moves[i];
        int32_t wdl = move->wdl_at_clock_0, sign = (wdl > 0) - (wdl < 0);
        int32_t rank = by_dtz ? sign * move->rank : rank_by_wdl(sign * wdl, fifty_moves);
        unsigned flags = move->promotion;
#ifdef RETROGRADE_PYRRHIC
        if (move->en_passant)
            flags = PYRRHIC_FLAG_ENPASS;
#else
        rank -= RETROGRADE_RANK_WIN - WIN_RANK;
        told->tbScore = sign * (by_dtz ? score_by_dtz(rank, fifty_moves) : score_by_wdl(rank));
        told->pvSize = 1;
#endif
        told->tbRank = sign * rank;
        told->move = (uint16_t)(flags << 12 | (unsigned)move->from << 6 | move->to);
#ifndef RETROGRADE_PYRRHIC
        told->pv[0] = told->move;
#endif
    }
    return 1;
}

#ifdef RETROGRADE_PYRRHIC

unsigned tb_probe_wdl(RETROGRADE_SETS, unsigned ep, bool turn) {
    return probe_wdl(SETS, ep, turn);
}

unsigned tb_probe_root(RETROGRADE_BOARD, unsigned *results) {
    return probe_root(SETS, rule50, ep, turn, results);
}

int tb_probe_root_dtz(RETROGRADE_BOARD, bool hasRepeated, struct TbRootMoves *results) {
    return root_moves(SETS, rule50, ep, turn, hasRepeated, true, true, results);
}

int tb_probe_root_wdl(RETROGRADE_BOARD, bool useRule50, struct TbRootMoves *results) {
    return root_moves(SETS, rule50, ep, turn, false, useRule50, false, results);
}

#else

unsigned tb_probe_wdl_impl(RETROGRADE_SETS, unsigned ep, bool turn) {
    return probe_wdl(SETS, ep, turn);
}

unsigned tb_probe_root_impl(RETROGRADE_SETS, unsigned rule50, unsigned ep, bool turn,
                            unsigned *results) {
    return probe_root(SETS, rule50, ep, turn, results);
}

int tb_probe_root_dtz(RETROGRADE_BOARD, bool hasRepeated, bool useRule50,
                      struct TbRootMoves *results) {
    return castling == 0 &&
           root_moves(SETS, rule50, ep, turn, hasRepeated, useRule50, true, results);
}

int tb_probe_root_wdl(RETROGRADE_BOARD, bool useRule50, struct TbRootMoves *results) {
    return castling == 0 && root_moves(SETS, rule50, ep, turn, false, useRule50, false, results);
}

#endif
