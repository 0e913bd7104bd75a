// HTTP towards origins and ad servers. Imported through CCurl, which wraps the variadic functions Swift cannot call.
#include <curl/curl.h>
