// What is far before the pointer that a function is given.
// function: before
// reachable: 10:9 true
// reachable: 10:9 false
// reachable: 12:9 true
// reachable: 12:9 false
int before(const char *s);
int before(const char *s)
{
    if (s[-1] == 'a')
        return 1;
    if (s[-6000] == 'b')
        return 2;
    return 0;
}
