// The public API on the interpreter and, where it is built, the compiler: what its header promises.
#include <gtest/gtest.h>

#include <filesystem>
#include <thread>

#include "warpwise/warpwise.h"

namespace warpwise {
namespace {

// out[i] = in[i] * factor + shift for i < n; then `total` counts the threads that did something.
constexpr const char* kPtx = R"(
.version 8.0
.target sm_70
.address_size 64
.visible .global .align 4 .u32 total = 7;
.visible .entry fused(.param .u64 out, .param .u64 in, .param .f32 factor, .param .u16 shift, .param .u32 n) {
  .reg .pred %p; .reg .b16 %h; .reg .b32 %r<6>; .reg .f32 %f<4>; .reg .b64 %d<6>;
  ld.param.u32 %r0, [n];
  mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ntid.x; mov.u32 %r3, %tid.x;
  mad.lo.u32 %r1, %r1, %r2, %r3;
  setp.ge.u32 %p, %r1, %r0;
  @%p ret;
  ld.param.u64 %d0, [out]; ld.param.u64 %d1, [in];
  cvta.to.global.u64 %d0, %d0; cvta.to.global.u64 %d1, %d1;
  mul.wide.u32 %d2, %r1, 4;
  add.u64 %d0, %d0, %d2; add.u64 %d1, %d1, %d2;
  ld.global.f32 %f0, [%d1]; ld.param.f32 %f1, [factor]; ld.param.u16 %h, [shift];
  cvt.rn.f32.u16 %f2, %h;
  fma.rn.f32 %f0, %f0, %f1, %f2;
  st.global.f32 [%d0], %f0;
  mov.u64 %d3, total;
  atom.global.add.u32 %r4, [%d3], 1;
  ret;
}
.visible .entry forever() {
LOOP:
  bra LOOP;
}
.extern .shared .align 4 .b8 dynamic[];
.visible .entry last_word(.param .u64 out, .param .u32 offset) {
  .reg .b32 %r<3>; .reg .b64 %d<2>;
  ld.param.u64 %d0, [out]; ld.param.u32 %r0, [offset];
  mov.u32 %r1, dynamic;
  add.u32 %r1, %r1, %r0;
  st.shared.u32 [%r1], 77;
  ld.shared.u32 %r2, [%r1];
  st.global.u32 [%d0], %r2;
  ret;
}
)";

Options with(Engine engine) {
  Options options;
  options.engine = engine;
  options.cache = false;
  return options;
}

class Api : public ::testing::TestWithParam<Engine> {
 protected:
  void SetUp() override {
    auto device = Device::open(with(GetParam()));
    ASSERT_TRUE(device) << device.error().message;
    device_.emplace(std::move(*device));
    auto module = device_->load(kPtx, "kernels.ptx");
    ASSERT_TRUE(module) << module.error().message;
    module_.emplace(std::move(*module));
  }
  Kernel kernel(const char* name) { return module_->kernel(name).value(); }
  std::optional<Device> device_;
  std::optional<Module> module_;
};

TEST_P(Api, a_kernel_computes_what_it_is_given) {
  std::vector<float> in(1000);
  for (size_t i = 0; i < in.size(); ++i) in[i] = static_cast<float>(i);
  Memory source = device_->upload(in).value();
  Memory target = device_->allocate(in.size() * sizeof(float)).value();
  ASSERT_TRUE(target.fill(0xff));
  const LaunchShape shape{.grid = {8}, .block = {128}, .cluster = {2}};
  auto launched = kernel("fused").launch(shape, target, source, 0.5f, std::uint16_t{3}, 999u);
  ASSERT_TRUE(launched) << launched.error().message;
  auto out = target.download<float>();
  ASSERT_TRUE(out) << out.error().message;
  for (size_t i = 0; i < 999; ++i) ASSERT_EQ((*out)[i], in[i] * 0.5f + 3) << i;
  EXPECT_TRUE((*out)[999] != (*out)[999]) << "fill() ran before the kernel, which leaves the last one";

  Symbol total = module_->symbol("total").value();
  EXPECT_EQ(total.bytes, 4u);
  unsigned count = 0;
  ASSERT_TRUE(device_->read(&count, total.address, sizeof count));
  EXPECT_EQ(count, 7u + 999u);
  unsigned zero = 0;
  ASSERT_TRUE(device_->write(total.address, &zero, sizeof zero));
  ASSERT_TRUE(device_->read(&count, total.address, sizeof count));
  EXPECT_EQ(count, 0u);
}

TEST_P(Api, wrong_arguments_are_named_and_change_nothing) {
  Memory memory = device_->allocate(16).value();
  Kernel fused = kernel("fused");
  EXPECT_EQ(fused.info().parameter_bytes, (std::vector<std::uint32_t>{8, 8, 4, 2, 4}));
  auto few = fused.launch({}, memory, memory);
  ASSERT_FALSE(few);
  EXPECT_EQ(few.error().code, "cudaErrorInvalidValue");
  EXPECT_NE(few.error().message.find("2 arguments for the 5 parameters of `fused`"), std::string::npos)
      << few.error().message;
  auto wide = fused.launch({}, memory, memory, 1.0, std::uint16_t{0}, 4u);
  ASSERT_FALSE(wide);
  EXPECT_NE(wide.error().message.find("argument 3 of `fused` has 8 bytes, its parameter 4"), std::string::npos);
  auto shape = fused.launch({.grid = {1}, .block = {2048}}, memory, memory, 1.0f, std::uint16_t{0}, 4u);
  ASSERT_FALSE(shape);
  EXPECT_EQ(shape.error().code, "cudaErrorInvalidConfiguration");
  auto clusters = fused.launch({.grid = {4}, .cluster = {3}}, memory, memory, 1.0f, std::uint16_t{0}, 4u);
  ASSERT_FALSE(clusters);
  EXPECT_EQ(clusters.error().code, "cudaErrorInvalidClusterSize");
  EXPECT_EQ(module_->kernel("total").error().code, "cudaErrorSymbolNotFound");
  EXPECT_EQ(memory.write(&shape, 8, 9).error().code, "cudaErrorInvalidValue");
  EXPECT_TRUE(memory.write(&shape, 8, 8));
  EXPECT_TRUE(device_->synchronize());
}

TEST_P(Api, a_kernel_that_faults_is_told_by_the_next_wait_and_ends_the_device) {
  Memory memory = device_->allocate(16).value();
  ASSERT_TRUE(kernel("fused").launch({}, Address{64}, memory, 1.0f, std::uint16_t{0}, 4u));
  auto waited = device_->synchronize();
  ASSERT_FALSE(waited);
  EXPECT_EQ(waited.error().code, "cudaErrorIllegalAddress");
  EXPECT_NE(waited.error().message.find("fused"), std::string::npos);
  EXPECT_EQ(memory.download<int>().error().code, "cudaErrorIllegalAddress");
  auto another = Device::open(with(GetParam()));
  ASSERT_TRUE(another);
  EXPECT_TRUE(another->upload(std::vector<int>{1, 2})->download<int>());
}

TEST_P(Api, dynamic_shared_memory_above_48_KiB_needs_no_asking) {
  Memory out = device_->allocate(4).value();
  const std::uint32_t bytes = device_->info().shared_bytes_per_block;
  ASSERT_GT(bytes, 48u << 10);
  auto launched = kernel("last_word").launch({.dynamic_shared_bytes = bytes}, out, bytes - 4);
  ASSERT_TRUE(launched) << launched.error().message;
  EXPECT_EQ(out.download<int>().value(), std::vector<int>{77});
  EXPECT_FALSE(kernel("last_word").launch({.dynamic_shared_bytes = bytes + 4}, out, bytes));
}

TEST_P(Api, managed_memory_has_one_address) {
  Memory memory = device_->allocate(8, MemoryKind::Managed).value();
  float* host = static_cast<float*>(memory.host_pointer());
  ASSERT_EQ(reinterpret_cast<Address>(host), memory.address());
  host[0] = 2, host[1] = 4;
  ASSERT_TRUE(kernel("fused").launch({.block = {2}}, memory, memory, 10.0f, std::uint16_t{1}, 2u));
  ASSERT_TRUE(device_->synchronize());
  EXPECT_EQ(host[0], 21.0f);
  EXPECT_EQ(host[1], 41.0f);
  EXPECT_EQ(device_->allocate(8)->host_pointer(), nullptr);
}

TEST_P(Api, handles_may_go_in_any_order) {
  std::optional<Memory> memory(device_->upload(std::vector<float>{5}).value());
  std::optional<Kernel> fused(kernel("fused"));
  module_.reset();
  device_.reset();
  ASSERT_TRUE(fused->launch({}, *memory, *memory, 2.0f, std::uint16_t{0}, 1u));
  EXPECT_EQ(memory->download<float>().value(), std::vector<float>{10});
  fused.reset();
  Memory moved = std::move(*memory);
  memory.reset();
  EXPECT_EQ(moved.download<float>().value(), std::vector<float>{10});
}

TEST_P(Api, two_devices_and_two_threads_do_not_meet) {
  auto work = [&](float factor) {
    auto device = Device::open(with(GetParam()));
    auto module = device->load(kPtx);
    Kernel fused = module->kernel("fused").value();
    for (int round = 0; round < 5; ++round) {
      Memory memory = device->upload(std::vector<float>(64, 1.0f)).value();
      ASSERT_TRUE(fused.launch({.grid = {2}, .block = {32}}, memory, memory, factor, std::uint16_t{0}, 64u));
      ASSERT_EQ(memory.download<float>().value(), std::vector<float>(64, factor));
    }
  };
  std::thread one(work, 3.0f), two(work, 4.0f);
  one.join();
  two.join();
}

TEST_P(Api, a_launch_ends_at_its_timeout) {
  Options options = with(GetParam());
  options.timeout_seconds = 0.2;
  auto device = Device::open(options);
  auto module = device->load(kPtx);
  ASSERT_TRUE(module->kernel("forever")->launch({}));
  auto waited = device->synchronize();
  ASSERT_FALSE(waited);
  EXPECT_EQ(waited.error().code, "cudaErrorLaunchTimeout") << waited.error().message;
}

TEST_P(Api, wrong_ptx_is_refused_with_its_place) {
  auto wrong = device_->load(".version 8.0\n.target sm_70\n.address_size 64\n.entry k() { frob.u32; }", "mine.ptx");
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().code, "cudaErrorInvalidPtx");
  EXPECT_NE(wrong.error().message.find("mine.ptx:4:"), std::string::npos) << wrong.error().message;
  auto newer = device_->load(".version 8.7\n.target sm_120\n.address_size 64\n.entry k() { ret; }");
  ASSERT_FALSE(newer);
  EXPECT_EQ(newer.error().code, "cudaErrorNoKernelImageForDevice");
}

