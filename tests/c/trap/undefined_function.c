// expect: trap undefined-function 8
// A function that is declared and nowhere defined.
int elsewhere(int);

int main(void)
{
    int n = 3;
    return elsewhere(n);
}
