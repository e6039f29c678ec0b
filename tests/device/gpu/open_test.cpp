// Which driver is opened, what is said where there is none, and what a GPU says of itself.
#include <cstdlib>

#include "gpu_fixture.h"

namespace warpwise::device::gpu::testing {
namespace {

TEST_F(OnFakeDriver, OpensTheContextOnceAndGivesItBack) {
  auto opened = open(setup());
  ASSERT_TRUE(opened.ok()) << opened.error().message;
  EXPECT_EQ(fake_->calls.front(), "cuInit");
  EXPECT_EQ(fake_->live["context"], 1);
  gpu_ = std::move(opened).value();
  gpu_.reset();
  EXPECT_EQ(fake_->calls.back(), "cuDevicePrimaryCtxRelease_v2");
}

TEST_F(OnFakeDriver, FiguresComeFromTheGpuAndTheRestFromItsRow) {
  const Properties& p = gpu().properties();
  EXPECT_EQ(p.id, "gpu:0");
  EXPECT_EQ(p.name, "NVIDIA H200");
  EXPECT_EQ(p.sm_count, 132u);
  EXPECT_EQ(p.memory_clock_khz, 2619000u);  // not the row's
  EXPECT_EQ(p.global_memory_bytes, size_t{140} << 30);
  EXPECT_EQ(p.machine.launch_ns, find_device("h200")->machine.launch_ns);
}

TEST_F(OnFakeDriver, AGpuWithoutARowIsModelledAsAnotherOfItsKind) {
  fake_->name = "NVIDIA Wonder 7";
  fake_->attributes[75] = 8, fake_->attributes[76] = 9;
  const auto found = describe(*Driver::open(WARPWISE_FAKE_DRIVER).value(), 0);
  ASSERT_TRUE(found.ok());
  EXPECT_FALSE(found.value()->same_model);
  EXPECT_EQ(find_device(found.value()->modelled)->major, 8u);
  EXPECT_EQ(find_device(found.value()->modelled)->minor, 9u);
}

TEST_F(OnFakeDriver, ListsEveryGpu) {
  fake_->gpus = 3;
  const auto all = describe_all(*Driver::open(WARPWISE_FAKE_DRIVER).value());
  ASSERT_TRUE(all.ok());
  ASSERT_EQ(all.value().size(), 3u);
  EXPECT_EQ(all.value()[2]->id, "gpu:2");
}

TEST_F(OnFakeDriver, SaysWhichGpuIsMissing) {
  gpu::Setup third = setup();
  third.ordinal = 2;
  const auto opened = open(third);
  ASSERT_FALSE(opened.ok());
  EXPECT_EQ(opened.error().code, "R0601");
  EXPECT_EQ(opened.error().message, "there is no GPU 2: this machine has 1, the first is gpu:0");
  fake_->gpus = 0;
  EXPECT_NE(open(setup()).error().message.find("finds none"), std::string::npos);
}

TEST_F(OnFakeDriver, TheHeapIsSetWhereItIsAskedFor) {
  gpu::Setup with_heap = setup();
  with_heap.heap_bytes = 1 << 20;
  gpu_ = std::move(open(with_heap)).value();
  EXPECT_EQ(fake_->limits[2], size_t{1} << 20);
}

TEST(Driver, ThereIsNone) {
  const auto opened = open({.driver = "/nowhere/libcuda.so.1"});
  ASSERT_FALSE(opened.ok());
  EXPECT_EQ(opened.error().code, "R0601");
  EXPECT_NE(opened.error().message.find("/nowhere/libcuda.so.1"), std::string::npos);
}

TEST(Driver, OurOwnLibraryIsNotTaken) {
  const auto opened = open({.driver = WARPWISE_OWN_DRIVER});
  ASSERT_FALSE(opened.ok());
  EXPECT_EQ(opened.error().code, "R0601");
  EXPECT_NE(opened.error().message.find("is Warpwise's own"), std::string::npos) << opened.error().message;
}

TEST(Driver, AnOldOneIsRefusedWithTheVersionThatItTakes) {
  const auto opened = open({.driver = WARPWISE_OLD_DRIVER});
  ASSERT_FALSE(opened.ok());
  EXPECT_EQ(opened.error().code, "R0602");
  EXPECT_NE(opened.error().message.find("cuFuncGetParamInfo, which came with CUDA 12.4"), std::string::npos)
      << opened.error().message;
}

TEST(Driver, TheVariableNamesIt) {
  setenv(kDriverVariable, "/nowhere/else.so", 1);
  const auto found = find(0);
  unsetenv(kDriverVariable);
  ASSERT_FALSE(found.ok());
  EXPECT_NE(found.error().message.find("/nowhere/else.so"), std::string::npos);
}

TEST(Driver, SearchesTheUsualFolders) {
  setenv("LD_LIBRARY_PATH", "/first:relative:/second", 1);
  const auto folders = folders_of_drivers();
  unsetenv("LD_LIBRARY_PATH");
  ASSERT_GE(folders.size(), 3u);
  EXPECT_EQ(folders[0], "/first");
  EXPECT_EQ(folders[1], "/second");
  EXPECT_NE(std::find(folders.begin(), folders.end(), "/usr/local/nvidia/lib64"), folders.end());
}

TEST(Driver, CodesBecomeFailures) {
  EXPECT_EQ(failure_of(0), Failure::None);
  EXPECT_EQ(failure_of(2), Failure::OutOfMemory);
  EXPECT_EQ(failure_of(700), Failure::IllegalAddress);
  EXPECT_EQ(failure_of(716), Failure::MisalignedAddress);
  EXPECT_EQ(failure_of(999), Failure::LaunchFailure);  // CUDA_ERROR_UNKNOWN
  EXPECT_EQ(failure_of(101), Failure::InvalidValue);
}

TEST(Place, Words) {
  EXPECT_FALSE(read_place("").value());
  EXPECT_FALSE(read_place("virtual").value());
  EXPECT_EQ(read_place("gpu").value(), 0u);
  EXPECT_EQ(read_place("gpu:12").value(), 12u);
  for (const char* wrong : {"gpu:", "gpu:x", "gpu:1x", "gpu:-1", "cuda", "GPU", "gpu1", "gpu:99999999999"}) {
    const auto place = read_place(wrong);
    ASSERT_FALSE(place.ok()) << wrong;
    EXPECT_EQ(place.error().code, "U0005");
  }
}

}  // namespace
}  // namespace warpwise::device::gpu::testing