std::vector<Engine> engines() {
  std::vector<Engine> all{Engine::Interpreter};
  if (std::filesystem::exists(WARPWISE_LIB_DIR "/libwarpwise-simt.so")) all.push_back(Engine::Compiled);
  return all;
}
INSTANTIATE_TEST_SUITE_P(All, Api, ::testing::ValuesIn(engines()),
                         [](const auto& info) { return info.param == Engine::Compiled ? "compiled" : "interpreter"; });

TEST(ApiOptions, wrong_ones_are_named) {
  Options options;
  options.device = "h1000";
  EXPECT_EQ(Device::open(options).error().code, "U0004");
  options = {};
  options.timeout_seconds = -1;
  EXPECT_EQ(Device::open(options).error().code, "U0005");
}

TEST(ApiOptions, the_device_is_the_one_that_was_asked_for) {
  std::vector<DeviceInfo> known = known_devices();
  ASSERT_GE(known.size(), 5u);
  for (const DeviceInfo& wanted : known) {
    Options options;
    options.device = wanted.id;
    auto device = Device::open(options);
    ASSERT_TRUE(device);
    EXPECT_EQ(device->info().name, wanted.name);
    EXPECT_EQ(device->info().warp_size, 32u);
    EXPECT_GT(device->info().multiprocessors, 0u);
  }
}

