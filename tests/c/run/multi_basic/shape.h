#ifndef SHAPE_H
#define SHAPE_H
enum { SQUARE, RECT };
struct shape {
    int kind;
    double a, b;
};
extern int made;
extern const char *const names[];
struct shape square(double a);
struct shape rect(double a, double b);
double area(const struct shape *s);
int get_made(void);
#endif
