// A structure by value.
// function: compares
// reachable: 13:9 true
// reachable: 13:9 false
// reachable: 13:23 true
// reachable: 13:23 false
// reachable: 15:9 true
// reachable: 15:9 false
struct point { short x, y; float w; };
int compares(struct point a, struct point b);
int compares(struct point a, struct point b)
{
    if (a.x == b.x && a.w > b.w)
        return 1;
    if (a.y > b.y)
        return 2;
    return 0;
}
