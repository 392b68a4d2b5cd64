// Ends that the counters do not see: calls that do not return, endless loops, clean-ups, expressions nobody evaluates.
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

_Noreturn static void die(int status) { exit(status); }

int no_return(int a, int b) {
  if (a == -1) die(1);
  if (a && b && a > b * 100) abort();
  int n = a || (die(2), 1);
  return a > b ? n : b;
}

int asserted(int a, int b) {
  assert(a > 0);
  assert(a > 0 && b >= 0);
  assert(sizeof(a ? b : a) == 4);
  return a < b;
}

void endless(int a) {
  if (a) puts("endless");
  while (1) {
    if (a > 1) puts(a && a > 2 ? "x" : "y");
    switch (a) { case 1: continue; case 2: a++; }
  }
}

void endless_unless(int a) {
  while (a) {
    if (a == 3) for (;;) { a += a > 9; }
    a--;
  }
}

static void released(int *n) { printf("%d ", *n); }

int cleanup(int n) {
  __attribute__((cleanup(released))) int a = n;
  if (n == 0) return 1;
  for (int i = 0; i < n; i++) {
    __attribute__((cleanup(released))) int b = i;
    if (i == 1) continue;
    if (i == 2 && n > 3) break;
    if (i == 4 || n == 7) return 2;
  }
  return n > 2;
}

int arrays(int n) {
  int s = 0;
  for (int i = 1; i < n; i++) {
    int a[i];
    a[0] = i;
    if (i == 3) continue;
    { int b[i + 1]; b[0] = 2; if (i > 5) break; s += b[0]; if (n == 4) goto out; }
    s += a[0] && s;
  }
out:
  return s;
}

int main(int argc, char **argv) {
  int t = 0;
  for (int i = 1; i < 9; i++) t += no_return(i, i & 3) + asserted(i, i & 3) + cleanup(i - 1) + arrays(i);
  endless_unless(2);
  if (argc > 1) endless(argc);
  printf("%d\n", t);
  return 0;
}
