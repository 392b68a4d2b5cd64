// env: COVENANT_ALPHA=first COVENANT_BETA="with space" COVENANT_EMPTY=
// getenv, setenv, unsetenv.
#include <stdio.h>
#include <stdlib.h>

static void show(const char *name)
{
    const char *v = getenv(name);
    printf("%s=%s\n", name, v ? v : "(unset)");
}

int main(void)
{
    show("COVENANT_ALPHA");
    show("COVENANT_BETA");
    show("COVENANT_EMPTY");
    show("COVENANT_GAMMA");
    setenv("COVENANT_GAMMA", "new", 0);
    setenv("COVENANT_ALPHA", "kept", 0);
    show("COVENANT_GAMMA");
    show("COVENANT_ALPHA");
    setenv("COVENANT_ALPHA", "changed", 1);
    show("COVENANT_ALPHA");
    unsetenv("COVENANT_BETA");
    show("COVENANT_BETA");
    return 0;
}
