#ifndef AUTHCTL_CYAML_SHIM_H
#define AUTHCTL_CYAML_SHIM_H

// Linked as an archive (Package.swift), so that a process that reads no settings does not load a library for them.
#include <yaml.h>

// Not for Swift: one requires a handler that keeps a pointer to the parser, the other a C file. Swift passes the whole
// text instead.
#define AUTHCTL_NOT_FROM_SWIFT __attribute__((availability(swift, unavailable, message = "hand over the whole text")))
void yaml_parser_set_input(yaml_parser_t *, yaml_read_handler_t *, void *) AUTHCTL_NOT_FROM_SWIFT;
void yaml_parser_set_input_file(yaml_parser_t *, FILE *) AUTHCTL_NOT_FROM_SWIFT;

#endif
