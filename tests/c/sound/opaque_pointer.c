// What a type is that no file defines, only its owner knows.
// function: touch
// reachable: 9:9 true
// reachable: 9:9 false
struct handle;
int touch(struct handle *h);
int touch(struct handle *h)
{
    if (h)
        return 1;
    return 0;
}
