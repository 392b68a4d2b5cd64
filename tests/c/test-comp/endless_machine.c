// A machine that never stops: events without end, one of which is an emergency after three others.
// property: branches
// goals: 1 2 3 4 5 6 7 8
#ifdef GOALS
void goal(int number);
#else
#define goal(number)
#endif
extern void abort(void);

extern unsigned char __VERIFIER_nondet_uchar(void);

enum { IDLE, OPENING, OPEN, CLOSING };

int main(void)
{
    int state = IDLE, alarms = 0;
    while (1) {
        unsigned char event = __VERIFIER_nondet_uchar();
        if (event == 0xee) {
            alarms++;
            goal(1);
            if (alarms == 3) {
                state = IDLE;
                goal(2);
            }
        }
        switch (state) {
        case IDLE:
            if (event == 'o') {
                state = OPENING;
                goal(3);
            }
            break;
        case OPENING:
            goal(4);
            state = event > 100 ? OPEN : OPENING;
            break;
        case OPEN:
            if (event == 'c') {
                goal(5);
                state = CLOSING;
            }
            break;
        case CLOSING:
            goal(6);
            state = IDLE;
            break;
        default:
            goal(9);
            break;
        }
        if (state == IDLE && alarms > 0) {
            goal(7);
        } else {
            goal(8);
        }
    }
}
