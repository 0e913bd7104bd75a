#pragma once
#include <isa-l/igzip_lib.h>
#include <stdlib.h>

// The stream's 64 KiB arrays and the macros for buffer sizes do not import into Swift, so one call does a whole body.
struct cisal_gzip {
    struct isal_zstream stream;
    uint8_t work[ISAL_DEF_LVL1_DEFAULT];
};

static inline struct cisal_gzip *cisal_gzip_create(void) {
    return (struct cisal_gzip *)malloc(sizeof(struct cisal_gzip));
}

static inline void cisal_gzip_destroy(struct cisal_gzip *gzip) { free(gzip); }

// Compresses at level 1 with a gzip header. Returns the length of the output, or 0 where it did not fit.
static inline size_t cisal_gzip_compress(struct cisal_gzip *gzip, const uint8_t *input, uint32_t input_length,
                                         uint8_t *output, uint32_t output_length) {
    isal_deflate_stateless_init(&gzip->stream);
    gzip->stream.level = 1;
    gzip->stream.level_buf = gzip->work;
    gzip->stream.level_buf_size = sizeof gzip->work;
    gzip->stream.gzip_flag = IGZIP_GZIP;
    gzip->stream.end_of_stream = 1;
    gzip->stream.flush = NO_FLUSH;
    gzip->stream.next_in = (uint8_t *)input;
    gzip->stream.avail_in = input_length;
    gzip->stream.next_out = output;
    gzip->stream.avail_out = output_length;
    if (isal_deflate_stateless(&gzip->stream) != COMP_OK || gzip->stream.avail_in != 0) return 0;
    return gzip->stream.total_out;
}
