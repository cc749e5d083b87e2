#include <setjmp.h>
#include <stdio.h>
#include <string.h>

#include <jpeglib.h>

#include "image_codecs.h"

enum { buffer_size = 1 << 14, profile_bytes_per_segment = 65519 };

typedef struct {
  struct jpeg_compress_struct jpeg;
  struct jpeg_error_mgr errors;
  struct jpeg_destination_mgr output;
  jmp_buf escape;
  codec_sink sink;
  uint8_t buffer[buffer_size];
} writer;

static void on_error(j_common_ptr jpeg) {
  writer *w = jpeg->client_data;
  longjmp(w->escape, 1);
}

static void print_nothing(j_common_ptr jpeg) { (void)jpeg; }

static void start_output(j_compress_ptr jpeg) {
  writer *w = jpeg->client_data;
  w->output.next_output_byte = w->buffer;
  w->output.free_in_buffer = sizeof w->buffer;
}

static boolean empty_output(j_compress_ptr jpeg) {
  writer *w = jpeg->client_data;
  w->sink.write(w->sink.context, w->buffer, sizeof w->buffer);
  start_output(jpeg);
  return TRUE;
}

static void end_output(j_compress_ptr jpeg) {
  writer *w = jpeg->client_data;
  w->sink.write(w->sink.context, w->buffer, sizeof w->buffer - w->output.free_in_buffer);
}

/// A profile is spread over segments that hold 64 KB at most, each with its number and their count.
static void write_profile(j_compress_ptr jpeg, codec_bytes profile) {
  size_t segments = (profile.count + profile_bytes_per_segment - 1) / profile_bytes_per_segment;
  if (segments > 255) return;
  for (size_t i = 0; i < segments; i++) {
    static const uint8_t name[12] = "ICC_PROFILE";
    const uint8_t *start = profile.start + i * profile_bytes_per_segment;
    size_t count = profile.count - i * profile_bytes_per_segment;
    if (count > profile_bytes_per_segment) count = profile_bytes_per_segment;
    jpeg_write_m_header(jpeg, JPEG_APP0 + 2, (unsigned)(sizeof name + 2 + count));
    for (size_t k = 0; k < sizeof name; k++) jpeg_write_m_byte(jpeg, name[k]);
    jpeg_write_m_byte(jpeg, (int)i + 1);
    jpeg_write_m_byte(jpeg, (int)segments);
    for (size_t k = 0; k < count; k++) jpeg_write_m_byte(jpeg, start[k]);
  }
}

static codec_status write(writer *w, const uint8_t *pixels, uint32_t width, uint32_t height,
                          int channels, int quality, codec_bytes profile) {
  if (setjmp(w->escape)) return codec_status_malformed;
  struct jpeg_compress_struct *jpeg = &w->jpeg;
  jpeg_create_compress(jpeg);
  jpeg->client_data = w;
  w->output.init_destination = start_output;
  w->output.empty_output_buffer = empty_output;
  w->output.term_destination = end_output;
  jpeg->dest = &w->output;
  jpeg->image_width = width;
  jpeg->image_height = height;
  jpeg->input_components = channels;
  jpeg->in_color_space = channels == 1 ? JCS_GRAYSCALE : JCS_RGB;
  jpeg_set_defaults(jpeg);
  jpeg_set_quality(jpeg, quality, TRUE);
  jpeg_start_compress(jpeg, TRUE);
  write_profile(jpeg, profile);
  size_t stride = (size_t)width * (size_t)channels;
  while (jpeg->next_scanline < height) {
    JSAMPROW row = (JSAMPROW)(pixels + stride * jpeg->next_scanline);  // Only read.
    jpeg_write_scanlines(jpeg, &row, 1);
  }
  jpeg_finish_compress(jpeg);
  return codec_status_ok;
}

codec_status codec_jpeg_write(codec_sink sink, const uint8_t *pixels, uint32_t width,
                              uint32_t height, int channels, int quality, codec_bytes profile) {
  writer w;
  memset(&w.jpeg, 0, sizeof w.jpeg);
  w.sink = sink;
  w.jpeg.err = jpeg_std_error(&w.errors);
  w.errors.error_exit = on_error;
  w.errors.output_message = print_nothing;
  w.jpeg.client_data = &w;
  codec_status status = write(&w, pixels, width, height, channels, quality, profile);
  jpeg_destroy_compress(&w.jpeg);  // Harmless if create never ran: it began as zeros.
  return status;
}
