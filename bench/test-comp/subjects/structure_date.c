// Dates and the days of months.
// property: branches
// missed: 0
extern unsigned char __VERIFIER_nondet_uchar(void);

struct date {
    unsigned char day, month;
    int year;
};

static int days(const struct date *date)
{
    switch (date->month) {
    case 2:
        if (date->year % 4 == 0)
            return 29;
        return 28;
    case 4:
    case 6:
    case 9:
    case 11:
        return 30;
    default:
        return 31;
    }
}

int main(void)
{
    struct date date = {__VERIFIER_nondet_uchar(), __VERIFIER_nondet_uchar(), 1990 + __VERIFIER_nondet_uchar()};
    if (date.month < 1 || date.month > 12)
        return 1;
    if (date.day < 1 || date.day > days(&date))
        return 2;
    return 0;
}
