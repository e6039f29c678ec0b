#include "bench/worker/worker_program.h"

#include <fmt/format.h>

#include <cctype>

#include "toolchain/cache.h"
#include "toolchain/files.h"
#include "toolchain/flags.h"
#include "toolchain/hash.h"
#include "toolchain/installation.h"

namespace warpwise::bench {
namespace {

namespace fs = std::filesystem;

constexpr const char* kCallFile = "call.cu";

// A file at a path that depends on its text alone: the cache knows programs by the names of their sources, too.
Result<fs::path> keep_source(const std::string& text, std::optional<toolchain::TemporaryFolder>& temporary) {
  toolchain::Hasher hash;
  hash.add("bench call 2").add(text);
  const std::string key = hash.hex();
  toolchain::Cache cache = toolchain::Cache::from_environment();
  if (auto folder = cache.find_folder(key)) return *folder / kCallFile;
  auto scratch = cache.scratch();
  std::error_code error;
  if (!scratch) scratch = TRY(toolchain::TemporaryFolder::create(fs::temp_directory_path(error)));
  TRY(toolchain::write_file(scratch->path() / kCallFile, text));
  if (auto kept = cache.store_folder(key, *scratch)) return *kept / kCallFile;
  temporary = std::move(scratch).value();
  return temporary->path() / kCallFile;
}

}  // namespace

std::string call_source(const Ladder& ladder) {
  std::string declared, passed;
  for (size_t i = 0; i < ladder.parameters.size(); ++i) {
    const Parameter& p = ladder.parameters[i];
    const std::string type = p.pointer ? "void*" : p.spelling;  // extern "C": whatever the pointer points to
    declared += fmt::format("{}{}", i ? ", " : "", type);
    passed += fmt::format("{}*reinterpret_cast<{} const*>(a + {})", i ? ", " : "", type, i);
  }
  std::string text = "#include <cstdint>\n\n";
  for (const char* name : {"solve", "reference"})
    text += fmt::format("extern \"C\" void {0}({1});\nvoid warpwise_call_{0}(const uint64_t* a) {{ {0}({2}); }}\n",
                        name, declared, passed);
  return text;
}

Result<WorkerSources> worker_sources(const Ladder& ladder, const Version& version) {
  WorkerSources out;
  const fs::path headers = toolchain::Installation::find().root / "include";
  out.words = {"-O3", "-I" + headers.string()};
  out.words.insert(out.words.end(), version.flags.begin(), version.flags.end());
  // Code for the device's own architecture runs what an older one needs; one of its letters has to be asked for. All
  // steps have the same where possible, so that the sources that they share are compiled once.
  if (!version.needs.empty() && !std::isdigit(static_cast<unsigned char>(version.needs.back())))
    out.words.push_back("-arch=" + version.needs);
  out.words.insert(out.words.end(), {version.file.string(), ladder.reference().string(),
                                     TRY(keep_source(call_source(ladder), out.temporary)).string(),
                                     (headers / "warpwise/bench_main.cu").string()});
  return out;
}

Result<WorkerProgram> build_worker(const Ladder& ladder, const Version& version, const WorkerBuild& options) {
  const WorkerSources sources = TRY(worker_sources(ladder, version));
  WorkerProgram out;
  toolchain::BuildRequest request;
  request.flags = TRY(toolchain::parse_flags(sources.words));
  request.compiler = options.compiler;
  request.device_architecture = options.architecture;
  request.say = [&](std::string_view text) { out.messages += text; };
  auto made = toolchain::build_program(request, toolchain::Cache::from_environment());
  if (!made.ok() && made.error().code == "T0003")
    return Error{"B0004", fmt::format("it does not compile:\n{}", out.messages)};
  out.program = TRY(std::move(made));
  return out;
}

}  // namespace warpwise::bench