TEST(ApiOptions, passes_that_are_not_there_are_errors) {
  Options dumps, leaves_out;
  dumps.dump = {"after:nonsense"};
  leaves_out.off = {"vectorise"};
  for (const Options& options : {dumps, leaves_out}) {
    auto device = Device::open(options);
    ASSERT_FALSE(device);
    EXPECT_EQ(device.error().code, "U0005");
  }
  // A pass that exists and must run is no unknown name.
  EXPECT_NE(Device::open(leaves_out).error().message.find("the pass `vectorise` must run: it makes"),
            std::string::npos);
}

TEST(ApiObservers, dumps_and_times_of_passes_go_to_the_callback) {
  if (!std::filesystem::exists(WARPWISE_LIB_DIR "/libwarpwise-simt.so")) GTEST_SKIP() << "the compiler is not built";
  Options options = with(Engine::Compiled);
  options.dump = {"after:all"};
  options.time_passes = true;
  std::vector<std::string> passes;
  options.observers.dump = [&](std::string_view pass, std::string_view text) {
    EXPECT_FALSE(text.empty());
    passes.emplace_back(pass);
  };
  auto device = Device::open(options);
  auto module = device->load(kPtx);
  Memory memory = device->upload(std::vector<float>{5}).value();
  ASSERT_TRUE(module->kernel("fused")->launch({}, memory, memory, 2.0f, std::uint16_t{0}, 1u));
  ASSERT_TRUE(device->synchronize());
  EXPECT_GT(std::count(passes.begin(), passes.end(), "time"), 3);
  EXPECT_GT(passes.size(), 2 * static_cast<size_t>(std::count(passes.begin(), passes.end(), "time")) - 2);
}

}  // namespace
}  // namespace warpwise
