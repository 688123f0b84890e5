/* What an engine does: it opens its tables once, asks them by bitboards wherever few
 * enough pieces are left, and goes on without an answer if there is none.
 *
 *     engine FOLDERS */

#include <retrograde.h>

#include <stdio.h>

/* Sets of squares: a1 is bit 0, b1 bit 1, h8 bit 63. */
#define SQUARE(file, rank) (1ull << (((rank) - 1) * 8 + ((file) - 'a')))

int main(int argc, char **argv) {
    RetrogradeTablebase *tables;
    if (retrograde_open("orthodox", argc > 1 ? argv[1] : NULL, &tables)) {
        fprintf(stderr, "%s\n", retrograde_last_error());
        return 1;
    }
    /* White Ka1 Qb1, Black Kd5, White to move. */
    uint64_t white = SQUARE('a', 1) | SQUARE('b', 1), black = SQUARE('d', 5);
    uint64_t kings = SQUARE('a', 1) | black, queens = SQUARE('b', 1);
    int32_t wdl, dtz, dtm;
    if (retrograde_largest(tables) >= 3 &&
        retrograde_probe_wdl(tables, white, black, kings, queens, 0, 0, 0, 0,
                             /* rule50 */ 0, /* castling */ 0, /* ep */ 0,
                             /* White to move */ true, &wdl) == RETROGRADE_STATUS_OK) {
        retrograde_probe_dtz(tables, white, black, kings, queens, 0, 0, 0, 0, 0, 0, true, &dtz);
        retrograde_probe_dtm(tables, white, black, kings, queens, 0, 0, 0, 0, 0, 0, true, &dtm);
        printf("WDL %d, DTZ %d, DTM %d\n", wdl, dtz, dtm);
    } else {
        printf("no answer: %s\n", retrograde_last_error());
    }
    retrograde_close(tables);
    return 0;
}
