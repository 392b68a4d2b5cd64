// More arguments than are tried, and longer ones, are no less possible.
// function: main
// reachable: 8:9 true
// reachable: 8:9 false
// reachable: 10:21 true
int main(int argc, char **argv)
{
    if (argc > 40)
        return 1;
    if (argc > 1 && argv[1][0]) {
        int i = 0;
        while (argv[1][i])
            i++;
        if (i > 100)
            return 2;
    }
    return 0;
}
