void add_op(int (*f)(int));
static int twice(int n) { return n * 2; }
__attribute__((constructor(200))) static void init(void) { add_op(twice); }
