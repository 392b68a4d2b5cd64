// Fields of some bits.
// function: flags
// reachable: 13:9 true
// reachable: 13:9 false
// reachable: 15:9 true
// reachable: 15:9 false
// reachable: 17:9 true
// reachable: 17:9 false
struct flags { unsigned a : 3; signed b : 5; unsigned c : 24; };
int flags(struct flags f);
int flags(struct flags f)
{
    if (f.a == 7)
        return 1;
    if (f.b < -10)
        return 2;
    if (f.c == 0xabcdef)
        return 3;
    return 0;
}
