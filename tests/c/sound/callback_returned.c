// A function comes out of a table that somebody else filled.
// function: calls
// reachable: 13:9 true
// reachable: 13:9 false
// reachable: 15:9 true
// reachable: 15:9 false
typedef int (*step)(int);
extern step steps[4];
int calls(unsigned i);
int calls(unsigned i)
{
    step s = steps[i & 3];
    if (!s)
        return 0;
    if (s(2) == 3)
        return 1;
    return 2;
}
