// Which modules the device runtime is linked to, and that it defines what headers for device code declare.
#include "exec/device_runtime/device_runtime.h"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <regex>
#include <set>

#include "base/diagnostics.h"
#include "ptx/parse/parser.h"

namespace warpwise::exec {
namespace {

constexpr std::string_view kHead = ".version 6.4\n.target sm_50\n.address_size 64\n";
constexpr std::string_view kKernel = ".visible .entry k()\n{\n  ret;\n}\n";

bool needs(std::string_view text) { return needs_device_runtime(std::string(kHead).append(text).append(kKernel)); }

TEST(DeviceRuntime, is_needed_by_modules_that_declare_its_functions) {
  EXPECT_TRUE(needs(".extern .func (.param .b32 r) __cudaCDP2GetLastError;\n"));
  EXPECT_TRUE(needs(".extern .func cudaGraphSetConditional(.param .b64 handle, .param .b32 value);\n"));
  EXPECT_FALSE(needs(""));
  EXPECT_FALSE(needs(".extern .func (.param .b32 r) vprintf(.param .b64 format, .param .b64 values);\n"));
}

TEST(DeviceRuntime, is_not_needed_by_modules_that_only_name_its_functions) {
  EXPECT_FALSE(needs("// __cudaCDP2GetLastError\n"));
  EXPECT_FALSE(needs(".global .align 1 .b8 __cudaCDP2Text[4];\n"));
  EXPECT_FALSE(needs(".visible .func cudaGraphSetConditional(.param .b64 handle, .param .b32 value)\n{\n  ret;\n}\n"));
  EXPECT_FALSE(needs(".extern .func (.param .b32 r) __cudaCDP2IsNoSuchFunction;\n"));
}

TEST(DeviceRuntime, defines_what_headers_for_device_code_declare) {
  std::ifstream file(WARPWISE_SOURCE_DIR "/include/cuda/warpwise/device_runtime.h");
  const std::string header{std::istreambuf_iterator<char>(file), {}};
  Diagnostics diagnostics;
  auto module = ptx::load(std::make_shared<SourceText>("runtime", std::string(device_runtime_ptx())), diagnostics);
  ASSERT_TRUE(module) << render_text(diagnostics, false);
  std::set<std::string, std::less<>> defined;
  for (const ptx::Function& f : module->functions)
    if (!f.is_declaration) defined.emplace(f.name);

  const std::regex name("__cudaCDP2\\w+");
  std::set<std::string> declared;
  for (std::sregex_iterator it(header.begin(), header.end(), name), end; it != end; ++it) declared.insert(it->str());
  EXPECT_GE(declared.size(), 20u);
  for (const std::string& function : declared) EXPECT_TRUE(defined.contains(function)) << function;
}

TEST(DeviceRuntime, has_the_variables_that_the_device_reads) {
  Diagnostics diagnostics;
  auto module = ptx::load(std::make_shared<SourceText>("runtime", std::string(device_runtime_ptx())), diagnostics);
  ASSERT_TRUE(module) << render_text(diagnostics, false);
  for (std::string_view name : {kLaunchList, kLaunchError})
    EXPECT_TRUE(std::any_of(module->variables.begin(), module->variables.end(), [&](const ptx::Variable& v) {
      return v.name == name;
    })) << name;
}

}  // namespace
}  // namespace warpwise::exec
