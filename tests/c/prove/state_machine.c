// A machine with four states whose events never end: it has no fifth state.
// function: lights
// expect: covered 10 infeasible 1 unknown 0
// expect: infeasible 28:9 default
int event(void);

int lights(void);
int lights(void)
{
    int state = 0;
    for (;;) {
        int e = event();
        if (e == 0)
            return state == 3;
        switch (state) {
        case 0:
            state = e > 10 ? 1 : 0;
            break;
        case 1:
            state = 2;
            break;
        case 2:
            state = e == 7 ? 3 : 1;
            break;
        case 3:
            state = 0;
            break;
        default:
            return -1;
        }
    }
}
