// A whole program that reads lines from standard input, of any length and number.
// function: main
// expect: covered 20 infeasible 0 unknown 0
#include <ctype.h>
#include <stdio.h>
#include <string.h>

int main(void)
{
    char line[12];
    int balance = 0, amount;
    while (fgets(line, sizeof line, stdin) != NULL) {
        char *end = strchr(line, '\n');
        if (end == NULL)
            return 2;
        *end = '\0';
        if (line[0] == '#')
            continue;
        if (isspace((unsigned char)line[0]) || line[0] == '\0')
            break;
        if (line[0] != '+' && line[0] != '-')
            return 3;
        if (sscanf(line + 1, "%d", &amount) != 1)
            return 4;
        balance += line[0] == '+' ? amount : -amount;
    }
    if (balance < 0)
        puts("overdrawn");
    return balance == 250;
}
