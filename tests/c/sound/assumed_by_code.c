// What is assumed is code of the program itself, with branches, and part of it is called by the function, too.
// function: span
// options: --precondition ordered
// reachable: 24:9 true
// reachable: 24:9 false
// reachable: 26:9 true
// reachable: 26:9 false
static int near(int a, int b)
{
    if (b - a > 1000)
        return 0;
    return 1;
}

int ordered(int a, int b)
{
    if (a < 0 || b > 100000)
        return 0;
    return a <= b && near(a, b);
}

int span(int a, int b)
{
    if (b - a > 10)
        return 1;
    if (near(a, b + 1000))
        return 2;
    return 3;
}
