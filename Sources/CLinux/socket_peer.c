#define _GNU_SOURCE
#include "shim.h"

#include <sys/socket.h>

int clinux_socket_peer(int descriptor, pid_t *process, uid_t *user) {
    struct ucred peer;
    socklen_t length = sizeof peer;
    if (getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &peer, &length) != 0) return -1;
    *process = peer.pid;
    *user = peer.uid;
    return 0;
}

int clinux_stream_socket(int family) { return socket(family, SOCK_STREAM | SOCK_CLOEXEC, 0); }

int clinux_accept(int listener) { return accept4(listener, NULL, NULL, SOCK_CLOEXEC); }
