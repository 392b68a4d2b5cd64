// Rows and columns of a small board.
// property: branches
// missed: 0
extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void)
{
    unsigned char board[3][3];
    int wins = 0;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            board[i][k] = __VERIFIER_nondet_uchar();
    for (int i = 0; i < 3; i++) {
        if (board[i][0] == 'x' && board[i][1] == 'x' && board[i][2] == 'x')
            wins++;
        if (board[0][i] == 'x' && board[1][i] == 'x' && board[2][i] == 'x')
            wins++;
    }
    if (wins == 2)
        return 2;
    if (wins > 0)
        return 1;
    return 0;
}
