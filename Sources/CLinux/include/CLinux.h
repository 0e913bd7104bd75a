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

// What a program may use: processor time, memory that can be written to, and the size of each file it writes.
struct clinux_limits {
    int niceness;
    long processor_seconds;
    long memory_bytes;
    long file_bytes;
};

// posix_spawn cannot tie a child to its parent's life. Starts a program in a folder and in a process group of its own, within limits, with
// /dev/null as standard input, no other open files, and no signals blocked or ignored. It is killed when the thread that called this ends,
// and with it when this process does, however that comes. Returns its identifier, or an error number below zero.
int clinux_spawn(const char *program, char *const arguments[], char *const environment[], const char *folder, int output, int errors,
                 struct clinux_limits limits);

// The free bytes of the file system that a path lies on, for who is not root; -1 where that is not known.
long long clinux_free_bytes(const char *path);

// siginfo_t holds unions. Whether a child has ended, without taking its status: 1, or 0 while it runs; an error counts as an end.
int clinux_peek_exit(int process);

// pipe2 is a GNU extension. Both ends are closed in children; the reading one does not block.
int clinux_pipe(int ends[2]);
