// A function that writes nothing still fills the struct that it returns, each time anew.
// function: differ
// options: --stub any
// reachable: 20:18 true
// reachable: 20:18 false
struct sample {
    int value;
    int history[7];
};

struct sample next_sample(void);

int differ(void)
{
    int first = 0, changes = 0;
    for (int i = 0; i < 2; i++) {
        struct sample sample = next_sample();
        if (i == 0)
            first = sample.value;
        else if (sample.value != first)
            changes++;
    }
    return changes;
}
