// Handles of a library that only it looks into: they come from it, are compared, kept and handed back.
// function: copy_all
// expect: covered 14 infeasible 0 unknown 0
struct store;
struct store *store_open(int number);
int store_next(struct store *store);
void store_close(struct store *store);

struct session {
    struct store *first, *spare;
};

int copy_all(struct session *session, struct store *given);
int copy_all(struct session *session, struct store *given)
{
    struct store *from;
    if (!session || !session->first)
        return -1;
    if (session->first == session->spare)
        return -2;
    from = given ? given : store_open(1);
    if (!from)
        return -3;
    if (from == session->first)
        return -4;
    if (store_next(from) > 100)
        store_close(from);
    return 0;
}
