#ifndef AUTHCTL_CSYSTEMD_SHIM_H
#define AUTHCTL_CSYSTEMD_SHIM_H

// libsystemd loads seven more libraries, which are only required if the store's key is in a keyring. So it is not
// linked: these functions load it at the first connection to a bus. The types come from its header, so a wrong
// signature is still a compile error.

#include <dlfcn.h>
#include <systemd/sd-bus.h>

// None of these is variadic, which Swift cannot call, or takes a callback.
#define CSYSTEMD_FUNCTIONS(X)                                                                                      \
    X(sd_bus_new) X(sd_bus_set_address) X(sd_bus_set_bus_client) X(sd_bus_start) X(sd_bus_is_ready)                \
    X(sd_bus_process) X(sd_bus_wait) X(sd_bus_send) X(sd_bus_get_n_queued_write) X(sd_bus_close) X(sd_bus_unref)                                \
    X(sd_bus_message_new_method_call) X(sd_bus_message_unref) X(sd_bus_message_get_type)                           \
    X(sd_bus_message_get_reply_cookie) X(sd_bus_message_get_error) X(sd_bus_message_get_path)                      \
    X(sd_bus_message_is_signal) X(sd_bus_message_append_basic) X(sd_bus_message_append_array)                      \
    X(sd_bus_message_open_container) X(sd_bus_message_close_container) X(sd_bus_message_read_basic)                \
    X(sd_bus_message_read_array) X(sd_bus_message_enter_container) X(sd_bus_message_exit_container)                \
    X(sd_bus_message_skip) X(sd_bus_message_at_end)

struct csystemd {
#define CSYSTEMD_MEMBER(name) __typeof__(&name) name;
    CSYSTEMD_FUNCTIONS(CSYSTEMD_MEMBER)
#undef CSYSTEMD_MEMBER
    __typeof__(&sd_bus_message_sensitive) sd_bus_message_sensitive; // null before systemd 240
};

// Fills `table`. Returns 0, or -1 if the library or one of its functions is missing. The library remains loaded.
static inline int csystemd_load(struct csystemd *table) {
    void *library = dlopen("libsystemd.so.0", RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) return -1;
#define CSYSTEMD_SYMBOL(name)                                                                                      \
    *(void **)&table->name = dlsym(library, #name);                                                                \
    if (table->name == NULL) return -1;
    CSYSTEMD_FUNCTIONS(CSYSTEMD_SYMBOL)
#undef CSYSTEMD_SYMBOL
    *(void **)&table->sd_bus_message_sensitive = dlsym(library, "sd_bus_message_sensitive");
    return 0;
}

// If the library supports it, the message's memory is overwritten when it is freed.
static inline void csystemd_mark_sensitive(const struct csystemd *c, sd_bus_message *message) {
    if (c->sd_bus_message_sensitive != NULL) c->sd_bus_message_sensitive(message);
}

#endif
