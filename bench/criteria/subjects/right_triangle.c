// Kind and angle of a triangle with three sides of up to 1000.
// function: triangle
enum kind { INVALID = 0, EQUILATERAL = 1, ISOSCELES = 2, SCALENE = 3, RIGHT = 10, ACUTE = 20, OBTUSE = 30 };

static int is_valid(int a, int b, int c)
{
    if (a <= 0 || b <= 0 || c <= 0)
        return 0;
    return a < b + c;
}

static int sides(int a, int b, int c)
{
    if (a == b && b == c)
        return EQUILATERAL;
    if (a == b || b == c || a == c)
        return ISOSCELES;
    return SCALENE;
}

int triangle(int a, int b, int c)
{
    int swap;
    if (b > a) {
        swap = a;
        a = b;
        b = swap;
    }
    if (c > a) {
        swap = a;
        a = c;
        c = swap;
    }
    if (!is_valid(a, b, c))
        return INVALID;
    int kind = sides(a, b, c);
    if (a * a == b * b + c * c)
        return kind + RIGHT;
    if (a * a > b * b + c * c)
        return kind + OBTUSE;
    return kind + ACUTE;
}
