/* Checks the library from C: answers, refusals, bad input, threads.
 *
 *     check FOLDER      the folder with the three-man tables
 *
 * Prints every check that fails; the exit code is how many there were. */

#define _XOPEN_SOURCE 700
#define _DEFAULT_SOURCE

#include <retrograde.h>

#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int failures;

#define CHECK(what)                                                        \
    do {                                                                   \
        if (!(what)) {                                                     \
            failures++;                                                    \
            fprintf(stderr, "line %d: %s\n", __LINE__, #what);             \
        }                                                                  \
    } while (0)

#define SQUARE(file, rank) (1ull << (((rank) - 1) * 8 + ((file) - 'a')))

static RetrogradeTablebase *orthodox;

/* KQvK with White to move, the king on d5. */
static RetrogradeStatus queen(uint32_t rule50, uint32_t castling, bool turn, int32_t *wdl) {
    uint64_t black = SQUARE('d', 5), king = SQUARE('a', 1), queen = SQUARE('b', 1);
    return retrograde_probe_wdl(orthodox, king | queen, black, king | black, queen, 0, 0, 0, 0,
                                rule50, castling, 0, turn, wdl);
}

static void answers(void) {
    int32_t n = 99;
    CHECK(queen(0, 0, true, &n) == RETROGRADE_STATUS_OK && n == 2);
    CHECK(queen(0, 0, false, &n) == RETROGRADE_STATUS_OK && n == -2);
    /* The mate comes after the hundredth ply. */
    CHECK(queen(90, 0, true, &n) == RETROGRADE_STATUS_OK && n == 1);
    CHECK(queen(90, 0, false, &n) == RETROGRADE_STATUS_OK && n == -1);
    CHECK(retrograde_largest(orthodox) == 3);

    uint64_t white = SQUARE('a', 1) | SQUARE('b', 1), black = SQUARE('d', 5);
    uint64_t kings = SQUARE('a', 1) | black;
    CHECK(!retrograde_probe_dtm(orthodox, white, black, kings, SQUARE('b', 1), 0, 0, 0, 0, 0, 0,
                                true, &n) &&
          n == 17);
    CHECK(!retrograde_probe_dtz(orthodox, white, black, kings, SQUARE('b', 1), 0, 0, 0, 0, 0, 0,
                                false, &n) &&
          n == -18);
    /* Mated: Black Ka8, White Ka6 Qa7 is not, Qb7 is. */
    white = SQUARE('a', 6) | SQUARE('b', 7), black = SQUARE('a', 8);
    kings = SQUARE('a', 6) | black;
    CHECK(!retrograde_probe_dtz(orthodox, white, black, kings, SQUARE('b', 7), 0, 0, 0, 0, 0, 0,
                                false, &n) &&
          n == -1);
    CHECK(!retrograde_probe_dtm(orthodox, white, black, kings, SQUARE('b', 7), 0, 0, 0, 0, 0, 0,
                                false, &n) &&
          n == 0);
    /* Two bare kings need no table. */
    CHECK(!retrograde_probe_wdl(orthodox, SQUARE('a', 1), SQUARE('d', 5), kings = SQUARE('a', 1) | SQUARE('d', 5),
                                0, 0, 0, 0, 0, 0, 0, 0, true, &n) &&
          n == 0);

    RetrogradeAnswer answer;
    CHECK(!retrograde_probe_fen(orthodox, "8/8/8/3k4/8/8/8/KQ6 w - - 90 120", &answer));
    CHECK(answer.wdl == 1 && answer.wdl_at_clock_0 == 2);
    CHECK(answer.depth_plies == 17 && answer.dtz_plies == 17);
    CHECK(!answer.check && !answer.checkmate && !answer.ended && !answer.has_vitality);
    CHECK(!retrograde_probe_fen(orthodox, "k7/1Q6/K7/8/8/8/8/8 b - -", &answer));
    CHECK(answer.check && answer.checkmate && answer.ended && answer.depth_plies == 0);
    CHECK(!retrograde_probe_fen(orthodox, "8/8/8/3k4/8/8/8/KN6 w - -", &answer));
    CHECK(answer.wdl == 0 && answer.depth_plies == RETROGRADE_UNKNOWN);
    /* No table has the position, but one of its moves wins. */
    CHECK(!retrograde_probe_fen(orthodox, "8/8/8/3k4/8/8/8/KQr5 w - -", &answer));
    CHECK(answer.wdl == 2 && answer.wdl_at_clock_0 == 2 && answer.dtz_plies == 1);
    CHECK(answer.depth_plies == RETROGRADE_UNKNOWN);
    CHECK(!retrograde_probe_fen(orthodox, "1Q5k/8/6K1/8/8/8/8/8 b - - 101 80", &answer));
    CHECK(answer.wdl == -2 && answer.checkmate);

    char *json;
    CHECK(!retrograde_probe_json(orthodox, "8/8/8/3k4/8/8/8/KQ6 w - -", true, true, &json));
    CHECK(json && strstr(json, "\"depth_plies\":17") && strstr(json, "\"line_end\":\"checkmate\""));
    retrograde_free_string(json);
}

/* The moves at the root, with what all of them have in common. */
static void roots(void) {
    static RetrogradeRoot root;
    uint64_t black = SQUARE('a', 8), king = SQUARE('a', 6), queen = SQUARE('b', 5);
#define ROOT(rule50, castling, repeated, fifty_moves)                                              \
    retrograde_probe_root(orthodox, king | queen, black, king | black, queen, 0, 0, 0, 0, rule50,  \
                          castling, 0, true, repeated, fifty_moves, &root)
    CHECK(!ROOT(0, 0, false, true) && root.moves_len == 24 && !root.check && root.ranked_by_dtz);
    RetrogradeRootMove *mate = &root.moves[0], *slow = &root.moves[2], *draw = &root.moves[23];
    CHECK(mate->from == 33 && !mate->promotion && !mate->en_passant && !mate->zeroing);
    CHECK(mate->wdl == 2 && mate->dtz == 1 && mate->dtm == 1 && mate->rank == RETROGRADE_RANK_WIN);
    CHECK(slow->wdl == 2 && slow->dtz == 3 && slow->dtm == 3 && slow->rank == mate->rank);
    CHECK(draw->wdl == 0 && draw->dtz == 0 && draw->dtm == 0 && draw->rank == 0);
    /* Repeated positions. */
    CHECK(!ROOT(0, 0, true, true) && mate->rank == RETROGRADE_RANK_WIN - 1);
    CHECK(slow->rank == RETROGRADE_RANK_WIN - 3 && draw->rank == 0);
    /* Mate comes before any clock; what takes three plies comes too late. */
    CHECK(!ROOT(98, 0, false, true) && mate->wdl == 2 && mate->rank == RETROGRADE_RANK_WIN);
    CHECK(slow->wdl == 1 && slow->wdl_at_clock_0 == 2 && slow->rank == RETROGRADE_RANK_WIN - 101);
    CHECK(!ROOT(98, 0, false, false) && slow->wdl == 2);
    CHECK(!ROOT(UINT32_MAX, 0, false, true) && mate->wdl == 2 && mate->rank == 1);
    RetrogradeRoot before = root;
    CHECK(ROOT(0, 1, false, true) == RETROGRADE_STATUS_USAGE);
    CHECK(!strcmp(retrograde_last_error_kind(), "unsupported"));
    uint64_t rook = SQUARE('h', 1);
    CHECK(retrograde_probe_root(orthodox, king | queen, black | rook, king | black, queen, rook, 0,
                                0, 0, 0, 0, 0, true, false, true,
                                &root) == RETROGRADE_STATUS_MISSING);
    CHECK(!memcmp(&root, &before, sizeof root));
    CHECK(retrograde_probe_root(orthodox, king | queen, black, king | black, queen, 0, 0, 0, 0, 0,
                                0, 0, true, false, true, NULL) == RETROGRADE_STATUS_USAGE);
    /* Mated, and stalemated. */
    queen = SQUARE('b', 7);
    CHECK(!retrograde_probe_root(orthodox, king | queen, black, king | black, queen, 0, 0, 0, 0, 0,
                                 0, 0, false, false, true, &root));
    CHECK(root.moves_len == 0 && root.check);
    queen = SQUARE('b', 6);
    CHECK(!retrograde_probe_root(orthodox, king | queen, black, king | black, queen, 0, 0, 0, 0, 0,
                                 0, 0, false, false, true, &root));
    CHECK(root.moves_len == 0 && !root.check);
    /* Promotions, which zero the clock. */
    uint64_t pawn = SQUARE('b', 7), far = SQUARE('h', 8);
    CHECK(!retrograde_probe_root(orthodox, king | pawn, far, king | far, 0, 0, 0, 0, pawn, 50, 0, 0,
                                 true, false, true, &root));
    CHECK(root.moves[0].promotion == 1 && root.moves[0].zeroing && root.moves[0].dtz == 1);
    CHECK(root.moves[1].promotion == 2 && root.moves[1].dtm > root.moves[0].dtm);
    uint32_t pieces = 99;
    CHECK(retrograde_tables(orthodox, NULL, &pieces) == 15 && pieces == 3);
    CHECK(retrograde_tables(orthodox, "dtm", NULL) == 5);
    CHECK(retrograde_tables(orthodox, "mates", &pieces) == 0 && pieces == 0);
    CHECK(retrograde_tables(NULL, "wdl", &pieces) == 0 && pieces == 0);
}

/* What is missing or wrong, in a word. */
static void kinds(const char *folder) {
    int32_t n = 99;
    RetrogradeAnswer answer;
    CHECK(queen(0, 1, true, &n) == RETROGRADE_STATUS_USAGE && n == 99);
    CHECK(!strcmp(retrograde_last_error_kind(), "unsupported"));
    CHECK(queen(0, 0, true, NULL) == RETROGRADE_STATUS_USAGE);
    CHECK(!strcmp(retrograde_last_error_kind(), "usage"));
    memset(&answer, 7, sizeof answer);
    RetrogradeAnswer before = answer;
    CHECK(retrograde_probe_fen(orthodox, "8/8/8/3k4/8/8/8/4K2R w K -", &answer));
    CHECK(!strcmp(retrograde_last_error_kind(), "unsupported"));
    CHECK(retrograde_probe_fen(orthodox, "x", &answer));
    CHECK(!strcmp(retrograde_last_error_kind(), "bad-fen"));
    /* Kings that touch, by bitboards and by FEN. */
    CHECK(retrograde_probe_wdl(orthodox, 1, 2, 3, 0, 0, 0, 0, 0, 0, 0, 0, true, &n));
    CHECK(!strcmp(retrograde_last_error_kind(), "illegal-position"));
    CHECK(retrograde_probe_fen(orthodox, "8/8/8/3kK3/8/8/8/8 w - -", &answer));
    CHECK(!strcmp(retrograde_last_error_kind(), "illegal-position"));
    CHECK(retrograde_probe_fen(orthodox, "8/8/8/3k3r/8/8/8/KQ6 w - -", &answer));
    CHECK(!strcmp(retrograde_last_error_kind(), "missing-table"));
    const char *advice = strstr(retrograde_last_error(), "generate orthodox KQvKR --tables ");
    CHECK(advice && strstr(advice, folder));
    /* What fails leaves its places alone. */
    CHECK(n == 99 && !memcmp(&answer, &before, sizeof answer));
    /* An e.p. square that means nothing is forgiven, on boards as in FENs. */
    uint64_t white = SQUARE('a', 1) | SQUARE('b', 1), black = SQUARE('d', 5);
    CHECK(!retrograde_probe_wdl(orthodox, white, black, SQUARE('a', 1) | black, SQUARE('b', 1), 0,
                                0, 0, 0, 0, 0, 20, true, &n) &&
          n == 2);
    /* The game has ended, whatever tables there are. */
    CHECK(!retrograde_probe_fen(orthodox, "k7/1Q6/K7/8/8/8/8/7n b - -", &answer));
    CHECK(answer.wdl == -2 && answer.checkmate);
}

/* A line is walked by playing its moves. */
static void playing(void) {
    char *moves, *after;
    const char *fen = "8/2k5/8/8/8/8/3p4/1K6 b - - 7 30";
    CHECK(!retrograde_legal_moves(orthodox, fen, &moves));
    CHECK(moves && !strncmp(moves, "c7b6 c7b7 c7b8 ", 15) && strstr(moves, " d2d1b d2d1n "));
    retrograde_free_string(moves);
    CHECK(!retrograde_play(orthodox, fen, "d2d1q", &after));
    CHECK(after && !strcmp(after, "8/2k5/8/8/8/8/8/1K1q4 w - - 0 31"));
    retrograde_free_string(after);
    CHECK(!retrograde_legal_moves(orthodox, "k7/1Q6/K7/8/8/8/8/8 b - -", &moves));
    CHECK(moves && !*moves);
    retrograde_free_string(moves);
    const char *bad[] = {"", "d2d3", "e2e4", "x", "\xff", NULL};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        after = (char *)"left";
        CHECK(retrograde_play(orthodox, fen, bad[i], &after) == RETROGRADE_STATUS_USAGE);
        CHECK(!after && *retrograde_last_error());
    }
    moves = (char *)"left";
    CHECK(retrograde_legal_moves(orthodox, "x", &moves) == RETROGRADE_STATUS_USAGE && !moves);
    CHECK(retrograde_legal_moves(NULL, fen, &moves) == RETROGRADE_STATUS_USAGE);
    CHECK(retrograde_legal_moves(orthodox, fen, NULL) == RETROGRADE_STATUS_USAGE);
    CHECK(retrograde_play(orthodox, fen, "d2d1q", NULL) == RETROGRADE_STATUS_USAGE);
}

