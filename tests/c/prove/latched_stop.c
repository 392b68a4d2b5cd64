// After the stop the speed is zero, whatever is asked for.
// function: motor
// expect: covered 10 infeasible 2 unknown 0
// expect: infeasible 21:20 true
// expect: infeasible 23:9 true
int command(void);

int motor(void);
int motor(void)
{
    int stopped = 0;
    int speed = 0;
    for (;;) {
        int c = command();
        if (c == 0)
            break;
        if (c < 0)
            stopped = 1;
        speed = stopped ? 0 : c;
    }
    if (stopped && speed != 0)
        return -1;
    if (speed < 0)
        return -2;
    return speed;
}
