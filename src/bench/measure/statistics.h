// Medians, and how sure one can be of them.
//
// The interval of a median from order statistics needs no assumption about how times are distributed: of n values, as
// many lie below the true median as heads fall in n throws of a coin. So the interval from the k-th smallest to the
// k-th largest misses it with the probability of fewer than k heads or fewer than k tails.
//
//     n = 6:   from the smallest to the largest, 96.9 %
//     n = 20:  from the 6th to the 15th, 95.9 %
//
// (Hahn and Meeker, Statistical Intervals, 1991, section 5.2.) Times of one round resemble each other more than those
// of different rounds, because clocks and temperatures drift. The values are therefore medians of rounds.
#pragma once

#include <vector>

namespace warpwise::bench {

struct Interval {
  double low = 0, high = 0;
};

struct Estimate {
  double median = 0;
  Interval interval;   // of the median, 95 %
  bool known = false;  // there are enough values for an interval
  // Half the interval's width, by the median.
  double spread() const { return median > 0 ? (interval.high - interval.low) / 2 / median : 0; }
};

double median_of(std::vector<double> values);  // 0 of none

// Fewest values that have an interval of 95 %.
constexpr unsigned kFewestRounds = 6;
Estimate estimate(std::vector<double> values);

// Of two estimates: which is smaller, where their intervals do not overlap.
enum class Difference { None, Faster, Slower };
Difference compare(const Estimate& now, const Estimate& before);

}  // namespace warpwise::bench
