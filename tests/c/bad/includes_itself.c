#include "includes_itself.c"
int main(void) { return 0; }
