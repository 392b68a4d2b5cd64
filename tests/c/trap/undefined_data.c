// expect: trap undefined-function|wild-pointer|out-of-bounds 7
// A variable that is declared and nowhere defined.
extern int elsewhere;

int main(void)
{
    return elsewhere;
}
