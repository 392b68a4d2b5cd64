// A buffer with its size and capacity: elements below the size are there, room up to the capacity.
// function: append
// expect: covered 12 infeasible 0 unknown 0
struct buffer {
    int *data;
    unsigned size, capacity;
};

int append(struct buffer *buffer, int value);
int append(struct buffer *buffer, int value)
{
    if (!buffer || !buffer->data || buffer->size > buffer->capacity)
        return -1;
    if (buffer->size == buffer->capacity)
        return -2;
    if (buffer->size && buffer->data[buffer->size - 1] == value)
        return 0;
    buffer->data[buffer->size++] = value;
    return 1;
}
