#include <math.h>
#include <stdlib.h>
#include <string.h>

#if defined(__x86_64__) && defined(__linux__)
#include <immintrin.h>
#endif

#include "image_codecs.h"

// A product and a sum stay two operations, on every processor, so that the same picture gives the
// same bytes on all of them.
#pragma STDC FP_CONTRACT OFF

/// Four samples: a pixel, or four neighbours of a grey row. Any compiler maps it to SSE or NEON.
typedef float lanes __attribute__((vector_size(16)));
typedef int32_t int_lanes __attribute__((vector_size(16)));

#if defined(__x86_64__) && defined(__linux__)
/// Compiled a second time for processors with AVX2, and chosen when the program starts. Without
/// fused operations, the results are the same to the last bit.
#define DISPATCHED __attribute__((target_clones("avx2", "default")))
/// The two of a function that is written twice.
#define AVX2 __attribute__((target("avx2")))
#define OTHERWISE __attribute__((target("default")))
#else
#define DISPATCHED
/// Compilers find vectors in it only by itself: inlined, it took twice the time.
#define OTHERWISE __attribute__((noinline))
#endif
/// For what is part of such a function.
#define INLINED static inline __attribute__((always_inline))

/// How one output position is made of input positions: `count` weights from `first` on.
typedef struct {
  uint32_t first, count;
  const float *weights;
} blend;

/// The same sample of two rows, one below the other, or two rows' weights.
typedef struct {
  int16_t upper, lower;
} pair;

enum {
  band_pairs = 4,       // Pairs of rows that are taken together, so that sums stay in registers,
  band_rows = 2 * band_pairs,
  tile_samples = 480    // and samples of each, so that they stay in the nearest cache: 8 KB.
};

/// Rows are resampled down in whole numbers: linear light is 0 to 65,535, less 32,768 to fit 16
/// bits, and the weights of an output row add up to 16,384. With all that a filter overshoots, sums
/// stay below 2^31: they are exact, and the same in any order.
enum { full_light = 65535, dark = -32768, full_weight = 1 << 14 };

struct codec_reducer {
  codec_reduction plan;
  size_t row_samples;       // Of a row that comes in.
  blend *across, *down;
  float *across_weights, *down_weights;
  uint32_t rows_taken;
  int32_t *sums;            // A ring of rows, resampled down, that are being summed,
  size_t sums_stride;       // each of whole vectors of eight.
  uint32_t ring;
  uint32_t first_open;      // Output rows before this one are done,
  uint32_t first_new;       // and from this one on are not begun.
  float *narrow;            // A row that is resampled across as well.
  uint8_t *pixels;
  bool is_transparent;
  int16_t *light[3];        // The linear light of a stored sample: red, green and blue.
  float *matrix;
  uint8_t *encoding;
  pair tile[band_pairs][tile_samples];
};

// MARK: Weights

enum { lobes = 3 };

static double lanczos(double x) {
  if (x == 0) return 1;
  if (x <= -lobes || x >= lobes) return 0;
  double t = M_PI * x, s = sin(t / 3);
  return lobes * s * s * (3 - 4 * s * s) / (t * t);  // sin(t) = 3 s - 4 s³, at half the cost.
}

/// The weights that reduce `extent` input units, of which there are `in`, to `out` units. The
/// filter is as wide as an output unit demands, cut off and weighted anew at the edges. Weights add
/// up to `total`; if that is not 1, they are whole numbers.
static bool plan_axis(double extent, uint32_t in, uint32_t out, int total, blend **blends,
                      float **weights) {
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
    double area = 0;
    for (uint32_t k = 0; k < count; k++) {
      exact[k] = lanczos((low + k + 0.5 - centre) / ratio);
      area += exact[k];
    }
    float *own = *weights + i * room;
    double rest = 0;  // What rounding left of the weights so far goes to the next one.
    for (uint32_t k = 0; k < count; k++) {
      double weight = exact[k] / area * total + rest;
      own[k] = (float)(total == 1 ? weight : round(weight));
      rest = total == 1 ? 0 : weight - own[k];
    }
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
  r->light[0] = malloc((is_one ? 1 : 3) * entries * sizeof(int16_t));
  r->encoding = copy(plan->to_encoded, 65536);
  if (plan->matrix) r->matrix = copy(plan->matrix, 9 * sizeof(float));
  if (!r->light[0] || !r->encoding || (plan->matrix && !r->matrix)) return false;
  for (int c = 1; c < 3; c++) r->light[c] = r->light[0] + (is_one ? 0 : entries * (size_t)c);
  for (int c = 0; c < (is_one ? 1 : 3); c++) {
    for (size_t i = 0; i < entries; i++) {
      r->light[c][i] =
          (int16_t)(dark + (int)(fminf(fmaxf(from[c][i], 0), 1) * full_light + 0.5f));
    }
  }
  return true;
}

