// Three queues of processes by priority. Commands make a process, raise one, block the running one, wake one, end the
// time slice of the running one, or finish it.
// function: schedule
// options: --pointers valid --globals initial
// expect: covered 48 infeasible 3 unknown 0
#define COMMANDS 3
#define MOST 8

enum command { NEW = 1, RAISE, BLOCK, WAKE, SLICE, FINISH };

struct order {
    unsigned char what;
    unsigned char priority;
    unsigned char place;
};

struct queue {
    int members[MOST];
    int length;
};

static struct queue ready[4], blocked;
static int priority_of[MOST];
static int made;

static int put(struct queue *queue, int process)
{
    if (queue->length >= MOST)
        return 0;
    queue->members[queue->length++] = process;
    return 1;
}

static int take(struct queue *queue, int place)
{
    if (place < 0 || place >= queue->length)
        return -1;
    int process = queue->members[place];
    for (int i = place + 1; i < queue->length; i++)
        queue->members[i - 1] = queue->members[i];
    queue->length--;
    return process;
}

static struct queue *running(void)
{
    for (int priority = 3; priority > 0; priority--) {
        if (ready[priority].length > 0)
            return &ready[priority];
    }
    return 0;
}

static int carry_out(const struct order *order)
{
    struct queue *current = running();
    switch (order->what) {
    case NEW:
        if (order->priority < 1 || order->priority > 3)
            return -1;
        if (made >= MOST)
            return -2;
        priority_of[made] = order->priority;
        return put(&ready[order->priority], made++);
    case RAISE: {
        if (order->priority < 1 || order->priority > 2)
            return -1;
        int process = take(&ready[order->priority], order->place);
        if (process < 0)
            return -3;
        priority_of[process]++;
        return put(&ready[priority_of[process]], process);
    }
    case BLOCK:
        return current ? put(&blocked, take(current, 0)) : -3;
    case WAKE: {
        int process = take(&blocked, order->place);
        if (process < 0)
            return -3;
        return put(&ready[priority_of[process]], process);
    }
    case SLICE:
        if (!current)
            return -3;
        return put(current, take(current, 0));
    case FINISH:
        if (!current)
            return -3;
        take(current, 0);
        return 1;
    default:
        return -4;
    }
}

int schedule(const struct order orders[COMMANDS], int count);
int schedule(const struct order orders[COMMANDS], int count)
{
    if (count < 0 || count > COMMANDS)
        return -1;
    int done = 0;
    for (int i = 0; i < count; i++) {
        if (carry_out(&orders[i]) > 0)
            done++;
    }
    return done == COMMANDS && blocked.length == 1 ? 100 : done;
}
