// Two sides take turns, so neither is ahead by more than one.
// function: play
// expect: covered 6 infeasible 2 unknown 0
// expect: infeasible 18:13 true
// expect: infeasible 18:32 true
int play(int n);
int play(int n)
{
    int red = 0;
    int green = 0;
    int turn = 0;
    for (int i = 0; i < n; i++) {
        if (turn == 0)
            red++;
        else
            green++;
        turn = 1 - turn;
        if (red - green > 1 || green > red)
            return -1;
    }
    return red == green;
}
