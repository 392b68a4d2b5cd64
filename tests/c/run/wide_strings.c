// Wide, UTF-16 and UTF-32 string literals; the basic wchar.h functions.
#include <stdint.h>
#include <stdio.h>
#include <uchar.h>
#include <wchar.h>

int main(void)
{
    const wchar_t *w = L"wide \u00e9\u4e2d";
    printf("%zu %zu %x %x\n", wcslen(w), sizeof(wchar_t), (unsigned)w[5], (unsigned)w[6]);
    wchar_t buf[16];
    wcscpy(buf, L"abc");
    wcscat(buf, L"def");
    printf("%d %d %d\n", wcscmp(buf, L"abcdef"), wcscmp(buf, L"abd") < 0, (int)(wcschr(buf, L'd') - buf));
    char16_t u16[] = u"\U0001F600!";
    char32_t u32[] = U"\U0001F600!";
    printf("%zu %x %x %zu %x\n", sizeof u16, u16[0], u16[1], sizeof u32, (unsigned)u32[0]);
    const char *u8s = u8"\u00e9";
    printf("%x %x\n", (unsigned char)u8s[0], (unsigned char)u8s[1]);
    wchar_t c = L'x';
    printf("%d %zu\n", c == 'x', sizeof(L"abc"));
    return (int)wcslen(buf);
}
