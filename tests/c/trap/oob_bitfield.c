// expect: trap out-of-bounds 15
// native: address
// A bit-field is written in an object that ends before it.
#include <stdlib.h>

struct flags {
    int head;
    unsigned on : 1;
};

int main(void)
{
    struct flags *f = malloc(sizeof(int));
    f->head = 0;
    f->on = 1;
    free(f);
    return 0;
}
