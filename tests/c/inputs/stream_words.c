// Words and lines of a stream in a struct, by the functions that make room themselves.
// function: next_command
// expect: covered 12 infeasible 0 unknown 0
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>

struct shell {
    int depth;
    FILE *input;
};

int next_command(struct shell *shell);
int next_command(struct shell *shell)
{
    char *line = NULL;
    size_t room = 0;
    int number, result = 0;
    if (!shell || !shell->input)
        return -1;
    if (fscanf(shell->input, "%d", &number) == 1 && number == 42)
        return 1;
    if (getline(&line, &room, shell->input) > 0 && line[0] == 'q')
        result = 2;
    free(line);
    return result;
}
