// The same kind of scheduler with linked lists, and processes that age: who waited for two slices goes one queue up.
// function: schedule2
// options: --pointers valid --globals initial
// expect: covered 38 infeasible 1 unknown 0
#define COMMANDS 4
#define MOST 6

struct process {
    int priority;
    int waited;
    struct process *next;
};

static struct process pool[MOST];
static struct process *ready[3];
static struct process *stopped;
static int used;

static void append(struct process **list, struct process *process)
{
    while (*list)
        list = &(*list)->next;
    process->next = 0;
    *list = process;
}

static struct process *first(struct process **list)
{
    struct process *process = *list;
    if (process)
        *list = process->next;
    return process;
}

static struct process *next_to_run(void)
{
    for (int level = 2; level >= 0; level--) {
        if (ready[level])
            return first(&ready[level]);
    }
    return 0;
}

static void age(void)
{
    for (int level = 0; level < 2; level++) {
        struct process **link = &ready[level];
        while (*link) {
            struct process *process = *link;
            if (++process->waited >= 2) {
                *link = process->next;
                process->waited = 0;
                process->priority = level + 1;
                append(&ready[level + 1], process);
            } else {
                link = &process->next;
            }
        }
    }
}

static int start(int priority)
{
    if (priority < 0 || priority > 2)
        return 0;
    if (used == MOST)
        return 0;
    pool[used].priority = priority;
    pool[used].waited = 0;
    append(&ready[priority], &pool[used]);
    used++;
    return 1;
}

static int command(char what, int argument)
{
    struct process *process;
    switch (what) {
    case 'n':
        return start(argument);
    case 's':
        process = next_to_run();
        if (!process)
            return 0;
        append(&stopped, process);
        return 1;
    case 'c':
        process = first(&stopped);
        if (!process)
            return 0;
        if (argument == 1 && process->priority < 2)
            process->priority++;
        append(&ready[process->priority], process);
        return 1;
    case 'q':
        process = next_to_run();
        age();
        if (process)
            append(&ready[process->priority], process);
        return process != 0;
    default:
        return -1;
    }
}

int schedule2(const char what[COMMANDS], const signed char arguments[COMMANDS]);
int schedule2(const char what[COMMANDS], const signed char arguments[COMMANDS])
{
    int good = 0;
    for (int i = 0; i < COMMANDS; i++) {
        int result = command(what[i], arguments[i]);
        if (result < 0)
            return -1;
        good += result;
    }
    return good;
}
