// Conditions: nested && and ||, negations, values and controlling expressions, ?: of every kind.
#include <stdio.h>

int controlling(int a, int b, int c) {
  if (a && (b || !c)) return 1;
  if (!(a && b) || (c && !a)) return 2;
  if ((a || b) && (b || c) && (a || c)) return 3;
  return 4;
}

int values(int a, int b, int c) {
  int r = a && b;
  r += a || b;
  r += !a && c;
  r += !(a || c);
  r = r + (a && b && c) + (a || b || c) + (a && b || c) + ((a || b) && c);
  return r;
}

int conditional(int a, int b) {
  int r = a ? 4 : 5;
  r += a > b ? r : b;
  r += (a && b) ? a || b : 7;
  r += a ?: b;
  r += a ? b ? 1 : 2 : 3;
  if (a ? b : r) r++;
  if (a > b ? a && b : a || b) r++;
  (a && b) ? r++ : r--;
  return r;
}

int nested(int a, int b) {
  if ((a && b) == (b || a)) return 1;
  if (controlling(a && b, b, a || b) > 2 && b) return 2;
  if ((a, b)) return 3;
  if ((a && b, a || b)) return 4;
  return (a && b) + (a ? b && a : 0);
}

int constant(int a) {
  int r = 0;
  if (0) r++;
  if (1) r++;
  if (0 && a) r++;
  if (1 && a) r++;
  if (a && 1) r++;
  if (a && 0) r++;
  if (0 || a) r++;
  if (a || 1) r++;
  r += 1 && a;
  r += a || 0;
  r += sizeof(int) == 4 ? a : 5;
  r += 1 ? a : 5;
  return r;
}

int dead(int a) {
  return 1;
  if (a) return 2;
  if (0) { if (a) return 3; }
  return a && a > 1;
}

int builtin(int a, int b) {
  if (__builtin_expect(a > b, 1)) return 1;
  if (__builtin_expect(!!(a && b), 0)) return 2;
  if (({ int t = a + b; t && a; })) return 3;
  return 0;
}

double floating(double x, double y) {
  if (x) return 1;
  if (x < y && y) return 2;
  return x > y ? x : y;
}

int main(void) {
  int t = 0;
  for (int a = -1; a < 3; a++)
    for (int b = -1; b < 2; b++) {
      for (int c = 0; c < 2; c++) t += controlling(a, b, c) + values(a, b, c);
      t += conditional(a, b) + nested(a, b) + builtin(a, b) + (int)floating(a, b);
    }
  for (int a = 0; a < 3; a++) t += constant(a) + dead(a);
  printf("%d\n", t);
  return 0;
}
