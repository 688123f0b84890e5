/* Answers positions: one FEN a line on stdin, one line of JSON each on stdout.
 *
 *     probe GAME FOLDERS [--moves] [--line]
 *
 * FOLDERS is a list of table folders as in PATH. The exit code is the largest status
 * met, as with `retrograde probe`. */

#include <retrograde.h>

#include <stdio.h>
#include <string.h>

int main(int argc, char **argv) {
    if (argc < 3) {
        fprintf(stderr, "usage: probe GAME FOLDERS [--moves] [--line] < FENS\n");
        return RETROGRADE_STATUS_USAGE;
    }
    bool moves = false, line = false;
    for (int i = 3; i < argc; i++) {
        moves |= strcmp(argv[i], "--moves") == 0;
        line |= strcmp(argv[i], "--line") == 0;
    }
    RetrogradeTablebase *tables;
    RetrogradeStatus worst = retrograde_open(argv[1], argv[2], &tables);
    if (worst != RETROGRADE_STATUS_OK) {
        fprintf(stderr, "error: %s\n", retrograde_last_error());
        return worst;
    }
    char fen[4096];
    while (fgets(fen, sizeof fen, stdin)) {
        fen[strcspn(fen, "\r\n")] = 0;
        char *json;
        RetrogradeStatus status = retrograde_probe_json(tables, fen, moves, line, &json);
        if (json)
            puts(json);
        else
            printf("error: %s\n", retrograde_last_error());
        retrograde_free_string(json);
        if (status > worst)
            worst = status;
    }
    retrograde_close(tables);
    return worst;
}
