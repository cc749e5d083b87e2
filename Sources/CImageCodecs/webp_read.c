#ifdef HAS_WEBP
#include <stdlib.h>

#include <webp/decode.h>
#include <webp/demux.h>

#include "still_reader.h"

enum { portion = 1 << 16 };  // Bytes between two looks at the clock.

typedef struct {
  WebPDemuxer *demuxer;
  uint8_t *canvas;
  bool has_animation;
} webp;

static codec_status fail(codec_still_reader *reader, VP8StatusCode code) {
  switch (code) {
    case VP8_STATUS_OK: return codec_status_ok;
    case VP8_STATUS_SUSPENDED: case VP8_STATUS_NOT_ENOUGH_DATA:
      reader->has_ended = true;
      return still_reader_fail(reader, codec_status_ended, "the file ends too early");
    case VP8_STATUS_OUT_OF_MEMORY: return codec_status_out_of_memory;
    case VP8_STATUS_UNSUPPORTED_FEATURE:
      return still_reader_fail(reader, codec_status_unsupported, "WebP with a feature to come");
    default: return still_reader_fail(reader, codec_status_malformed, "the WebP data is wrong");
  }
}

/// The content of a chunk, which is a part of the file.
static codec_bytes find_chunk(const WebPDemuxer *demuxer, const char *name) {
  WebPChunkIterator iterator;
  if (!WebPDemuxGetChunk(demuxer, name, 1, &iterator)) return (codec_bytes){NULL, 0};
  codec_bytes content = {iterator.chunk.bytes, iterator.chunk.size};
  WebPDemuxReleaseChunkIterator(&iterator);
  return content;
}

static codec_status read_header(codec_still_reader *reader) {
  webp *library = reader->library;
  WebPBitstreamFeatures features;
  codec_status status = fail(reader, WebPGetFeatures(reader->file, reader->file_count, &features));
  if (status != codec_status_ok) return status;
  library->has_animation = features.has_animation;
  reader->header = (codec_still_header){
      .width = (uint32_t)features.width,
      .height = (uint32_t)features.height,
      .bits = 8,
      .has_alpha = features.has_alpha,
  };
  WebPData data = {reader->file, reader->file_count};
  WebPDemuxState state = WEBP_DEMUX_PARSE_ERROR;
  library->demuxer = WebPDemuxPartial(&data, &state);
  if (state == WEBP_DEMUX_PARSE_ERROR) return fail(reader, VP8_STATUS_BITSTREAM_ERROR);
  if (!library->demuxer) return fail(reader, VP8_STATUS_NOT_ENOUGH_DATA);
  reader->has_warned = reader->has_ended = state != WEBP_DEMUX_DONE;
  reader->exif = find_chunk(library->demuxer, "EXIF");
  reader->profile = find_chunk(library->demuxer, "ICCP");
  return codec_status_ok;
}

/// Decodes to where the first frame belongs on the canvas, a portion at a time: of a file that is
/// cut, the rows are had up to there.
static codec_status decode_frame(codec_still_reader *reader, const WebPIterator *frame) {
  webp *library = reader->library;
  int64_t right = (int64_t)frame->x_offset + frame->width;
  int64_t bottom = (int64_t)frame->y_offset + frame->height;
  if (frame->width < 1 || frame->height < 1 || frame->x_offset < 0 || frame->y_offset < 0 ||
      right > reader->header.width || bottom > reader->header.height) {
    return fail(reader, VP8_STATUS_BITSTREAM_ERROR);
  }
  WebPDecoderConfig config;
  if (!WebPInitDecoderConfig(&config)) return codec_status_out_of_memory;
  size_t pixel_bytes = (size_t)reader->channels;
  size_t offset = reader->row_bytes * (size_t)frame->y_offset + pixel_bytes * (size_t)frame->x_offset;
  config.output.colorspace = reader->channels == 4 ? MODE_RGBA : MODE_RGB;
  config.output.is_external_memory = 1;
  config.output.u.RGBA = (WebPRGBABuffer){
      .rgba = library->canvas + offset,
      .stride = (int)reader->row_bytes,
      .size = reader->row_bytes * ((size_t)frame->height - 1) + pixel_bytes * (size_t)frame->width,
  };
  WebPIDecoder *decoder = WebPINewDecoder(&config.output);
  if (!decoder) return codec_status_out_of_memory;
  VP8StatusCode code = VP8_STATUS_SUSPENDED;
  codec_status status = codec_status_ok;
  for (size_t given = 0; given < frame->fragment.size && code == VP8_STATUS_SUSPENDED;) {
    if (still_reader_is_out_of_time(reader)) {
      status = codec_status_out_of_time;
      break;
    }
    size_t left = frame->fragment.size - given;
    given += left < portion ? left : portion;
    code = WebPIUpdate(decoder, frame->fragment.bytes, given);
  }
  if (status == codec_status_ok) status = fail(reader, code);
  int rows = 0;
  if (status == codec_status_ok) {
    reader->good_rows = reader->header.height;
  } else if (WebPIDecGetRGB(decoder, &rows, NULL, NULL, NULL) && rows > 0) {
    reader->good_rows = (uint32_t)(frame->y_offset + rows);
  }
  WebPIDelete(decoder);
  return status;
}

static codec_status decode(codec_still_reader *reader) {
  webp *library = reader->library;
  reader->channels = reader->header.has_alpha || library->has_animation ? 4 : 3;
  reader->bits = 8;
  reader->row_bytes = (size_t)reader->header.width * (size_t)reader->channels;
  WebPIterator frame;
  if (!WebPDemuxGetFrame(library->demuxer, 1, &frame)) {
    return fail(reader, VP8_STATUS_NOT_ENOUGH_DATA);
  }
  library->canvas = calloc(reader->header.height, reader->row_bytes);
  reader->pixels = library->canvas;
  codec_status status =
      library->canvas ? decode_frame(reader, &frame) : codec_status_out_of_memory;
  WebPDemuxReleaseIterator(&frame);
  return status;
}

static void clear(codec_still_reader *reader) {
  webp *library = reader->library;
  WebPDemuxDelete(library->demuxer);
  free(library->canvas);
}

codec_still_reader *codec_webp_reader_create(codec_source source, codec_limits limits) {
  static const still_format format = {sizeof(webp), read_header, decode, clear};
  return still_reader_create(source, limits, &format);
}
#endif
