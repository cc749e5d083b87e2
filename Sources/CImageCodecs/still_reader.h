// What the readers of formats that are decoded as a whole have in common.
#pragma once
#include "still_codecs.h"

/// What a library does for its formats.
typedef struct {
  size_t library_size;  // Bytes that it keeps for a file, zero at first.
  codec_status (*read_header)(codec_still_reader *reader);
  /// Leaves in `pixels` rows of `row_bytes` (at least), of which `good_rows` were read.
  codec_status (*decode)(codec_still_reader *reader);
  /// Frees what the library's bytes have come to hold, whichever of the calls above came before.
  void (*clear)(codec_still_reader *reader);
} still_format;

struct codec_still_reader {
  codec_source source;
  codec_limits limits;
  double deadline;
  uint8_t *file;
  size_t file_count;
  codec_still_header header;
  codec_bytes exif, profile;  // Of the library's, or within the file.

  const still_format *format;
  void *library;  // What the library keeps for the file.

  const uint8_t *pixels;
  size_t row_bytes;
  int channels, bits;
  uint32_t next_row, good_rows;
  codec_status picture_status;  // Why there are no more rows than the good ones.
  bool has_warned, has_ended;
  char message[codec_message_size];
};

/// NULL when out of memory.
codec_still_reader *still_reader_create(codec_source source, codec_limits limits,
                                        const still_format *format);
codec_status still_reader_fail(codec_still_reader *reader, codec_status status,
                               const char *message);
bool still_reader_is_out_of_time(const codec_still_reader *reader);
