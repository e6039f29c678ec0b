#include "device/properties.h"

#include <gtest/gtest.h>

#include <set>

namespace warpwise::device {
namespace {

TEST(Devices, are_found_by_id) {
  EXPECT_EQ(default_device().id, "h100");
  ASSERT_NE(find_device("a100-40"), nullptr);
  EXPECT_EQ(find_device("a100-40")->global_memory_bytes, uint64_t{40} << 30);
  EXPECT_EQ(find_device("gtx480"), nullptr);
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

// The published bandwidths, in GB/s: they reveal a slip in a clock or a bus width.
TEST(Devices, have_the_published_bandwidth) {
  struct Published {
    const char* id;
    double gb_per_s;
  };
  for (auto [id, published] : {Published{"t4", 320},        Published{"rtx3090", 936},  Published{"a6000", 768},
                               Published{"a100", 2039},     Published{"a100-40", 1555}, Published{"rtx4090", 1008},
                               Published{"h100", 3350},     Published{"h200", 4800},    Published{"b200", 7672},
                               Published{"gtx1050ti", 112}, Published{"gtx1060", 192},  Published{"gtx1080", 320},
                               Published{"gtx1080ti", 484}, Published{"p100", 732},     Published{"v100", 900},
                               Published{"rtx2060", 336},   Published{"rtx2070", 448},  Published{"rtx2080ti", 616},
                               Published{"rtx3050", 224},   Published{"rtx3060", 360},  Published{"rtx3070", 448},
                               Published{"rtx3080", 760},   Published{"a10", 600},      Published{"a100-pcie", 1935},
                               Published{"rtx4060", 272},   Published{"rtx4070", 504},  Published{"rtx4080", 717},
                               Published{"l4", 300},        Published{"l40s", 864},     Published{"h100-pcie", 2039},
                               Published{"rtx5070", 672},   Published{"rtx5080", 960},  Published{"rtx5090", 1792}}) {
    const Properties* device = find_device(id);
    ASSERT_NE(device, nullptr) << id;
    double computed = 2.0 * device->memory_clock_khz * 1e3 * device->memory_bus_bits / 8 / 1e9;
    EXPECT_NEAR(computed, published, published * 0.025) << id;
  }
}

// The peaks of the datasheets, in TFLOP/s (dense, fp32 accumulation): they reveal a slip in lanes, tensor rates or
// clocks. Boost clocks of the H100 and the H200 are higher than those that their datasheets assume (1.83 GHz for matrix
// products).
TEST(Devices, have_the_published_arithmetic) {
  struct Published {
    const char* id;
    double fp32, f16_matrix;
  };
  for (auto [id, fp32, f16] :
       {Published{"t4", 8.1, 65},           Published{"rtx3090", 35.6, 71},    Published{"a6000", 38.7, 154.8},
        Published{"a100", 19.5, 312},       Published{"rtx4090", 82.6, 165.2}, Published{"h100", 67, 989},
        Published{"h200", 67, 989},         Published{"b200", 75, 2250},       Published{"gtx1050ti", 2.1, 0},
        Published{"gtx1080", 8.9, 0},       Published{"p100", 9.3, 0},         Published{"v100", 15.7, 125},
        Published{"rtx2080ti", 13.4, 53.8}, Published{"rtx3060", 12.7, 25.5},  Published{"rtx3080", 29.8, 59.5},
        Published{"a10", 31.2, 125},        Published{"rtx4060", 15.1, 30},    Published{"rtx4070", 29.1, 58.3},
        Published{"l4", 30.3, 121},         Published{"l40s", 91.6, 362},      Published{"h100-pcie", 51.2, 756},
        Published{"rtx5080", 56.3, 112.6},  Published{"rtx5090", 104.8, 209.5}}) {
    const Properties* device = find_device(id);
    ASSERT_NE(device, nullptr) << id;
    double clocks = device->sm_count * device->core_clock_khz * 1e3 / 1e12;
    EXPECT_NEAR(2 * device->machine.fp32_lanes * clocks, fp32, fp32 * 0.03) << id;
    EXPECT_NEAR(device->machine.tensor_f16 * clocks, f16, f16 * 0.09) << id;
  }
}

TEST(Devices, have_every_figure_of_the_model) {
  for (const Properties& device : all_devices()) {
    const Machine& m = device.machine;
    SCOPED_TRACE(device.id);
    for (double figure : {m.fp32_lanes, m.integer_lanes, m.fp64_lanes, m.special_lanes, m.lsu_lanes, m.l1_bytes,
                          m.l1_kib, m.l2_bytes_per_clock, m.l2_atomics_per_clock, m.dram_fraction, m.dram_read_fraction,
                          m.fma_latency, m.l1_latency, m.l2_latency, m.dram_latency_ns, m.sustained_khz, m.launch_ns,
                          m.host_gb_per_s, m.host_latency_ns})
      EXPECT_GT(figure, 0);
    EXPECT_EQ(m.tensor_f16 > 0, device.major >= 7);
    EXPECT_FALSE(m.source.empty());
    EXPECT_LE(m.sustained_khz, device.core_clock_khz);
    EXPECT_LT(m.l1_latency, m.l2_latency);
    EXPECT_LE(m.dram_fraction, m.dram_read_fraction);
    EXPECT_LT(m.dram_read_fraction, 1);
    EXPECT_GE(m.l1_kib * 1024, device.shared_per_sm_bytes);
    EXPECT_NEAR(m.fp32_lanes / m.fp64_lanes, device.single_to_double_ratio, 1e-9);
  }
}

}  // namespace
}  // namespace warpwise::device
