#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "image_codecs.h"

// A product and a sum stay two operations, on every processor, so that the same picture gives the
// same bytes on all of them.
#pragma STDC FP_CONTRACT OFF

/// Four samples: a pixel, or four neighbours of a grey row. Any compiler maps it to SSE or NEON.
typedef float lanes __attribute__((vector_size(16)));
typedef int32_t int_lanes __attribute__((vector_size(16)));

/// Compiled a second time for processors with AVX2, and chosen when the program starts. Without
/// fused operations, the results are the same to the last bit.
#if defined(__x86_64__) && defined(__linux__)
#define DISPATCHED __attribute__((target_clones("avx2", "default")))
#else
#define DISPATCHED
#endif
/// For what is part of such a function.
#define INLINED static inline __attribute__((always_inline))

/// How one output position is made of input positions: `count` weights from `first` on.
typedef struct {
  uint32_t first, count;
  const float *weights;
} blend;

enum {
  band_rows = 8,     // Rows that are taken together, so that their sums stay in registers,
  tile_samples = 480 // and samples of each, so that they stay in the nearest cache: 15 KB.
};

struct codec_reducer {
  codec_reduction plan;
  size_t row_samples;       // Of a row that comes in.
  blend *across, *down;
  float *across_weights, *down_weights;
  uint32_t rows_taken;
  float *sums;              // A ring of rows, resampled down, that are being summed.
  uint32_t ring;
  uint32_t first_open;      // Output rows before this one are done,
  uint32_t first_new;       // and from this one on are not begun.
  float *narrow;            // A row that is resampled across as well.
  uint8_t *pixels;
  bool is_transparent;
  float *tables, *matrix;
  uint8_t *encoding;
  float tile[band_rows][tile_samples];  // In linear light.
};

// MARK: Weights

enum { lobes = 3 };

static double lanczos(double x) {
  if (x == 0) return 1;
  if (x <= -lobes || x >= lobes) return 0;
  double t = M_PI * x, s = sin(t / 3);
  return lobes * s * s * (3 - 4 * s * s) / (t * t);  // sin(t) = 3 s - 4 s³, at half the cost.
}

/// The weights that reduce `extent` input units, of which there are `in`, to `out` units. The filter
/// is as wide as an output unit demands, cut off and weighted anew at the edges.
static bool plan_axis(double extent, uint32_t in, uint32_t out, blend **blends, float **weights) {
  double ratio = extent / out;
  if (ratio < 1) ratio = 1;  // Only by rounding: nothing is ever enlarged.
  double reach = lobes * ratio;
  size_t room = (size_t)(2 * reach) + 2 + 4;
  *blends = calloc(out, sizeof **blends);
  *weights = calloc(out * room, sizeof **weights);
  double *exact = calloc(room, sizeof *exact);
  if (!*blends || !*weights || !exact) {
    free(exact);
    return false;
  }
  for (uint32_t i = 0; i < out; i++) {
    double centre = (i + 0.5) * extent / out;
    double low = floor(centre - reach + 0.5), high = floor(centre + reach + 0.5);
    if (low < 0) low = 0;
    if (high > in) high = in;
    if (high <= low) low = high - 1;
    uint32_t count = (uint32_t)(high - low);
    double total = 0;
    for (uint32_t k = 0; k < count; k++) {
      exact[k] = lanczos((low + k + 0.5 - centre) / ratio);
      total += exact[k];
    }
    float *own = *weights + i * room;
    for (uint32_t k = 0; k < count; k++) own[k] = (float)(exact[k] / total);
    (*blends)[i] = (blend){(uint32_t)low, count, own};
  }
  free(exact);
  return true;
}

static void *copy(const void *bytes, size_t count) {
  void *copied = malloc(count);
  if (copied) memcpy(copied, bytes, count);
  return copied;
}

