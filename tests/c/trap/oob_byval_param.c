// expect: trap out-of-bounds 11
// native: address
// A struct passed by value is read behind its end.
struct box {
    int v[6];
};

static int get(struct box b, int i)
{
    int *p = b.v;
    return p[i];
}

int main(void)
{
    struct box b = {{1, 2, 3, 4, 5, 6}};
    return get(b, 5) + get(b, 6);
}
