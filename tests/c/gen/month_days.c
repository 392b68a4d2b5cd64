// Numbers in, a number out, and nothing else: the tests are rows of a table.
// function: month_days
// expect: covered 20 infeasible 0 unknown 0

int month_days(int year, unsigned month);
int month_days(int year, unsigned month)
{
    if (month == 0 || month > 12)
        return -1;
    if (month == 2)
        return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28;
    return month == 4 || month == 6 || month == 9 || month == 11 ? 30 : 31;
}
