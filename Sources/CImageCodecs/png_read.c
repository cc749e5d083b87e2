#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <png.h>

#include "image_codecs.h"

enum {
  most_chunk_bytes = 32 << 20,
  rows_between_clock_readings = 64,
  buffer_size = 1 << 16,
  portion = 512,  // Of the image data that is asked for at a time: of a cut file, no more is lost.
};

struct codec_png_reader {
  png_structp png;
  png_infop info;
  codec_source source;
  codec_limits limits;
  double deadline;
  codec_status failure;  // Of the last jump.
  bool has_warned, has_ended, is_damaged, is_in_data;
  uint8_t last[8];  // Bytes had: after the header, the length and name of the first data chunk.
  uint8_t *found_exif;
  size_t found_exif_count;
  uint8_t *picture;  // Of an interlaced file: all rows.
  size_t row_bytes;
  uint32_t next_row, good_rows;
  codec_status picture_status;
  char message[codec_message_size];
  size_t buffer_start, buffer_end;
  uint8_t buffer[buffer_size];
};

static double thread_seconds(void) {
  struct timespec time;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static void on_error(png_structp png, png_const_charp message) {
  codec_png_reader *reader = png_get_error_ptr(png);
  if (reader->failure == codec_status_ok) {
    reader->failure = reader->has_ended ? codec_status_ended : codec_status_malformed;
  }
  snprintf(reader->message, sizeof reader->message, "%s", message);
  png_longjmp(png, 1);
}

static void on_warning(png_structp png, png_const_charp message) {
  (void)message;
  codec_png_reader *reader = png_get_error_ptr(png);
  reader->has_warned = true;
  if (reader->is_in_data) reader->is_damaged = true;
}

/// As many bytes as wanted, unless the input ends first.
static size_t read_bytes(codec_png_reader *reader, uint8_t *bytes, size_t wanted) {
  size_t had = 0;
  while (had < wanted) {
    if (reader->buffer_start == reader->buffer_end) {
      if (reader->has_ended) break;
      reader->buffer_start = 0;
      reader->buffer_end =
          reader->source.read(reader->source.context, reader->buffer, sizeof reader->buffer);
      reader->has_ended = reader->buffer_end == 0;
    }
    size_t part = reader->buffer_end - reader->buffer_start;
    if (part > wanted - had) part = wanted - had;
    memcpy(bytes + had, reader->buffer + reader->buffer_start, part);
    reader->buffer_start += part;
    had += part;
  }
  return had;
}

static void read_input(png_structp png, png_bytep bytes, size_t count) {
  codec_png_reader *reader = png_get_io_ptr(png);
  if (read_bytes(reader, bytes, count) < count) png_error(png, "the file ends too early");
  if (count >= sizeof reader->last) {
    memcpy(reader->last, bytes + count - sizeof reader->last, sizeof reader->last);
  } else {
    memmove(reader->last, reader->last + count, sizeof reader->last - count);
    memcpy(reader->last + sizeof reader->last - count, bytes, count);
  }
}

static void check_time(codec_png_reader *reader) {
  if (thread_seconds() <= reader->deadline) return;
  reader->failure = codec_status_out_of_time;
  png_error(reader->png, "takes too long to decode");
}

codec_png_reader *codec_png_reader_create(codec_source source, codec_limits limits) {
  codec_png_reader *reader = calloc(1, sizeof *reader);
  if (!reader) return NULL;
  reader->source = source;
  reader->limits = limits;
  reader->deadline = thread_seconds() + limits.seconds;
  reader->png = png_create_read_struct(PNG_LIBPNG_VER_STRING, reader, on_error, on_warning);
  if (reader->png) reader->info = png_create_info_struct(reader->png);
  if (!reader->info) {
    codec_png_reader_free(reader);
    return NULL;
  }
  return reader;
}

void codec_png_reader_free(codec_png_reader *reader) {
  if (!reader) return;
  png_destroy_read_struct(&reader->png, &reader->info, NULL);
  free(reader->found_exif);
  free(reader->picture);
  free(reader);
}

// MARK: Header

static codec_status read_header(codec_png_reader *reader, codec_png_header *header) {
  png_structp png = reader->png;
  png_infop info = reader->info;
  if (setjmp(png_jmpbuf(png))) return reader->failure;
  png_set_read_fn(png, reader, read_input);
  png_set_user_limits(png, PNG_UINT_31_MAX, PNG_UINT_31_MAX);  // The caller judges the size.
  png_set_chunk_malloc_max(png, most_chunk_bytes);
  png_set_compression_buffer_size(png, portion);
  // Text is of no use here, and may unpack to 1,000 times its size; it is not even unpacked.
  static const png_byte unused[] = "tEXt\0zTXt\0iTXt\0sPLT\0hIST\0pCAL";
  png_set_keep_unknown_chunks(png, PNG_HANDLE_CHUNK_NEVER, unused, 6);
  png_set_keep_unknown_chunks(png, PNG_HANDLE_CHUNK_ALWAYS, (png_const_bytep) "cICP", 1);
  png_read_info(png, info);

  header->width = png_get_image_width(png, info);
  header->height = png_get_image_height(png, info);
  header->channels = png_get_channels(png, info);
  header->bits = png_get_bit_depth(png, info);
  header->has_alpha =
      (png_get_color_type(png, info) & PNG_COLOR_MASK_ALPHA) || png_get_valid(png, info, PNG_INFO_tRNS);
  header->is_colour = png_get_color_type(png, info) & PNG_COLOR_MASK_COLOR;
  header->is_interlaced = png_get_interlace_type(png, info) != PNG_INTERLACE_NONE;
  header->has_srgb = png_get_valid(png, info, PNG_INFO_sRGB);
  header->has_gamma = png_get_gAMA_fixed(png, info, &header->gamma) != 0;
  double *xy = header->primaries;
  header->has_primaries = png_get_cHRM(png, info, xy, xy + 1, xy + 2, xy + 3, xy + 4, xy + 5,
                                       xy + 6, xy + 7) != 0;
  png_unknown_chunkp unknown = NULL;
  int count = png_get_unknown_chunks(png, info, &unknown);
  for (int i = 0; i < count; i++) {
    if (memcmp(unknown[i].name, "cICP", 4) != 0 || unknown[i].size != 4) continue;
    header->has_cicp = true;
    memcpy(header->cicp, unknown[i].data, 4);
  }
  return codec_status_ok;
}

codec_status codec_png_read_header(codec_png_reader *reader, codec_png_header *header) {
  *header = (codec_png_header){0};
  return read_header(reader, header);
}

codec_bytes codec_png_exif(const codec_png_reader *reader) {
  if (reader->found_exif) return (codec_bytes){reader->found_exif, reader->found_exif_count};
  png_bytep bytes = NULL;
  png_uint_32 count = 0;
  if (!png_get_eXIf_1(reader->png, reader->info, &count, &bytes)) return (codec_bytes){NULL, 0};
  return (codec_bytes){bytes, count};
}

codec_bytes codec_png_profile(const codec_png_reader *reader) {
  png_charp name = NULL;
  png_bytep bytes = NULL;
  png_uint_32 count = 0;
  int compression = 0;
  if (!png_get_iCCP(reader->png, reader->info, &name, &compression, &bytes, &count) ||
      count > reader->limits.profile_bytes) {
    return (codec_bytes){NULL, 0};
  }
  return (codec_bytes){bytes, count};
}

/// Reads `count` bytes and drops them.
static bool skip(codec_png_reader *reader, uint32_t count) {
  uint8_t dropped[4096];
  while (count > 0) {
    uint32_t part = count < sizeof dropped ? count : sizeof dropped;
    if (read_bytes(reader, dropped, part) < part) return false;
    count -= part;
  }
  return true;
}

static uint32_t big_endian(const uint8_t *bytes) {
  return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

void codec_png_find_exif(codec_png_reader *reader) {
  uint8_t chunk[8];
  memcpy(chunk, reader->last, sizeof chunk);
  while (memcmp(chunk + 4, "IEND", 4) != 0) {
    uint32_t count = big_endian(chunk);
    if (count > PNG_UINT_31_MAX) return;
    if (memcmp(chunk + 4, "eXIf", 4) == 0) {
      if (count > most_chunk_bytes || !(reader->found_exif = malloc(count ? count : 1))) return;
      reader->found_exif_count = read_bytes(reader, reader->found_exif, count);
      return;
    }
    if (!skip(reader, count) || !skip(reader, 4)) return;
    if (read_bytes(reader, chunk, sizeof chunk) < sizeof chunk) return;
  }
}

// MARK: Pixels

/// All of an interlaced picture. Until its last pass a pixel stands for its neighbours too, so that
/// a file that is cut shows a coarse picture.
static void read_picture(codec_png_reader *reader, int passes) {
  png_structp png = reader->png;
  uint32_t height = png_get_image_height(png, reader->info);
  reader->picture = calloc(height, reader->row_bytes);
  if (!reader->picture) {
    reader->failure = codec_status_out_of_memory;
    png_error(png, "out of memory");
  }
  for (int pass = 0; pass < passes; pass++) {
    for (uint32_t y = 0; y < height; y++) {
      if (y % rows_between_clock_readings == 0) check_time(reader);
      png_read_row(png, NULL, reader->picture + reader->row_bytes * y);
      if (pass == 0) reader->good_rows = y + 1;
    }
  }
}

static codec_status start(codec_png_reader *reader, int *channels, int *bits) {
  png_structp png = reader->png;
  png_infop info = reader->info;
  if (setjmp(png_jmpbuf(png))) return reader->failure;
  // A wrong checksum in the data: use the data, as far as it can be unpacked, and say so.
  png_set_crc_action(png, PNG_CRC_WARN_USE, PNG_CRC_DEFAULT);
  reader->is_in_data = true;
  bool is_transparent = png_get_valid(png, info, PNG_INFO_tRNS);
  png_byte colour = png_get_color_type(png, info);
  png_set_expand(png);
  if (colour == PNG_COLOR_TYPE_GRAY_ALPHA || (colour == PNG_COLOR_TYPE_GRAY && is_transparent)) {
    png_set_gray_to_rgb(png);
  }
  if (png_get_bit_depth(png, info) == 16) {
    const uint16_t one = 1;
    if (*(const uint8_t *)&one == 1) png_set_swap(png);
  }
  int passes = png_set_interlace_handling(png);
  png_read_update_info(png, info);
  *channels = png_get_channels(png, info);
  *bits = png_get_bit_depth(png, info);
  reader->row_bytes = png_get_rowbytes(png, info);
  return passes > 1 ? codec_status_unsupported : codec_status_ok;
}

static codec_status start_picture(codec_png_reader *reader) {
  if (setjmp(png_jmpbuf(reader->png))) return reader->failure;
  read_picture(reader, PNG_INTERLACE_ADAM7_PASSES);
  return codec_status_ok;
}

codec_status codec_png_start(codec_png_reader *reader, int *channels, int *bits) {
  codec_status status = start(reader, channels, bits);
  if (status != codec_status_unsupported) return status;
  reader->picture_status = start_picture(reader);
  return reader->good_rows > 0 ? codec_status_ok : reader->picture_status;
}

static codec_status read_rows(codec_png_reader *reader, uint8_t *rows, int wanted,
                              volatile int *had) {
  if (setjmp(png_jmpbuf(reader->png))) return reader->failure;
  for (; *had < wanted; *had += 1) {
    if (reader->next_row++ % rows_between_clock_readings == 0) check_time(reader);
    png_read_row(reader->png, rows + reader->row_bytes * (size_t)*had, NULL);
  }
  return codec_status_ok;
}

codec_status codec_png_read_rows(codec_png_reader *reader, void *rows, int *count) {
  volatile int had = 0;
  codec_status status = codec_status_ok;
  if (!reader->picture) {
    status = read_rows(reader, rows, *count, &had);
  } else {
    for (; had < *count && reader->next_row < reader->good_rows; had += 1) {
      const uint8_t *row = reader->picture + reader->row_bytes * reader->next_row++;
      memcpy((uint8_t *)rows + reader->row_bytes * (size_t)had, row, reader->row_bytes);
    }
    if (had < *count) status = reader->picture_status;
  }
  *count = had;
  return status;
}

bool codec_png_finish(codec_png_reader *reader) {
  reader->is_in_data = false;
  if (setjmp(png_jmpbuf(reader->png))) return false;
  png_read_end(reader->png, reader->info);
  return true;
}

bool codec_png_has_warned(const codec_png_reader *reader) { return reader->has_warned; }
bool codec_png_is_damaged(const codec_png_reader *reader) {
  // A later pass that failed leaves all rows of an interlaced picture there, but coarse.
  return reader->is_damaged || (reader->picture && reader->picture_status != codec_status_ok);
}
bool codec_png_has_ended(const codec_png_reader *reader) { return reader->has_ended; }
const char *codec_png_message(const codec_png_reader *reader) { return reader->message; }
