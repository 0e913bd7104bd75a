// XML of ad servers. Imported through CXML2, which holds the error handlers Swift cannot write (variadic callbacks).
#include <libxml/parser.h>
#include <libxml/tree.h>
#include <libxml/xmlerror.h>
