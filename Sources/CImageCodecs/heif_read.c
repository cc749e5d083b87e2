#ifdef HAS_HEIF
#include <stdio.h>
#include <stdlib.h>

#include <libheif/heif.h>

#include "still_reader.h"

enum { most_exif_bytes = 16 << 20, most_pixels_a_side = 16384 };

typedef struct {
  struct heif_context *context;
  struct heif_image_handle *handle;
  struct heif_image *image;
  uint8_t *exif, *profile;
} heif;

static codec_status fail(codec_still_reader *reader, struct heif_error error) {
  codec_status status = codec_status_malformed;
  switch (error.code) {
    case heif_error_Ok: return codec_status_ok;
    case heif_error_Unsupported_filetype: case heif_error_Unsupported_feature:
      status = codec_status_unsupported;
      break;
    case heif_error_Memory_allocation_error:
      if (error.subcode != heif_suberror_Security_limit_exceeded) {
        status = codec_status_out_of_memory;
      }
      break;
    default:
      if (error.subcode == heif_suberror_End_of_data) {
        reader->has_ended = true;
        status = codec_status_ended;
      }
  }
  return still_reader_fail(reader, status, error.message);
}

/// The first EXIF block, from its TIFF header on.
static codec_bytes read_exif(heif *library) {
  codec_bytes none = {NULL, 0};
  heif_item_id id = 0;
  if (heif_image_handle_get_list_of_metadata_block_IDs(library->handle, "Exif", &id, 1) != 1) {
    return none;
  }
  size_t count = heif_image_handle_get_metadata_size(library->handle, id);
  if (count <= 4 || count > most_exif_bytes || !(library->exif = malloc(count)) ||
      heif_image_handle_get_metadata(library->handle, id, library->exif).code != heif_error_Ok) {
    return none;
  }
  // Four bytes say how many follow them before the header.
  const uint8_t *start = library->exif;
  size_t offset = (size_t)start[0] << 24 | (size_t)start[1] << 16 | (size_t)start[2] << 8 | start[3];
  if (offset >= count - 4) offset = 0;
  return (codec_bytes){start + 4 + offset, count - 4 - offset};
}

static codec_bytes read_profile(heif *library, size_t limit) {
  size_t count = heif_image_handle_get_raw_color_profile_size(library->handle);
  if (count == 0 || count > limit || !(library->profile = malloc(count)) ||
      heif_image_handle_get_raw_color_profile(library->handle, library->profile).code !=
          heif_error_Ok) {
    return (codec_bytes){NULL, 0};
  }
  return (codec_bytes){library->profile, count};
}

static void read_code_points(const heif *library, codec_still_header *header) {
  struct heif_color_profile_nclx *nclx = NULL;
  if (heif_image_handle_get_nclx_color_profile(library->handle, &nclx).code == heif_error_Ok) {
    header->has_code_points = true;
    header->code_points[0] = (uint8_t)nclx->color_primaries;
    header->code_points[1] = (uint8_t)nclx->transfer_characteristics;
  }
  if (nclx) heif_nclx_color_profile_free(nclx);  // There may be one beside an error.
}

static codec_status read_header(codec_still_reader *reader) {
  heif *library = reader->library;
  library->context = heif_context_alloc();
  if (!library->context) return codec_status_out_of_memory;
  heif_context_set_maximum_image_size_limit(library->context, most_pixels_a_side);
  heif_context_set_max_decoding_threads(library->context, 0);  // The caller has a thread a core.
  codec_status status =
      fail(reader, heif_context_read_from_memory_without_copy(library->context, reader->file,
                                                              reader->file_count, NULL));
  if (status != codec_status_ok) return status;
  status = fail(reader, heif_context_get_primary_image_handle(library->context, &library->handle));
  if (status != codec_status_ok) return status;
  int width = heif_image_handle_get_width(library->handle);
  int height = heif_image_handle_get_height(library->handle);
  if (width < 1 || height < 1) {
    return still_reader_fail(reader, codec_status_malformed, "it has no size");
  }
  int bits = heif_image_handle_get_luma_bits_per_pixel(library->handle);
  reader->header = (codec_still_header){
      .width = (uint32_t)width,
      .height = (uint32_t)height,
      .bits = bits > 8 && bits <= 16 ? bits : 8,
      .has_alpha = heif_image_handle_has_alpha_channel(library->handle),
  };
  read_code_points(library, &reader->header);
  reader->exif = read_exif(library);
  reader->profile = read_profile(library, reader->limits.profile_bytes);
  return codec_status_ok;
}