/* Counters up to 100, of which White has more than Black; in a second game High pays, too, so
 * that a side can have none. */
static void counters(const char *folder) {
    static const char vital[] = "name = \"%s\"\n[board]\nsize = \"3x3\"\n[pieces]\norder = \"KR\"\n"
                                "[end]\nno-progress = 0\n[turn]\npass = \"when-stuck\"\n"
                                "[counters.vitality]\nfull = [100, 60]\npays = \"%s\"\n";
    static const char *const pays[] = {"low", "both"};
    for (int least = 1; least >= 0; least--) {
        char text[sizeof vital + 16];
        RetrogradeTablebase *tables;
        RetrogradeAnswer answer;
        snprintf(text, sizeof text, vital, pays[1 - least], pays[1 - least]);
        CHECK(!retrograde_open(text, folder, &tables));
        CHECK(retrograde_largest(tables) == 3);
        CHECK(!retrograde_probe_fen(tables, "2k/3/KR1 w - - 100+60", &answer));
        CHECK(answer.has_vitality && answer.white == 100 && answer.black == 60);
        CHECK(answer.thresholds_len == 61 - least);
        CHECK(answer.thresholds[60 - least] == answer.white_needs && answer.white_needs > 0);
        CHECK(answer.white_needs <= 101 && answer.black_needs <= 61);
        CHECK(answer.thresholds[61 - least] == 0);
        CHECK(!retrograde_probe_fen(tables, "2k/3/KR1 w - - 1+60", &answer));
        CHECK(answer.wdl == (answer.white_needs <= 1 ? 2 : -2));
        CHECK(retrograde_probe_fen(tables, "2k/3/KR1 w - - 60+61", &answer) == RETROGRADE_STATUS_USAGE);
        retrograde_close(tables);
    }
}

