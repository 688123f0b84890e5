/* The functions of Fathom, answered from Retrograde's tables: an engine that probes Syzygy tables
 * by them takes Retrograde's instead. With RETROGRADE_PYRRHIC they are those of Pyrrhic.
 *
 * Squares are numbered from a1 = 0, b1 = 1 to h8 = 63, in sets as bits; `ep` is the e.p. square, 0
 * for none; `turn` is true for White. Where the tables do not have a position, tb_probe_wdl and
 * tb_probe_root return TB_RESULT_FAILED, and the functions that rank moves 0. Any number of threads
 * may call any of these functions at once, apart from tb_init and tb_free, during which no other
 * call may be under way. */

#ifndef TBPROBE_H
#define TBPROBE_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Results for the side to move. By the fifty-move rule the cursed and the blessed one are draws. */
#define TB_LOSS 0
#define TB_BLESSED_LOSS 1
#define TB_DRAW 2
#define TB_CURSED_WIN 3
#define TB_WIN 4

/* A result with a move: WDL in 4 bits from bit 0 on, the square that the move goes to in 6 from bit
 * 4, the one that it leaves in 6 from bit 10, the promotion in 3 from bit 16, whether it captures
 * en passant in bit 19, and DTZ without its sign in 12 from bit 20. */
#define TB_RESULT_WDL_SHIFT 0
#define TB_RESULT_TO_SHIFT 4
#define TB_RESULT_FROM_SHIFT 10
#define TB_RESULT_PROMOTES_SHIFT 16
#define TB_RESULT_EP_SHIFT 19
#define TB_RESULT_DTZ_SHIFT 20
#define TB_RESULT_WDL_MASK 0x0000000F
#define TB_RESULT_TO_MASK 0x000003F0
#define TB_RESULT_FROM_MASK 0x0000FC00
#define TB_RESULT_PROMOTES_MASK 0x00070000
#define TB_RESULT_EP_MASK 0x00080000
#define TB_RESULT_DTZ_MASK 0xFFF00000

#define TB_GET_WDL(res) (((res) & TB_RESULT_WDL_MASK) >> TB_RESULT_WDL_SHIFT)
#define TB_GET_TO(res) (((res) & TB_RESULT_TO_MASK) >> TB_RESULT_TO_SHIFT)
#define TB_GET_FROM(res) (((res) & TB_RESULT_FROM_MASK) >> TB_RESULT_FROM_SHIFT)
#define TB_GET_PROMOTES(res) (((res) & TB_RESULT_PROMOTES_MASK) >> TB_RESULT_PROMOTES_SHIFT)
#define TB_GET_EP(res) (((res) & TB_RESULT_EP_MASK) >> TB_RESULT_EP_SHIFT)
#define TB_GET_DTZ(res) (((res) & TB_RESULT_DTZ_MASK) >> TB_RESULT_DTZ_SHIFT)

#define TB_SET_FIELD(res, mask, shift, value) (((res) & ~(mask)) | (((value) << (shift)) & (mask)))
#define TB_SET_WDL(res, wdl) TB_SET_FIELD(res, TB_RESULT_WDL_MASK, TB_RESULT_WDL_SHIFT, wdl)
#define TB_SET_TO(res, to) TB_SET_FIELD(res, TB_RESULT_TO_MASK, TB_RESULT_TO_SHIFT, to)
#define TB_SET_FROM(res, from) TB_SET_FIELD(res, TB_RESULT_FROM_MASK, TB_RESULT_FROM_SHIFT, from)
#define TB_SET_PROMOTES(res, piece) \
    TB_SET_FIELD(res, TB_RESULT_PROMOTES_MASK, TB_RESULT_PROMOTES_SHIFT, piece)
#define TB_SET_EP(res, ep) TB_SET_FIELD(res, TB_RESULT_EP_MASK, TB_RESULT_EP_SHIFT, ep)
#define TB_SET_DTZ(res, dtz) TB_SET_FIELD(res, TB_RESULT_DTZ_MASK, TB_RESULT_DTZ_SHIFT, dtz)

/* Results without a move. */
#define TB_RESULT_CHECKMATE TB_SET_WDL(0, TB_WIN)
#define TB_RESULT_STALEMATE TB_SET_WDL(0, TB_DRAW)
#define TB_RESULT_FAILED 0xFFFFFFFF

