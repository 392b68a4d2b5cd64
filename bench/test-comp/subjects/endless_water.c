// A controller of a tank, with an alarm.
// property: branches
// missed: 0
extern short __VERIFIER_nondet_short(void);

enum mode { STOPPED, FILLING, EMPTYING };

int main(void)
{
    enum mode mode = STOPPED;
    int alarms = 0;
    while (1) {
        short level = __VERIFIER_nondet_short();
        if (level > 900) {
            mode = EMPTYING;
            alarms++;
        } else if (level < 100) {
            mode = FILLING;
        } else if (mode == FILLING && level > 500) {
            mode = STOPPED;
        } else if (mode == EMPTYING && level < 500) {
            mode = STOPPED;
        }
        if (alarms == 2)
            return 1;
    }
}
