// Functions that call each other in circles from several places, as parsers do: copies of them for each chain of calls are many.
// function: read_value
// expect: covered 66 infeasible 0 unknown 0
struct reader {
    const char *text;
    unsigned at;
    unsigned depth;
};

int read_value(struct reader *reader);

static char next(struct reader *reader)
{
    return reader->text[reader->at];
}

static int expect(struct reader *reader, char wanted)
{
    if (next(reader) != wanted)
        return 0;
    reader->at++;
    return 1;
}

static int read_word(struct reader *reader)
{
    int length = 0;
    while (next(reader) >= 'a' && next(reader) <= 'z') {
        reader->at++;
        length++;
    }
    return length > 0;
}

static int read_pair(struct reader *reader)
{
    if (!read_word(reader))
        return 0;
    if (expect(reader, '='))
        return read_value(reader);
    if (expect(reader, '?'))
        return read_value(reader) || read_word(reader);
    return 1;
}

static int read_list(struct reader *reader)
{
    if (expect(reader, ')'))
        return 1;
    if (!read_value(reader))
        return 0;
    while (expect(reader, ','))
        if (!read_value(reader))
            return 0;
    return expect(reader, ')');
}

static int read_table(struct reader *reader)
{
    if (expect(reader, '}'))
        return 1;
    if (!read_pair(reader))
        return 0;
    while (expect(reader, ';'))
        if (!read_pair(reader))
            return 0;
    return expect(reader, '}');
}

static int read_four(struct reader *reader)
{
    return read_value(reader) && read_value(reader) && read_value(reader) && read_value(reader);
}

static int read_two(struct reader *reader)
{
    return read_pair(reader) && read_pair(reader);
}

int read_value(struct reader *reader)
{
    int ok;
    if (!reader || !reader->text || reader->depth > 2 || reader->at > 12)
        return 0;
    reader->depth++;
    if (expect(reader, '('))
        ok = read_list(reader);
    else if (expect(reader, '{'))
        ok = read_table(reader);
    else if (expect(reader, '!'))
        ok = read_value(reader) && read_value(reader);
    else if (expect(reader, '4'))
        ok = read_four(reader);
    else if (expect(reader, '2'))
        ok = read_two(reader);
    else
        ok = read_word(reader);
    reader->depth--;
    return ok;
}
