// A mutant of the bound looks one byte behind the struct: the test that kills it needs a second one.
// function: is_blank
// options: -c branch,mutation
// expect: covered 6 infeasible 0 unknown 0
#include <stddef.h>

#define KEY_BYTES 12

struct key {
    unsigned char salt[4];
    unsigned char data[8];
};

int is_blank(struct key *key)
{
    unsigned char *bytes;
    int blank = 1;
    int i;
    if (key == NULL)
        return -1;
    bytes = (unsigned char *)key;
    for (i = 0; i < KEY_BYTES; i++) {
        if (bytes[i] != 0) {
            blank = 0;
            break;
        }
    }
    return blank;
}
