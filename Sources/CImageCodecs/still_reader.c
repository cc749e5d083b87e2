#include "still_reader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { most_file_bytes = 256 << 20 };

static double thread_seconds(void) {
  struct timespec time;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

codec_still_reader *still_reader_create(codec_source source, codec_limits limits,
                                        const still_format *format) {
  codec_still_reader *reader = calloc(1, sizeof *reader);
  void *library = calloc(1, format->library_size);
  if (!reader || !library) {
    free(reader);
    free(library);
    return NULL;
  }
  reader->format = format;
  reader->library = library;
  reader->source = source;
  reader->limits = limits;
  reader->deadline = thread_seconds() + limits.seconds;
  return reader;
}

codec_status still_reader_fail(codec_still_reader *reader, codec_status status,
                               const char *message) {
  snprintf(reader->message, sizeof reader->message, "%s", message);
  reader->message[strcspn(reader->message, "\n")] = '\0';
  return status;
}

bool still_reader_is_out_of_time(const codec_still_reader *reader) {
  return thread_seconds() > reader->deadline;
}

void codec_still_reader_free(codec_still_reader *reader) {
  if (!reader) return;
  reader->format->clear(reader);
  free(reader->library);
  free(reader->file);
  free(reader);
}

static codec_status read_file(codec_still_reader *reader) {
  size_t capacity = 0;
  while (true) {
    if (reader->file_count == capacity) {
      if (capacity >= most_file_bytes) {
        return still_reader_fail(reader, codec_status_unsupported, "a file of more than 256 MB");
      }
      capacity = capacity ? capacity * 2 : 1 << 18;
      uint8_t *larger = realloc(reader->file, capacity);
      if (!larger) return codec_status_out_of_memory;
      reader->file = larger;
    }
    size_t count = reader->source.read(reader->source.context, reader->file + reader->file_count,
                                       capacity - reader->file_count);
    if (count == 0) return codec_status_ok;
    reader->file_count += count;
  }
}

codec_status codec_still_read_header(codec_still_reader *reader, codec_still_header *header) {
  codec_status status = read_file(reader);
  if (status == codec_status_ok) status = reader->format->read_header(reader);
  *header = reader->header;
  return status;
}

codec_bytes codec_still_exif(const codec_still_reader *reader) { return reader->exif; }

codec_bytes codec_still_profile(const codec_still_reader *reader) {
  bool is_kept = reader->profile.count <= reader->limits.profile_bytes;
  return is_kept ? reader->profile : (codec_bytes){NULL, 0};
}

codec_status codec_still_start(codec_still_reader *reader, int *channels, int *bits) {
  codec_status status = reader->format->decode(reader);
  *channels = reader->channels;
  *bits = reader->bits;
  reader->picture_status = status;
  return reader->good_rows > 0 ? codec_status_ok : status;
}

codec_status codec_still_read_rows(codec_still_reader *reader, void *rows, int *count) {
  size_t bytes = (size_t)reader->header.width * (size_t)(reader->channels * reader->bits / 8);
  int had = 0;
  for (; had < *count && reader->next_row < reader->good_rows; had++) {
    const uint8_t *row = reader->pixels + reader->row_bytes * reader->next_row++;
    memcpy((uint8_t *)rows + bytes * (size_t)had, row, bytes);
  }
  codec_status status = had < *count ? reader->picture_status : codec_status_ok;
  *count = had;
  return status;
}

bool codec_still_has_warned(const codec_still_reader *reader) { return reader->has_warned; }
bool codec_still_has_ended(const codec_still_reader *reader) { return reader->has_ended; }
const char *codec_still_message(const codec_still_reader *reader) { return reader->message; }
