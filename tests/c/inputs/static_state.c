// Static variables of a file are inputs; tests set them, and begin with what they were.
// function: next_ticket
// expect: covered 6 infeasible 0 unknown 0
static int tickets, closed;

int next_ticket(int priority);
int next_ticket(int priority)
{
    if (closed)
        return -1;
    if (tickets == 99) {
        closed = 1;
        return 0;
    }
    tickets += priority > 3 ? 2 : 1;
    return tickets;
}
