// Nobody here knows how many bytes there are.
// function: first_of
// reachable: 9:9 true
// reachable: 9:9 false
extern char heap[];
int first_of(int at);
int first_of(int at)
{
    if (heap[at] == 'z')
        return 1;
    return 0;
}
