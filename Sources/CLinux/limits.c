#define _GNU_SOURCE

#include "shim.h"

#include <pthread.h>
#include <sys/resource.h>

long clinux_thread_work(void) {
    struct rusage usage;
    if (getrusage(RUSAGE_THREAD, &usage) != 0) return -1;
    return (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1000000L + usage.ru_utime.tv_usec + usage.ru_stime.tv_usec;
}

static void *run(void *body) {
    ((void (*)(void))body)();
    return NULL;
}

void clinux_with_stack(void (*body)(void)) {
    struct rlimit limit;
    pthread_attr_t attributes;
    pthread_t thread;
    if (getrlimit(RLIMIT_STACK, &limit) == 0 && limit.rlim_cur < 1 << 20 && pthread_attr_init(&attributes) == 0 &&
        pthread_attr_setstacksize(&attributes, 8 << 20) == 0 && pthread_setattr_default_np(&attributes) == 0 &&
        pthread_create(&thread, &attributes, run, (void *)body) == 0) {
        pthread_join(thread, NULL);
        return;
    }
    body();
}
