// What a warpgroup does between products, while products are under way.
//
// Within a warpgroup: the scores of the next tile are started before the result of this one, so that when their softmax
// begins, the tensor core still multiplies weights with values.
//
//     tensor core   scores 1 | result 0 | scores 2 | result 1 | …
//     others                    softmax 1             softmax 2
//
// Between the two: they take turns to start products. While one computes exponentials, the other's products are under
// way. A turn is a pair of barriers of 256 threads: bar.sync waits for it, bar.arrive gives it to the other.
//
// Shah et al., FlashAttention-3, arXiv 2407.08608, sections 3.1 and 3.2.
#pragma once

#include "roles.h"

struct Turns {
  static constexpr int kFirst = 3;  // of the barriers that are free: 1 and 2 are those of the warpgroups
  int which;

  // Before anything: the first turn is that of warpgroup 0.
  __device__ void begin() const {
    if (which == 1) pass();
  }
  __device__ void wait() const { asm volatile("bar.sync %0, 256;" ::"r"(kFirst + which) : "memory"); }
  __device__ void pass() const { asm volatile("bar.arrive %0, 256;" ::"r"(kFirst + 1 - which) : "memory"); }
  // After everything: takes the last turn, which has no use.
  __device__ void end() const {
    if (which == 0) wait();
  }
};

// The result of 64 queries, added to what is in `result`. `q_round`: as in ask_for.
template <int kHead, int kStages>
__device__ __forceinline__ void attend(float (&result)[kHead / 8][4], Rows& rows, const Work& work,
                                       Memory<kHead, kStages>& memory, RingPlace<kStages>& place, unsigned q_round,
                                       const Turns& turns, int length, bool causal, float scale) {
  float scores[kKeys / 8][4] = {}, correction[2];
  unsigned weights[kKeys / 16][4];
  wait_for(&memory.q_landed, q_round);
  start_scores(scores, memory, turns.which, place);
  wait_for_sums(scores);
  leave(&memory.used[place.stage]);
  if (work.tiles == 1) leave(&memory.q_used);
  keep_to(scores, work.first + turns.which * 64 + int(threadIdx.x) % 128 / 32 * 16, (work.tiles - 1) * kKeys, length,
          causal);
  weigh(scores, rows, scale, correction);
  pack_weights(scores, weights);
  place.next();
  for (int tile = work.tiles - 2; tile >= 0; --tile) {
    RingPlace<kStages> values = place;
    place.next();
    turns.wait();
    start_scores(scores, memory, turns.which, place);
    start_result(result, weights, memory, values);
    turns.pass();
    wait_for_products<1>();
    take_back(scores);
    leave(&memory.used[place.stage]);
    if (tile == 0) leave(&memory.q_used);
    weigh(scores, rows, scale, correction);
    wait_for_sums(result);
    leave(&memory.used[values.stage]);
    scale_rows(result, correction);
    pack_weights(scores, weights);
    place.next();
  }
  start_result(result, weights, memory, place);
  wait_for_sums(result);
  leave(&memory.used[place.stage]);
  place.next();
}
