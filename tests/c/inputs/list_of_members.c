// A ring of links, each a member of a larger struct.
// function: find
// expect: covered 6 infeasible 0 unknown 0
#include <stddef.h>

struct link {
    struct link *next;
};

struct task {
    int priority;
    struct link link;
};

int find(struct link *head);
int find(struct link *head)
{
    int best = 0;
    if (!head)
        return -1;
    for (struct link *at = head->next; at != head; at = at->next) {
        const struct task *task = (const struct task *)(const void *)((const char *)at - offsetof(struct task, link));
        if (task->priority > best)
            best = task->priority;
    }
    return best;
}