/// Copies of the tables, so that the caller's need not outlive the call.
static bool keep_tables(codec_reducer *r) {
  codec_reduction *plan = &r->plan;
  size_t entries = (size_t)1 << plan->bits;
  const float *const *from = plan->to_linear;
  const bool is_one = from[0] == from[1] && from[0] == from[2];
  r->tables = malloc((is_one ? 1 : 3) * entries * sizeof(float));
  r->encoding = copy(plan->to_encoded, 65536);
  if (plan->matrix) r->matrix = copy(plan->matrix, 9 * sizeof(float));
  if (!r->tables || !r->encoding || (plan->matrix && !r->matrix)) return false;
  for (int c = 0; c < 3; c++) {
    float *own = r->tables + (is_one ? 0 : entries * (size_t)c);
    memcpy(own, from[c], entries * sizeof(float));
    plan->to_linear[c] = own;
  }
  plan->to_encoded = r->encoding;
  plan->matrix = r->matrix;
  return true;
}

codec_reducer *codec_reducer_create(const codec_reduction *plan) {
  codec_reducer *r = calloc(1, sizeof *r);
  if (!r) return NULL;
  r->plan = *plan;
  r->row_samples = (size_t)plan->in_width * (size_t)plan->channels;
  bool is_planned = keep_tables(r) &&
                    plan_axis(plan->extent_x, plan->in_width, plan->out_width, &r->across,
                              &r->across_weights) &&
                    plan_axis(plan->extent_y, plan->in_height, plan->out_height, &r->down,
                              &r->down_weights);
  if (!is_planned) {
    codec_reducer_free(r);
    return NULL;
  }
  // As many rows as can be open at once: those that begin before the first one is done, which is
  // seen at the end of a band.
  r->ring = 1;
  for (uint32_t y = 0, next = 0; y < plan->out_height; y++) {
    uint32_t end = r->down[y].first + r->down[y].count + band_rows;
    while (next < plan->out_height && r->down[next].first < end) next++;
    if (next - y > r->ring) r->ring = next - y;
  }
  // Rows are read and written four samples at a time, up to three past their end.
  r->sums = calloc(r->row_samples * r->ring + 4, sizeof *r->sums);
  r->narrow = calloc((size_t)plan->out_width * (size_t)plan->channels + 4, sizeof *r->narrow);
  r->pixels = calloc((size_t)plan->out_width * plan->out_height, (size_t)plan->channels);
  if (!r->sums || !r->narrow || !r->pixels) {
    codec_reducer_free(r);
    return NULL;
  }
  return r;
}

void codec_reducer_free(codec_reducer *r) {
  if (!r) return;
  free(r->across);
  free(r->across_weights);
  free(r->down);
  free(r->down_weights);
  free(r->narrow);
  free(r->sums);
  free(r->pixels);
  free(r->tables);
  free(r->matrix);
  free(r->encoding);
  free(r);
}

const uint8_t *codec_reducer_pixels(const codec_reducer *r) { return r->pixels; }

bool codec_reducer_is_opaque(const codec_reducer *r) { return !r->is_transparent; }

bool codec_reducer_is_uniform(const codec_reducer *r) {
  size_t pixel = (size_t)r->plan.channels;
  size_t count = (size_t)r->plan.out_width * r->plan.out_height * pixel;
  return memcmp(r->pixels, r->pixels + pixel, count - pixel) == 0;
}

// MARK: To linear light

/// Colours times alpha, and alpha.
#define LINEARIZE(NAME, SAMPLE, FULL)                                                        \
  INLINED void NAME(const codec_reduction *plan, const SAMPLE *from, size_t count, float *to) { \
    const float *red = plan->to_linear[0], *green = plan->to_linear[1];                      \
    const float *blue = plan->to_linear[2];                                                  \
    if (plan->channels == 4) {                                                               \
      for (size_t i = 0; i < count; i += 4) {                                                \
        float alpha = from[i + 3] * (1.0f / FULL);                                           \
        to[i] = red[from[i]] * alpha;                                                        \
        to[i + 1] = green[from[i + 1]] * alpha;                                              \
        to[i + 2] = blue[from[i + 2]] * alpha;                                               \
        to[i + 3] = alpha;                                                                   \
      }                                                                                      \
    } else if (plan->channels == 3 && (red != green || red != blue)) {                       \
      for (size_t i = 0; i < count; i += 3) {                                                \
        to[i] = red[from[i]];                                                                \
        to[i + 1] = green[from[i + 1]];                                                      \
        to[i + 2] = blue[from[i + 2]];                                                       \
      }                                                                                      \
    } else {                                                                                 \
      for (size_t i = 0; i < count; i++) to[i] = red[from[i]];                               \
    }                                                                                        \
  }
