// Asks the functions of Fathom (tbprobe.h).
//
// fathom FOLDER FENS: nanoseconds per probe, as probe/benches/probe.rs tells them; the folder has
// the tables, the file a FEN a line.
//
// fathom FOLDER FENS answers: what they say of each FEN, as a line of JSON.

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <tbprobe.h>

struct position {
    uint64_t white, black, kings, queens, rooks, bishops, knights, pawns;
    unsigned rule50, ep;
    bool turn;
};

#define SETS(p)                                                                            \
    (p)->white, (p)->black, (p)->kings, (p)->queens, (p)->rooks, (p)->bishops, (p)->knights, \
        (p)->pawns

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
    char turn, castling[8], ep[8] = "-";
    if (sscanf(fen, " %c %7s %7s %u", &turn, castling, ep, &p->rule50) < 1)
        return false;
    p->turn = turn == 'w';
    if (ep[0] != '-')
        p->ep = (unsigned)(ep[0] - 'a' + 8 * (ep[1] - '1'));
    return true;
}

static unsigned wdl(const struct position *p) {
    return tb_probe_wdl(SETS(p), 0, 0, p->ep, p->turn);
}

static unsigned moves(const struct position *p) {
    unsigned results[TB_MAX_MOVES];
    return tb_probe_root(SETS(p), p->rule50, 0, p->ep, p->turn, results);
}

static void say_ranks(const char *name, const struct TbRootMoves *ranked) {
    printf(",\"%s\":[", name);
    for (unsigned i = 0; i < ranked->size; i++) {
        const struct TbRootMove *m = &ranked->moves[i];
        printf("%s[%u,%d,%d]", i ? "," : "", m->move, m->tbRank, m->tbScore);
    }
    putchar(']');
}

// The result as it is packed, those of all moves, and for each way to rank them moves with rank and
// score. Of a position without an answer nothing else is asked.
static void answer(const struct position *p) {
    static struct TbRootMoves ranked;
    unsigned results[TB_MAX_MOVES] = {TB_RESULT_FAILED};
    unsigned root = tb_probe_root(SETS(p), p->rule50, 0, p->ep, p->turn, results);
    printf("{\"root\":%u", root);
    if (root != TB_RESULT_FAILED) {
        printf(",\"wdl\":%u,\"results\":[", wdl(p));
        for (unsigned i = 0; results[i] != TB_RESULT_FAILED; i++)
            printf("%s%u", i ? "," : "", results[i]);
        putchar(']');
        for (int repeated = 0; repeated < 2; repeated++)
            if (tb_probe_root_dtz(SETS(p), p->rule50, 0, p->ep, p->turn, repeated, true, &ranked))
                say_ranks(repeated ? "repeated" : "dtz", &ranked);
        for (int rule = 0; rule < 2; rule++)
            if (tb_probe_root_wdl(SETS(p), p->rule50, 0, p->ep, p->turn, rule, &ranked))
                say_ranks(rule ? "rule" : "no-rule", &ranked);
    }
    puts("}");
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
    if (argc < 3 || !tb_init(argv[1])) {
        fprintf(stderr, "fathom FOLDER FENS [answers]\n");
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
    if (argc > 3) {
        for (size_t i = 0; i < count; i++)
            answer(&list[i]);
    } else {
        measure("wdl", wdl, list, count);
        // A fifth of them: this takes up to a thousand times as long.
        measure("moves", moves, list, count / 5);
    }
    free(list);
    tb_free();
    return 0;
}
