// JPEG and PNG, bytes in, pixels out and back, and the arithmetic on rows of pixels between them.
//
// libjpeg and libpng report errors by jumping. Every such jump starts and ends inside one function
// of this module: callers, and the callbacks that they pass in, never see one.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Where encoded bytes come from.
typedef struct codec_source {
  void *context;
  /// Fills `buffer` from its start and returns the count of bytes, 0 at the end of the input only.
  /// Has to return: to jump or throw out of it is undefined.
  size_t (*read)(void *context, uint8_t *buffer, size_t capacity);
} codec_source;

/// Where encoded bytes go.
typedef struct codec_sink {
  void *context;
  /// Takes all of `bytes`. Has to return, as above.
  void (*write)(void *context, const uint8_t *bytes, size_t count);
} codec_sink;

/// Bytes that belong to a reader and live as long as it; `start` is NULL where there are none.
typedef struct codec_bytes {
  const uint8_t *start;
  size_t count;
} codec_bytes;

/// Closed, so that Swift sees an enum and its `switch` has to answer every case.
typedef enum __attribute__((enum_extensibility(closed))) codec_status {
  codec_status_ok,
  codec_status_ended,         ///< The input ended before anything could be had from it.
  codec_status_unsupported,   ///< A kind of file that the library does not read; `message` names it.
  codec_status_too_large,     ///< More pixels a side than the library can count.
  codec_status_malformed,     ///< `message` says what is wrong.
  codec_status_out_of_time,   ///< The time limit is used up.
  codec_status_out_of_memory,
} codec_status;

enum { codec_message_size = 200 };

/// What the readers allow a file to ask for.
typedef struct codec_limits {
  size_t profile_bytes;   ///< The longest colour profile that is kept; a longer one is as if absent.
  int scans;              ///< Scans of a progressive JPEG that are read; later ones are left out.
  double seconds;         ///< Processor time of the calling thread, from creation.
} codec_limits;

// MARK: Reading JPEG

typedef struct codec_jpeg_reader codec_jpeg_reader;

typedef struct codec_jpeg_header {
  uint32_t width, height;
  int channels, bits;
  bool is_buffered;  ///< In several scans: the whole picture has to be read before its first row.
  bool is_ink;       ///< CMYK or YCCK.
} codec_jpeg_header;

typedef struct codec_jpeg_verdict {
  bool is_damaged;  ///< Some of the rows are not what was stored.
  bool has_ended;   ///< The input ended early.
  bool has_warned;  ///< The decoder complained, of whatever.
} codec_jpeg_verdict;

/// NULL when out of memory. Reads nothing yet. To be freed with `codec_jpeg_reader_free`.
codec_jpeg_reader *codec_jpeg_reader_create(codec_source source, codec_limits limits);
void codec_jpeg_reader_free(codec_jpeg_reader *reader);

/// Reads to the start of the first scan. `header` is filled as far as known, whatever the status.
codec_status codec_jpeg_read_header(codec_jpeg_reader *reader, codec_jpeg_header *header);
/// What follows "Exif\0\0" in the EXIF segment of that number, from 0; none past the last.
codec_bytes codec_jpeg_exif(const codec_jpeg_reader *reader, int index);
/// The colour profile put together from its segments, none if one of them is missing.
/// Its memory is the reader's.
codec_bytes codec_jpeg_profile(codec_jpeg_reader *reader);

/// Gets ready to deliver rows at 1/`denominator` (1, 2, 4 or 8) of the stored size, rounded up.
/// Reads the whole file where `is_buffered`. Rows are of 1 byte a pixel, or of 3 (RGB). Chroma that is
/// stored at a lower resolution is interpolated if it is to be smooth, else repeated.
codec_status codec_jpeg_start(codec_jpeg_reader *reader, int denominator, bool smooths_chroma,
                              uint32_t *width, uint32_t *height, int *channels);
/// Reads rows from the top, no padding between them; `*count` is the most wanted, then the rows had.
/// Where it is 0 there are no more, or `status` is not ok.
codec_status codec_jpeg_read_rows(codec_jpeg_reader *reader, uint8_t *rows, int *count);
codec_jpeg_verdict codec_jpeg_get_verdict(const codec_jpeg_reader *reader);
const char *codec_jpeg_message(const codec_jpeg_reader *reader);

// MARK: Reading PNG

typedef struct codec_png_reader codec_png_reader;

