// A function that nobody defines here returns a pointer.
// function: finds
// reachable: 13:9 true
// reachable: 13:9 false
// reachable: 15:9 true
// reachable: 15:9 false
struct item { int key; };
struct item *lookup(int key);
int finds(int key);
int finds(int key)
{
    struct item *found = lookup(key);
    if (!found)
        return -1;
    if (found->key == key)
        return 1;
    return 0;
}
