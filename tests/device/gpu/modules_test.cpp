// Modules of a GpuDevice: compiled when they are needed, their kernels and variables.
#include "gpu_fixture.h"

namespace warpwise::device::gpu::testing {
namespace {

TEST_F(OnFakeDriver, KernelsHaveTheDriversFigures) {
  const Launch launch = launch_of("first");
  const KernelInfo& info = gpu().kernel_info(launch.kernel);
  EXPECT_EQ(info.name, "first");
  EXPECT_EQ(info.registers, 40u);
  EXPECT_EQ(info.static_shared_bytes, 256u);
  ASSERT_EQ(info.parameters.size(), 3u);
  EXPECT_EQ(info.parameters[1].offset, 8u);
  EXPECT_EQ(info.parameters[2].size, 2u);
  EXPECT_EQ(info.parameter_bytes, 18u);
}

TEST_F(OnFakeDriver, AModuleIsCompiledWhenItIsNeeded) {
  const ModuleId module = load();
  EXPECT_EQ(count("cuModuleLoadDataEx"), 0u);
  KernelId kernel = 0, again = 0;
  EXPECT_OK(gpu().find_kernel(module, "first", &kernel));
  EXPECT_OK(gpu().find_kernel(module, "first", &again));
  EXPECT_EQ(kernel, again);
  EXPECT_EQ(gpu().find_kernel(module, "third", &kernel).failure, Failure::NotFound);
  EXPECT_EQ(count("cuModuleLoadDataEx"), 1u);
  std::vector<std::string> names;
  EXPECT_OK(gpu().list_kernels(module, &names));
  EXPECT_EQ(names, (std::vector<std::string>{"first", "second"}));
  EXPECT_OK(gpu().unload_module(module));
  EXPECT_EQ(gpu().submit(0, Launch{.kernel = kernel}).failure, Failure::InvalidValue);
}

TEST_F(OnFakeDriver, AModuleIsCompiledAheadOfWorkOnRequest) {
  EXPECT_TRUE(gpu().wants_modules_ahead());
  const ModuleId module = load();
  gpu().make_ready(module);
  EXPECT_EQ(count("cuModuleLoadDataEx"), 1u);
  EXPECT_EQ(count("cuFuncLoad"), 2u);
  KernelId kernel = 0;
  EXPECT_OK(gpu().find_kernel(module, "first", &kernel));
  EXPECT_EQ(count("cuModuleLoadDataEx"), 1u);
  // What fails ahead is told by the first look-up.
  fake_->compile_error = "fatal : Parsing error\n";
  const ModuleId broken = load();
  gpu().make_ready(broken);
  EXPECT_EQ(gpu().find_kernel(broken, "first", &kernel).failure, Failure::InvalidPtx);
  EXPECT_EQ(count("cuModuleLoadDataEx"), 2u);
}

// Relocatable code: the text of several modules, which the driver links.
TEST_F(OnFakeDriver, SeveralModulesOfOneTextAreLinked) {
  const std::string second = ".version 8.0\n.target sm_80\n.visible .entry fourth(.param .u32 n) { ret; }\n";
  ModuleId module = 0;
  EXPECT_OK(gpu().load_module(std::string(kModule) + "\n" + second, "two", &module));
  KernelId kernel = 0;
  EXPECT_OK(gpu().find_kernel(module, "first", &kernel));
  EXPECT_OK(gpu().find_kernel(module, "fourth", &kernel));
  EXPECT_EQ(count("cuLinkAddData_v2"), 2u);
  EXPECT_NE(fake_->module_text.find("// linked\n.version 8.0\n"), std::string::npos) << fake_->module_text;
  EXPECT_EQ(fake_->live["link"], 0);
  EXPECT_OK(gpu().unload_module(module));
}

TEST_F(OnFakeDriver, CodeWithLineTablesIsOptimised) {
  ModuleId module = 0;
  EXPECT_OK(gpu().load_module(".version 8.0\n.target sm_80, debug\n.entry k(.param .u32 n) { ret; }", "k", &module));
  KernelId kernel = 0;
  EXPECT_OK(gpu().find_kernel(module, "k", &kernel));
  EXPECT_NE(fake_->module_text.find(".target sm_80\n"), std::string::npos) << fake_->module_text;
}

TEST_F(OnFakeDriver, TheCompilersWordsArePassedOn) {
  const ModuleId module = load();
  fake_->compile_error = "ptxas application ptx input, line 9; fatal : Parsing error\n";
  KernelId kernel = 0;
  const Status status = gpu().find_kernel(module, "first", &kernel);
  EXPECT_EQ(status.failure, Failure::InvalidPtx);
  EXPECT_NE(status.detail.find("line 9; fatal : Parsing error"), std::string::npos) << status.detail;
  EXPECT_EQ(gpu().find_kernel(module, "second", &kernel).detail, status.detail);
  EXPECT_EQ(count("cuModuleLoadDataEx"), 1u);
}

TEST_F(OnFakeDriver, VariablesAndTheManagedOnes) {
  const ModuleId module = load();
  EXPECT_OK(gpu().make_managed(module, "counter"));
  EXPECT_OK(gpu().make_managed(module, "shared"));  // which is managed already
  EXPECT_EQ(gpu().make_managed(module, "count").failure, Failure::NotFound);
  SymbolInfo counter;
  EXPECT_OK(gpu().find_symbol(module, "counter", &counter));
  EXPECT_NE(fake_->module_text.find(".visible .global .attribute(.managed) .align 4 .u32 counter;"), std::string::npos)
      << fake_->module_text;
  EXPECT_EQ(fake_->module_text.find(".attribute(.managed) .attribute"), std::string::npos);
  EXPECT_EQ(counter.size, 4u);
  EXPECT_EQ(gpu().find_allocation(counter.address + 3)->kind, MemoryKind::Managed);
  SymbolInfo none;
  EXPECT_EQ(gpu().find_symbol(module, "", &none).failure, Failure::NotFound);
  EXPECT_EQ(gpu().make_managed(module, "counter").failure, Failure::InvalidValue);  // too late
  EXPECT_OK(gpu().unload_module(module));
  EXPECT_FALSE(gpu().find_allocation(counter.address));
}

}  // namespace
}  // namespace warpwise::device::gpu::testing
