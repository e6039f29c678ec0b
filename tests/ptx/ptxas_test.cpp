// Compares the verifier with ptxas, where it is installed: ptxas accepts every generated form that the verifier
// accepts. (The forms of a target go into one file; ptxas names the lines that it refuses.)
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "ptx/shapes/forms.h"
#include "ptx_files.h"

namespace warpwise::ptx {
namespace {

std::string ptxas() {
  for (const char* path : {"/usr/local/cuda/bin/ptxas", "/usr/bin/ptxas"})
    if (access(path, X_OK) == 0) return path;
  return "";
}

// "" when accepted, else the message of ptxas.
std::string judge(const std::string& text, const std::string& target) {
  std::string name = (std::filesystem::temp_directory_path() / "warpwise-XXXXXX").string();
  int fd = mkstemp(name.data());
  if (fd < 0) return "no temporary file";
  close(fd);
  std::ofstream(name) << text;
  std::string out, command = ptxas() + " -arch=" + target + " -c -o /dev/null " + name + " 2>&1";
  FILE* pipe = popen(command.c_str(), "r");
  char buffer[4096];
  while (size_t n = fread(buffer, 1, sizeof buffer, pipe)) out.append(buffer, n);
  int status = pclose(pipe);
  unlink(name.c_str());
  return status == 0 ? "" : out;
}

// `.sync`-less shfl and vote exist for old targets only.
bool is_legacy(const Spec& spec) { return spec.name.ends_with("_legacy"); }

TEST(Ptxas, accepts_the_forms_we_accept) {
  if (ptxas().empty()) GTEST_SKIP() << "ptxas is not installed";
  // The tcgen05 instructions of a kernel work for single blocks or for pairs.
  struct Part {
    bool new_target, pairs;
  };
  for (auto [new_target, pairs] : {Part{false, false}, Part{true, false}, Part{true, true}}) {
    std::string target = new_target ? "sm_100a" : "sm_90a", body;
    for (size_t i = 0; i < all_specs().size(); ++i) {
      Op op = static_cast<Op>(i);
      if ((spec_of(op).sm > 90) != new_target || is_legacy(spec_of(op))) continue;
      for (const Form& form : forms_of(op)) {
        if (pairs != (form.text.find(".cta_group::2") != std::string::npos)) continue;
        Diagnostics diagnostics;
        if (load_text(module_around(form.text + "\n", 90, target), diagnostics)) body += form.text + "\n";
      }
    }
    std::string text = module_around(body, 90, target);
    std::string said = judge(text, target);
    EXPECT_EQ(said.substr(0, 2000), "") << target;
  }
}

TEST(Ptxas, accepts_what_the_printer_writes) {
  if (ptxas().empty()) GTEST_SKIP() << "ptxas is not installed";
  for (const auto& entry : std::filesystem::directory_iterator(test_path("cases"))) {
    std::string file = entry.path().filename();
    if (file.starts_with("bad_")) continue;
    Diagnostics diagnostics;
    auto module = load_file("cases/" + file, diagnostics);
    ASSERT_TRUE(module) << file;
    EXPECT_EQ(judge(print(*module), std::string(module->target)), "") << file;
  }
}

}  // namespace
}  // namespace warpwise::ptx
