#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define BOTH(a, b) ((a) && (b))
#define NEST(a, b, c) (BOTH(a, b) || MIN(b, c))
#define ID(x) x
#define TWICE(x) (ID(x) || BOTH(x, ID(x)))

static inline int clamp(int x, int low, int high) {
  if (x < low) return low;
  return x > high ? high : MIN(x, high);
}

static inline int unused(int x) { return x ? 1 : BOTH(x, x > 1); }
