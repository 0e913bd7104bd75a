// swarm: many viewers of one live channel, with the channel's origin and ad server, in one thread. Used by Scripts/bench-breaks.
//
// Each viewer has a connection of its own, opens a session, and reloads its playlist as players do: a target duration after one that
// brought something new, half of it after one that did not. The origin's breaks come at fixed places; with --together all viewers ask
// within that many milliseconds after the first break has appeared. The ad server answers after a delay, or fails as it is told to.
// Prints one JSON object; --requests FILE lists every request to the ad server: milliseconds, viewer, avail.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <arpa/inet.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

static int sessions = 1000, delay_ms = 200, seconds = 30, slot_ms = 6000, window = 8, open_ms = 10000, together = 0;
static int break_slots = 5, period_slots = 1000, first_break = 6;  // slots after the first edge at which a break begins
static int server_port, listen_port;
static const char *mode = "ok", *requests_path = NULL, *channel = "bench";

static void die(const char *what) { perror(what); exit(1); }

static int64_t now_us(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (int64_t)t.tv_sec * 1000000 + t.tv_nsec / 1000;
}

#include "content.h"

// --- Connections and what is due, on one loop.

typedef struct Connection {
  int fd;
  int viewer;  // -1: one that was accepted
  Text in, out;
  size_t sent;
  struct Connection *next;  // in the wheel
  uint32_t serial;
} Connection;

enum { NEW, OPENING, IDLE, LOADING };

typedef struct Viewer {
  int state;
  Connection *connection;
  char path[160];
  int64_t due, asked;
  uint64_t seen;  // of the last playlist
  int64_t changed;
  long sequence;
  bool has_ads, in_burst, was_in_burst;
  int next;  // in the wheel
} Viewer;

static Viewer *viewers;
static int loop_fd;
enum { WHEEL = 1 << 16 };
static int viewer_wheel[WHEEL];
static Connection *answer_wheel[WHEEL];

static struct {
  long playlists, errors, broken, ad_requests, beacons, with_ads, went_back, origin_requests;
  int64_t longest_still_us;
  double *burst, *all, *lag;
  long burst_count, all_count, lag_count;
} stats;
static long *per_slot;  // requests to the ad server in each 100 ms
static int slots;
static FILE *requests;
static int64_t burst_from;
static int64_t tick;  // milliseconds up to which everything due has been done

static void watch(Connection *c, bool writes) {
  struct epoll_event e = {.events = EPOLLIN | (writes ? EPOLLOUT : 0), .data.ptr = c};
  epoll_ctl(loop_fd, EPOLL_CTL_MOD, c->fd, &e);
}

static Connection *connection(int fd, int viewer) {
  Connection *c = calloc(1, sizeof *c);
  if (!c) die("calloc");
  c->fd = fd;
  c->viewer = viewer;
  int one = 1;
  setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
  struct epoll_event e = {.events = EPOLLIN, .data.ptr = c};
  if (epoll_ctl(loop_fd, EPOLL_CTL_ADD, fd, &e)) die("epoll_ctl");
  return c;
}

static void end(Connection *c) {
  close(c->fd);
  c->fd = -1;
  if (c->viewer >= 0) viewers[c->viewer].connection = NULL;
  // Kept: the wheel may still name it. There are few.
}

static void flush_out(Connection *c) {
  while (c->sent < c->out.count) {
    ssize_t n = send(c->fd, c->out.bytes + c->sent, c->out.count - c->sent, MSG_NOSIGNAL);
    if (n < 0) {
      if (errno == EAGAIN) { watch(c, true); return; }
      return;
    }
    c->sent += n;
  }
  c->out.count = c->sent = 0;
}

static void due_at(int number, int64_t when) {
  Viewer *v = &viewers[number];
  if (together && burst_from && !v->was_in_burst) {
    int64_t mine = burst_from + (int64_t)number * together * 1000 / sessions;
    if (when > mine - (int64_t)slot_ms * 300) { when = mine; v->in_burst = true; }
  }
  if (when / 1000 <= tick) when = (tick + 1) * 1000;
  v->due = when;
  int slot = (int)(when / 1000 % WHEEL);
  v->next = viewer_wheel[slot];
  viewer_wheel[slot] = number;
}