LINEARIZE(linearize_8, uint8_t, 255)
LINEARIZE(linearize_16, uint16_t, 65535)

// MARK: Resampling

INLINED void resample_across(const codec_reducer *r, const float *row) {
  const blend *from = r->across;
  size_t channels = (size_t)r->plan.channels;
  float *to = r->narrow;
  for (uint32_t x = 0; x < r->plan.out_width; x++, to += channels) {
    const float *in = row + from[x].first * channels;
    const float *weights = from[x].weights;
    uint32_t count = from[x].count;
    lanes even = {0}, odd = {0}, samples;
    if (channels == 1) {
      for (uint32_t k = 0; k < count; k += 4) {  // The weights past the last are zeros.
        lanes four;
        memcpy(&samples, in + k, sizeof samples);
        memcpy(&four, weights + k, sizeof four);
        even += samples * four;
      }
      *to = (even[0] + even[1]) + (even[2] + even[3]);
      continue;
    }
    for (uint32_t k = 0; k < count; k += 2) {
      memcpy(&samples, in + k * channels, sizeof samples);
      even += samples * weights[k];
      memcpy(&samples, in + (k + 1) * channels, sizeof samples);
      odd += samples * weights[k + 1];
    }
    even += odd;
    memcpy(to, &even, sizeof even);  // Of three samples, the next pixel replaces the fourth.
  }
}

/// The nearest steps of `to_encoded`, in which whole numbers count 65,535ths.
INLINED int_lanes steps(lanes linear) {
  lanes none = {0}, full = {1, 1, 1, 1};
  int_lanes is_above = linear > full, is_light = linear > none;  // Neither, if not a number.
  linear = (lanes)(((int_lanes)linear & ~is_above) | ((int_lanes)full & is_above));
  linear = (lanes)((int_lanes)linear & is_light);
  return __builtin_convertvector(linear * 65535 + 0.5f, int_lanes);
}

INLINED void write_row(codec_reducer *r, uint32_t y) {
  const float *row = r->narrow;
  uint32_t width = r->plan.out_width;
  size_t channels = (size_t)r->plan.channels;
  uint8_t *to = r->pixels + (size_t)y * width * channels;
  const uint8_t *encoded = r->plan.to_encoded;
  const float *m = r->plan.matrix;
  if (channels == 1) {
    for (uint32_t x = 0; x < width; x++) to[x] = encoded[steps((lanes){row[x]})[0]];
    return;
  }
  for (uint32_t x = 0; x < width; x++, row += channels, to += channels) {
    lanes pixel;
    memcpy(&pixel, row, sizeof pixel);
    if (channels == 4) {
      float alpha = row[3] < 0 ? 0 : row[3] > 1 ? 1 : row[3];
      uint8_t level = (uint8_t)(alpha * 255 + 0.5f);
      pixel *= level ? 1 / alpha : 0;
      to[3] = level;
      if (level < 255) r->is_transparent = true;
    }
    if (m) {
      pixel = (lanes){m[0], m[3], m[6]} * pixel[0] + (lanes){m[1], m[4], m[7]} * pixel[1] +
              (lanes){m[2], m[5], m[8]} * pixel[2];
    }
    int_lanes step = steps(pixel);
    to[0] = encoded[step[0]];
    to[1] = encoded[step[1]];
    to[2] = encoded[step[2]];
  }
}