typedef struct codec_png_header {
  uint32_t width, height;
  int channels, bits;  ///< As stored: a palette counts as 1 channel.
  bool has_alpha;      ///< An alpha channel, or a chunk that makes some colours transparent.
  bool is_colour;      ///< Not grey.
  bool is_interlaced;
  bool has_srgb;
  bool has_gamma;
  int32_t gamma;  ///< Of the encoding, times 100,000: 45,455 for most.
  bool has_primaries;
  double primaries[8];  ///< x and y of white, red, green and blue.
  bool has_cicp;
  uint8_t cicp[4];  ///< Colour primaries, transfer function, matrix, full range (ITU-T H.273).
} codec_png_header;

/// NULL when out of memory. Reads nothing yet. To be freed with `codec_png_reader_free`.
codec_png_reader *codec_png_reader_create(codec_source source, codec_limits limits);
void codec_png_reader_free(codec_png_reader *reader);

/// Reads to the start of the image data.
codec_status codec_png_read_header(codec_png_reader *reader, codec_png_header *header);
codec_bytes codec_png_exif(const codec_png_reader *reader);
codec_bytes codec_png_profile(const codec_png_reader *reader);

/// Gets ready to deliver rows of 1 (grey), 3 (RGB) or 4 (RGBA, not premultiplied) samples a pixel,
/// each of 8 bits, or of 16 in this machine's byte order. Reads all of an interlaced picture.
codec_status codec_png_start(codec_png_reader *reader, int *channels, int *bits);
/// Reads rows as `codec_jpeg_read_rows` does; there are none to be had past a status that is not ok.
codec_status codec_png_read_rows(codec_png_reader *reader, void *rows, int *count);
/// Reads the chunks after the image data, so that `codec_png_exif` knows of one that stands there.
/// False where the file was cut before its end.
bool codec_png_finish(codec_png_reader *reader);
/// Finds EXIF data behind the image data without unpacking that; for use after the header only.
void codec_png_find_exif(codec_png_reader *reader);
bool codec_png_has_warned(const codec_png_reader *reader);
/// The data's checksums don't match: what was read may not be what was stored.
bool codec_png_is_damaged(const codec_png_reader *reader);
bool codec_png_has_ended(const codec_png_reader *reader);
const char *codec_png_message(const codec_png_reader *reader);

// MARK: Writing

/// Writes `channels` (1 or 3) bytes a pixel, top row first, no padding, at `quality` 1 to 100.
/// `profile` may be empty.
codec_status codec_jpeg_write(codec_sink sink, const uint8_t *pixels, uint32_t width,
                              uint32_t height, int channels, int quality, codec_bytes profile);
/// Writes `channels` (1, 3 or 4, alpha not premultiplied) bytes a pixel, as above.
codec_status codec_png_write(codec_sink sink, const uint8_t *pixels, uint32_t width,
                             uint32_t height, int channels, codec_bytes profile);

// MARK: Reducing

typedef struct codec_reducer codec_reducer;

/// How rows come in and go out. Between the two, samples are linear light.
typedef struct codec_reduction {
  uint32_t in_width, in_height;    ///< Of the rows that come in.
  double extent_x, extent_y;       ///< The picture's size in such pixels; the last may be a part of one.
  uint32_t out_width, out_height;  ///< At most that of the rows that come in.
  int channels, bits;              ///< 1, 3 or 4 (RGBA) samples a pixel, of 8 or 16 bits.
  const float *to_linear[3];       ///< For each colour channel the light, 0 to 1, of 2^bits values.
  const float *matrix;             ///< 3 x 3, by rows: from linear RGB in to linear RGB out; or NULL.
  const uint8_t *to_encoded;       ///< Of 65,536 entries, for linear light 0 to 1.
} codec_reduction;

/// NULL when out of memory. Keeps copies of the tables.
codec_reducer *codec_reducer_create(const codec_reduction *reduction);
void codec_reducer_free(codec_reducer *reducer);
/// Takes the next `count` rows, from the top, without padding between them.
void codec_reducer_take(codec_reducer *reducer, const void *rows, uint32_t count);
/// The reduced picture, 8 bits a sample, once all rows are in.
const uint8_t *codec_reducer_pixels(const codec_reducer *reducer);
/// Whether no pixel of it is even partly transparent.
bool codec_reducer_is_opaque(const codec_reducer *reducer);
/// Whether all pixels of it are the same.
bool codec_reducer_is_uniform(const codec_reducer *reducer);

/// Copies a picture so that it stands upright; `to` has the sides exchanged for orientations 5 to 8.
/// Where `to_channels` is less than `channels`, the last ones are left out.
void codec_turn_upright(const uint8_t *from, uint32_t width, uint32_t height, int channels,
                        int orientation, uint8_t *to, int to_channels);
