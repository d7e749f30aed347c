#ifndef AUTHCTL_CSQLITE_SHIM_H
#define AUTHCTL_CSQLITE_SHIM_H

#include <sqlite3.h>
#include <stddef.h>

// These functions keep or free a pointer after Swift's array or string is no longer valid. So Swift cannot call them,
// and uses the copying functions below.
#define AUTHCTL_KEEPS_POINTER                                                                                      \
    __attribute__((availability(swift, unavailable, message = "it keeps the pointer: use it in CSQLite/shim.h")))
int sqlite3_bind_blob(sqlite3_stmt *, int, const void *, int, void (*)(void *)) AUTHCTL_KEEPS_POINTER;
int sqlite3_bind_blob64(sqlite3_stmt *, int, const void *, sqlite3_uint64, void (*)(void *)) AUTHCTL_KEEPS_POINTER;
int sqlite3_bind_text(sqlite3_stmt *, int, const char *, int, void (*)(void *)) AUTHCTL_KEEPS_POINTER;
int sqlite3_bind_text16(sqlite3_stmt *, int, const void *, int, void (*)(void *)) AUTHCTL_KEEPS_POINTER;
int sqlite3_bind_text64(
    sqlite3_stmt *, int, const char *, sqlite3_uint64, void (*)(void *), unsigned char) AUTHCTL_KEEPS_POINTER;

// The length counts, and not a NUL in the text. An empty text may have a null pointer, but is not stored as NULL.
static inline int csqlite_bind_text(sqlite3_stmt *statement, int index, const void *text, sqlite3_uint64 length) {
    const char *bytes = text == NULL ? "" : (const char *)text;
    return sqlite3_bind_text64(statement, index, bytes, length, SQLITE_TRANSIENT, SQLITE_UTF8);
}
static inline int csqlite_bind_blob(sqlite3_stmt *statement, int index, const void *blob, sqlite3_uint64 length) {
    return sqlite3_bind_blob64(statement, index, blob == NULL ? "" : blob, length, SQLITE_TRANSIENT);
}

// Swift cannot call variadic functions.
static inline int csqlite_configure(sqlite3 *database, int option, int value) {
    int now = !value;
    int code = sqlite3_db_config(database, option, value, &now);
    return code == SQLITE_OK && now != value ? SQLITE_ERROR : code;
}

// The errno of the last failed read or write, or 0. After EIO in a read, SQLite reports a damaged file.
static inline int csqlite_system_error(sqlite3 *database) {
    int number = 0;
    sqlite3_file_control(database, "main", SQLITE_FCNTL_LAST_ERRNO, &number);
    return number;
}

#endif