static void other_games(const char *folder) {
    RetrogradeTablebase *tables;
    RetrogradeAnswer answer;
    CHECK(!retrograde_open("high-chess", folder, &tables));
    CHECK(!retrograde_probe_fen(tables, "8/8/8/3k4/8/8/8/K6R w - - 6+50", &answer));
    CHECK(answer.wdl == 2 && answer.has_vitality && answer.white == 6 && answer.black == 50);
    CHECK(answer.white_needs == 6 && answer.thresholds_len == 50 && answer.thresholds[49] == 6);
    CHECK(answer.black_needs == 51 && answer.white_mates > 0 && answer.black_mates == 51);
    CHECK(!retrograde_probe_fen(tables, "8/8/8/3k4/8/8/8/K6R w - - 5+50", &answer));
    CHECK(answer.wdl == -2);
    retrograde_close(tables);
    counters(folder);
    /* Games that are not built in: the text of a definition, and its path. */
    static const char gardner[] = "name = \"gardner\"\n[board]\nsize = \"5x5\"\n"
                                  "[pawns]\ndouble-step = \"off\"\n";
    static const char king[] = "4k/5/5/5/K4 w - - 0 1";
    char *moves;
    CHECK(!retrograde_open(gardner, folder, &tables));
    CHECK(!retrograde_legal_moves(tables, king, &moves) && !strcmp(moves, "a1a2 a1b1 a1b2"));
    retrograde_free_string(moves);
    retrograde_close(tables);
    char path[] = "/tmp/retrograde-XXXXXX.toml";
    int file = mkstemps(path, 5);
    CHECK(file >= 0 && write(file, gardner, strlen(gardner)) == (ssize_t)strlen(gardner));
    close(file);
    CHECK(!retrograde_open(path, folder, &tables));
    CHECK(!retrograde_legal_moves(tables, king, &moves) && !strcmp(moves, "a1a2 a1b1 a1b2"));
    retrograde_free_string(moves);
    retrograde_close(tables);
    unlink(path);

    CHECK(!retrograde_open("chess99", folder, &tables));
    CHECK(!retrograde_probe_fen(tables, "9/9/9/4k4/9/9/9/3A5/K8 w - -", &answer));
    CHECK(answer.wdl == 2 && answer.depth_plies == 29 && answer.dtz_plies == RETROGRADE_UNKNOWN);
    int32_t n;
    CHECK(retrograde_probe_wdl(tables, 1, 4, 5, 0, 0, 0, 0, 0, 0, 0, 0, true, &n) ==
          RETROGRADE_STATUS_USAGE);
    retrograde_close(tables);
}

