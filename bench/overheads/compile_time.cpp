#include <chrono>
#include <fstream>
#include <sstream>

#include "base/diagnostics.h"
#include "exec/loading/compiler_plugin.h"
#include "overheads/overheads.h"
#include "ptx/parse/parser.h"

namespace warpwise::bench {

double compile_ms(const Programs& programs) {
  std::string ptx_file = programs.folder + "/sgemm_tiled.ptx";
  run_process({programs.warpwise, "nvcc", "--compiler=clang", "-ptx", "-o", ptx_file,
               WARPWISE_SOURCE_DIR "/bench/kernels/sgemm_tiled.cu"});
  std::ifstream file(ptx_file);
  std::ostringstream text;
  text << file.rdbuf();

  auto compiler = exec::compiler_plugin("").open();
  if (!compiler.ok()) give_up(compiler.error().message);
  std::vector<double> times;
  for (int round = 0; round < 11; ++round) {
    auto start = std::chrono::steady_clock::now();
    Diagnostics diagnostics;
    auto module = ptx::load(std::make_shared<SourceText>("sgemm_tiled.ptx", text.str()), diagnostics);
    if (!module) give_up(ptx_file + " does not load");
    uint32_t kernel = 0;
    while (kernel < module->functions.size() && !module->functions[kernel].is_entry) ++kernel;
    simt::CompileOptions options;
    options.block = {16, 16, 1};
    auto code = (*compiler)->compile(*module, kernel, options);
    if (!code.ok()) give_up(code.error().message);
    // The first one pays for LLVM's own tables.
    if (round > 0)
      times.push_back(std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count());
  }
  return median_of(std::move(times));
}

}  // namespace warpwise::bench
