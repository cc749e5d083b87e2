// HEIC, AVIF and WebP: formats that are decoded from memory, and as a whole.
//
// The functions that make a reader are there under the traits of their formats only.
#pragma once
#include "image_codecs.h"

typedef struct codec_still_reader codec_still_reader;

typedef struct codec_still_header {
  uint32_t width, height;  ///< As the rows will be: where the container turns it, it is turned.
  int bits;                ///< As stored.
  bool has_alpha;
  bool has_code_points;
  uint8_t code_points[2];  ///< Colour primaries and transfer function (ITU-T H.273).
} codec_still_header;

/// NULL when out of memory. Reads nothing yet. To be freed with `codec_still_reader_free`.
codec_still_reader *codec_heif_reader_create(codec_source source, codec_limits limits);
codec_still_reader *codec_webp_reader_create(codec_source source, codec_limits limits);
void codec_still_reader_free(codec_still_reader *reader);

/// Reads the file into memory, at most 256 MB of it, and what stands around the pixels.
codec_status codec_still_read_header(codec_still_reader *reader, codec_still_header *header);
codec_bytes codec_still_exif(const codec_still_reader *reader);
codec_bytes codec_still_profile(const codec_still_reader *reader);

/// Decodes the picture, of an animation the first frame, to rows of 3 (RGB) or 4 (RGBA, not
/// premultiplied) samples a pixel, each of 8 bits, or of 16 in this machine's byte order.
codec_status codec_still_start(codec_still_reader *reader, int *channels, int *bits);
/// Copies rows as `codec_png_read_rows` does.
codec_status codec_still_read_rows(codec_still_reader *reader, void *rows, int *count);
bool codec_still_has_warned(const codec_still_reader *reader);
bool codec_still_has_ended(const codec_still_reader *reader);
const char *codec_still_message(const codec_still_reader *reader);
