// Asks a Unix socket for tokens, with as many clients at once as it is told.
//   ask SOCKET CLIENTS SECONDS REUSE
// Each client sends its next request when it has the response: on the same connection if REUSE is 1, otherwise on a new
// one. Prints the number of tokens, and the median and the 99th percentile of the time that one took, in microseconds.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

enum { limit = 1 << 20 };

static struct sockaddr_un address = {.sun_family = AF_UNIX};
static double end;
static int reuse;

struct client {
    pthread_t thread;
    int count;
    float *times;
};

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1e6 + time.tv_nsec / 1e3;
}

static void fail(const char *what) {
    perror(what);
    exit(1);
}

static int opened(void) {
    int descriptor = socket(AF_UNIX, SOCK_STREAM, 0);
    if (descriptor < 0 || connect(descriptor, (struct sockaddr *)&address, sizeof address) != 0) fail("connect");
    return descriptor;
}

// Reads one response with a Content-Length.
static void read_response(int descriptor) {
    char buffer[65536];
    size_t length = 0;
    while (1) {
        ssize_t more = recv(descriptor, buffer + length, sizeof buffer - 1 - length, 0);
        if (more <= 0) fail("recv");
        length += more;
        buffer[length] = 0;
        char *body = strstr(buffer, "\r\n\r\n"), *stated = strstr(buffer, "Content-Length: ");
        if (!body || !stated) continue;
        if (length < (size_t)(body + 4 - buffer) + strtoul(stated + 16, NULL, 10)) continue;
        if (strncmp(buffer, "HTTP/1.1 200", 12) != 0 || !strstr(body, "\"access_token\":\"")) {
            fprintf(stderr, "ask: %s\n", buffer);
            exit(1);
        }
        return;
    }
}

static void *run(void *argument) {
    struct client *client = argument;
    static const char request[] = "GET /token HTTP/1.1\r\nHost: x\r\n\r\n";
    int descriptor = -1;
    while (client->count < limit) {
        double start = now();
        if (start >= end) break;
        if (descriptor < 0) descriptor = opened();
        if (send(descriptor, request, sizeof request - 1, MSG_NOSIGNAL) != sizeof request - 1) fail("send");
        read_response(descriptor);
        if (!reuse) {
            close(descriptor);
            descriptor = -1;
        }
        client->times[client->count++] = now() - start;
    }
    return NULL;
}

static int compare(const void *left, const void *right) {
    float difference = *(const float *)left - *(const float *)right;
    return difference < 0 ? -1 : difference > 0;
}

int main(int count, char **words) {
    if (count != 5 || strlen(words[1]) >= sizeof address.sun_path) return 64;
    strcpy(address.sun_path, words[1]);
    int number = atoi(words[2]), total = 0;
    reuse = atoi(words[4]);
    end = now() + atof(words[3]) * 1e6;
    struct client *clients = calloc(number, sizeof *clients);
    for (int index = 0; index < number; index++) {
        clients[index].times = malloc(limit * sizeof(float));
        if (pthread_create(&clients[index].thread, NULL, run, &clients[index]) != 0) fail("pthread_create");
    }
    for (int index = 0; index < number; index++) {
        pthread_join(clients[index].thread, NULL);
        total += clients[index].count;
    }
    float *all = malloc((total + 1) * sizeof(float));
    for (int index = 0, place = 0; index < number; place += clients[index++].count)
        memcpy(all + place, clients[index].times, clients[index].count * sizeof(float));
    qsort(all, total, sizeof(float), compare);
    if (total == 0) return 1;
    printf("%d %.1f %.1f\n", total, all[total / 2], all[(int)(total * 0.99)]);
}
