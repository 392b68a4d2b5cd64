// An account with a limit.
// property: branches
// missed: 0
extern int __VERIFIER_nondet_int(void);

struct account {
    int balance, limit, refused;
};

static void draw(struct account *account, int amount)
{
    if (amount <= 0)
        return;
    if (account->balance - amount < -account->limit) {
        account->refused++;
        return;
    }
    account->balance -= amount;
}

int main(void)
{
    struct account account = {1000, 200, 0};
    for (int i = 0; i < 3; i++) {
        int amount = __VERIFIER_nondet_int();
        if (amount > 100000)
            return 0;
        draw(&account, amount);
    }
    if (account.balance == -200)
        return 1;
    if (account.refused == 2)
        return 2;
    return 3;
}
