// Closed networks whose answers are known.
#include "perf/timing/queue.h"

#include <gtest/gtest.h>

#include <array>
#include <vector>

namespace warpwise::perf {
namespace {

TEST(Queue, one_customer_never_waits) {
  for (Service s : {Service::Perfect, Service::Alike, Service::Exponential})
    EXPECT_DOUBLE_EQ(round_clocks(1, 100, std::array{10.0}, s), 110);
}

// Machine repairman, two machines, one repairer: X = 2 / (Z + R), R = D (1 + Q), Q = D / (Z + D).
TEST(Queue, two_customers_by_hand) {
  double d = 10, z = 100, r = d * (1 + d / (z + d));
  EXPECT_NEAR(round_clocks(2, z, std::array{d}, Service::Exponential), z + r, 1e-9);
  double alike = d * (1 + d / (z + d) / 2);  // who comes finds half of a service left
  EXPECT_NEAR(round_clocks(2, z, std::array{d}, Service::Alike), z + alike, 1e-9);
}

// n exponential stations of equal demand and N customers: N + n - 1 demands a round (balanced network, known result).
TEST(Queue, balanced_stations) {
  std::vector<double> demands(3, 5.0);
  for (int n : {1, 2, 4, 16}) EXPECT_NEAR(round_clocks(n, 0, demands, Service::Exponential), 5.0 * (n + 2), 1e-9);
}

TEST(Queue, many_customers_keep_the_busiest_station_busy) {
  std::array demands{3.0, 10.0, 1.0};
  for (Service s : {Service::Perfect, Service::Alike, Service::Exponential}) {
    double round = round_clocks(1000, 500, demands, s);
    EXPECT_NEAR(round, 10000, 100);
    EXPECT_GE(round, 10000);
  }
}

TEST(Queue, order_of_services) {
  std::array demands{4.0, 5.0};
  for (double n = 1; n < 60; n += 0.5) {
    double perfect = round_clocks(n, 120, demands, Service::Perfect),
           alike = round_clocks(n, 120, demands, Service::Alike),
           exponential = round_clocks(n, 120, demands, Service::Exponential);
    EXPECT_LE(perfect, alike + 1e-9) << n;
    EXPECT_LE(alike, exponential + 1e-9) << n;
  }
}

}  // namespace
}  // namespace warpwise::perf
