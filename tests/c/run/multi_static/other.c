static int value = 1000;
struct item { double d; char c; };
static int helper(int n) { struct item i = {n * 2, 'c'}; return (int)i.d + value++; }
int other(int n)
{
    static int local = 50;
    local++;
    return helper(n) + local;
}
