// A pointer to a structure may be one to an array of these.
// function: second
// reachable: 11:9 true
// reachable: 11:9 false
// reachable: 13:9 true
// reachable: 13:9 false
struct node { struct node *next; int key; };
int second(struct node *nodes);
int second(struct node *nodes)
{
    if (!nodes)
        return -1;
    if (nodes[1].key == 3)
        return 1;
    return 0;
}
