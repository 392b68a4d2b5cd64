void add_op(int (*f)(int));
static int square(int n) { return n * n; }
__attribute__((constructor(150))) static void init(void) { add_op(square); }