#define TB_MAX_CAPTURES 64
#define TB_MAX_PLY 256

/* Opens tables in a list of folders with `:` between two, on Windows `;`, instead of those that are
 * open. An empty list, or "<empty>", only closes them. False if a folder does not exist or cannot
 * be read; retrograde_last_error() says which. */
bool tb_init(const char *path);

/* Closes the tables. */
void tb_free(void);

/* The arguments of the functions below. */
#define RETROGRADE_SETS                                                              \
    uint64_t white, uint64_t black, uint64_t kings, uint64_t queens, uint64_t rooks, \
        uint64_t bishops, uint64_t knights, uint64_t pawns

#ifdef RETROGRADE_PYRRHIC

#define RETROGRADE_BOARD RETROGRADE_SETS, unsigned rule50, unsigned ep, bool turn

/* The most pieces of a WDL table; 0 if there is none. */
extern int TB_LARGEST;
/* The number of tables. */
extern int TB_NUM_WDL, TB_NUM_DTM, TB_NUM_DTZ;

#define PYRRHIC_BLACK 0
#define PYRRHIC_WHITE 1
#define TB_MAX_MOVES 256

/* A move: the square that it goes to in 6 bits from bit 0 on, the one that it leaves in 6 from bit
 * 6, flags in 4 from bit 12. */
typedef uint16_t PyrrhicMove;

#define PYRRHIC_FLAG_NONE 0x0
#define PYRRHIC_FLAG_QPROMO 0x1
#define PYRRHIC_FLAG_RPROMO 0x2
#define PYRRHIC_FLAG_BPROMO 0x3
#define PYRRHIC_FLAG_NPROMO 0x4
#define PYRRHIC_FLAG_ENPASS 0x8
#define PYRRHIC_SHIFT_TO 0
#define PYRRHIC_SHIFT_FROM 6
#define PYRRHIC_SHIFT_FLAGS 12
#define PYRRHIC_MASK_TO 0x3F
#define PYRRHIC_MASK_FROM 0x3F
#define PYRRHIC_MASK_FLAGS 0x0F
#define PYRRHIC_MASK_PROMO_FLAGS 0x07

#define PYRRHIC_MOVE_TO(move) (((move) >> PYRRHIC_SHIFT_TO) & PYRRHIC_MASK_TO)
#define PYRRHIC_MOVE_FROM(move) (((move) >> PYRRHIC_SHIFT_FROM) & PYRRHIC_MASK_FROM)
#define PYRRHIC_MOVE_FLAGS(move) (((move) >> PYRRHIC_SHIFT_FLAGS) & PYRRHIC_MASK_FLAGS)
#define PYRRHIC_MOVE_IS_ENPASS(move) (PYRRHIC_MOVE_FLAGS(move) == PYRRHIC_FLAG_ENPASS)
#define PYRRHIC_MOVE_IS_QPROMO(move) (PYRRHIC_MOVE_FLAGS(move) == PYRRHIC_FLAG_QPROMO)
#define PYRRHIC_MOVE_IS_RPROMO(move) (PYRRHIC_MOVE_FLAGS(move) == PYRRHIC_FLAG_RPROMO)
#define PYRRHIC_MOVE_IS_BPROMO(move) (PYRRHIC_MOVE_FLAGS(move) == PYRRHIC_FLAG_BPROMO)
#define PYRRHIC_MOVE_IS_NPROMO(move) (PYRRHIC_MOVE_FLAGS(move) == PYRRHIC_FLAG_NPROMO)

#define TB_RESULT_WDL(res) TB_GET_WDL(res)
#define TB_RESULT_DTZ(res) TB_GET_DTZ(res)
#define TB_RESULT_TO(res) TB_GET_TO(res)
#define TB_RESULT_FROM(res) TB_GET_FROM(res)
#define TB_RESULT_IS_ENPASS(res) TB_GET_EP(res)
#define TB_RESULT_IS_QPROMO(res) (TB_GET_PROMOTES(res) == PYRRHIC_FLAG_QPROMO)
#define TB_RESULT_IS_RPROMO(res) (TB_GET_PROMOTES(res) == PYRRHIC_FLAG_RPROMO)
#define TB_RESULT_IS_BPROMO(res) (TB_GET_PROMOTES(res) == PYRRHIC_FLAG_BPROMO)
#define TB_RESULT_IS_NPROMO(res) (TB_GET_PROMOTES(res) == PYRRHIC_FLAG_NPROMO)

