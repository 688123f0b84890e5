// Nanoseconds per probe of Fathom (tbprobe.h, MIT), as probe/benches/probe.rs tells them.
//
// fathom FOLDER FENS: the folder has Syzygy tables, the file a FEN a line.

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <tbprobe.h>

struct position {
    uint64_t white, black, kings, queens, rooks, bishops, knights, pawns;
    bool turn;
};

static uint64_t now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static bool parse(const char *fen, struct position *p) {
    memset(p, 0, sizeof *p);
    int rank = 7, file = 0;
    for (; *fen && *fen != ' '; fen++) {
        if (*fen == '/') {
            rank--;
            file = 0;
        } else if (*fen >= '1' && *fen <= '8') {
            file += *fen - '0';
        } else {
            uint64_t bit = 1ull << (8 * rank + file++);
            bool black = *fen >= 'a';
            *(black ? &p->black : &p->white) |= bit;
            switch (black ? *fen - 32 : *fen) {
            case 'K': p->kings |= bit; break;
            case 'Q': p->queens |= bit; break;
            case 'R': p->rooks |= bit; break;
            case 'B': p->bishops |= bit; break;
            case 'N': p->knights |= bit; break;
            case 'P': p->pawns |= bit; break;
            default: return false;
            }
        }
    }
    p->turn = fen[0] == ' ' && fen[1] == 'w';
    return true;
}

static unsigned wdl(const struct position *p) {
    return tb_probe_wdl(p->white, p->black, p->kings, p->queens, p->rooks, p->bishops,
                        p->knights, p->pawns, 0, 0, 0, p->turn);
}

static unsigned moves(const struct position *p) {
    unsigned results[TB_MAX_MOVES];
    return tb_probe_root(p->white, p->black, p->kings, p->queens, p->rooks, p->bishops,
                         p->knights, p->pawns, 0, 0, 0, p->turn, results);
}

static int order(const void *a, const void *b) {
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static void measure(const char *name, unsigned (*ask)(const struct position *),
                    const struct position *list, size_t count) {
    uint32_t *each = malloc(count * sizeof *each);
    double best = 1e18;
    uint32_t p50 = 0, p99 = 0;
    unsigned sum = 0;
    for (int round = 0; round < 3; round++) {
        uint64_t began = now();
        for (size_t i = 0; i < count; i++)
            sum += ask(&list[i]);
        double mean = (double)(now() - began) / (double)count;
        for (size_t i = 0; i < count; i++) {
            uint64_t start = now();
            sum += ask(&list[i]);
            each[i] = (uint32_t)(now() - start);
        }
        if (mean < best) {
            best = mean;
            qsort(each, count, sizeof *each, order);
            p50 = each[count / 2];
            p99 = each[count * 99 / 100];
        }
    }
    printf("Fathom, %s: mean %.0f ns, p50 %u ns, p99 %u ns (%u)\n", name, best, p50, p99, sum);
    free(each);
}

int main(int argc, char **argv) {
    if (argc != 3 || !tb_init(argv[1])) {
        fprintf(stderr, "bench-fathom FOLDER FENS\n");
        return 2;
    }
    FILE *file = fopen(argv[2], "r");
    if (!file) {
        perror(argv[2]);
        return 5;
    }
    size_t count = 0, room = 1 << 20;
    struct position *list = malloc(room * sizeof *list);
    char line[200];
    while (count < room && fgets(line, sizeof line, file))
        count += parse(line, &list[count]);
    fclose(file);
    measure("wdl", wdl, list, count);
    // A fifth of them: this takes up to a thousand times as long.
    measure("moves", moves, list, count / 5);
    free(list);
    tb_free();
    return 0;
}
