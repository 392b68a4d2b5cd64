// A ring of four places.
// property: branches
// missed: 0
extern unsigned char __VERIFIER_nondet_uchar(void);

struct ring {
    unsigned char place[4];
    int first, count;
};

int main(void)
{
    struct ring ring = {{0}, 0, 0};
    for (int i = 0; i < 8; i++) {
        unsigned char x = __VERIFIER_nondet_uchar();
        if (x == 0) {
            if (ring.count == 0)
                return 1;
            if (ring.place[ring.first] == 99)
                return 2;
            ring.first = (ring.first + 1) % 4;
            ring.count--;
        } else {
            if (ring.count == 4)
                return 3;
            ring.place[(ring.first + ring.count) % 4] = x;
            ring.count++;
        }
    }
    return 0;
}
