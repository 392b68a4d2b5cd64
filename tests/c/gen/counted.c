// What a loop counted and what it wrote decides at the end, so no single decision leads there: of all ways through the
// loop only those with three marks of the right kind do, in the right place. So few questions are enough only for one that
// is about all ways at once.
// function: grade
// options: --pointers valid --array-len 8 --max-iterations 60
// expect: covered 16 infeasible 0 unknown 0
#define MOST 6

struct mark {
    char kind;
    signed char points;
};

int grade(const struct mark *marks);
int grade(const struct mark *marks)
{
    char written[MOST + 1] = {0};
    int oral = 0, late = 0, length = 0;
    for (int i = 0; i < MOST; i++) {
        switch (marks[i].kind) {
        case 'o':
            oral++;
            break;
        case 'w':
            written[length++] = marks[i].points;
            break;
        case 'l':
            late++;
            break;
        default:
            break;
        }
    }
    if (oral == 2 && late == 1)
        return written[0] == 7 && written[2] == 9 ? 4 : 3;
    if (length == MOST)
        return 2;
    return late > 4;
}
