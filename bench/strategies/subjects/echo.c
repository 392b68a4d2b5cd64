// What `echo` does with its arguments: options while they last, then words with a blank between them, with escapes if they
// are asked for. That the space runs out, that an option is unknown and that an escape goes past its word is checked once
// too often.
// name: echo
// function: echo
// options: --pointers valid --globals initial
// expect: covered 89 infeasible 3 unknown 0
// name: echo-nu
// function: echo
// options: --pointers valid --globals initial -D ALL_REACHABLE
// expect: covered 87 infeasible 0 unknown 0
#include <stdbool.h>
#define WORDS 2
#define LENGTH 4
#define FIRST 2
#define SPACE 12

static char out[SPACE];
static int written;

static void put(int c)
{
#ifndef ALL_REACHABLE
    if (written >= SPACE)
        return;
#endif
    out[written++] = (char)c;
}

static int hexadecimal(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    return -1;
}

/* Whether the word is an option; if so, it is carried out. */
static bool option(const char *word, bool *escapes, bool *newline)
{
    if (word[0] != '-' || word[1] == 0)
        return false;
    for (int i = 1; i < LENGTH && word[i] != 0; i++) {
        if (word[i] != 'e' && word[i] != 'E' && word[i] != 'n')
            return false;
    }
    for (int i = 1; i < LENGTH && word[i] != 0; i++) {
        switch (word[i]) {
        case 'e':
            *escapes = true;
            break;
        case 'E':
            *escapes = false;
            break;
#ifndef ALL_REACHABLE
        case 'n':
            *newline = false;
            break;
        default:
            return false;
#else
        default:
            *newline = false;
            break;
#endif
        }
    }
    return true;
}

/* Writes what the escape after a backslash means; where it ends, or -1 at the end of all output. */
static int escape(const char *word, int at)
{
    int value = 0, digits = 0;
    switch (word[at]) {
    case 'a':
        put('\a');
        break;
    case 'c':
        return -1;
    case 'n':
        put('\n');
        break;
    case 't':
        put('\t');
        break;
    case 'x':
        while (digits < 2 && at + 1 < LENGTH && hexadecimal(word[at + 1]) >= 0) {
            value = value * 16 + hexadecimal(word[++at]);
            digits++;
        }
        put(digits > 0 ? value : 'x');
        break;
    case '0':
        while (digits < 2 && at + 1 < LENGTH && word[at + 1] >= '0' && word[at + 1] <= '7') {
            value = value * 8 + word[++at] - '0';
            digits++;
        }
        put(value);
        break;
    case '\\':
        put('\\');
        break;
    default:
        put('\\');
        put(word[at]);
        break;
    }
    return at;
}

int echo(const char first[FIRST], const char second[LENGTH], int count, bool posix);
int echo(const char first[FIRST], const char second[LENGTH], int count, bool posix)
{
    char words[WORDS][LENGTH] = {{0}};
    bool escapes = posix, newline = true;
    int word = 0;
    if (count < 0 || count > WORDS)
        return -1;
    for (int i = 0; i < FIRST; i++)
        words[0][i] = first[i];
    for (int i = 0; i < LENGTH; i++)
        words[1][i] = second[i];
    if (!posix) {
        while (word < count && option(words[word], &escapes, &newline))
            word++;
    }
    for (; word < count; word++) {
        for (int at = 0; at < LENGTH && words[word][at] != 0; at++) {
            if (escapes && words[word][at] == '\\' && at + 1 < LENGTH && words[word][at + 1] != 0) {
                at = escape(words[word], at + 1);
                if (at < 0)
                    return written;
#ifndef ALL_REACHABLE
                if (at >= LENGTH)
                    return -1;
#endif
            } else {
                put(words[word][at]);
            }
        }
        if (word + 1 < count)
            put(' ');
    }
    if (newline)
        put('\n');
    return written;
}
