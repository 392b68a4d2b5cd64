/* pthread.h for the one thread there is: locks are free, and no other thread can be made. */
#include <pthread.h>
#include <sched.h>

#include "internal.h"

pthread_t pthread_self(void) { return 1; }
int pthread_equal(pthread_t left, pthread_t right) { return left == right; }

int pthread_create(pthread_t *restrict thread, const pthread_attr_t *restrict attributes, void *(*start)(void *),
                   void *restrict argument) {
    (void)thread;
    (void)attributes;
    (void)start;
    (void)argument;
    return EAGAIN;
}

int pthread_join(pthread_t thread, void **result) {
    (void)result;
    return thread == pthread_self() ? EDEADLK : ESRCH;
}

int pthread_mutex_init(pthread_mutex_t *mutex, const pthread_mutexattr_t *attributes) {
    (void)attributes;
    *mutex = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
    return 0;
}

int pthread_mutex_destroy(pthread_mutex_t *mutex) {
    (void)mutex;
    return 0;
}

int pthread_mutex_lock(pthread_mutex_t *mutex) {
    (void)mutex;
    return 0;
}

int pthread_mutex_trylock(pthread_mutex_t *mutex) {
    (void)mutex;
    return 0;
}

int pthread_mutex_unlock(pthread_mutex_t *mutex) {
    (void)mutex;
    return 0;
}

int pthread_once(pthread_once_t *once, void (*function)(void)) {
    if (*once == PTHREAD_ONCE_INIT) {
        *once = PTHREAD_ONCE_INIT + 1;
        function();
    }
    return 0;
}

int sched_yield(void) { return 0; }
