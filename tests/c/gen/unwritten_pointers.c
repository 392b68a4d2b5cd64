// What a call leaves unwritten, pointers here, is one way natively and another elsewhere: no verdict rests on it.
// function: count
// expect: covered 0 infeasible 0 unknown 2
struct region {
    int bytes;
    long value;
    char *start, *top;
};

void set_region(struct region *region, char *at, int bytes);

int count(char *at, int bytes)
{
    struct region region;
    char *p;
    int found = 0;
    set_region(&region, at, bytes);
    for (p = region.start; p < region.top; p++)
        found++;
    return found;
}
