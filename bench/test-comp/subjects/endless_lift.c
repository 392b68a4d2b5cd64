// A lift that goes to the floor that was asked for.
// property: branches
// missed: 0
extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void)
{
    int floor = 0, wanted = 0;
    while (1) {
        if (floor < wanted) {
            floor++;
        } else if (floor > wanted) {
            floor--;
        } else {
            unsigned char asked = __VERIFIER_nondet_uchar();
            if (asked < 4)
                wanted = asked;
        }
    }
}
