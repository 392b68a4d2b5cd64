// It may change what it was told of before.
// function: sees
// reachable: 14:9 true
// reachable: 14:9 false
void remember(int *place);
void change(void);
int sees(void);
int sees(void)
{
    int x = 0;
    remember(&x);
    x = 1;
    change();
    if (x == 5)
        return 1;
    return 0;
}
