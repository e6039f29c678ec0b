#include "device/properties.h"

#include <gtest/gtest.h>

#include <set>

namespace warpwise::device {
namespace {

TEST(Devices, are_found_by_id) {
  EXPECT_EQ(default_device().id, "h100");
  ASSERT_NE(find_device("a100-40"), nullptr);
  EXPECT_EQ(find_device("a100-40")->global_memory_bytes, uint64_t{40} << 30);
  EXPECT_EQ(find_device("gtx1080"), nullptr);
}

TEST(Devices, have_plausible_rows) {
  std::set<std::string_view> ids;
  for (const Properties& device : all_devices()) {
    SCOPED_TRACE(device.id);
    EXPECT_TRUE(ids.insert(device.id).second);
    EXPECT_FALSE(device.source.empty());
    // A block with the most shared memory and the most threads must fit into an SM.
    EXPECT_LE(device.shared_per_block_optin_bytes + device.reserved_shared_per_block_bytes, device.shared_per_sm_bytes);
    EXPECT_GE(device.threads_per_sm, Properties::kMaxThreadsPerBlock);
    EXPECT_EQ(device.threads_per_sm % Properties::kWarpSize, 0u);
  }
}

// The published bandwidths, in GB/s: a slip in a clock or a bus width shows here.
TEST(Devices, have_the_published_bandwidth) {
  struct Published { const char* id; double gb_per_s; };
  for (auto [id, published] : {Published{"t4", 320}, Published{"rtx3090", 936}, Published{"a6000", 768},
                               Published{"a100", 2039}, Published{"a100-40", 1555}, Published{"rtx4090", 1008},
                               Published{"h100", 3350}, Published{"h200", 4800}, Published{"b200", 8000}}) {
    const Properties* device = find_device(id);
    ASSERT_NE(device, nullptr) << id;
    double computed = 2.0 * device->memory_clock_khz * 1e3 * device->memory_bus_bits / 8 / 1e9;
    EXPECT_NEAR(computed, published, published * 0.025) << id;
  }
}

}  // namespace
}  // namespace warpwise::device
