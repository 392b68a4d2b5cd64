// Rules of a game on a board of three by three, one bit a cell: may a piece be put there, and has somebody won?
// function: play
static const unsigned short rows[8] = { 0007, 0070, 0700, 0111, 0222, 0444, 0421, 0124 };

enum { ALL = 0777 };

static int has_won(unsigned cells)
{
    for (int i = 0; i < 8; i++)
        if ((cells & rows[i]) == rows[i])
            return 1;
    return 0;
}

static int is_sound(unsigned crosses, unsigned noughts, int moves)
{
    if (crosses > ALL || noughts > ALL || (crosses & noughts) != 0)
        return 0;
    return moves >= 0 && moves < 9;
}

int play(unsigned crosses, unsigned noughts, int moves, int row, int column)
{
    if (row < 0 || row > 2 || column < 0 || column > 2)
        return -1;
    if (!is_sound(crosses, noughts, moves))
        return -2;
    unsigned cell = 1u << (row * 3 + column);
    if ((crosses & cell) || (noughts & cell))
        return -4;
    int crosses_turn = moves % 2 == 0;
    int full = moves == 8 && (crosses | noughts | cell) == ALL;
    if (has_won(crosses) || has_won(noughts))
        return -3;
    if (has_won(crosses_turn ? crosses | cell : noughts | cell))
        return crosses_turn ? 1 : 2;
    return full ? 3 : 0;
}
