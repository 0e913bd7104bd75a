#pragma once
#include <stddef.h>
#include <stdint.h>

// What Swift cannot import of libxml2: variadic error handlers, the SAX handler table, the process-wide external
// entity loader. One call parses one UTF-8 document from memory and reports its elements; nothing is kept afterwards.

// An attribute: local name (terminated by zero) and value after unescaping (not terminated).
typedef struct {
    const char *name;
    const char *value;
    size_t valueLength;
} CXML2Attribute;

// Receives a document. `offset` is a place in the bytes given to the parser: for a start tag that of its closing
// `>` or `/>`, for an end that behind the end tag. A handler that returns nonzero stops the parser.
typedef struct {
    void *context;
    int (*start)(void *context, const char *localName, const CXML2Attribute *attributes, size_t count, size_t offset);
    int (*text)(void *context, const char *bytes, size_t length);
    int (*end)(void *context, size_t offset);
} CXML2Handlers;

enum {
    CXML2_WELL_FORMED = 0,
    CXML2_MALFORMED = 1,
    CXML2_DOCTYPE_REFUSED = 2,
    CXML2_STOPPED = 3,
    CXML2_NO_MEMORY = 4,
};

// Parses `length` bytes of UTF-8 without an encoding declaration. `detail` receives libxml2's message, terminated.
// Network, entities, DTD, XInclude and recovery are off. `line` receives the line of the failure.
int cxml2_parse(const char *bytes, size_t length, const CXML2Handlers *handlers, char *detail, size_t detailSize,
                int *line);

// Converts bytes of the named encoding to UTF-8 by libxml2's converters. NULL if unknown or not convertible;
// else memory for cxml2_free.
char *cxml2_utf8(const char *bytes, size_t length, const char *encoding, size_t *outputLength);
void cxml2_free(char *memory);
