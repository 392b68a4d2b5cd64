// Macros: conditions in definitions, in arguments, in both, several levels, several uses; text from other files.
#include "macros.h"
#include <stdio.h>
#define RETURN_IF(c, v) do { if (c) return v; } while (0)
#define L2(a, b) BOTH(a, b)
#define L3(x) L2(x, x > 1)
#define CASES(n) case n: case n + 10: return n;
#define LOOP(i, n) for (int i = 0; i < (n); i++)
#define OPEN if (x) {
#define CLOSE }
#define AND &&
#define TRUE 1

int uses(int a, int b, int c) {
  int r = MIN(a, b) + MIN(b, c);
  if (BOTH(a, b)) r++;
  if (NEST(a, b, c)) r++;
  if (TWICE(a && b)) r += 2;
  RETURN_IF(a > b && b > 0, 7);
  RETURN_IF(BOTH(a, MIN(a, b)), 8);
  RETURN_IF(L3(a) || c, 9);
  if (L3(a)) r++;
  if (ID(a) && ID(b)) r++;
  if (a AND b) r++;
  if (TRUE && a) r++;
  while (TRUE) { if (ID(r > 3)) break; r++; }
  return r;
}

int shapes(int x, int y) {
  switch (x) { CASES(1) CASES(2) ID(case 5:) return 5; }
  LOOP(i, x) LOOP(j, y) { RETURN_IF(i == 3, j); }
  OPEN y++; CLOSE
  return clamp(x, 2, y);
}

int included(int x, int y) {
#include "table.inc"
#if 0
  if (x) return 9;
#endif
  return y;
}

#define FUNCTION(name, op) int name(int x, int y) { if (x op y) return 1; return x && y; }
FUNCTION(less, <)
FUNCTION(more, >)

int main(void) {
  int t = 0;
  for (int a = -1; a < 3; a++)
    for (int b = -1; b < 4; b++) {
      for (int c = 0; c < 3; c++) t += uses(a, b, c);
      t += shapes(a + 2, b) + included(a + 6, b) + less(a, b) + more(a, b);
    }
  printf("%d\n", t);
  return 0;
}
