#pragma once
#include <stddef.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>

// accept4 is a GNU extension, which the Glibc module leaves out. The new socket is non-blocking and close-on-exec.
int clinux_accept(int listener, struct sockaddr *address, socklen_t *length);

// SOCK_STREAM and its flags are an enumeration that belongs to another module as soon as libcurl's headers are compiled in the
// same run (release builds), so Swift finds it only now and then. A new socket is non-blocking and close-on-exec.
int clinux_stream_type(void);
int clinux_stream_socket(int family);

// Swift has no thread-local variables: the loop that runs on this thread.
void *clinux_thread_value(void);
void clinux_set_thread_value(void *value);

// pthread_setname_np is a GNU extension.
void clinux_name_thread(const char *name);

// Lifts the soft limit of open files to the hard one (the enumeration of resources imports badly). Returns the limit.
long clinux_raise_open_file_limit(void);

// malloc.h is not in the Glibc module. The bytes that malloc has given out and not got back.
size_t clinux_allocated_bytes(void);