/* Sure wins rank 262144. */
struct TbRootMove {
    PyrrhicMove move;
    int32_t tbRank;
};

#else

#define RETROGRADE_BOARD RETROGRADE_SETS, unsigned rule50, unsigned castling, unsigned ep, bool turn

/* The most pieces of a WDL table; 0 if there is none. */
extern unsigned TB_LARGEST;

#define TB_MAX_MOVES (192 + 1)
#define TB_CASTLING_K 0x1
#define TB_CASTLING_Q 0x2
#define TB_CASTLING_k 0x4
#define TB_CASTLING_q 0x8
#define TB_PROMOTES_NONE 0
#define TB_PROMOTES_QUEEN 1
#define TB_PROMOTES_ROOK 2
#define TB_PROMOTES_BISHOP 3
#define TB_PROMOTES_KNIGHT 4

/* A move: the square that it goes to in 6 bits from bit 0 on, the one that it leaves in 6 from bit
 * 6, the promotion in 3 from bit 12. */
typedef uint16_t TbMove;

#define TB_MOVE_TO(move) ((move) & 0x3F)
#define TB_MOVE_FROM(move) (((move) >> 6) & 0x3F)
#define TB_MOVE_PROMOTES(move) (((move) >> 12) & 0x7)

/* Sure wins rank 1000. The line `pv` is the move alone; scores are in hundredths of a pawn. */
struct TbRootMove {
    TbMove move;
    TbMove pv[TB_MAX_PLY];
    unsigned pvSize;
    int32_t tbScore, tbRank;
};

#endif

struct TbRootMoves {
    unsigned size;
    struct TbRootMove moves[TB_MAX_MOVES];
};

#ifdef RETROGRADE_PYRRHIC

unsigned tb_probe_wdl(RETROGRADE_SETS, unsigned ep, bool turn);
unsigned tb_probe_root(RETROGRADE_BOARD, unsigned *results);
int tb_probe_root_dtz(RETROGRADE_BOARD, bool hasRepeated, struct TbRootMoves *results);
int tb_probe_root_wdl(RETROGRADE_BOARD, bool useRule50, struct TbRootMoves *results);

#else

unsigned tb_probe_wdl_impl(RETROGRADE_SETS, unsigned ep, bool turn);
unsigned tb_probe_root_impl(RETROGRADE_SETS, unsigned rule50, unsigned ep, bool turn,
                            unsigned *results);

/* The result of a position for the side to move. It fails unless the half-move clock `rule50` and
 * the castling rights are 0. */
static inline unsigned tb_probe_wdl(RETROGRADE_BOARD) {
    if (castling != 0 || rule50 != 0)
        return TB_RESULT_FAILED;
    return tb_probe_wdl_impl(white, black, kings, queens, rooks, bishops, knights, pawns, ep, turn);
}

/* The best move by DTZ, with the result at the half-move clock; TB_RESULT_CHECKMATE or
 * TB_RESULT_STALEMATE if there is none. Unless `results` is null, it is filled with all legal
 * moves, the best first, and TB_RESULT_FAILED behind the last. */
static inline unsigned tb_probe_root(RETROGRADE_BOARD, unsigned *results) {
    if (castling != 0)
        return TB_RESULT_FAILED;
    return tb_probe_root_impl(white, black, kings, queens, rooks, bishops, knights, pawns, rule50,
                              ep, turn, results);
}

/* All legal moves, the best first, with ranks by DTZ, or by WDL alone. 0 if a table is missing. */
int tb_probe_root_dtz(RETROGRADE_BOARD, bool hasRepeated, bool useRule50, struct TbRootMoves *results);
int tb_probe_root_wdl(RETROGRADE_BOARD, bool useRule50, struct TbRootMoves *results);

#endif

#ifdef __cplusplus
}
#endif

#endif
