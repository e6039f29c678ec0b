// Shares of centres, and what is known of a point before its label.
//
// A share is eight of 32 neighbouring centres: those whose scores one lane has (halves.cuh). Of a point the largest
// score of a share is found first, and which of its centres that was afterwards, for all points of a share together.
#pragma once

#include "halves.cuh"

constexpr int kOfShare = 8, kBlockOfShare = 32, kShares = kMostCentres / kOfShare;

__device__ inline int share_of(int c) { return c / kBlockOfShare * 4 + c % 8 / 2; }
__device__ inline int place_in_share(int c) { return c % kBlockOfShare / 8 * 2 + c % 2; }
__device__ inline int centre_in(int share, int place) {  // rises with the place
  return share / 4 * kBlockOfShare + place / 2 * 8 + share % 4 * 2 + place % 2;
}

// What is known of a point, in 16 bits: the share of its nearest centre; or kSettled and its label; or, of a point near
// a tie of shares, kSettled and below which score no centre is the nearest, rounded down to the upper bits of a float:
// to those of 2^-119, which stand for any score, if it is less.
constexpr unsigned kSettled = 0x8000, kNear = kSettled | kMostCentres;
__device__ inline unsigned short near_with(float limit) {
  return static_cast<unsigned short>(max(kNear, kSettled | (limit > 0 ? __float_as_uint(limit) >> 16 : 0)));
}
__device__ inline bool is_near(unsigned short found) { return found >= kNear; }
__device__ inline float limit_of(unsigned short near) {
  return near == kNear ? -INFINITY : __uint_as_float((near & ~kSettled) << 16);
}
__device__ inline int share_of_found(int found) { return found & kSettled ? share_of(found % kMostCentres) : found; }

// Until its label is known, that goes where the label was, beside what the label was: -1 to 1023, or kOther.
constexpr int kBeforeBits = 11, kOther = (1 << kBeforeBits) - 2;
__device__ inline int packed(unsigned short found, int before) {
  return int(found) << kBeforeBits | ((before >= -1 && before < kMostCentres ? before : kOther) + 1);
}
__device__ inline unsigned short found_of(int packed) { return static_cast<unsigned short>(packed >> kBeforeBits); }
__device__ inline int before_of(int packed) { return packed % (1 << kBeforeBits) - 1; }
