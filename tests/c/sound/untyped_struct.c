// Behind a pointer to void is what its user makes of it.
// function: opens
// reachable: 14:9 true
// reachable: 14:9 false
// reachable: 16:9 true
// reachable: 16:9 false
// reachable: 18:9 true
// reachable: 18:9 false
struct header { int magic; long size; char name[20]; };
int opens(const void *data);
int opens(const void *data)
{
    const struct header *h = data;
    if (!h)
        return -1;
    if (h->magic == 0x1234)
        return 1;
    if (h->name[3] == 'a')
        return 2;
    return 0;
}
