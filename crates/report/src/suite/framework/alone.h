/* A process for each test: the code under test keeps something between calls that no test can set. */
#ifndef COVENANT_ALONE_H
#define COVENANT_ALONE_H

#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

/* In the process of a test its number; in the first process, once all are done, -1 and how many failed. */
static __attribute__((unused)) int covenant_alone(int tests, int *failed)
{
    int test, status;
    *failed = 0;
    for (test = 0; test < tests; test++) {
        pid_t child;
        fflush(NULL);
        child = fork();
        if (child == 0) {
            return test;
        }
        if (child < 0 || waitpid(child, &status, 0) != child || !WIFEXITED(status) || WEXITSTATUS(status) != 0) {
            ++*failed;
        }
    }
    return -1;
}

#endif
