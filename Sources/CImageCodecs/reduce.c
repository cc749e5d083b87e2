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

struct codec_reducer {
  codec_reduction plan;
  uint32_t samples;           // Of a pixel of boxes: 1 for grey, else 4.
  uint32_t narrow_samples;    // Of a pixel after that: as many as come in.
  uint32_t boxed_width;       // Of a row after averaging boxes,
  uint32_t boxed_height;      // and how many such rows there are.
  blend *across, *down;
  float *across_weights, *down_weights;
  float *boxed;               // The row of boxes that is being summed,
  uint32_t rows_in_box;       // and how many rows it has by now.
  uint32_t boxed_rows;        // Rows of boxes that are done.
  float *narrow;              // That row, resampled across.
  float *sums;                // A ring of output rows that are being summed.
  uint32_t ring;
  uint32_t first_open;        // Output rows before this one are done,
  uint32_t first_new;         // and from this one on are not begun.
  uint8_t *pixels;
  bool is_transparent;
  float *tables, *matrix;
  uint8_t *encoding;
};

// MARK: Weights

enum { lobes = 3 };

static double lanczos(double x) {
  if (x == 0) return 1;
  if (x <= -lobes || x >= lobes) return 0;
  double t = M_PI * x;
  return lobes * sin(t) * sin(t / lobes) / (t * t);
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
  r->samples = plan->channels == 1 ? 1 : 4;
  r->narrow_samples = (uint32_t)plan->channels;
  r->boxed_width = (plan->in_width + plan->box_x - 1) / plan->box_x;
  r->boxed_height = (plan->in_height + plan->box_y - 1) / plan->box_y;
  bool is_planned = keep_tables(r) &&
                    plan_axis(plan->extent_x / plan->box_x, r->boxed_width, plan->out_width,
                              &r->across, &r->across_weights) &&
                    plan_axis(plan->extent_y / plan->box_y, r->boxed_height, plan->out_height,
                              &r->down, &r->down_weights);
  if (!is_planned) {
    codec_reducer_free(r);
    return NULL;
  }
  // As many rows as can be open at once: those whose input overlaps the first one's.
  r->ring = 1;
  for (uint32_t y = 0, end = 0; y < plan->out_height; y++) {
    while (end < plan->out_height && r->down[end].first < r->down[y].first + r->down[y].count) end++;
    if (end - y > r->ring) r->ring = end - y;
  }
  size_t out_samples = (size_t)plan->out_width * r->narrow_samples;
  // Rows are read and written four samples at a time, up to three past their end.
  r->boxed = calloc((size_t)r->boxed_width * r->samples + 4, sizeof *r->boxed);
  r->narrow = calloc(out_samples + 4, sizeof *r->narrow);
  r->sums = calloc(out_samples * r->ring + 4, sizeof *r->sums);
  r->pixels = calloc((size_t)plan->out_width * plan->out_height, (size_t)plan->channels);
  if (!r->boxed || !r->narrow || !r->sums || !r->pixels) {
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
  free(r->boxed);
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

typedef struct {
  const float *red, *green, *blue;
} tables;

/// The sum of the `count` pixels of a box that begin at `row`: of grey in the first lane; of red,
/// green and blue, times alpha, and of alpha.
#define SUM_BOX(NAME, SAMPLE, FULL)                                                          \
  INLINED lanes NAME(                                   \
      tables light, const SAMPLE *row, uint32_t count, int channels) {                       \
    const float *red = light.red, *green = light.green, *blue = light.blue;                  \
    if (channels == 1) {                                                                     \
      float sum = red[row[0]];                                                               \
      for (uint32_t k = 1; k < count; k++) sum += red[row[k]];                               \
      return (lanes){sum};                                                                   \
    }                                                                                        \
    if (channels == 3) {                                                                     \
      float reds = red[row[0]], greens = green[row[1]], blues = blue[row[2]];                \
      for (uint32_t k = 1; k < count; k++) {                                                 \
        reds += red[row[3 * k]], greens += green[row[3 * k + 1]], blues += blue[row[3 * k + 2]]; \
      }                                                                                      \
      return (lanes){reds, greens, blues};                                                   \
    }                                                                                        \
    lanes sum = {0};                                                                         \
    for (uint32_t k = 0; k < count; k++, row += 4) {                                         \
      float alpha = row[3] * (1.0f / FULL);                                                  \
      sum += (lanes){red[row[0]], green[row[1]], blue[row[2]], 1} * alpha;                   \
    }                                                                                        \
    return sum;                                                                              \
  }
SUM_BOX(sum_box_8, uint8_t, 255)
SUM_BOX(sum_box_16, uint16_t, 65535)

/// Adds a row of pixels to the row of boxes, whose first row of pixels replaces what was there. All
/// but `row` are constants wherever this is called, so that a box of 2 costs no loop within the loop.
INLINED void add_row(codec_reducer *r, const uint8_t *row,
                                                          uint32_t box, int channels, int bits,
                                                          bool is_first) {
  uint32_t last = r->boxed_width - 1;
  size_t step = (size_t)box * (size_t)channels * (size_t)(bits / 8);
  // Out of the loop, as for all the compiler knows the boxes could lie over these pointers.
  tables light = {r->plan.to_linear[0], r->plan.to_linear[1], r->plan.to_linear[2]};
  uint32_t in_last = r->plan.in_width - last * box;
  float *to = r->boxed;
  for (uint32_t i = 0; i <= last; i++, row += step) {
    uint32_t count = i < last ? box : in_last;
    const uint16_t *wide = (const uint16_t *)(const void *)row;
    lanes sum;
    if (bits == 16) sum = sum_box_16(light, wide, count, channels);
    else if (count == box) sum = sum_box_8(light, row, box, channels);
    else sum = sum_box_8(light, row, count, channels);
    if (channels == 1) {
      *to = is_first ? sum[0] : *to + sum[0];
      to += 1;
    } else {
      *(lanes *)to = is_first ? sum : *(lanes *)to + sum;
      to += 4;
    }
  }
}

INLINED void take_row(codec_reducer *r, const uint8_t *row) {
  uint32_t box = r->plan.box_x;
  int channels = r->plan.channels, bits = r->plan.bits;
  bool is_first = r->rows_in_box == 0;
  if (channels == 3 && bits == 8 && box == 1 && is_first) add_row(r, row, 1, 3, 8, true);
  else if (channels == 3 && bits == 8 && box == 2 && is_first) add_row(r, row, 2, 3, 8, true);
  else if (channels == 3 && bits == 8 && box == 2) add_row(r, row, 2, 3, 8, false);
  else if (channels == 3 && bits == 8) add_row(r, row, box, 3, 8, is_first);
  else add_row(r, row, box, channels, bits, is_first);
}

/// Sums to averages. The last box of a row, or of the picture, may be of fewer pixels.
INLINED void finish_boxes(codec_reducer *r) {
  uint32_t box = r->plan.box_x;
  if (box == 1 && r->rows_in_box == 1) return;
  uint32_t last = r->boxed_width - 1, in_last = r->plan.in_width - last * box;
  size_t samples = r->samples;
  float share = 1.0f / (float)(box * r->rows_in_box);
  for (size_t i = 0; i < last * samples; i++) r->boxed[i] *= share;
  share = 1.0f / (float)(in_last * r->rows_in_box);
  for (size_t i = last * samples; i < (last + 1) * samples; i++) r->boxed[i] *= share;
}

// MARK: Resampling

INLINED void resample_across(const codec_reducer *r) {
  const blend *from = r->across;
  if (r->samples == 1) {
    for (uint32_t x = 0; x < r->plan.out_width; x++) {
      const float *in = r->boxed + from[x].first;
      lanes sum = {0};
      for (uint32_t k = 0; k < from[x].count; k += 4) {  // The weights past the last are zeros.
        lanes samples, weights;
        memcpy(&samples, in + k, sizeof samples);
        memcpy(&weights, from[x].weights + k, sizeof weights);
        sum += samples * weights;
      }
      r->narrow[x] = (sum[0] + sum[1]) + (sum[2] + sum[3]);
    }
    return;
  }
  float *to = r->narrow;
  for (uint32_t x = 0; x < r->plan.out_width; x++, to += r->narrow_samples) {
    const lanes *in = (const lanes *)r->boxed + from[x].first;
    const float *weights = from[x].weights;
    uint32_t count = from[x].count, k = 0;
    lanes even = {0}, odd = {0};
    for (; k + 1 < count; k += 2) {
      even += in[k] * weights[k];
      odd += in[k + 1] * weights[k + 1];
    }
    if (k < count) even += in[k] * weights[k];
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

INLINED void write_row(codec_reducer *r, const float *row, uint32_t y) {
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

/// Adds the narrow row to every output row that it is part of, and writes those that it completes.
INLINED void resample_down(codec_reducer *r) {
  uint32_t y = r->boxed_rows;
  size_t samples = (size_t)r->plan.out_width * r->narrow_samples;
  while (r->first_new < r->plan.out_height && r->down[r->first_new].first <= y) {
    memset(r->sums + samples * (r->first_new % r->ring), 0, samples * sizeof(float));
    r->first_new++;
  }
  for (uint32_t i = r->first_open; i < r->first_new; i++) {
    const blend *from = &r->down[i];
    if (y < from->first || y >= from->first + from->count) continue;
    float weight = from->weights[y - from->first];
    float *restrict sums = r->sums + samples * (i % r->ring);
    const float *restrict narrow = r->narrow;
    for (size_t k = 0; k < samples; k++) sums[k] += narrow[k] * weight;
  }
  while (r->first_open < r->first_new) {
    const blend *from = &r->down[r->first_open];
    if (y + 1 < from->first + from->count) break;
    write_row(r, r->sums + samples * (r->first_open % r->ring), r->first_open);
    r->first_open++;
  }
}

DISPATCHED
void codec_reducer_take(codec_reducer *r, const void *rows, uint32_t count) {
  size_t stride = (size_t)r->plan.in_width * (size_t)r->plan.channels * (size_t)(r->plan.bits / 8);
  for (uint32_t i = 0; i < count && r->boxed_rows < r->boxed_height; i++) {
    const uint8_t *row = (const uint8_t *)rows + stride * i;
    take_row(r, row);
    r->rows_in_box++;
    uint32_t before = r->boxed_rows * r->plan.box_y;
    if (r->rows_in_box < r->plan.box_y && before + r->rows_in_box < r->plan.in_height) continue;
    finish_boxes(r);
    resample_across(r);
    resample_down(r);
    r->boxed_rows++;
    r->rows_in_box = 0;
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
