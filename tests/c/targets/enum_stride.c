// Where the second of two enums lies.
// function: second
// infeasible on x86_64 i386 arm aarch64 riscv32 riscv64: 14:9 true
enum level { LOW, HIGH = 200 };

int second(unsigned char x);
int second(unsigned char x)
{
    union {
        enum level levels[2];
        unsigned char bytes[8];
    } u = {{LOW, LOW}};
    u.bytes[1] = x;
    if (u.levels[1] != LOW)
        return 1;
    return 0;
}
