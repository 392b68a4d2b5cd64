// Is a triangle with the longest side first a right one? The squares can miss each other by one in both directions:
// 3, 2, 2 is one above and 7, 5, 5 one below.
// function: is_right
// options: -c branch,boundary --assume a>0&&a<1000 --assume b>0&&b<=a --assume c>0&&c<=a
// expect: branch covered 2 infeasible 0 unknown 0
// expect: boundary covered 3 infeasible 0 unknown 0
// expect: covered 13:15 left == right
// expect: covered 13:15 left == right + 1
// expect: covered 13:15 left == right - 1
// tests: 3
int is_right(int a, int b, int c)
{
    if (a * a == b * b + c * c)
        return 1;
    return 0;
}
