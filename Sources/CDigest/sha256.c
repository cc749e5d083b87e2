// SHA-256 as FIPS 180-4 defines it, block by block. Padding is the caller's.
#include "digest.h"
#include <stdatomic.h>

/// The fractional parts of the cube roots of the first 64 primes (section 4.2.2).
static const uint32_t round_constants[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

digest_sha256_state digest_sha256_initial(void) {
  return (digest_sha256_state){{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f,
                                0x9b05688c, 0x1f83d9ab, 0x5be0cd19}};
}

// MARK: Plain C

static inline uint32_t rotated(uint32_t word, int count) {
  return word >> count | word << (32 - count);
}

static inline uint32_t big_endian(const uint8_t *bytes) {
  return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

void digest_sha256_blocks_portable(digest_sha256_state *state, const uint8_t *blocks,
                                   size_t block_count) {
  for (; block_count > 0; block_count--, blocks += 64) {
    uint32_t w[16];  // The last 16 words of the message schedule; word t is at t mod 16.
    uint32_t a = state->words[0], b = state->words[1], c = state->words[2], d = state->words[3];
    uint32_t e = state->words[4], f = state->words[5], g = state->words[6], h = state->words[7];
#pragma clang loop unroll_count(16)  // Three times as fast: the schedule stays in registers.
    for (int t = 0; t < 64; t++) {
      if (t < 16) {
        w[t] = big_endian(blocks + 4 * t);
      } else {
        uint32_t w2 = w[(t - 2) & 15], w15 = w[(t - 15) & 15];
        w[t & 15] += (rotated(w2, 17) ^ rotated(w2, 19) ^ w2 >> 10) + w[(t - 7) & 15] +
                     (rotated(w15, 7) ^ rotated(w15, 18) ^ w15 >> 3);
      }
      uint32_t t1 = h + (rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25)) + (g ^ (e & (f ^ g))) +
                    round_constants[t] + w[t & 15];
      uint32_t t2 = (rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22)) + ((a & b) | (c & (a | b)));
      h = g, g = f, f = e, e = d + t1;
      d = c, c = b, b = a, a = t1 + t2;
    }
    state->words[0] += a, state->words[1] += b, state->words[2] += c, state->words[3] += d;
    state->words[4] += e, state->words[5] += f, state->words[6] += g, state->words[7] += h;
  }
}

// MARK: x86 SHA extensions

#if defined(__x86_64__)
#include <cpuid.h>
#include <immintrin.h>

/// Two instructions do two rounds each, on a state laid out as {A B E F} and {C D G H}, top lane first.
__attribute__((target("sha,sse4.1,ssse3"))) static void blocks_accelerated(
    digest_sha256_state *state, const uint8_t *blocks, size_t block_count) {
  const __m128i swap = _mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203);
  __m128i cdab = _mm_shuffle_epi32(_mm_loadu_si128((const __m128i *)state->words), 0xB1);
  __m128i efgh = _mm_shuffle_epi32(_mm_loadu_si128((const __m128i *)(state->words + 4)), 0x1B);
  __m128i abef = _mm_alignr_epi8(cdab, efgh, 8);
  __m128i cdgh = _mm_blend_epi16(efgh, cdab, 0xF0);

  for (; block_count > 0; block_count--, blocks += 64) {
    const __m128i abef_before = abef, cdgh_before = cdgh;
    __m128i w[4];  // The last 16 words of the message schedule, four to a lane group.
#pragma clang loop unroll(full)
    for (int i = 0; i < 16; i++) {
      if (i < 4) {
        w[i] = _mm_shuffle_epi8(_mm_loadu_si128((const __m128i *)(blocks + 16 * i)), swap);
      } else {
        const __m128i w4 = w[i & 3], w3 = w[(i + 1) & 3], w2 = w[(i + 2) & 3], w1 = w[(i + 3) & 3];
        const __m128i sum = _mm_add_epi32(_mm_sha256msg1_epu32(w4, w3), _mm_alignr_epi8(w1, w2, 4));
        w[i & 3] = _mm_sha256msg2_epu32(sum, w1);
      }
      const __m128i k = _mm_loadu_si128((const __m128i *)(round_constants + 4 * i));
      const __m128i wk = _mm_add_epi32(w[i & 3], k);
      cdgh = _mm_sha256rnds2_epu32(cdgh, abef, wk);
      abef = _mm_sha256rnds2_epu32(abef, cdgh, _mm_shuffle_epi32(wk, 0x0E));
    }
    abef = _mm_add_epi32(abef, abef_before);
    cdgh = _mm_add_epi32(cdgh, cdgh_before);
  }

  const __m128i feba = _mm_shuffle_epi32(abef, 0x1B), dchg = _mm_shuffle_epi32(cdgh, 0xB1);
  _mm_storeu_si128((__m128i *)state->words, _mm_blend_epi16(feba, dchg, 0xF0));
  _mm_storeu_si128((__m128i *)(state->words + 4), _mm_alignr_epi8(dchg, feba, 8));
}

