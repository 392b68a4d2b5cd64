// A bit-field that is the same in every run: the places behind it are there, but no step leads to them.
// function: f
// expect: covered 3 infeasible 3 unknown 0
// expect: infeasible 15:7 true
// expect: infeasible 16:9 true
// expect: infeasible 16:9 false
struct fields { unsigned a : 3; signed b : 6; unsigned c : 13; };

int f(int x);
int f(int x)
{
  struct fields s = {.a = x & 7, .c = 77};
  s.b = 31;
  s.a++;
  if ((int)s.b <= 2) {
    if (x > 5)
      return 1;
  }
  if (s.a == 3)
    return 2;
  return s.c;
}
