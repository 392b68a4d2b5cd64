// Bit-fields, beside each other and across bytes.
// function: decode
// expect: covered 10 infeasible 0 unknown 0
struct frame {
    unsigned kind : 3;
    int offset : 6;
    unsigned long length : 20;
    _Bool last : 1;
    unsigned char check;
};

int decode(const struct frame *frame, struct frame copy);
int decode(const struct frame *frame, struct frame copy)
{
    if (frame->kind == 5 && frame->offset == -17)
        return 1;
    if (frame->length > 1000000)
        return frame->last ? 2 : 3;
    return copy.kind == 7 ? frame->check : 0;
}
