#include "CLinux.h"
#include <malloc.h>
#include <pthread.h>
#include <sys/resource.h>

static _Thread_local void *thread_value;

int clinux_accept(int listener, struct sockaddr *address, socklen_t *length) {
    return accept4(listener, address, length, SOCK_NONBLOCK | SOCK_CLOEXEC);
}

int clinux_stream_type(void) { return SOCK_STREAM; }

int clinux_stream_socket(int family) { return socket(family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0); }

void *clinux_thread_value(void) { return thread_value; }

void clinux_set_thread_value(void *value) { thread_value = value; }

void clinux_name_thread(const char *name) { pthread_setname_np(pthread_self(), name); }

long clinux_raise_open_file_limit(void) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return -1;
    if (limit.rlim_cur < limit.rlim_max) {
        struct rlimit raised = {limit.rlim_max, limit.rlim_max};
        if (setrlimit(RLIMIT_NOFILE, &raised) == 0) limit = raised;
    }
    return (long)limit.rlim_cur;
}

size_t clinux_allocated_bytes(void) {
    struct mallinfo2 info = mallinfo2();
    return info.uordblks + info.hblkhd;
}
