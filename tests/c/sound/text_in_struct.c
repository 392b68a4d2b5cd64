// Text in a structure behind a pointer.
// function: checks
// reachable: 15:9 true
// reachable: 15:9 false
// reachable: 15:15 true
// reachable: 15:15 false
// reachable: 18:12 true
// reachable: 18:12 false
// reachable: 20:9 true
// reachable: 20:9 false
struct person { char *name; int age; };
int checks(struct person *p);
int checks(struct person *p)
{
    if (!p || !p->name)
        return -1;
    int i = 0;
    while (p->name[i] == 'a')
        i++;
    if (i > 16)
        return 1;
    return 0;
}
