#include "CXML2.h"
#include <libxml/encoding.h>
#include <libxml/parser.h>
#include <libxml/parserInternals.h>
#include <libxml/tree.h>
#include <libxml/xmlerror.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    const CXML2Handlers *handlers;
    int doctypeRefused;
    int stopped;
} ParseState;

static xmlParserInputPtr refuse_entity(const char *url, const char *id, xmlParserCtxtPtr context) {
    (void)url, (void)id, (void)context;
    return NULL;
}

static void prepare_library(void) {
    xmlInitParser();
    xmlSetExternalEntityLoader(refuse_entity);
}

static pthread_once_t prepared = PTHREAD_ONCE_INIT;

static size_t place(xmlParserCtxtPtr context) {
    xmlParserInputPtr input = context->input;
    return input == NULL ? 0 : (size_t)input->consumed + (size_t)(input->cur - input->base);
}

static void stop(xmlParserCtxtPtr context) {
    ((ParseState *)context->_private)->stopped = 1;
    xmlStopParser(context);
}

static void start_element(void *raw, const xmlChar *name, const xmlChar *prefix, const xmlChar *uri, int namespaces,
                          const xmlChar **namespaceTable, int count, int defaulted, const xmlChar **table) {
    (void)prefix, (void)uri, (void)namespaces, (void)namespaceTable, (void)defaulted;
    xmlParserCtxtPtr context = raw;
    ParseState *state = context->_private;
    if (state->stopped) return;
    CXML2Attribute few[16], *attributes = few;
    if (count > 16) {
        attributes = malloc((size_t)count * sizeof *attributes);
        if (attributes == NULL) {
            stop(context);
            return;
        }
    }
    for (int i = 0; i < count; i++) {
        attributes[i].name = (const char *)table[5 * i];
        attributes[i].value = (const char *)table[5 * i + 3];
        attributes[i].valueLength = (size_t)(table[5 * i + 4] - table[5 * i + 3]);
    }
    int verdict = state->handlers->start(state->handlers->context, (const char *)name, attributes, (size_t)count,
                                         place(context));
    if (attributes != few) free(attributes);
    if (verdict != 0) stop(context);
}

static void end_element(void *raw, const xmlChar *name, const xmlChar *prefix, const xmlChar *uri) {
    (void)name, (void)prefix, (void)uri;
    xmlParserCtxtPtr context = raw;
    ParseState *state = context->_private;
    if (!state->stopped && state->handlers->end(state->handlers->context, place(context)) != 0) stop(context);
}

static void characters(void *raw, const xmlChar *bytes, int length) {
    xmlParserCtxtPtr context = raw;
    ParseState *state = context->_private;
    if (!state->stopped && length > 0
        && state->handlers->text(state->handlers->context, (const char *)bytes, (size_t)length) != 0) {
        stop(context);
    }
}

// A bare `<!DOCTYPE VAST>` passes; an external id or an internal subset (the parser stands on its bracket) does not.
static void internal_subset(void *raw, const xmlChar *name, const xmlChar *publicID, const xmlChar *systemID) {
    (void)name;
    xmlParserCtxtPtr context = raw;
    ParseState *state = context->_private;
    int subset = context->input != NULL && context->input->cur < context->input->end && *context->input->cur == '[';
    if (publicID != NULL || systemID != NULL || subset) {
        state->doctypeRefused = 1;
        state->stopped = 1;
        xmlStopParser(context);
    }
}

static void silent(void *context, const char *message, ...) {
    (void)context, (void)message;
}

static void silent_structured(void *context, xmlErrorPtr error) {
    (void)context, (void)error;
}

int cxml2_parse(const char *bytes, size_t length, const CXML2Handlers *handlers, char *detail, size_t detailSize,
                int *line) {
    pthread_once(&prepared, prepare_library);
    if (detailSize > 0) detail[0] = 0;
    *line = 0;
    if (length > INT32_MAX) return CXML2_NO_MEMORY;
    xmlParserCtxtPtr context = xmlCreateMemoryParserCtxt(bytes, (int)length);
    if (context == NULL) return length == 0 ? CXML2_MALFORMED : CXML2_NO_MEMORY;
    xmlCtxtUseOptions(context, XML_PARSE_NONET | XML_PARSE_NOERROR | XML_PARSE_NOWARNING | XML_PARSE_COMPACT);

    xmlSAXHandler table;
    memset(&table, 0, sizeof table);
    table.initialized = XML_SAX2_MAGIC;
    table.startElementNs = start_element;
    table.endElementNs = end_element;
    table.characters = characters;
    table.ignorableWhitespace = characters;
    table.cdataBlock = characters;
    table.internalSubset = internal_subset;
    table.warning = silent;
    table.error = silent;
    table.fatalError = silent;
    table.serror = silent_structured;
    if (context->sax != NULL) *context->sax = table;

    ParseState state = {handlers, 0, 0};
    context->_private = &state;
    int failed = xmlParseDocument(context);
    int verdict = CXML2_WELL_FORMED;
    if (state.doctypeRefused) {
        verdict = CXML2_DOCTYPE_REFUSED;
    } else if (state.stopped) {
        verdict = CXML2_STOPPED;
    } else if (failed != 0 || context->wellFormed == 0) {
        verdict = CXML2_MALFORMED;
    }
    if (verdict == CXML2_MALFORMED && context->lastError.message != NULL && detailSize > 0) {
        strncpy(detail, context->lastError.message, detailSize - 1);
        detail[detailSize - 1] = 0;
        *line = context->lastError.line;
    }
    if (context->myDoc != NULL) {
        xmlFreeDoc(context->myDoc);
        context->myDoc = NULL;
    }
    xmlFreeParserCtxt(context);
    return verdict;
}

char *cxml2_utf8(const char *bytes, size_t length, const char *encoding, size_t *outputLength) {
    pthread_once(&prepared, prepare_library);
    if (length > INT32_MAX / 4) return NULL;
    xmlCharEncodingHandlerPtr converter = xmlFindCharEncodingHandler(encoding);
    if (converter == NULL) return NULL;
    char *result = NULL;
    xmlBufferPtr input = xmlBufferCreateSize(length + 1), output = xmlBufferCreateSize(length * 2 + 16);
    if (input != NULL && output != NULL && xmlBufferAdd(input, (const xmlChar *)bytes, (int)length) == 0) {
        // The converter may work in chunks: as long as it consumes something, there may be more.
        int before, written;
        do {
            before = xmlBufferLength(input);
            written = xmlCharEncInFunc(converter, output, input);
        } while (written > 0 && xmlBufferLength(input) > 0 && xmlBufferLength(input) < before);
        if (written >= 0 && xmlBufferLength(input) == 0) {
            *outputLength = (size_t)xmlBufferLength(output);
            result = malloc(*outputLength + 1);
            if (result != NULL) memcpy(result, xmlBufferContent(output), *outputLength);
        }
    }
    xmlBufferFree(input);
    xmlBufferFree(output);
    xmlCharEncCloseFunc(converter);
    return result;
}

void cxml2_free(char *memory) {
    free(memory);
}
