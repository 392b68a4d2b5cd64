// A scheduler of processes with priorities, driven by commands on standard input.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LEVELS = 3, MOST = 10 };

struct process {
    int id, level, ran;
    struct process *next;
};

struct queue {
    struct process *head, *tail;
    int length;
};

static struct queue ready[LEVELS], blocked;
static struct process *current;
static int next_id = 1, alive;

static void append(struct queue *queue, struct process *process)
{
    process->next = NULL;
    if (queue->tail == NULL)
        queue->head = process;
    else
        queue->tail->next = process;
    queue->tail = process;
    queue->length++;
}

static struct process *take(struct queue *queue, int number)
{
    struct process **link = &queue->head, *before = NULL, *found;
    while (*link != NULL && number > 1) {
        before = *link;
        link = &(*link)->next;
        number--;
    }
    found = *link;
    if (found == NULL || number < 1)
        return NULL;
    *link = found->next;
    if (queue->tail == found)
        queue->tail = before;
    queue->length--;
    return found;
}

static void reschedule(void)
{
    int level;
    if (current != NULL)
        return;
    for (level = LEVELS - 1; level >= 0 && current == NULL; level--)
        current = take(&ready[level], 1);
}

static void preempt(void)
{
    int level;
    if (current == NULL)
        return;
    for (level = LEVELS - 1; level > current->level; level--) {
        if (ready[level].length > 0) {
            append(&ready[current->level], current);
            current = NULL;
            return;
        }
    }
}

static int spawn(int level)
{
    struct process *process;
    if (level < 0 || level >= LEVELS)
        return -1;
    if (alive == MOST)
        return -2;
    process = malloc(sizeof *process);
    if (process == NULL)
        return -3;
    process->id = next_id++;
    process->level = level;
    process->ran = 0;
    alive++;
    append(&ready[level], process);
    return process->id;
}

static void finish(void)
{
    if (current == NULL) {
        puts("nobody runs");
        return;
    }
    printf("process %d ends after %d\n", current->id, current->ran);
    free(current);
    current = NULL;
    alive--;
}

static void tick(void)
{
    if (current == NULL)
        return;
    current->ran++;
    if (current->ran % 2 == 0) {
        append(&ready[current->level], current);
        current = NULL;
    }
}

static void upgrade(int level, int number)
{
    struct process *process;
    if (level < 0 || level >= LEVELS - 1) {
        puts("no such level");
        return;
    }
    process = take(&ready[level], number);
    if (process == NULL) {
        puts("no such process");
        return;
    }
    process->level++;
    append(&ready[process->level], process);
}

int main(void)
{
    char word[12];
    int a, b;
    while (scanf("%11s", word) == 1) {
        if (strcmp(word, "new") == 0) {
            if (scanf("%d", &a) != 1)
                return 2;
            a = spawn(a);
            if (a < 0)
                printf("cannot start: %d\n", a);
        } else if (strcmp(word, "end") == 0) {
            finish();
        } else if (strcmp(word, "tick") == 0) {
            tick();
        } else if (strcmp(word, "block") == 0) {
            if (current != NULL) {
                append(&blocked, current);
                current = NULL;
            }
        } else if (strcmp(word, "wake") == 0) {
            struct process *process;
            if (scanf("%d", &a) != 1)
                return 2;
            process = take(&blocked, a);
            if (process != NULL)
                append(&ready[process->level], process);
            else
                puts("nobody to wake");
        } else if (strcmp(word, "up") == 0) {
            if (scanf("%d %d", &a, &b) != 2)
                return 2;
            upgrade(a, b);
        } else {
            printf("what is %s?\n", word);
            return 1;
        }
        preempt();
        reschedule();
    }
    return current == NULL ? 0 : 3;
}
