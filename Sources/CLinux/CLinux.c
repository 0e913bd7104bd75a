#include "CLinux.h"
#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

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

int clinux_spawn(const char *program, char *const arguments[], char *const environment[], const char *folder, int output, int errors) {
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    pid_t process = 0;
    int failure = posix_spawn_file_actions_init(&actions);
    if (failure != 0) return -failure;
    failure = posix_spawnattr_init(&attributes);
    if (failure != 0) {
        posix_spawn_file_actions_destroy(&actions);
        return -failure;
    }
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &all);
    posix_spawnattr_setpgroup(&attributes, 0);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    if (failure == 0) failure = posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    if (failure == 0) failure = posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
    if (failure == 0) failure = posix_spawn_file_actions_adddup2(&actions, errors, STDERR_FILENO);
    if (failure == 0) failure = posix_spawn_file_actions_addclosefrom_np(&actions, STDERR_FILENO + 1);
    if (failure == 0) failure = posix_spawn_file_actions_addchdir_np(&actions, folder);
    if (failure == 0) failure = posix_spawn(&process, program, &actions, &attributes, arguments, environment);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return failure == 0 ? process : -failure;
}

static int limit(pid_t process, __rlimit_resource_t resource, long value) {
    struct rlimit both = {(rlim_t)value, (rlim_t)value};
    return prlimit(process, resource, &both, NULL);
}

int clinux_limit_process(int process, int niceness, long processor_seconds, long memory_bytes, long file_bytes) {
    int failures = setpriority(PRIO_PROCESS, (id_t)process, niceness) != 0;
    failures += limit(process, RLIMIT_CPU, processor_seconds) != 0;
    failures += limit(process, RLIMIT_DATA, memory_bytes) != 0;
    failures += limit(process, RLIMIT_FSIZE, file_bytes) != 0;
    failures += limit(process, RLIMIT_CORE, 0) != 0;
    return failures;
}

int clinux_peek_exit(int process) {
    siginfo_t info = {0};
    while (waitid(P_PID, (id_t)process, &info, WEXITED | WNOHANG | WNOWAIT) != 0) {
        if (errno != EINTR) return 1;
    }
    return info.si_pid != 0;
}

int clinux_pipe(int ends[2]) {
    if (pipe2(ends, O_CLOEXEC) != 0) return -1;
    return fcntl(ends[0], F_SETFL, O_NONBLOCK);
}
