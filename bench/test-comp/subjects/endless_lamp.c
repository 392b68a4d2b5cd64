// A lamp with a button and a timer.
// property: branches
// missed: 0
extern _Bool __VERIFIER_nondet_bool(void);

int main(void)
{
    int on = 0, timer = 0;
    while (1) {
        _Bool pressed = __VERIFIER_nondet_bool();
        if (pressed) {
            on = !on;
            timer = 0;
        } else if (on) {
            timer++;
            if (timer > 3)
                on = 0;
        }
    }
}
