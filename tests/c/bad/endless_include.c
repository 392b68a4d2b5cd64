/* The device never ends; the compiler is stopped, or says that it is not a file. */
#include "/dev/zero"
int main(void) { return 0; }
