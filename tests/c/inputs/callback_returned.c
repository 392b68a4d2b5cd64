// A function pointer that another function pointer gives, and one from a table of the program.
// function: dispatch
// expect: covered 8 infeasible 0 unknown 0
typedef int (*action)(int);
typedef action (*chooser)(int);

static int twice(int x)
{
    return 2 * (x & 255);
}

static int same(int x)
{
    return x;
}

static action const own[4] = { twice, 0, same, twice };

int dispatch(chooser choose, int what);
int dispatch(chooser choose, int what)
{
    action found = choose ? choose(what) : own[what & 3];
    if (!found)
        return -1;
    if (found(what) == 42)
        return 1;
    return found == twice ? 2 : 3;
}
