#include "toolchain/precompiled.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "toolchain/files.h"
#include "toolchain/hash.h"
#include "toolchain/inputs.h"
#include "toolchain/process.h"

namespace warpwise::toolchain {
namespace fs = std::filesystem;
namespace {

using Words = std::vector<std::string>;

fs::path folder_of(const Route& route) { return route.installation.libraries / "precompiled"; }

// What compilers take from the environment.
void add_environment(Hasher& hash) {
  for (const char* name : {"CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH", "LIBRARY_PATH", "COMPILER_PATH"}) {
    const char* value = std::getenv(name);
    hash.add(value ? value : "");
  }
}

bool is_include_folder(std::string_view word) { return word.starts_with("-I"); }

// Words that make no difference to our header, or none while no file of the folder is read in its place (is_shadowed).
bool matters(std::string_view word, Half half) {
  if (word == "-fcolor-diagnostics" || word == "-fno-color-diagnostics") return false;
  if (half == Half::Host && word.starts_with("--cuda-gpu-arch=")) return false;
  return !is_include_folder(word) && !word.starts_with("-idirafter");
}

std::string header_key(const Route& route, Half half, std::string_view name) {
  Hasher hash;
  hash.add(route.compiler.identity).add(half == Half::Device ? "device" : "host").add(name);
  for (const std::string& word : clang_words(route, half)) {
    if (!matters(word, half)) continue;
    // The level of optimisation makes no difference to a header.
    hash.add(word == "-O1" || word == "-O3" ? "-O2" : word);
  }
  add_environment(hash);
  return hash.hex();
}

// Whether a folder of the user's, which is searched before the system's, has what an `#include` of ours may find:
// <sys/types.h> in FOLDER/sys/types.h.
bool is_shadowed(const std::vector<InputFile>& files, const fs::path& folder) {
  constexpr int kLongest = 3;  // parts of a name that a header of the system is included by
  std::error_code error;
  if (!fs::is_directory(folder, error)) return false;
  return std::any_of(files.begin(), files.end(), [&](const InputFile& file) {
    const fs::path path = file.path;
    fs::path name = path.filename(), parent = path.parent_path();
    for (int parts = 1; parts <= kLongest; ++parts) {
      if (fs::exists(folder / name, error)) return true;
      name = parent.filename() / name, parent = parent.parent_path();
    }
    return false;
  });
}

std::string link_key(const Route& route) {
  Hasher hash;
  hash.add(route.compiler.identity).add(fastest_linker(route.compiler)).add(route.installation.libraries.string());
  hash.add(uint64_t{route.for_library});
  add_environment(hash);
  return hash.hex();
}

// The words of a line that Clang prints with -###: each in quotes, with backslashes before quotes and backslashes.
Words quoted_words(std::string_view line) {
  Words words;
  for (size_t at = 0; (at = line.find('"', at)) != line.npos;) {
    std::string word;
    for (++at; at < line.size() && line[at] != '"'; ++at) {
      if (line[at] == '\\' && at + 1 < line.size()) ++at;
      word += line[at];
    }
    if (at < line.size()) ++at;
    words.push_back(std::move(word));
  }
  return words;
}

Result<JobResult> run_one(Job job) {
  auto results = TRY(run_jobs({std::move(job)}, {}));
  if (results[0].exit_code != 0) return Error{"T0003", fmt::format("compiling ahead failed: {}", results[0].output)};
  return std::move(results[0]);
}

Result<void> prepare_header(const Route& route, Half half, std::string_view name) {
  const std::string key = header_key(route, half, name);
  TemporaryFolder work = TRY(TemporaryFolder::create(folder_of(route)));
  const fs::path header = work.path() / "header.pch", dependencies = work.path() / "header.d";
  TRY(run_one(clang_header_job(route, half, name, header, dependencies)));
  InputVariant made{{}, key};
  for (const std::string& path : parse_dependencies(TRY(read_file(dependencies))))
    if (auto stamp = stamp_of(path)) made.files.push_back({path, *stamp, hash_of("")});  // stamps decide alone
  TRY(write_file(folder_of(route) / (key + ".pch"), TRY(read_file(header))));
  return write_file(folder_of(route) / (key + ".inputs"), encode_variants({made}));
}

Result<void> prepare_link(const Route& route) {
  Job job = clang_link_job(route, {kLinkObjects}, kLinkOutput);
  job.command.insert(job.command.begin() + 1, "-###");
  JobResult said = TRY(run_one(job));
  // The last line is the linker's.
  std::string_view text = said.output;
  while (text.ends_with('\n')) text.remove_suffix(1);
  Words words = quoted_words(text.substr(text.rfind('\n') + 1));
  const bool whole = std::count(words.begin(), words.end(), kLinkObjects) == 1 &&
                     std::count(words.begin(), words.end(), kLinkOutput) == 1;
  if (!whole) return Error{"T0003", "Clang does not say how it links"};
  std::string lines;
  for (const std::string& word : words) lines += word + '\n';
  return write_file(folder_of(route) / (link_key(route) + ".link"), lines);
}

}  // namespace

fs::path find_precompiled_header(const Route& route, Half half, std::string_view name) {
  const std::string key = header_key(route, half, name);
  auto text = read_file(folder_of(route) / (key + ".inputs"));
  if (!text) return "";
  auto variants = decode_variants(*text);
  if (!variants || variants->size() != 1) return "";
  const std::vector<InputFile>& files = (*variants)[0].files;
  for (const InputFile& file : files)
    if (stamp_of(file.path) != file.stamp) return "";
  for (const std::string& word : clang_words(route, half))
    if (is_include_folder(word) && is_shadowed(files, word.substr(2))) return "";
  fs::path header = folder_of(route) / (key + ".pch");
  std::error_code error;
  return fs::exists(header, error) ? header : "";
}

std::optional<Words> find_link_words(const Route& route) {
  auto text = read_file(folder_of(route) / (link_key(route) + ".link"));
  if (!text) return std::nullopt;
  Words words;
  for (size_t at = 0; at < text->size();) {
    size_t end = std::min(text->find('\n', at), text->size());
    words.push_back(text->substr(at, end - at));
    at = end + 1;
  }
  std::error_code error;
  if (words.empty() || !fs::exists(words[0], error)) return std::nullopt;
  return words;
}

bool is_prepared_ahead(const Route& route) {
  return find_link_words(route) && !find_precompiled_header(route, Half::Device, kRuntimeHeader).empty() &&
         !find_precompiled_header(route, Half::Host, kRuntimeHeader).empty();
}

Result<void> prepare_ahead(const Route& route) {
  std::error_code error;
  fs::remove_all(folder_of(route), error);
  fs::create_directories(folder_of(route), error);
  if (error) return Error{"U0002", fmt::format("cannot make `{}`: {}", folder_of(route).string(), error.message())};
  Route checked = route;  // builds for checkers are other builds: -O0, and lines in host code
  checked.for_check = true;
  for (const Route* each : {&route, static_cast<const Route*>(&checked)}) {
    for (Half half : {Half::Device, Half::Host})
      for (std::string_view name : {kRuntimeHeader, kHalfHeader}) TRY(prepare_header(*each, half, name));
    Route library = *each;  // differs in the host half alone: position-independent code
    library.for_library = true;
    TRY(prepare_header(library, Half::Host, kRuntimeHeader));
  }
  Route library = route;
  library.for_library = true;
  TRY(prepare_link(library));
  return prepare_link(route);
}

}  // namespace warpwise::toolchain