/// Asked of the processor itself, as not every compiler's `__builtin_cpu_supports` knows “sha”.
static bool has_instructions(void) {
  unsigned a, b, c, d;
  if (!__get_cpuid(1, &a, &b, &c, &d) || !(c & bit_SSSE3) || !(c & bit_SSE4_1)) return false;
  return __get_cpuid_count(7, 0, &a, &b, &c, &d) && (b & bit_SHA);
}

// MARK: Arm cryptographic extension

#elif defined(__aarch64__) && defined(__ARM_NEON) && defined(__linux__)
#include <arm_neon.h>
#include <sys/auxv.h>

__attribute__((target("sha2"))) static void blocks_accelerated(digest_sha256_state *state,
                                                               const uint8_t *blocks,
                                                               size_t block_count) {
  uint32x4_t abcd = vld1q_u32(state->words), efgh = vld1q_u32(state->words + 4);
  for (; block_count > 0; block_count--, blocks += 64) {
    const uint32x4_t abcd_before = abcd, efgh_before = efgh;
    uint32x4_t w[4];  // The last 16 words of the message schedule.
#pragma clang loop unroll(full)
    for (int i = 0; i < 16; i++) {
      if (i < 4) {
        w[i] = vreinterpretq_u32_u8(vrev32q_u8(vld1q_u8(blocks + 16 * i)));
      } else {
        const uint32x4_t w3 = w[(i + 1) & 3], w2 = w[(i + 2) & 3], w1 = w[(i + 3) & 3];
        w[i & 3] = vsha256su1q_u32(vsha256su0q_u32(w[i & 3], w3), w2, w1);
      }
      const uint32x4_t wk = vaddq_u32(w[i & 3], vld1q_u32(round_constants + 4 * i));
      const uint32x4_t abcd_now = abcd;
      abcd = vsha256hq_u32(abcd, efgh, wk);
      efgh = vsha256h2q_u32(efgh, abcd_now, wk);
    }
    abcd = vaddq_u32(abcd, abcd_before);
    efgh = vaddq_u32(efgh, efgh_before);
  }
  vst1q_u32(state->words, abcd);
  vst1q_u32(state->words + 4, efgh);
}

static bool has_instructions(void) {
  const unsigned long sha2 = 1UL << 6;  // HWCAP_SHA2 of <asm/hwcap.h>.
  return getauxval(AT_HWCAP) & sha2;
}

#else

#define blocks_accelerated digest_sha256_blocks_portable
static bool has_instructions(void) { return false; }

#endif

// MARK: Choice

bool digest_sha256_is_accelerated(void) {
  // Asked once: in a virtual machine the question can cost as much as digesting 100 kB.
  static _Atomic(int) answer = 0;  // 0: not asked yet, 1: no, 2: yes.
  int known = atomic_load_explicit(&answer, memory_order_relaxed);
  if (known == 0) {
    known = has_instructions() ? 2 : 1;
    atomic_store_explicit(&answer, known, memory_order_relaxed);
  }
  return known == 2;
}

void digest_sha256_blocks(digest_sha256_state *state, const uint8_t *blocks, size_t block_count) {
  if (digest_sha256_is_accelerated()) {
    blocks_accelerated(state, blocks, block_count);
  } else {
    digest_sha256_blocks_portable(state, blocks, block_count);
  }
}