codec_reducer *codec_reducer_create(const codec_reduction *plan) {
  codec_reducer *r = calloc(1, sizeof *r);
  if (!r) return NULL;
  r->plan = *plan;
  r->row_samples = (size_t)plan->in_width * (size_t)plan->channels;
  r->sums_stride = (r->row_samples + 7) / 8 * 8;
  bool is_planned = keep_tables(r) &&
                    plan_axis(plan->extent_x, plan->in_width, plan->out_width, 1, &r->across,
                              &r->across_weights) &&
                    plan_axis(plan->extent_y, plan->in_height, plan->out_height, full_weight,
                              &r->down, &r->down_weights);
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
  r->sums = calloc(r->sums_stride * r->ring + 4, sizeof *r->sums);
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
  free(r->light[0]);
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
#define LINEARIZE(NAME, SAMPLE, FULL)                                                            \
  INLINED int16_t NAME##_times(int16_t light, SAMPLE alpha) {                                    \
    return (int16_t)(dark + (int)(((uint32_t)(light - dark) * alpha + FULL / 2) / FULL));        \
  }                                                                                              \
  INLINED void NAME(const codec_reducer *r, const SAMPLE *upper, const SAMPLE *lower,            \
                    size_t count, pair *to) {                                                    \
    const int16_t *red = r->light[0], *green = r->light[1], *blue = r->light[2];                 \
    if (r->plan.channels == 4) {                                                                 \
      for (size_t i = 0; i < count; i += 4) {                                                    \
        SAMPLE alpha = upper[i + 3], other = lower[i + 3];                                       \
        to[i] = (pair){NAME##_times(red[upper[i]], alpha), NAME##_times(red[lower[i]], other)};  \
        to[i + 1] = (pair){NAME##_times(green[upper[i + 1]], alpha),                             \
                           NAME##_times(green[lower[i + 1]], other)};                            \
        to[i + 2] = (pair){NAME##_times(blue[upper[i + 2]], alpha),                              \
                           NAME##_times(blue[lower[i + 2]], other)};                             \
        to[i + 3] = (pair){NAME##_times(full_light + dark, alpha),                               \
                           NAME##_times(full_light + dark, other)};                              \
      }                                                                                          \
    } else if (r->plan.channels == 3 && red != green) {                                          \
      for (size_t i = 0; i < count; i += 3) {                                                    \
        to[i] = (pair){red[upper[i]], red[lower[i]]};                                            \
        to[i + 1] = (pair){green[upper[i + 1]], green[lower[i + 1]]};                            \
        to[i + 2] = (pair){blue[upper[i + 2]], blue[lower[i + 2]]};                              \
      }                                                                                          \
    } else {                                                                                     \
      for (size_t i = 0; i < count; i++) to[i] = (pair){red[upper[i]], red[lower[i]]};           \
    }                                                                                            \
  }
LINEARIZE(linearize_8, uint8_t, 255)
LINEARIZE(linearize_16, uint16_t, 65535)

// MARK: Resampling

INLINED void resample_across(const codec_reducer *r, const int32_t *row, size_t channels) {
  const blend *from = r->across;
  const float unit = 1.0f / full_light / full_weight;
  float *to = r->narrow;
  for (uint32_t x = 0; x < r->plan.out_width; x++, to += channels) {
    const int32_t *in = row + from[x].first * channels;
    const float *weights = from[x].weights;
    uint32_t count = from[x].count;
    lanes even = {0}, odd = {0};
    int_lanes samples;
    if (channels == 1) {
      for (uint32_t k = 0; k < count; k += 4) {  // The weights past the last are zeros.
        lanes four;
        memcpy(&samples, in + k, sizeof samples);
        memcpy(&four, weights + k, sizeof four);
        even += __builtin_convertvector(samples, lanes) * four;
      }
      *to = ((even[0] + even[1]) + (even[2] + even[3])) * unit;
      continue;
    }
    for (uint32_t k = 0; k < count; k += 2, in += 2 * channels) {
      memcpy(&samples, in, sizeof samples);
      even += __builtin_convertvector(samples, lanes) * weights[k];
      memcpy(&samples, in + channels, sizeof samples);
      odd += __builtin_convertvector(samples, lanes) * weights[k + 1];
    }
    even = (even + odd) * unit;
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
  const uint8_t *encoded = r->encoding;
  const float *m = r->matrix;
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

/// Adds the rows of the tile, each times its weight, to the sums of an output row.
OTHERWISE static void add_tile(int32_t *restrict sums, const pair (*restrict tile)[tile_samples],
                               const pair weights[band_pairs], size_t count) {
  for (size_t i = 0; i < count; i++) {
    int32_t sum = sums[i];
    for (int k = 0; k < band_pairs; k++) {
      sum += tile[k][i].upper * weights[k].upper + tile[k][i].lower * weights[k].lower;
    }
    sums[i] = sum;
  }
}

#ifdef AVX2
/// The same with the instruction for it, which compilers don't find: eight samples at once.
AVX2 static void add_tile(int32_t *restrict sums, const pair (*restrict tile)[tile_samples],
                          const pair weights[band_pairs], size_t count) {
  __m256i each[band_pairs];
  for (int k = 0; k < band_pairs; k++) {
    int32_t both;
    memcpy(&both, &weights[k], sizeof both);
    each[k] = _mm256_set1_epi32(both);
  }
  for (size_t i = 0; i < count; i += 8) {
    __m256i sum = _mm256_loadu_si256((const __m256i *)(sums + i));
    for (int k = 0; k < band_pairs; k++) {
      __m256i pairs = _mm256_loadu_si256((const __m256i *)(tile[k] + i));
      sum = _mm256_add_epi32(sum, _mm256_madd_epi16(pairs, each[k]));
    }
    _mm256_storeu_si256((__m256i *)(sums + i), sum);
  }
}
#endif

/// What a row of the band counts for in an output row.
INLINED int16_t weight(const blend *blend, uint32_t row) {
  bool counts = row >= blend->first && row - blend->first < blend->count;
  return counts ? (int16_t)blend->weights[row - blend->first] : 0;
}

INLINED void take_band(codec_reducer *r, const uint8_t *rows, uint32_t count) {
  const codec_reduction *plan = &r->plan;
  uint32_t y = r->rows_taken;
  while (r->first_new < plan->out_height && r->down[r->first_new].first < y + count) {
    int32_t *sums = r->sums + r->sums_stride * (r->first_new++ % r->ring);
    for (size_t i = 0; i < r->sums_stride; i++) sums[i] = -dark * full_weight;
  }
  size_t sample_size = (size_t)plan->bits / 8, stride = r->row_samples * sample_size;
  for (size_t start = 0; start < r->row_samples; start += tile_samples) {
    size_t samples = r->row_samples - start < tile_samples ? r->row_samples - start : tile_samples;
    for (uint32_t k = 0; k < count; k += 2) {
      const void *upper = rows + stride * k + start * sample_size;
      const void *lower = rows + stride * (k + 1 < count ? k + 1 : k) + start * sample_size;
      if (plan->bits == 8) linearize_8(r, upper, lower, samples, r->tile[k / 2]);
      else linearize_16(r, upper, lower, samples, r->tile[k / 2]);
    }
    for (uint32_t i = r->first_open; i < r->first_new; i++) {
      pair weights[band_pairs];
      for (uint32_t k = 0; k < band_pairs; k++) {
        uint32_t row = y + 2 * k;
        weights[k] = (pair){2 * k < count ? weight(&r->down[i], row) : 0,
                            2 * k + 1 < count ? weight(&r->down[i], row + 1) : 0};
      }
      add_tile(r->sums + r->sums_stride * (i % r->ring) + start, r->tile, weights, samples);
    }
  }
  r->rows_taken += count;
  for (; r->first_open < r->first_new; r->first_open++) {
    const blend *done = &r->down[r->first_open];
    if (r->rows_taken < done->first + done->count) break;
    const int32_t *row = r->sums + r->sums_stride * (r->first_open % r->ring);
    switch (plan->channels) {  // Constants, which make each loop a tight one.
      case 1: resample_across(r, row, 1); break;
      case 3: resample_across(r, row, 3); break;
      default: resample_across(r, row, 4);
    }
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
