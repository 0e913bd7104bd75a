// What the swarm's origin and ad server answer. Included by swarm.c alone, after its options, die() and now_us().

// --- Text that grows.

typedef struct { char *bytes; size_t count, room; } Text;

static void reserve(Text *t, size_t more) {
  if (t->count + more + 1 <= t->room) return;
  t->room = (t->count + more + 1) * 2;
  t->bytes = realloc(t->bytes, t->room);
  if (!t->bytes) die("realloc");
}

static void add(Text *t, const char *format, ...) {
  va_list list;
  va_start(list, format);
  va_list again;
  va_copy(again, list);
  int n = vsnprintf(NULL, 0, format, list);
  va_end(list);
  reserve(t, n);
  vsnprintf(t->bytes + t->count, n + 1, format, again);
  va_end(again);
  t->count += n;
}

// --- The channel.

static int64_t started_us, started_wall_ms;

static int edge_slot(int64_t now) { return 100 + (int)((now - started_us) / 1000 / slot_ms); }

/// The place in its break, or -1.
static int place_in_break(int slot) {
  int n = slot - 100 - first_break;
  if (n < 0) return -1;
  int place = n % period_slots;
  return place < break_slots ? place : -1;
}

static void date(Text *t, int slot) {
  int64_t ms = started_wall_ms + (int64_t)(slot - 101) * slot_ms;
  time_t s = ms / 1000;
  struct tm parts;
  gmtime_r(&s, &parts);
  char text[40];
  strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%S", &parts);
  add(t, "#EXT-X-PROGRAM-DATE-TIME:%s.%03dZ\n", text, (int)(ms % 1000));
}

static void live(Text *t, int64_t now) {
  int edge = edge_slot(now);
  add(t, "#EXTM3U\n#EXT-X-VERSION:3\n#EXT-X-TARGETDURATION:%d\n#EXT-X-MEDIA-SEQUENCE:%d\n", (slot_ms + 999) / 1000, edge - window + 1);
  for (int n = edge - window + 1; n <= edge; n++) {
    date(t, n);
    int place = place_in_break(n);
    if (place == 0) add(t, "#EXT-X-CUE-OUT:%.3f\n", break_slots * slot_ms / 1000.0);
    else if (place < 0 && place_in_break(n - 1) >= 0) add(t, "#EXT-X-CUE-IN\n");
    add(t, "#EXTINF:%.3f,\nsegment-%d.ts\n", slot_ms / 1000.0, n);
  }
}

static const char master[] =
  "#EXTM3U\n#EXT-X-VERSION:3\n#EXT-X-INDEPENDENT-SEGMENTS\n#EXT-X-STREAM-INF:BANDWIDTH=800000,RESOLUTION=640x360,FRAME-RATE=25.000,"
  "CODECS=\"avc1.42c01e,mp4a.40.2\"\nmedia.m3u8\n";

static void ad_playlist(Text *t) {
  add(t, "#EXTM3U\n#EXT-X-VERSION:3\n#EXT-X-TARGETDURATION:%d\n#EXT-X-MEDIA-SEQUENCE:0\n#EXT-X-PLAYLIST-TYPE:VOD\n", (slot_ms + 999) / 1000);
  for (int n = 0; n < break_slots; n++) add(t, "#EXTINF:%.3f,\nsegment-%d.ts\n", slot_ms / 1000.0, n);
  add(t, "#EXT-X-ENDLIST\n");
}

static void vast(Text *t, const char *viewer) {
  unsigned creative = (unsigned)atoi(viewer) % 16;
  add(t, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<VAST version=\"4.0\" xmlns=\"http://www.iab.com/VAST\"><Ad id=\"ad-%u\" sequence=\"1\"><InLine>"
    "<AdSystem>bench</AdSystem><AdTitle>ad</AdTitle><Error><![CDATA[http://127.0.0.1:%d/beacon/error]]></Error><Impression><![CDATA[http://127.0.0.1:%d/beacon/impression/%s]]></Impression>"
    "<Creatives><Creative id=\"c%u\"><UniversalAdId idRegistry=\"example.org\">ad-%u</UniversalAdId><Linear><Duration>00:00:%02d</Duration><TrackingEvents>",
    creative, listen_port, listen_port, viewer, creative, creative, break_slots * slot_ms / 1000 % 60);
  static const char *events[] = {"start", "firstQuartile", "midpoint", "thirdQuartile", "complete"};
  for (int i = 0; i < 5; i++) add(t, "<Tracking event=\"%s\"><![CDATA[http://127.0.0.1:%d/beacon/%s/%s]]></Tracking>", events[i], listen_port, events[i], viewer);
  add(t, "</TrackingEvents><MediaFiles><MediaFile delivery=\"streaming\" type=\"application/x-mpegURL\" width=\"640\" height=\"360\">"
    "<![CDATA[http://127.0.0.1:%d/ads/ad-%u/master.m3u8]]></MediaFile></MediaFiles></Linear></Creative></Creatives></InLine></Ad></VAST>\n", listen_port, creative);
}
