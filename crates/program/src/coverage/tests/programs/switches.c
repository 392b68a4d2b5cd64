// Switches: fall-through, ranges small and large, no default, nothing but a default, constant ones, nested ones.
#include <stdio.h>

int plain(int x) {
  switch (x) {
    case 1: return 10;
    case 2: case 3: x++; break;
    case 5 ... 9: x += 2; /* falls through */
    case 11: x--;
    default: x = 0;
  }
  switch (x) { case 4: return 1; }
  switch (x) { case 4: x++; case 0: x++; break; case -1: return 3; }
  return x;
}

int ranges(int x) {
  switch (x) { case -100 ... 100: return 1; case 200: return 2; case 300 ... 1000: return 3; default: return 4; }
}

int open_ranges(unsigned char x) {
  switch (x) { case 0 ... 99: x++; break; case 200 ... 255: x--; }
  return x;
}

int only_default(int x) {
  switch (x) { default: x++; }
  switch (x) {}
  return x;
}

int constant(int x) {
  if (x > 3) return 1;
  switch (3) { case 1: return 5; case 3: x++; break; default: return 7; }
  return x;
}

enum color { RED, GREEN, BLUE };
int enums(enum color c, int b) {
  switch (c) {
    case RED: if (b) break; return 1;
    case GREEN: switch (b) { case 0: return 2; case 1: break; default: return 3; } break;
    case BLUE: for (int i = 0; i < b; i++) { switch (i) { case 2: continue; case 3: break; } }
  }
  return b ? 4 : 5;
}

int duff(int n) {
  int s = 0, i = (n + 3) / 4;
  switch (n & 3) {
    case 0: do { s++;
    case 3: s++;
    case 2: s++;
    case 1: s++;
    } while (--i > 0);
  }
  return s;
}

int wide(long long x) {
  switch (x) { case 1LL << 40: return 1; case -1: return 2; default: return x > 0 && x < 10; }
}

int main(void) {
  int t = 0;
  for (int i = -3; i < 14; i++) t += plain(i) + ranges(i * 60) + only_default(i) + constant(i) + open_ranges(i * 20);
  for (int i = 1; i < 6; i++) t += enums(i % 3, i) + duff(i) + wide(i - 2);
  printf("%d\n", t);
  return 0;
}
