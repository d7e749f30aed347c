#include "shim.h"

#include <errno.h>
#include <linux/inet_diag.h>
#include <linux/netlink.h>
#include <linux/sock_diag.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>

// The state of a listening TCP socket (include/net/tcp_states.h).
enum { listening = 10 };

// Copies an address into a request; returns 0 for other families.
static int put(const struct sockaddr_storage *address, __be16 *port, __be32 words[4]) {
    if (address->ss_family == AF_INET) {
        const struct sockaddr_in *ipv4 = (const struct sockaddr_in *)address;
        *port = ipv4->sin_port;
        memcpy(words, &ipv4->sin_addr, 4);
        return 1;
    }
    if (address->ss_family == AF_INET6) {
        const struct sockaddr_in6 *ipv6 = (const struct sockaddr_in6 *)address;
        *port = ipv6->sin6_port;
        memcpy(words, &ipv6->sin6_addr, 16);
        return 1;
    }
    return 0;
}

// Requests the socket with these two addresses. Returns 0, ENOENT if there is none, or another errno.
static int find(int netlink, const struct sockaddr_storage *local, const struct sockaddr_storage *remote,
                struct inet_diag_msg *found) {
    struct {
        struct nlmsghdr header;
        struct inet_diag_req_v2 body;
    } request;
    memset(&request, 0, sizeof request);
    request.header.nlmsg_len = sizeof request;
    request.header.nlmsg_type = SOCK_DIAG_BY_FAMILY;
    request.header.nlmsg_flags = NLM_F_REQUEST;
    request.body.sdiag_family = local->ss_family;
    request.body.sdiag_protocol = IPPROTO_TCP;
    request.body.idiag_states = ~0u;
    request.body.id.idiag_cookie[0] = request.body.id.idiag_cookie[1] = INET_DIAG_NOCOOKIE;
    if (!put(local, &request.body.id.idiag_sport, request.body.id.idiag_src)
        || !put(remote, &request.body.id.idiag_dport, request.body.id.idiag_dst))
        return EAFNOSUPPORT;
    union {
        struct nlmsghdr header;
        char bytes[4096];
    } response;
    if (send(netlink, &request, sizeof request, 0) < 0) return errno;
    ssize_t length;
    do length = recv(netlink, &response, sizeof response, 0);
    while (length < 0 && errno == EINTR);
    if (length < 0) return errno;
    if (!NLMSG_OK(&response.header, (size_t)length)) return EBADMSG;
    size_t payload = response.header.nlmsg_len - NLMSG_HDRLEN;
    if (response.header.nlmsg_type == NLMSG_ERROR && payload >= sizeof(struct nlmsgerr))
        return -((struct nlmsgerr *)NLMSG_DATA(&response.header))->error;
    if (response.header.nlmsg_type != SOCK_DIAG_BY_FAMILY || payload < sizeof *found) return EBADMSG;
    memcpy(found, NLMSG_DATA(&response.header), sizeof *found);
    return found->idiag_state == listening ? ENOENT : 0;
}

long clinux_peer_user(int descriptor) {
    struct sockaddr_storage own, peer;
    socklen_t own_length = sizeof own, peer_length = sizeof peer;
    if (getsockname(descriptor, (struct sockaddr *)&own, &own_length) != 0
        || getpeername(descriptor, (struct sockaddr *)&peer, &peer_length) != 0)
        return CLINUX_PEER_CLOSED;
    int netlink = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_SOCK_DIAG);
    if (netlink < 0) return CLINUX_PEER_UNKNOWN;
    struct inet_diag_msg found;
    long user = CLINUX_PEER_UNKNOWN;
    // If the kernel does not find this end, its response about the other end has no meaning.
    if (find(netlink, &own, &peer, &found) == 0) {
        int error = find(netlink, &peer, &own, &found);
        // A socket without a process has no inode.
        if (error == ENOENT || (error == 0 && found.idiag_inode == 0)) user = CLINUX_PEER_CLOSED;
        else if (error == 0) user = found.idiag_uid;
    }
    close(netlink);
    return user;
}
