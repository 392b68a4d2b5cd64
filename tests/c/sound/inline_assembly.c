// What an asm block gives is not known.
// function: after
// reachable: 10:9 true
// reachable: 10:9 false
// reachable: 12:9 true
// reachable: 12:9 false
int after(int x);
int after(int x) {
    __asm__ volatile("xor %0, %0" : "+r"(x));
    if (x == 0)
        return 1;
    if (x == 5)
        return 2;
    return 3;
}
