// Many allocations and releases in changing order, with a check of the contents.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SLOTS = 64, ROUNDS = 3000 };

int main(void)
{
    static unsigned char *slot[SLOTS];
    static size_t size[SLOTS];
    unsigned x = 1;
    long bytes = 0;
    int bad = 0;
    for (int r = 0; r < ROUNDS; r++) {
        x = x * 1664525u + 1013904223u;
        unsigned i = x >> 26;
        if (slot[i]) {
            for (size_t k = 0; k < size[i]; k++)
                bad += slot[i][k] != (unsigned char)i;
            if (x & 256) {
                size[i] = size[i] * 2 + 1;
                slot[i] = realloc(slot[i], size[i]);
                memset(slot[i], (int)i, size[i]);
                if (size[i] < 5000)
                    continue;
            }
            free(slot[i]);
            slot[i] = NULL;
        } else {
            size[i] = x >> 9 & 127;
            slot[i] = malloc(size[i]);
            memset(slot[i], (int)i, size[i]);
            bytes += (long)size[i];
        }
    }
    for (int i = 0; i < SLOTS; i++)
        free(slot[i]);
    printf("%d %ld\n", bad, bytes);
    return bad;
}
