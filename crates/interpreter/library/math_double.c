/* math.h for long double where that is double: the functions of double. */
#include <math.h>
#include <stdlib.h>

#include "internal.h"

#if __LDBL_MANT_DIG__ == 53

long double fabsl(long double value) { return fabs((double)value); }
long double truncl(long double value) { return trunc((double)value); }
long double floorl(long double value) { return floor((double)value); }
long double ceill(long double value) { return ceil((double)value); }
long double rintl(long double value) { return rint((double)value); }
long double nearbyintl(long double value) { return nearbyint((double)value); }
long double roundl(long double value) { return round((double)value); }
long double logbl(long double value) { return logb((double)value); }
long double sqrtl(long double value) { return sqrt((double)value); }
long double copysignl(long double left, long double right) { return copysign((double)left, (double)right); }
long double fmodl(long double left, long double right) { return fmod((double)left, (double)right); }
long double fmaxl(long double left, long double right) { return fmax((double)left, (double)right); }
long double fminl(long double left, long double right) { return fmin((double)left, (double)right); }
long double fdiml(long double left, long double right) { return fdim((double)left, (double)right); }
long double nextafterl(long double left, long double right) { return nextafter((double)left, (double)right); }
long double nexttowardl(long double from, long double to) { return nextafter((double)from, (double)to); }
double nexttoward(double from, long double to) { return nextafter(from, (double)to); }
long double ldexpl(long double value, int by) { return ldexp((double)value, by); }
long double scalbnl(long double value, int by) { return scalbn((double)value, by); }
long double scalblnl(long double value, long by) { return scalbln((double)value, by); }
long double frexpl(long double value, int *exponent) { return frexp((double)value, exponent); }
long double modfl(long double value, long double *whole) { return modf((double)value, (double *)whole); }
int ilogbl(long double value) { return ilogb((double)value); }
long lrintl(long double value) { return lrint((double)value); }
long long llrintl(long double value) { return llrint((double)value); }
long lroundl(long double value) { return lround((double)value); }
long long llroundl(long double value) { return llround((double)value); }

#endif
