#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <jpeglib.h>
// After jpeglib.h: the numbers of the messages, by which errors are told apart.
#include <jerror.h>

#include "image_codecs.h"

enum { buffer_size = 1 << 16, most_profile_segments = 255, most_exif_segments = 4 };

typedef struct {
  uint8_t *bytes;
  size_t count;
} segment;

struct codec_jpeg_reader {
  struct jpeg_decompress_struct jpeg;
  struct jpeg_error_mgr errors;
  struct jpeg_source_mgr input;
  jmp_buf escape;
  codec_source source;
  codec_limits limits;
  double deadline;
  codec_status failure;  // Of the last jump.
  codec_jpeg_verdict verdict;
  segment exif[most_exif_segments];
  int exif_count;
  segment profile_segments[most_profile_segments + 1];  // By number, from 1.
  size_t profile_bytes;
  bool is_profile_refused;
  int profile_segment_count;
  uint8_t *profile;
  uint8_t *ink;  // A row of a CMYK picture.
  char message[codec_message_size];
  uint8_t buffer[buffer_size];
};

static codec_jpeg_reader *reader_of(j_common_ptr jpeg) { return jpeg->client_data; }

static double thread_seconds(void) {
  struct timespec time;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

// MARK: Errors

static const char *frame_kind(int marker) {
  switch (marker) {
    case 0xC3: return "lossless JPEG";
    case 0xC5: case 0xC6: case 0xCD: case 0xCE: return "hierarchical JPEG";
    case 0xC7: case 0xCF: return "hierarchical lossless JPEG";
    case 0xC8: return "JPEG extension";
    case 0xCB: return "arithmetic-coded lossless JPEG";
    default: return "JPEG of an unknown frame type";
  }
}

_Noreturn static void fail(codec_jpeg_reader *reader, codec_status status, const char *message) {
  reader->failure = status;
  snprintf(reader->message, sizeof reader->message, "%s", message);
  longjmp(reader->escape, 1);
}

static void on_error(j_common_ptr jpeg) {
  codec_jpeg_reader *reader = reader_of(jpeg);
  char text[JMSG_LENGTH_MAX];
  switch (jpeg->err->msg_code) {
    case JERR_SOF_UNSUPPORTED:
      fail(reader, codec_status_unsupported, frame_kind(jpeg->err->msg_parm.i[0]));
    case JERR_BAD_PRECISION:
      snprintf(text, sizeof text, "%d-bit JPEG", jpeg->err->msg_parm.i[0]);
      fail(reader, codec_status_unsupported, text);
    case JERR_CONVERSION_NOTIMPL:
      snprintf(text, sizeof text, "JPEG with %d components", reader->jpeg.num_components);
      fail(reader, codec_status_unsupported, text);
    case JERR_ARITH_NOTIMPL:
      fail(reader, codec_status_unsupported, "arithmetic-coded JPEG");
    case JERR_IMAGE_TOO_BIG:
      fail(reader, codec_status_too_large, "more than 65,500 pixels a side");
    case JERR_OUT_OF_MEMORY:
      fail(reader, codec_status_out_of_memory, "out of memory");
    default:
      jpeg->err->format_message(jpeg, text);
      fail(reader, reader->verdict.has_ended ? codec_status_ended : codec_status_malformed, text);
  }
}

/// Cameras and phones leave bytes between the scan and the next marker, odd Adobe flags, scan
/// parameters that don't matter: the picture is as it was. The others mean that some of it is not.
static void on_message(j_common_ptr jpeg, int level) {
  if (level >= 0) return;
  codec_jpeg_reader *reader = reader_of(jpeg);
  reader->verdict.has_warned = true;
  switch (jpeg->err->msg_code) {
    case JWRN_HIT_MARKER: case JWRN_HUFF_BAD_CODE: case JWRN_ARITH_BAD_CODE:
    case JWRN_MUST_RESYNC:
      reader->verdict.is_damaged = true;
    default:
      break;
  }
}

static void print_nothing(j_common_ptr jpeg) { (void)jpeg; }

// MARK: Input

static void start_input(j_decompress_ptr jpeg) { (void)jpeg; }

static boolean fill_input(j_decompress_ptr jpeg) {
  static const uint8_t end_marker[2] = {0xFF, JPEG_EOI};
  codec_jpeg_reader *reader = jpeg->client_data;
  size_t count =
      reader->verdict.has_ended
          ? 0
          : reader->source.read(reader->source.context, reader->buffer, sizeof reader->buffer);
  if (count == 0) {
    reader->verdict.has_ended = true;
    reader->verdict.has_warned = true;
    reader->input.next_input_byte = end_marker;
    reader->input.bytes_in_buffer = sizeof end_marker;
  } else {
    reader->input.next_input_byte = reader->buffer;
    reader->input.bytes_in_buffer = count;
  }
  return TRUE;
}

static void skip_input(j_decompress_ptr jpeg, long count) {
  codec_jpeg_reader *reader = jpeg->client_data;
  while (count > 0 && (size_t)count > reader->input.bytes_in_buffer) {
    count -= (long)reader->input.bytes_in_buffer;
    reader->input.bytes_in_buffer = 0;
    fill_input(jpeg);
    if (reader->verdict.has_ended) return;
  }
  if (count <= 0) return;
  reader->input.next_input_byte += count;
  reader->input.bytes_in_buffer -= (size_t)count;
}

static void end_input(j_decompress_ptr jpeg) { (void)jpeg; }

static int next_byte(codec_jpeg_reader *reader) {
  if (reader->input.bytes_in_buffer == 0) fill_input(&reader->jpeg);
  reader->input.bytes_in_buffer--;
  return *reader->input.next_input_byte++;
}

// MARK: Segments

/// Reads `count` bytes of the current segment into memory of their own.
static segment read_segment(codec_jpeg_reader *reader, size_t count) {
  segment read = {malloc(count ? count : 1), count};
  if (!read.bytes) fail(reader, codec_status_out_of_memory, "out of memory");
  for (size_t i = 0; i < count;) {
    if (reader->input.bytes_in_buffer == 0) fill_input(&reader->jpeg);
    if (reader->verdict.has_ended) {
      read.count = i;
      break;
    }
    size_t part = count - i;
    if (part > reader->input.bytes_in_buffer) part = reader->input.bytes_in_buffer;
    memcpy(read.bytes + i, reader->input.next_input_byte, part);
    reader->input.next_input_byte += part;
    reader->input.bytes_in_buffer -= part;
    i += part;
  }
  return read;
}

/// Keeps the segments that carry EXIF and the colour profile, and skips the others unread: libjpeg's
/// own way of keeping them has no limit on how many.
static boolean read_application_segment(j_decompress_ptr jpeg) {
  static const uint8_t exif_name[6] = "Exif\0", profile_name[12] = "ICC_PROFILE";
  codec_jpeg_reader *reader = jpeg->client_data;
  long left = next_byte(reader) << 8;
  left = (left | next_byte(reader)) - 2;
  bool is_exif = jpeg->unread_marker == JPEG_APP0 + 1;
  size_t name_size = is_exif ? sizeof exif_name : sizeof profile_name;
  uint8_t name[14] = {0};
  size_t name_count = is_exif ? name_size : name_size + 2;
  if (left >= (long)name_count) {
    for (size_t i = 0; i < name_count; i++) name[i] = (uint8_t)next_byte(reader);
    left -= (long)name_count;
    if (is_exif) {
      // The last byte of the name is padding that some writers use for something else.
      if (memcmp(name, exif_name, 5) == 0 && reader->exif_count < most_exif_segments) {
        reader->exif[reader->exif_count++] = read_segment(reader, (size_t)left);
        left = 0;
      }
    } else if (memcmp(name, profile_name, name_size) == 0) {
      segment *place = &reader->profile_segments[name[12]];
      if (name[12] == 0 || place->bytes || name[13] < name[12] ||
          (reader->profile_segment_count && reader->profile_segment_count != name[13]) ||
          reader->profile_bytes + (size_t)left > reader->limits.profile_bytes) {
        reader->is_profile_refused = true;
      } else {
        *place = read_segment(reader, (size_t)left);
        reader->profile_segment_count = name[13];
        reader->profile_bytes += place->count;
        left = 0;
      }
    }
  }
  if (left > 0) skip_input(jpeg, left);
  return TRUE;
}

codec_bytes codec_jpeg_exif(const codec_jpeg_reader *reader, int index) {
  if (index >= reader->exif_count) return (codec_bytes){NULL, 0};
  return (codec_bytes){reader->exif[index].bytes, reader->exif[index].count};
}

codec_bytes codec_jpeg_profile(codec_jpeg_reader *reader) {
  codec_bytes none = {NULL, 0};
  int count = reader->profile_segment_count;
  if (count == 0 || reader->is_profile_refused) return none;
  for (int i = 1; i <= count; i++) {
    if (!reader->profile_segments[i].bytes) return none;
  }
  if (!reader->profile) {
    reader->profile = malloc(reader->profile_bytes ? reader->profile_bytes : 1);
    if (!reader->profile) return none;
    uint8_t *end = reader->profile;
    for (int i = 1; i <= count; i++) {
      memcpy(end, reader->profile_segments[i].bytes, reader->profile_segments[i].count);
      end += reader->profile_segments[i].count;
    }
  }
  return (codec_bytes){reader->profile, reader->profile_bytes};
}

// MARK: The reader

codec_jpeg_reader *codec_jpeg_reader_create(codec_source source, codec_limits limits) {
  codec_jpeg_reader *reader = calloc(1, sizeof *reader);
  if (!reader) return NULL;
  reader->source = source;
  reader->limits = limits;
  reader->deadline = thread_seconds() + limits.seconds;
  reader->jpeg.err = jpeg_std_error(&reader->errors);
  reader->errors.error_exit = on_error;
  reader->errors.emit_message = on_message;
  reader->errors.output_message = print_nothing;
  reader->jpeg.client_data = reader;
  return reader;
}

void codec_jpeg_reader_free(codec_jpeg_reader *reader) {
  if (!reader) return;
  jpeg_destroy_decompress(&reader->jpeg);  // Harmless if create never ran: it began as zeros.
  for (int i = 0; i < reader->exif_count; i++) free(reader->exif[i].bytes);
  for (int i = 0; i <= most_profile_segments; i++) free(reader->profile_segments[i].bytes);
  free(reader->profile);
  free(reader->ink);
  free(reader);
}

static codec_status read_header(codec_jpeg_reader *reader) {
  if (setjmp(reader->escape)) return reader->failure;
  jpeg_create_decompress(&reader->jpeg);
  reader->jpeg.client_data = reader;
  reader->input.init_source = start_input;
  reader->input.fill_input_buffer = fill_input;
  reader->input.skip_input_data = skip_input;
  reader->input.resync_to_restart = jpeg_resync_to_restart;
  reader->input.term_source = end_input;
  reader->jpeg.src = &reader->input;
  jpeg_set_marker_processor(&reader->jpeg, JPEG_APP0 + 1, read_application_segment);
  jpeg_set_marker_processor(&reader->jpeg, JPEG_APP0 + 2, read_application_segment);
  jpeg_read_header(&reader->jpeg, TRUE);
  return codec_status_ok;
}

codec_status codec_jpeg_read_header(codec_jpeg_reader *reader, codec_jpeg_header *header) {
  codec_status status = read_header(reader);
  const struct jpeg_decompress_struct *jpeg = &reader->jpeg;
  *header = (codec_jpeg_header){
      .width = jpeg->image_width,
      .height = jpeg->image_height,
      .channels = jpeg->num_components,
      .bits = jpeg->data_precision,
      .is_buffered = status == codec_status_ok && jpeg_has_multiple_scans(&reader->jpeg),
      .is_ink = jpeg->jpeg_color_space == JCS_CMYK || jpeg->jpeg_color_space == JCS_YCCK,
  };
  return status;
}

static void check_time(codec_jpeg_reader *reader) {
  if (thread_seconds() > reader->deadline) {
    fail(reader, codec_status_out_of_time, "takes too long to decode");
  }
}

/// Reads the scans of the file as far as the limit allows, and prepares to show what they hold.
static void read_scans(codec_jpeg_reader *reader) {
  struct jpeg_decompress_struct *jpeg = &reader->jpeg;
  int event = 0;
  while (event != JPEG_REACHED_EOI && jpeg->input_scan_number <= reader->limits.scans) {
    event = jpeg_consume_input(jpeg);
    check_time(reader);
  }
  int shown = jpeg->input_scan_number;
  if (event != JPEG_REACHED_EOI) {
    shown = reader->limits.scans;
    reader->verdict.has_warned = true;
  }
  // A file that ends between two scans is whole to libjpeg. It is not if a coefficient lacks bits.
  bool is_cut = reader->verdict.has_ended || event != JPEG_REACHED_EOI;
  if (is_cut && !jpeg->coef_bits) reader->verdict.is_damaged = true;
  if (is_cut && jpeg->coef_bits) {
    for (int i = 0; i < jpeg->num_components; i++) {
      for (int k = 0; k < DCTSIZE2; k++) {
        if (jpeg->coef_bits[i][k] != 0) reader->verdict.is_damaged = true;
      }
    }
  }
  jpeg_start_output(jpeg, shown);
}

static codec_status start(codec_jpeg_reader *reader, int denominator, bool smooths_chroma) {
  if (setjmp(reader->escape)) return reader->failure;
  struct jpeg_decompress_struct *jpeg = &reader->jpeg;
  jpeg->scale_num = 1;
  jpeg->scale_denom = (unsigned)denominator;
  jpeg->do_fancy_upsampling = smooths_chroma;
  switch (jpeg->jpeg_color_space) {
    case JCS_GRAYSCALE: jpeg->out_color_space = JCS_GRAYSCALE; break;
    case JCS_CMYK: case JCS_YCCK: jpeg->out_color_space = JCS_CMYK; break;
    default: jpeg->out_color_space = JCS_RGB;
  }
  jpeg->buffered_image = jpeg_has_multiple_scans(jpeg);
  jpeg_start_decompress(jpeg);
  if (jpeg->out_color_space == JCS_CMYK) {
    reader->ink = malloc((size_t)jpeg->output_width * 4);
    if (!reader->ink) fail(reader, codec_status_out_of_memory, "out of memory");
  }
  if (jpeg->buffered_image) read_scans(reader);
  return codec_status_ok;
}

codec_status codec_jpeg_start(codec_jpeg_reader *reader, int denominator, bool smooths_chroma,
                              uint32_t *width, uint32_t *height, int *channels) {
  codec_status status = start(reader, denominator, smooths_chroma);
  *width = reader->jpeg.output_width;
  *height = reader->jpeg.output_height;
  *channels = reader->jpeg.out_color_space == JCS_GRAYSCALE ? 1 : 3;
  return status;
}

/// Ink (4 bytes a pixel) to light (3). Adobe's programs store ink inverted, and leave a marker of
/// theirs; without it 255 is full ink.
static void ink_to_light(const uint8_t *ink, size_t width, bool is_inverted, uint8_t *light) {
  unsigned flip = is_inverted ? 0 : 255;
  for (size_t x = 0; x < width; x++, ink += 4, light += 3) {
    for (size_t c = 0; c < 3; c++) {
      unsigned product = (ink[c] ^ flip) * (ink[3] ^ flip) + 128;
      light[c] = (uint8_t)((product + (product >> 8)) >> 8);  // Divided by 255, rounded.
    }
  }
}

static codec_status read_rows(codec_jpeg_reader *reader, uint8_t *rows, int wanted,
                              volatile int *had) {
  if (setjmp(reader->escape)) return reader->failure;
  struct jpeg_decompress_struct *jpeg = &reader->jpeg;
  check_time(reader);
  if (reader->ink) {
    size_t stride = (size_t)jpeg->output_width * 3;
    for (; *had < wanted && jpeg->output_scanline < jpeg->output_height; *had += 1) {
      jpeg_read_scanlines(jpeg, &reader->ink, 1);
      ink_to_light(reader->ink, jpeg->output_width, jpeg->saw_Adobe_marker, rows + stride * *had);
    }
    return codec_status_ok;
  }
  size_t stride = (size_t)jpeg->output_width * (size_t)jpeg->output_components;
  while (*had < wanted && jpeg->output_scanline < jpeg->output_height) {
    JSAMPROW next[16];
    int most = wanted - *had < 16 ? wanted - *had : 16;
    for (int i = 0; i < most; i++) next[i] = rows + stride * (size_t)(*had + i);
    *had += (int)jpeg_read_scanlines(jpeg, next, (JDIMENSION)most);
  }
  return codec_status_ok;
}

codec_status codec_jpeg_read_rows(codec_jpeg_reader *reader, uint8_t *rows, int *count) {
  volatile int had = 0;
  codec_status status = read_rows(reader, rows, *count, &had);
  *count = had;
  return status;
}

codec_jpeg_verdict codec_jpeg_get_verdict(const codec_jpeg_reader *reader) {
  return reader->verdict;
}

const char *codec_jpeg_message(const codec_jpeg_reader *reader) { return reader->message; }
