// A size that wraps where it has 32 bits.
// function: room
// infeasible on x86_64 aarch64 riscv64: 8:9 true
unsigned long room(unsigned count);
unsigned long room(unsigned count)
{
    unsigned long bytes = count * 4096UL;
    if (bytes / 4096UL != count)
        return 0;
    return bytes;
}
