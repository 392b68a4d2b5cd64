// What a function makes comes back by a pointer to a pointer, or by a number that it fills in.
// function: first_value
// options: --stub checksum=pure
// expect: covered 12 infeasible 0 unknown 0
struct box { int value; };
int make_box(int size, struct box **out);
unsigned checksum(int value);
void measure(double *width, unsigned char bytes[4]);

int first_value(int size);
int first_value(int size)
{
    struct box *box = 0;
    double width;
    unsigned char bytes[4];
    if (make_box(size, &box) != 0)
        return -1;
    measure(&width, bytes);
    if (width > 2.5 && bytes[3] == 200)
        return -2;
    if (checksum(size) == checksum(size + 1))
        return -3;
    return box && box->value == size;
}
