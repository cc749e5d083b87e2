#include <setjmp.h>
#include <stdint.h>

#include <png.h>

#include "image_codecs.h"

static void write_output(png_structp png, png_bytep bytes, size_t count) {
  const codec_sink *sink = png_get_io_ptr(png);
  sink->write(sink->context, bytes, count);
}

static void flush_output(png_structp png) { (void)png; }

static void on_error(png_structp png, png_const_charp message) {
  (void)message;
  png_longjmp(png, 1);
}

static void on_warning(png_structp png, png_const_charp message) {
  (void)png;
  (void)message;
}

static codec_status write(png_structp png, png_infop info, codec_sink *sink, const uint8_t *pixels,
                          uint32_t width, uint32_t height, int channels, codec_bytes profile) {
  if (setjmp(png_jmpbuf(png))) return codec_status_malformed;
  png_set_write_fn(png, sink, write_output, flush_output);
  int colour = channels == 1   ? PNG_COLOR_TYPE_GRAY
               : channels == 3 ? PNG_COLOR_TYPE_RGB
                               : PNG_COLOR_TYPE_RGBA;
  png_set_IHDR(png, info, width, height, 8, colour, PNG_INTERLACE_NONE,
               PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
  if (profile.count) {
    png_set_iCCP(png, info, "ICC", PNG_COMPRESSION_TYPE_BASE, profile.start,
                 (png_uint_32)profile.count);
  }
  png_write_info(png, info);
  size_t stride = (size_t)width * (size_t)channels;
  for (uint32_t y = 0; y < height; y++) png_write_row(png, pixels + stride * y);
  png_write_end(png, info);
  return codec_status_ok;
}

codec_status codec_png_write(codec_sink sink, const uint8_t *pixels, uint32_t width,
                             uint32_t height, int channels, codec_bytes profile) {
  png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, on_error, on_warning);
  png_infop info = png ? png_create_info_struct(png) : NULL;
  codec_status status = codec_status_out_of_memory;
  if (info) status = write(png, info, &sink, pixels, width, height, channels, profile);
  png_destroy_write_struct(&png, &info);
  return status;
}
