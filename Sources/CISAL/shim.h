// gzip several times faster than zlib. Plain C functions: Swift imports them as they are, no shim beyond this header.
#include <isa-l/igzip_lib.h>