/// Stretches samples of fewer bits to 16, so that the largest becomes 65,535.
static void widen(uint16_t *samples, size_t count, int bits) {
  for (size_t i = 0; i < count; i++) {
    unsigned value = samples[i] & ((1u << bits) - 1);
    samples[i] = (uint16_t)(value << (16 - bits) | value >> (2 * bits - 16));
  }
}

static uint32_t undo_alpha(uint32_t value, uint32_t alpha, uint32_t most) {
  uint64_t whole = alpha ? ((uint64_t)value * most + alpha / 2) / alpha : 0;
  return whole < most ? (uint32_t)whole : most;
}

static void undo_alpha_of_row(uint8_t *row, uint32_t width, int bits) {
  uint16_t *wide = (uint16_t *)(void *)row;
  for (size_t i = 0; i < (size_t)width * 4; i++) {
    if (i % 4 == 3) continue;
    size_t alpha = i | 3;
    if (bits == 16) {
      wide[i] = (uint16_t)undo_alpha(wide[i], wide[alpha], 65535);
    } else {
      row[i] = (uint8_t)undo_alpha(row[i], row[alpha], 255);
    }
  }
}

/// The library can't be stopped while it decodes: the time limit does not hold here, only that on
/// pixels does.
static codec_status decode(codec_still_reader *reader) {
  heif *library = reader->library;
  const codec_still_header *header = &reader->header;
  const uint16_t one = 1;
  bool is_little = *(const uint8_t *)&one == 1;
  reader->channels = header->has_alpha ? 4 : 3;
  reader->bits = header->bits > 8 ? 16 : 8;
  enum heif_chroma chroma = header->has_alpha ? heif_chroma_interleaved_RGBA
                                              : heif_chroma_interleaved_RGB;
  if (reader->bits == 16 && header->has_alpha) {
    chroma = is_little ? heif_chroma_interleaved_RRGGBBAA_LE : heif_chroma_interleaved_RRGGBBAA_BE;
  } else if (reader->bits == 16) {
    chroma = is_little ? heif_chroma_interleaved_RRGGBB_LE : heif_chroma_interleaved_RRGGBB_BE;
  }
  // Pictures within the file may claim more than the whole does.
  uint32_t longest = header->width > header->height ? header->width : header->height;
  heif_context_set_maximum_image_size_limit(library->context, (int)longest);
  codec_status status = fail(reader, heif_decode_image(library->handle, &library->image,
                                                       heif_colorspace_RGB, chroma, NULL));
  if (status != codec_status_ok) return status;
  int stride = 0;
  uint8_t *rows = heif_image_get_plane(library->image, heif_channel_interleaved, &stride);
  int bits = heif_image_get_bits_per_pixel_range(library->image, heif_channel_interleaved);
  size_t samples = (size_t)header->width * (size_t)reader->channels;
  if (!rows || stride < 0 || (size_t)stride < samples * (size_t)(reader->bits / 8) ||
      heif_image_get_chroma_format(library->image) != chroma ||
      heif_image_get_primary_width(library->image) != (int)header->width ||
      heif_image_get_primary_height(library->image) != (int)header->height ||
      (reader->bits == 16 && (bits <= 8 || bits > 16))) {
    return still_reader_fail(reader, codec_status_malformed, "the pixels are not what it claims");
  }
  bool is_multiplied = heif_image_handle_is_premultiplied_alpha(library->handle);
  for (uint32_t y = 0; y < header->height; y++) {
    uint8_t *row = rows + (size_t)stride * y;
    if (reader->bits == 16) widen((uint16_t *)(void *)row, samples, bits);
    if (reader->channels == 4 && is_multiplied) undo_alpha_of_row(row, header->width, reader->bits);
  }
  reader->has_warned = heif_image_get_decoding_warnings(library->image, 0, NULL, 0) > 0;
  reader->pixels = rows;
  reader->row_bytes = (size_t)stride;
  reader->good_rows = header->height;
  return codec_status_ok;
}

static void clear(codec_still_reader *reader) {
  heif *library = reader->library;
  heif_image_release(library->image);
  heif_image_handle_release(library->handle);
  heif_context_free(library->context);
  free(library->exif);
  free(library->profile);
}

codec_still_reader *codec_heif_reader_create(codec_source source, codec_limits limits) {
  static const still_format format = {sizeof(heif), read_header, decode, clear};
  return still_reader_create(source, limits, &format);
}
#endif
