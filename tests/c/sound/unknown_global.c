// A function that nobody defines here changes a global.
// function: steps
// reachable: 12:9 true
// reachable: 12:9 false
int mode;
void change(void);
int steps(void);
int steps(void)
{
    mode = 0;
    change();
    if (mode == 3)
        return 1;
    return 0;
}
