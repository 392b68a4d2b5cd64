#include "shape.h"
const char *const names[] = {"square", "rect"};
double area(const struct shape *s) { return s->a * s->b; }
