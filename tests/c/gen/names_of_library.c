// Functions, variables and enumerators that are called as something of headers that the code does not include, but suites do.
// function: pause
// expect: covered 12 infeasible 0 unknown 0
static int y1;
int optind;
enum mode { idle, read, write };

static int index(int a, int b) { return a > b ? a : b; }
static int strcmp(int a, int b) { return a - b; }
int link(int a) { return a + 1; }
static int div(int a, int b) { return b ? a / b : 0; }
int random(int seed) { return seed * 3; }

int pause(int (*way)(int), enum mode m)
{
    int x = way == link ? 4 : m;
    y1 += x;
    if (index(x, 3) > link(x) || m == write)
        return div(y1, x) + strcmp(x, 3);
    return random(x) == 9 ? optind : 0;
}
