// Starts a command and says what it took, again and again: from a process so small that its own memory is not in the
// figures, as an interpreter's would be (a child begins with its parent's peak).
//   spawn RUNS WIDTH COMMAND…
// A line each run: nanoseconds until the last of WIDTH processes at once ended, and of one of them the greatest peak
// memory in KiB, minor and major page faults.
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static long long now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000000000LL + time.tv_nsec;
}

int main(int count, char **words) {
    if (count < 4) return 64;
    int quiet = open("/dev/null", O_RDWR | O_CLOEXEC);
    for (int runs = atoi(words[1]); runs > 0; runs--) {
        long long start = now();
        for (int width = atoi(words[2]); width > 0; width--) {
            if (vfork() == 0) {
                for (int standard = 0; standard < 3; standard++) dup2(quiet, standard);
                execvp(words[3], words + 3);
                _exit(127);
            }
        }
        struct rusage most = {0}, usage;
        int status;
        while (wait4(-1, &status, 0, &usage) > 0) {
            if (status != 0) {
                fprintf(stderr, "spawn: status %d from %s\n", status, words[3]);
                return 1;
            }
            if (usage.ru_maxrss > most.ru_maxrss) most = usage;
        }
        printf("%lld %ld %ld %ld\n", now() - start, most.ru_maxrss, most.ru_minflt, most.ru_majflt);
    }
}
