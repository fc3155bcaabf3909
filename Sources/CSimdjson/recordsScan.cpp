// Finds where documents or elements end by counting brackets outside of strings, 64 bytes at a time.

#include "CSimdjson.h"

#include <cstring>

#if defined(__SSE2__)
#include <emmintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#endif

namespace {

/// One bit for each of 64 bytes.
struct Block {
  uint64_t quotes, slashes, opens, closes;
};

#if defined(__SSE2__)

Block classify(const uint8_t *p) {
  const __m128i quote = _mm_set1_epi8('"'), slash = _mm_set1_epi8('\\');
  const __m128i fold = _mm_set1_epi8(0x20), open = _mm_set1_epi8('{'), close = _mm_set1_epi8('}');
  Block block{};
  for (int i = 0; i < 4; ++i) {
    __m128i v = _mm_loadu_si128(reinterpret_cast<const __m128i *>(p + 16 * i));
    // [ and ] differ from { and } by one bit only.
    __m128i folded = _mm_or_si128(v, fold);
    auto mask = [&](__m128i a, __m128i b) {
      return uint64_t(uint32_t(_mm_movemask_epi8(_mm_cmpeq_epi8(a, b)))) << (16 * i);
    };
    block.quotes |= mask(v, quote);
    block.slashes |= mask(v, slash);
    block.opens |= mask(folded, open);
    block.closes |= mask(folded, close);
  }
  return block;
}

#elif defined(__aarch64__)

uint64_t maskOf(uint8x16_t a, uint8x16_t b, uint8x16_t c, uint8x16_t d) {
  const uint8x16_t bits = {1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};
  uint8x16_t low = vpaddq_u8(vandq_u8(a, bits), vandq_u8(b, bits));
  uint8x16_t high = vpaddq_u8(vandq_u8(c, bits), vandq_u8(d, bits));
  uint8x16_t sum = vpaddq_u8(low, high);
  sum = vpaddq_u8(sum, sum);
  return vgetq_lane_u64(vreinterpretq_u64_u8(sum), 0);
}

Block classify(const uint8_t *p) {
  uint8x16_t v[4], folded[4];
  for (int i = 0; i < 4; ++i) {
    v[i] = vld1q_u8(p + 16 * i);
    folded[i] = vorrq_u8(v[i], vdupq_n_u8(0x20));
  }
  auto mask = [](const uint8x16_t *w, uint8_t byte) {
    uint8x16_t b = vdupq_n_u8(byte);
    return maskOf(vceqq_u8(w[0], b), vceqq_u8(w[1], b), vceqq_u8(w[2], b), vceqq_u8(w[3], b));
  };
  return {mask(v, '"'), mask(v, '\\'), mask(folded, '{'), mask(folded, '}')};
}

#else

Block classify(const uint8_t *p) {
  Block block{};
  for (int i = 0; i < 64; ++i) {
    uint64_t bit = uint64_t(1) << i;
    if (p[i] == '"') block.quotes |= bit;
    if (p[i] == '\\') block.slashes |= bit;
    if ((p[i] | 0x20) == '{') block.opens |= bit;
    if ((p[i] | 0x20) == '}') block.closes |= bit;
  }
  return block;
}

#endif

/// Each bit becomes the parity of the bits up to it: what lies between quotes.
uint64_t parity(uint64_t bits) {
  bits ^= bits << 1;
  bits ^= bits << 2;
  bits ^= bits << 4;
  bits ^= bits << 8;
  bits ^= bits << 16;
  bits ^= bits << 32;
  return bits;
}

/// Takes in 64 bytes that hold no cut; false, with nothing changed, when they may hold one.
bool skipBlock(CSimdjsonScan &scan, const uint8_t *p) {
  if (scan.escaped) return false;
  Block block = classify(p);
  if (block.slashes) return false;
  uint64_t inside = parity(block.quotes) ^ (scan.in_string ? ~uint64_t(0) : 0);
  uint64_t opens = block.opens & ~inside, closes = block.closes & ~inside;
  uint32_t closeCount = uint32_t(__builtin_popcountll(closes));
  uint32_t depth = scan.depth;
  if (closeCount > depth) {
    for (uint64_t rest = opens | closes; rest; rest &= rest - 1) {
      if (opens & rest & (0 - rest)) {
        ++depth;
      } else if (depth-- == 0) {
        return false;
      }
    }
  } else {
    depth += uint32_t(__builtin_popcountll(opens)) - closeCount;
  }
  scan.depth = depth;
  scan.in_string = inside >> 63;
  return true;
}

}  // namespace

size_t csimdjson_scan(CSimdjsonScan *result, const uint8_t *bytes, size_t start, size_t end,
                      bool commas, size_t accept, bool *found) {
  CSimdjsonScan scan = *result;
  size_t i = start;
  auto cut = [&](bool isFound) {
    *result = scan;
    *found = isFound;
    return i;
  };
  while (i < end) {
    while (end - i >= 64 && i + 64 < accept && skipBlock(scan, bytes + i)) i += 64;
    // A block that is not skipped, and what lies behind `accept`, goes byte by byte.
    size_t stop = end - i > 64 ? i + 64 : end;
    while (i < stop) {
      uint8_t c = bytes[i++];
      if (scan.in_string) {
        if (scan.escaped) {
          scan.escaped = false;
        } else if (c == '\\') {
          scan.escaped = true;
        } else if (c == '"') {
          scan.in_string = false;
          if (scan.depth == 0 && !commas && i >= accept) return cut(true);
        }
        continue;
      }
      switch (c) {
      case '"':
        scan.in_string = true;
        break;
      case '{':
      case '[':
        ++scan.depth;
        break;
      case '}':
      case ']':
        if (scan.depth == 0) {
          if (commas || i >= accept) return cut(true);
        } else if (--scan.depth == 0 && !commas && i >= accept) {
          return cut(true);
        }
        break;
      case ',':
        if (commas && scan.depth == 0 && i >= accept) return cut(true);
        break;
      case '\n':
        // Scalars that are documents of their own end with their line.
        if (scan.depth == 0 && !commas && i >= accept) return cut(true);
        break;
      default:
        break;
      }
    }
  }
  return cut(false);
}
