// A vector has several.
// function: lanes
// reachable: 9:9 true
// reachable: 9:9 false
typedef int four __attribute__((vector_size(16)));
int lanes(four v);
int lanes(four v)
{
    if (v[2] == 9)
        return 1;
    return 0;
}
