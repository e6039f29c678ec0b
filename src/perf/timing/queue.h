// How long N customers take that share stations: the arithmetic behind "enough warps hide latency".
//
// Warps (or blocks) are the customers of a closed queueing network. Each asks every station for some clocks of service
// and otherwise "thinks": it waits for answers that take no time from other customers. With few customers the time of a
// round is that of one alone; with many, the busiest station's demand times their number; the mean value analysis of
// Reiser and Lavenberg (J. ACM 27, 1980) gives what lies between:
//
//     R_s(n) = D_s (1 + Q_s(n-1) - (1 - residual) U_s(n-1))      time at a station, behind those in the queue
//     X(n)   = n / (Z + sum R_s(n))                              rounds per clock
//     Q_s(n) = X(n) R_s(n),  U_s(n) = X(n) D_s
//
// `residual` is how much of the service in progress is left when a customer arrives: all of it if times of service are
// exponentially distributed (the theorem), half if they are all alike, as those of pipes nearly are. A GPU
// is between perfect order, n * max D, and the exponential one, and the model's uncertainty is taken from these two.
#pragma once

#include <span>

namespace warpwise::perf {

enum class Service { Perfect, Alike, Exponential };

// Clocks until each of `customers` has made one round. The number need not be whole: results between are interpolated.
double round_clocks(double customers, double think, std::span<const double> demands, Service service);

}  // namespace warpwise::perf
