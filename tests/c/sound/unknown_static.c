// It may call a function that changes a static variable.
// function: counts_up
// reachable: 14:9 true
// reachable: 14:9 false
static int hits;
void change(void);
void hit(void);
void hit(void) { hits++; }
int counts_up(void);
int counts_up(void)
{
    hits = 0;
    change();
    if (hits == 1)
        return 1;
    return 0;
}
