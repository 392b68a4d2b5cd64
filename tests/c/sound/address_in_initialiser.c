// The address of a constant table is in the initialiser of a struct: a pointer that comes from there is equal to it.
// function: owner_of
// reachable: 20:9 true
// reachable: 20:9 false
// reachable: 23:9 true
// reachable: 23:9 false
// reachable: 25:9 true
// reachable: 25:9 false
struct state {
    int count;
    const int *at;
};

static const int table[4] = {3, 7, 0, 100};

int owner_of(int kind, void (*change)(struct state *))
{
    struct state state = {3, table};
    int own;
    if (kind > 100)
        change(&state);
    own = state.at == table;
    if (kind < 5)
        own += 5;
    if (own == 6)
        return 1;
    return own;
}
