// A function that nobody defines here returns a long double.
// function: measures
// reachable: 9:9 true
// reachable: 9:9 false
long double measure(void);
int measures(void);
int measures(void)
{
    if (measure() > 1.0L)
        return 1;
    return 0;
}
