// Names that frameworks have macros of, also among what it calls.
// function: assert_true
// options: --pointers valid
// expect: covered 3 infeasible 1 unknown 0
// expect: infeasible 9:12 true
int fail_msg(int code);
int fail_msg(int code)
{
    return code > 7 ? 7 : code;
}

int assert_true(int value, int *expect_value);
int assert_true(int value, int *expect_value)
{
    *expect_value = 0;
    if (value != 0)
        return 1;
    return fail_msg(*expect_value - 1);
}
