// expect: trap bad-call 15
// native: signal
// A null function pointer is called.
struct ops {
    int (*open)(int);
    int (*close)(int);
};

static int do_open(int n) { return n; }

int main(void)
{
    struct ops o = {do_open, 0};
    int r = o.open(1);
    return r + o.close(2);
}