static void refusals(const char *folder) {
    int32_t n;
    CHECK(queen(0, 1, true, &n) == RETROGRADE_STATUS_USAGE);
    CHECK(strstr(retrograde_last_error(), "castling"));
    CHECK(queen(0, 0, true, NULL) == RETROGRADE_STATUS_USAGE);
    CHECK(retrograde_probe_wdl(NULL, 1, 4, 5, 0, 0, 0, 0, 0, 0, 0, 0, true, &n) ==
          RETROGRADE_STATUS_USAGE);
    /* Without kings; a piece of both colours; of none; of two types; kings that touch. */
    CHECK(retrograde_probe_wdl(orthodox, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, true, &n));
    CHECK(retrograde_probe_wdl(orthodox, 5, 4, 5, 0, 0, 0, 0, 0, 0, 0, 0, true, &n));
    CHECK(retrograde_probe_wdl(orthodox, 1, 4, 5, 64, 0, 0, 0, 0, 0, 0, 0, true, &n));
    CHECK(retrograde_probe_wdl(orthodox, 1, 4, 5, 4, 0, 0, 0, 0, 0, 0, 0, true, &n));
    CHECK(retrograde_probe_wdl(orthodox, 1, 2, 3, 0, 0, 0, 0, 0, 0, 0, 0, true, &n));
    CHECK(retrograde_probe_wdl(orthodox, ~0ull, ~0ull, ~0ull, ~0ull, ~0ull, ~0ull, ~0ull, ~0ull,
                               ~0u, ~0u, ~0u, true, &n));
    /* There is no e.p. square off the board. */
    CHECK(retrograde_probe_wdl(orthodox, 1, 4, 5, 0, 0, 0, 0, 0, 0, 0, 64, true, &n) ==
          RETROGRADE_STATUS_USAGE);
    CHECK(retrograde_probe_wdl(orthodox, 1, 4, 5, 0, 0, 0, 0, 0, 0, 0, 9999, true, &n) ==
          RETROGRADE_STATUS_USAGE);
    /* KQvKR is not among three-man tables. */
    RetrogradeAnswer answer;
    CHECK(retrograde_probe_fen(orthodox, "8/8/8/3k3r/8/8/8/KQ6 w - -", &answer) ==
          RETROGRADE_STATUS_MISSING);
    CHECK(strstr(retrograde_last_error(), "retrograde generate orthodox KQvKR"));
    char *json = (char *)"left";
    CHECK(retrograde_probe_json(orthodox, "8/8/8/3k3r/8/8/8/KQ6 w - -", false, false, &json) ==
          RETROGRADE_STATUS_MISSING);
    CHECK(json && strstr(json, "\"category\":\"unknown\"") && strstr(json, "missing-table"));
    retrograde_free_string(json);

    const char *bad[] = {"",          " ",        "w",      "8/8/8/8/8/8/8/8 w - -",
                         "\xff\xfe",  "K7/8/8/8", "8/8/8/3k4/8/8/8/KQ6 x - -",
                         "8/8/8/3k4/8/8/8/KQ6 w KQ -", NULL};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        CHECK(retrograde_probe_fen(orthodox, bad[i], &answer) == RETROGRADE_STATUS_USAGE);
        CHECK(*retrograde_last_error());
        CHECK(retrograde_probe_json(orthodox, bad[i], true, true, &json) ==
              RETROGRADE_STATUS_USAGE);
        /* What is no text has no answer; of a bad FEN it is said what is wrong. */
        if (!bad[i] || *bad[i] == '\xff')
            CHECK(!json);
        else
            CHECK(json && strstr(json, "\"error\":{\"kind\":"));
        retrograde_free_string(json);
    }
    CHECK(retrograde_probe_json(orthodox, "8/8/8/3k4/8/8/8/KQ6 x - -", false, false, &json) ==
          RETROGRADE_STATUS_USAGE);
    CHECK(json && strstr(json, "{\"fen\":\"8/8/8/3k4/8/8/8/KQ6 x - -\",\"error\":{\"kind\":"
                               "\"bad-fen\",\"message\":\"at byte 20: "));
    CHECK(json && strstr(json, "\"offset\":20}}"));
    retrograde_free_string(json);
    size_t huge = 1 << 24;
    char *text = malloc(huge + 1);
    memset(text, '8', huge);
    text[huge] = 0;
    CHECK(retrograde_probe_fen(orthodox, text, &answer) == RETROGRADE_STATUS_USAGE);
    free(text);
    CHECK(retrograde_probe_fen(orthodox, "8/8/8/3k4/8/8/8/KQ6 w - -", NULL) ==
          RETROGRADE_STATUS_USAGE);
    CHECK(retrograde_probe_json(orthodox, "8/8/8/3k4/8/8/8/KQ6 w - -", 0, 0, NULL) ==
          RETROGRADE_STATUS_USAGE);

    RetrogradeTablebase *tables = orthodox;
    CHECK(retrograde_open("checkers", folder, &tables) == RETROGRADE_STATUS_USAGE && !tables);
    CHECK(strstr(retrograde_last_error(), "king-of-the-hill"));
    CHECK(retrograde_open("./no.toml", folder, &tables) == RETROGRADE_STATUS_USAGE && !tables);
    CHECK(strstr(retrograde_last_error(), "no.toml cannot be read"));
    CHECK(retrograde_open(NULL, folder, &tables) == RETROGRADE_STATUS_USAGE && !tables);
    CHECK(retrograde_open("orthodox", folder, NULL) == RETROGRADE_STATUS_USAGE);
    CHECK(retrograde_open("orthodox", "/nowhere", &tables) == RETROGRADE_STATUS_IO && !tables);
    CHECK(strstr(retrograde_last_error(), "/nowhere: there is no such folder"));
    CHECK(!strcmp(retrograde_last_error_kind(), "unreadable-table"));
    char both[4096];
    snprintf(both, sizeof both, "%s:/nowhere", folder);
    CHECK(retrograde_open("orthodox", both, &tables) == RETROGRADE_STATUS_IO && !tables);
    CHECK(retrograde_open("orthodox", "/nowhere/\xff", &tables) == RETROGRADE_STATUS_IO);
    setenv("RETROGRADE_TABLES", "/nowhere", 1);
    CHECK(retrograde_open("orthodox", NULL, &tables) == RETROGRADE_STATUS_IO && !tables);
    unsetenv("RETROGRADE_TABLES");
    /* A folder without tables is one, whatever the bytes of its name. */
    char name[] = "/tmp/retrograde-\xff-XXXXXX";
    if (mkdtemp(name)) {
        CHECK(!retrograde_open("orthodox", name, &tables));
        CHECK(retrograde_largest(tables) == 0);
        CHECK(retrograde_probe_fen(tables, "8/8/8/3k4/8/8/8/KQ6 w - -", &answer) ==
              RETROGRADE_STATUS_MISSING);
        retrograde_close(tables);
        rmdir(name);
    }
    retrograde_close(NULL);
    retrograde_free_string(NULL);
    CHECK(retrograde_largest(NULL) == 0);
    CHECK(!strcmp(retrograde_status_name(RETROGRADE_STATUS_CORRUPT), "corrupt"));
    CHECK(!strcmp(retrograde_status_name(-1), "unknown"));
    CHECK(*retrograde_version());
    retrograde_set_memory_limit(1 << 20);
}