static void ask(int number, int64_t now) {
  Viewer *v = &viewers[number];
  if (!v->connection) {
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
    if (fd < 0) die("socket");
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons(server_port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    if (connect(fd, (struct sockaddr *)&to, sizeof to) && errno != EINPROGRESS) { close(fd); stats.broken++; due_at(number, now + 500000); return; }
    v->connection = connection(fd, number);
  }
  Connection *c = v->connection;
  if (v->state == NEW) {
    add(&c->out, "GET /live/%s/master.m3u8?stream_id=viewer-%d&viewer=%d HTTP/1.1\r\nHost: bench\r\nUser-Agent: swarm\r\n\r\n", channel, number, number);
    v->state = OPENING;
  } else {
    add(&c->out, "GET %s HTTP/1.1\r\nHost: bench\r\nUser-Agent: swarm\r\n\r\n", v->path);
    v->state = LOADING;
  }
  v->asked = now;
  if (v->due && now > v->due) stats.lag[stats.lag_count++] = (now - v->due) / 1000.0;
  flush_out(c);
  if (c->out.count) watch(c, true);
}

static void answered(int number, int status, char *body, size_t count, int64_t now) {
  Viewer *v = &viewers[number];
  if (status != 200) {
    stats.errors++;
    v->state = v->path[0] ? IDLE : NEW;
    due_at(number, now + 1000000);
    return;
  }
  body[count] = 0;
  if (v->state == OPENING) {
    char *line = body;
    while (line && *line == '#') { line = strchr(line, '\n'); if (line) line++; }
    if (line) {
      size_t length = strcspn(line, "\n");
      if (line[0] == '/') snprintf(v->path, sizeof v->path, "%.*s", (int)length, line);
      else snprintf(v->path, sizeof v->path, "/live/%s/%.*s", channel, (int)length, line);
    }
    v->state = IDLE;
    due_at(number, now);
    return;
  }
  v->state = IDLE;
  double took = (now - v->asked) / 1000.0;
  stats.playlists++;
  stats.all[stats.all_count++] = took;
  if (v->in_burst && !v->was_in_burst) { stats.burst[stats.burst_count++] = took; v->was_in_burst = true; }
  uint64_t hash = 1469598103934665603ull;
  for (size_t i = 0; i < count; i++) hash = (hash ^ (unsigned char)body[i]) * 1099511628211ull;
  char *number_text = strstr(body, "#EXT-X-MEDIA-SEQUENCE:");
  long sequence = number_text ? atol(number_text + 22) : -1;
  if (sequence < v->sequence) stats.went_back++;
  v->sequence = sequence;
  bool is_new = hash != v->seen;
  if (is_new) {
    v->changed = now;
  } else if (now - v->changed > stats.longest_still_us) {
    stats.longest_still_us = now - v->changed;
  }
  v->seen = hash;
  if (!v->has_ads && strstr(body, "/ads/")) { v->has_ads = true; stats.with_ads++; }
  due_at(number, v->asked + (is_new ? slot_ms : slot_ms / 2) * 1000ll);
}

static void respond(Connection *c, int status, const char *type, const char *body, size_t count) {
  add(&c->out, "HTTP/1.1 %d %s\r\nContent-Type: %s\r\nContent-Length: %zu\r\n\r\n", status, status == 200 ? "OK" : "Error", type, count);
  reserve(&c->out, count);
  memcpy(c->out.bytes + c->out.count, body, count);
  c->out.count += count;
  flush_out(c);
  if (c->out.count) watch(c, true);
}

static void value(const char *query, const char *name, char *into, size_t room) {
  into[0] = 0;
  const char *found = strstr(query, name);
  if (found) snprintf(into, room, "%.*s", (int)strcspn(found + strlen(name), "&"), found + strlen(name));
}

static void serve(Connection *c, char *path, int64_t now) {
  Text body = {0};
  const char *type = "application/vnd.apple.mpegurl";
  if (!strncmp(path, "/vast", 5)) {
    char viewer[32], avail[96];
    value(path, "viewer=", viewer, sizeof viewer);
    value(path, "avail=", avail, sizeof avail);
    stats.ad_requests++;
    int slot = (int)((now - started_us) / 100000);
    if (slot >= 0 && slot < slots) per_slot[slot]++;
    if (requests) fprintf(requests, "%lld %s %s\n", (long long)((now - started_us) / 1000), viewer, avail);
    if (!strcmp(mode, "timeout")) return;
    if (!strcmp(mode, "500")) { respond(c, 500, "text/plain", "no", 2); return; }
    if (!strcmp(mode, "garbage")) { respond(c, 200, "text/html", "<html><body>hello", 17); return; }
    if (!strcmp(mode, "empty")) { respond(c, 200, "application/xml", "<VAST version=\"3.0\"/>", 21); return; }
    vast(&body, viewer);
    add(&c->out, "HTTP/1.1 200 OK\r\nContent-Type: application/xml\r\nContent-Length: %zu\r\n\r\n%s", body.count, body.bytes);
    free(body.bytes);
    int at = (int)((now / 1000 + delay_ms) % WHEEL);
    c->next = answer_wheel[at];
    answer_wheel[at] = c;
    return;
  }
  if (!strcmp(path, "/live/media.m3u8")) { stats.origin_requests++; live(&body, now); }
  else if (!strcmp(path, "/live/master.m3u8") || strstr(path, "/master.m3u8")) add(&body, "%s", master);
  else if (!strncmp(path, "/ads/", 5) && strstr(path, "/media.m3u8")) ad_playlist(&body);
  else if (!strncmp(path, "/beacon", 7)) { stats.beacons++; type = "text/plain"; }
  else if (strstr(path, "/segment-")) { respond(c, 200, "video/mp2t", "segment", 7); return; }
  else { respond(c, 404, "text/plain", "no", 2); return; }
  respond(c, 200, type, body.bytes ? body.bytes : "", body.count);
  free(body.bytes);
}

/// Takes what has come apart: answers to viewers, requests to the origin.
static void take(Connection *c, int64_t now) {
  size_t used = 0;
  while (c->fd >= 0) {
    char *text = c->in.bytes + used;
    size_t left = c->in.count - used;
    char *head = memmem(text, left, "\r\n\r\n", 4);
    if (!head) break;
    size_t headers = head + 4 - text;
    if (c->viewer >= 0) {
      head[0] = 0;
      char *length = strcasestr(text, "\r\nContent-Length:");
      size_t count = length ? strtoul(length + 17, NULL, 10) : 0;
      head[0] = '\r';
      if (left < headers + count) break;
      int status = atoi(text + 9);
      char kept = text[headers + count];
      answered(c->viewer, status, text + headers, count, now);
      text[headers + count] = kept;
      used += headers + count;
    } else {
      char *path = strchr(text, ' ');
      if (!path) break;
      path++;
      path[strcspn(path, " \r\n")] = 0;
      serve(c, path, now);
      used += headers;
    }
  }
  memmove(c->in.bytes, c->in.bytes + used, c->in.count - used);
  c->in.count -= used;
}

static void readable(Connection *c) {
  while (c->fd >= 0) {
    reserve(&c->in, 16384);
    ssize_t n = recv(c->fd, c->in.bytes + c->in.count, 16384, 0);
    if (n > 0) {
      c->in.count += n;
      if (n < 16384) break;
      continue;
    }
    if (n < 0 && errno == EAGAIN) break;
    int viewer = c->viewer;
    bool waits = viewer >= 0 && (viewers[viewer].state == OPENING || viewers[viewer].state == LOADING);
    end(c);
    if (waits) {
      stats.broken++;
      viewers[viewer].state = viewers[viewer].path[0] ? IDLE : NEW;
      due_at(viewer, now_us() + 500000);
    }
    return;
  }
  take(c, now_us());
}

static int compare(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return x < y ? -1 : x > y;
}

static void print_times(const char *name, double *times, long count) {
  qsort(times, count, sizeof *times, compare);
  printf(",\"%s\":{\"count\":%ld", name, count);
  if (count) {
    static const double parts[] = {0.5, 0.9, 0.99, 0.999};
    static const char *names[] = {"p50", "p90", "p99", "p999"};
    for (int i = 0; i < 4; i++) printf(",\"%s\":%.1f", names[i], times[(long)(parts[i] * (count - 1))]);
    printf(",\"max\":%.1f", times[count - 1]);
  }
  printf("}");
}

int main(int argc, char **argv) {
  for (int i = 1; i + 1 < argc; i += 2) {
    const char *n = argv[i], *v = argv[i + 1];
    if (!strcmp(n, "--sessions")) sessions = atoi(v);
    else if (!strcmp(n, "--delay")) delay_ms = atoi(v);
    else if (!strcmp(n, "--seconds")) seconds = atoi(v);
    else if (!strcmp(n, "--slot")) slot_ms = atoi(v);
    else if (!strcmp(n, "--break")) break_slots = atoi(v);
    else if (!strcmp(n, "--period")) period_slots = atoi(v);
    else if (!strcmp(n, "--first")) first_break = atoi(v);
    else if (!strcmp(n, "--open")) open_ms = atoi(v);
    else if (!strcmp(n, "--together")) together = atoi(v);
    else if (!strcmp(n, "--mode")) mode = v;
    else if (!strcmp(n, "--server")) server_port = atoi(v);
    else if (!strcmp(n, "--listen")) listen_port = atoi(v);
    else if (!strcmp(n, "--requests")) requests_path = v;
    else { fprintf(stderr, "unknown option %s\n", n); return 2; }
  }
  if (!server_port || !listen_port || sessions < 1 || seconds < 1 || seconds > 600 || sessions > 20000) { fprintf(stderr, "usage: see Scripts/bench-breaks\n"); return 2; }
  signal(SIGPIPE, SIG_IGN);
  loop_fd = epoll_create1(0);
  int listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0), one = 1;
  setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
  struct sockaddr_in at = {.sin_family = AF_INET, .sin_port = htons(listen_port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  if (bind(listener, (struct sockaddr *)&at, sizeof at) || listen(listener, 4096)) die("listen");
  struct epoll_event e = {.events = EPOLLIN, .data.ptr = NULL};
  epoll_ctl(loop_fd, EPOLL_CTL_ADD, listener, &e);
  viewers = calloc(sessions, sizeof *viewers);
  size_t most = (size_t)sessions * (seconds * 4 + 20) + 1000;
  stats.burst = malloc(sizeof(double) * (sessions + 1));
  stats.all = malloc(sizeof(double) * most);
  stats.lag = malloc(sizeof(double) * most);
  slots = seconds * 10 + 100;
  per_slot = calloc(slots, sizeof *per_slot);
  if (!viewers || !stats.burst || !stats.all || !stats.lag || !per_slot) die("malloc");
  if (requests_path && !(requests = fopen(requests_path, "w"))) die(requests_path);
  for (int i = 0; i < WHEEL; i++) viewer_wheel[i] = -1;
  struct timespec wall;
  clock_gettime(CLOCK_REALTIME, &wall);
  started_wall_ms = (int64_t)wall.tv_sec * 1000 + wall.tv_nsec / 1000000;
  started_us = now_us();
  // The first segment of the first break is listed from then on; the server has a moment to see it.
  burst_from = together ? started_us + (int64_t)first_break * slot_ms * 1000 + 100000 : 0;
  tick = now_us() / 1000;
  for (int i = 0; i < sessions; i++) due_at(i, started_us + 300000 + (int64_t)i * open_ms * 1000 / sessions);
  fprintf(stderr, "ready\n");
  int64_t ends = started_us + (int64_t)seconds * 1000000;
  static struct epoll_event events[512];
  while (now_us() < ends) {
    int n = epoll_wait(loop_fd, events, 512, 1);
    for (int i = 0; i < n; i++) {
      Connection *c = events[i].data.ptr;
      if (!c) {
        int fd;
        while ((fd = accept4(listener, NULL, NULL, SOCK_NONBLOCK)) >= 0) connection(fd, -1);
        continue;
      }
      if (c->fd < 0) continue;
      if (events[i].events & EPOLLOUT) { flush_out(c); if (!c->out.count) watch(c, false); }
      if (events[i].events & ~EPOLLOUT) readable(c);
    }
    int64_t now = now_us();
    for (; tick <= now / 1000; tick++) {
      Connection *c = answer_wheel[tick % WHEEL];
      answer_wheel[tick % WHEEL] = NULL;
      while (c) {
        Connection *next = c->next;
        if (c->fd >= 0) { flush_out(c); if (c->out.count) watch(c, true); }
        c = next;
      }
      int v = viewer_wheel[tick % WHEEL];
      viewer_wheel[tick % WHEEL] = -1;
      while (v >= 0) {
        int next = viewers[v].next;
        ask(v, now_us());
        v = next;
      }
    }
  }
  long busiest = 0, busy_slots = 0, opened = 0;
  for (int i = 0; i < slots; i++) { if (per_slot[i] > busiest) busiest = per_slot[i]; if (per_slot[i]) busy_slots++; }
  for (int i = 0; i < sessions; i++) opened += viewers[i].path[0] != 0;
  printf("{\"sessions\":%ld,\"with_ads\":%ld,\"ad_requests\":%ld,\"busiest_100ms\":%ld,\"busy_100ms\":%ld,\"playlists\":%ld,\"errors\":%ld,\"broken\":%ld,"
    "\"went_back\":%ld,\"longest_still_ms\":%lld,\"beacons\":%ld,\"origin_requests\":%ld",
    opened, stats.with_ads, stats.ad_requests, busiest, busy_slots, stats.playlists, stats.errors, stats.broken, stats.went_back,
    (long long)(stats.longest_still_us / 1000), stats.beacons, stats.origin_requests);
  print_times("burst_ms", stats.burst, stats.burst_count);
  print_times("all_ms", stats.all, stats.all_count);
  print_times("late_ms", stats.lag, stats.lag_count);
  printf("}\n");
  if (requests) fclose(requests);
  return 0;
}
