// A pointer may point to a member of a structure.
// function: both
// reachable: 13:9 true
// reachable: 13:9 false
// reachable: 13:15 true
// reachable: 13:15 false
// reachable: 17:9 true
// reachable: 17:9 false
struct pair { int a, b; };
int both(struct pair *p, int *q);
int both(struct pair *p, int *q)
{
    if (!p || !q)
        return -1;
    p->b = 1;
    *q = 9;
    if (p->b == 9)
        return 1;
    return 0;
}