/* Many threads ask at once; each has its own last error. */
static void *thread(void *number) {
    long wrong = 0, mine = (long)(size_t)number;
    for (int i = 0; i < 2000; i++) {
        int32_t n = 99;
        wrong += queen(0, 0, i % 2, &n) || n != (i % 2 ? 2 : -2);
        if (mine % 2) {
            RetrogradeAnswer answer;
            wrong += retrograde_probe_fen(orthodox, "x", &answer) != RETROGRADE_STATUS_USAGE;
            wrong += !strstr(retrograde_last_error(), "x");
        } else {
            wrong += *retrograde_last_error() != 0;
        }
    }
    return (void *)(size_t)wrong;
}

static void threads(void) {
    pthread_t all[8];
    for (size_t i = 0; i < 8; i++)
        CHECK(!pthread_create(&all[i], NULL, thread, (void *)i));
    for (size_t i = 0; i < 8; i++) {
        void *wrong = NULL;
        CHECK(!pthread_join(all[i], &wrong) && !wrong);
    }
}

/* A folder whose name is not UTF-8, as file systems of Unix allow. */
static void any_bytes(const char *folder) {
    char outer[] = "/tmp/retrograde-check-XXXXXX", whole[PATH_MAX], link[sizeof outer + 16];
    CHECK(mkdtemp(outer) && realpath(folder, whole));
    snprintf(link, sizeof link, "%s/t\xe4\xff", outer);
    CHECK(!symlink(whole, link));
    RetrogradeTablebase *tables;
    CHECK(!retrograde_open("orthodox", link, &tables));
    CHECK(retrograde_largest(tables) == 3);
    retrograde_close(tables);
    unlink(link);
    rmdir(outer);
}

int main(int argc, char **argv) {
    if (argc != 2) {
        fprintf(stderr, "usage: check FOLDER\n");
        return 2;
    }
    CHECK(!*retrograde_last_error() && !*retrograde_last_error_kind());
    CHECK(!retrograde_open("orthodox", argv[1], &orthodox));
    if (!orthodox) {
        fprintf(stderr, "%s\n", retrograde_last_error());
        return 1;
    }
    threads();
    answers();
    roots();
    kinds(argv[1]);
    playing();
    other_games(argv[1]);
    refusals(argv[1]);
    any_bytes(argv[1]);
    retrograde_close(orthodox);
    if (!failures)
        puts("all checks passed");
    return failures != 0;
}
