// Loops of every kind, with break, continue, goto and returns in them.
#include <stdio.h>

int loops(int n) {
  int s = 0;
  for (int i = 0; i < n; i++) {
    if (i == 3) continue;
    s += i;
    if (s > 100) break;
  }
  while (n > 0 && s > 0) { n--; s -= 2; }
  do { s++; } while (s < 5);
  do {
    if (s == 7) { s++; continue; }
    if (s == 9) break;
    s++;
  } while (s < 12 && n < 100);
  while (1) { if (s > 10) break; s++; }
  for (;;) { s++; if (s > 20) break; }
  for (int i = 0; i < n || s < 30; i++) s += 3;
  while (!(s < 10)) s -= 4;
  do s++; while (0);
  do { if (n >= 0) break; } while (1);
  return s;
}

int jumps(int n) {
  int s = 0;
again:
  if (s < n) { s++; goto again; }
  if (n == 4) goto inside;
  while (s > 0) {
    s--;
  inside:
    s -= 2;
    if (s == 1) return 9;
  }
  for (int i = 0; i < n; i++)
    for (int j = i; j < n && j < 5; j++) {
      if (i * j == 6) goto out;
      s += i ^ j ? 1 : i;
    }
out:
  if (s) { if (n) { s++; } else { s--; } } else if (n > 2) s = 3; else s = 4;
  return s;
}

int computed(int n) {
  static void *const table[] = {&&zero, &&one, &&two};
  goto *table[n % 3];
zero: return n ? 1 : 0;
one: n++;
two: return n && n < 6;
}

int main(void) {
  int t = 0;
  for (int i = 0; i < 9; i++) t += loops(i) + jumps(i) + computed(i);
  printf("%d\n", t);
  return 0;
}
