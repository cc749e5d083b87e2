#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// The hash value between two blocks: H0 to H7 of FIPS 180-4, in the processor's byte order.
typedef struct digest_sha256_state {
  uint32_t words[8];
} digest_sha256_state;

/// The hash value before the first block.
digest_sha256_state digest_sha256_initial(void);

/// Takes `block_count` blocks of 64 bytes into `state`, by the fastest way this processor has.
void digest_sha256_blocks(digest_sha256_state *state, const uint8_t *blocks, size_t block_count);

/// As `digest_sha256_blocks`, in plain C: the way for processors without SHA instructions.
void digest_sha256_blocks_portable(digest_sha256_state *state, const uint8_t *blocks,
                                   size_t block_count);

/// Whether `digest_sha256_blocks` uses instructions made for it.
bool digest_sha256_is_accelerated(void);
