// expect: trap use-after-return 21
// native: address
// A struct keeps the address of an array whose frame is gone.
struct view {
    int *data;
    int n;
};

static void init(struct view *v)
{
    int numbers[4] = {1, 2, 3, 4};
    v->data = numbers;
    v->n = 4;
}

int main(void)
{
    struct view v;
    init(&v);
    int s = v.n;
    s += v.data[2];
    return s;
}
