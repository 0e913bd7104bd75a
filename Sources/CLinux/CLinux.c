#include "CLinux.h"
#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <pthread.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/statvfs.h>
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

static int limit(__rlimit_resource_t resource, long value) {
    struct rlimit both = {(rlim_t)value, (rlim_t)value};
    return setrlimit(resource, &both);
}

// Runs in the child, which has the parent's memory until it is another program: it changes nothing but what the kernel keeps for it.
// Returns the error number where it does not become that program.
static int become(const char *program, char *const arguments[], char *const environment[], const char *folder, int output, int errors,
                  const struct clinux_limits *limits, pid_t parent) {
    struct sigaction standard = {.sa_handler = SIG_DFL};
    for (int number = 1; number < NSIG; number++) sigaction(number, &standard, NULL);
    if (setpgid(0, 0) != 0 || prctl(PR_SET_PDEATHSIG, SIGKILL) != 0) return errno;
    // It may have ended before that was said.
    if (getppid() != parent) return ESRCH;
    if (setpriority(PRIO_PROCESS, 0, limits->niceness) != 0) return errno;
    if (limit(RLIMIT_CPU, limits->processor_seconds) != 0 || limit(RLIMIT_DATA, limits->memory_bytes) != 0 ||
        limit(RLIMIT_FSIZE, limits->file_bytes) != 0 || limit(RLIMIT_CORE, 0) != 0)
        return errno;
    // Out of the way of what they become.
    output = fcntl(output, F_DUPFD, 3);
    errors = fcntl(errors, F_DUPFD, 3);
    int input = open("/dev/null", O_RDONLY);
    if (output < 0 || errors < 0 || input < 0) return errno;
    if (dup2(input, STDIN_FILENO) < 0 || dup2(output, STDOUT_FILENO) < 0 || dup2(errors, STDERR_FILENO) < 0) return errno;
    if (close_range(STDERR_FILENO + 1, ~0U, 0) != 0 || chdir(folder) != 0) return errno;
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    execve(program, arguments, environment);
    return errno;
}

int clinux_spawn(const char *program, char *const arguments[], char *const environment[], const char *folder, int output, int errors,
                 struct clinux_limits limits) {
    sigset_t all, before;
    volatile int failure = 0;
    pid_t parent = getpid();
    sigfillset(&all);
    // No handler of ours may run in the child.
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pid_t process = vfork();
    if (process == 0) {
        failure = become(program, arguments, environment, folder, output, errors, &limits, parent);
        _exit(127);
    }
    if (process < 0) failure = errno;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (failure == 0) return process;
    if (process > 0) {
        while (waitpid(process, NULL, 0) < 0 && errno == EINTR) {
        }
    }
    return -failure;
}

long long clinux_free_bytes(const char *path) {
    struct statvfs found;
    if (statvfs(path, &found) != 0) return -1;
    return (long long)found.f_bavail * (long long)found.f_frsize;
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