/// Adds the rows of the tile, each times its weight, to the sums of an output row. The order is that
/// of the rows, so that it does not matter how many come at a time.
INLINED void add_tile(float *restrict sums, const float (*restrict tile)[tile_samples],
                      const float weights[band_rows], size_t count) {
  for (size_t i = 0; i < count; i++) {
    float sum = sums[i];
    for (int k = 0; k < band_rows; k++) sum += tile[k][i] * weights[k];
    sums[i] = sum;
  }
}

/// What a row of the band counts for in an output row.
INLINED float weight(const blend *blend, uint32_t row) {
  return row >= blend->first && row - blend->first < blend->count
             ? blend->weights[row - blend->first]
             : 0;
}

INLINED void take_band(codec_reducer *r, const uint8_t *rows, uint32_t count) {
  const codec_reduction *plan = &r->plan;
  uint32_t y = r->rows_taken;
  for (; r->first_new < plan->out_height && r->down[r->first_new].first < y + count; r->first_new++) {
    memset(r->sums + r->row_samples * (r->first_new % r->ring), 0, r->row_samples * sizeof(float));
  }
  size_t sample_size = (size_t)plan->bits / 8;
  for (size_t start = 0; start < r->row_samples; start += tile_samples) {
    size_t samples = r->row_samples - start < tile_samples ? r->row_samples - start : tile_samples;
    for (uint32_t k = 0; k < count; k++) {
      const void *from = rows + (r->row_samples * k + start) * sample_size;
      if (plan->bits == 8) linearize_8(plan, from, samples, r->tile[k]);
      else linearize_16(plan, from, samples, r->tile[k]);
    }
    for (uint32_t i = r->first_open; i < r->first_new; i++) {
      float weights[band_rows] = {0};
      for (uint32_t k = 0; k < count; k++) weights[k] = weight(&r->down[i], y + k);
      add_tile(r->sums + r->row_samples * (i % r->ring) + start, r->tile, weights, samples);
    }
  }
  r->rows_taken += count;
  for (; r->first_open < r->first_new; r->first_open++) {
    const blend *done = &r->down[r->first_open];
    if (r->rows_taken < done->first + done->count) break;
    resample_across(r, r->sums + r->row_samples * (r->first_open % r->ring));
    write_row(r, r->first_open);
  }
}

DISPATCHED
void codec_reducer_take(codec_reducer *r, const void *rows, uint32_t count) {
  size_t stride = r->row_samples * (size_t)(r->plan.bits / 8);
  if (count > r->plan.in_height - r->rows_taken) count = r->plan.in_height - r->rows_taken;
  for (uint32_t i = 0; i < count; i += band_rows) {
    uint32_t part = count - i < band_rows ? count - i : band_rows;
    take_band(r, (const uint8_t *)rows + stride * i, part);
  }
}

// MARK: Orientation

void codec_turn_upright(const uint8_t *from, uint32_t width, uint32_t height, int channels,
                        int orientation, uint8_t *to, int to_channels) {
  size_t size = (size_t)channels, to_size = (size_t)to_channels;
  bool mirrors_x = orientation == 2 || orientation == 3 || orientation == 7 || orientation == 8;
  bool mirrors_y = orientation == 3 || orientation == 4 || orientation == 6 || orientation == 7;
  bool exchanges = orientation >= 5;
  // Read in the order of the copy, whose pixel (x, y) is the stored (i, j).
  uint32_t upright_width = exchanges ? height : width, upright_height = exchanges ? width : height;
  for (uint32_t y = 0; y < upright_height; y++) {
    for (uint32_t x = 0; x < upright_width; x++) {
      uint32_t i = exchanges ? y : x, j = exchanges ? x : y;
      if (mirrors_x) i = width - 1 - i;
      if (mirrors_y) j = height - 1 - j;
      memcpy(to, from + ((size_t)j * width + i) * size, to_size);
      to += to_size;
    }
  }
}
