int main(int argc)
{
    return argc;
}
