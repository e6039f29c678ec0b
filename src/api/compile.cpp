#include "warpwise/compile.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/result.h"
#include "toolchain/build.h"
#include "toolchain/process.h"

namespace warpwise {
namespace {

namespace fs = std::filesystem;

toolchain::CompilerChoice choice_of(Compiler compiler) {
  switch (compiler) {
    case Compiler::Clang:
      return toolchain::CompilerChoice::Clang;
    case Compiler::Nvcc:
      return toolchain::CompilerChoice::Nvcc;
    case Compiler::Automatic:
      break;
  }
  return toolchain::CompilerChoice::Automatic;
}

// Compilers name the file as they were given it, in messages and in PTX. Who gave a text knows nothing of our folder,
// and PTX that named it would be different each time: no cache of compiled kernels would ever know it.
std::string without(std::string text, const std::string& folder) {
  if (folder.empty()) return text;
  for (size_t at = 0; (at = text.find(folder, at)) != text.npos;) text.erase(at, folder.size());
  return text;
}

// `hidden`: a folder's name to leave out everywhere, with the slash behind it.
Result<std::string> compile_file(const std::string& path, const CompileOptions& options, const std::string& hidden) {
  toolchain::BuildRequest request;
  std::vector<std::string> words = options.flags;
  words.push_back(path);
  request.flags = TRY(toolchain::parse_flags(words));
  if (request.flags.inputs.size() != 1 || request.flags.inputs[0] != path)
    return Error{"T0005", "the flags may not name files or end in the middle of an option: one source is compiled"};
  if (request.flags.dry_run) return Error{"T0005", "`-dryrun` makes no PTX"};
  request.flags.cuda_language = true;
  // In __FILE__, and in debug sections, where it is no text.
  if (!hidden.empty()) request.flags.clang.device.push_back("-ffile-prefix-map=" + hidden + "=");
  request.compiler = choice_of(options.compiler);
  request.device_architecture = options.architecture;
  std::string messages;
  request.say = [&](std::string_view text) { messages += text; };

  auto made = toolchain::build_ptx(request, toolchain::Cache::from_environment());
  messages = without(std::move(messages), hidden);
  if (made) {
    if (options.on_message && !messages.empty()) options.on_message(messages);
    return without(std::move((*made)[0].ptx), hidden);
  }
  Error error = std::move(made).error();
  if (!messages.empty()) error.message += "\n" + messages;
  return error;
}

// Signals that came while a compiler ran have waited until everything is tidy again.
Result<std::string> finished(Result<std::string> result) {
  if (!result && result.error().code == "T0009") toolchain::die_of_interrupt();
  return result;
}

Result<void> write_header(const fs::path& folder, const fs::path& name, std::string_view text) {
  bool inside = !name.empty() && name.is_relative() && name.has_filename() &&
                std::find(name.begin(), name.end(), "..") == name.end();
  if (!inside) return Error{"U0001", fmt::format("`{}` cannot be the name of a header", name.string())};
  std::error_code error;
  fs::create_directories((folder / name).parent_path(), error);
  if (error)
    return Error{"U0002", fmt::format("cannot make the folder of header `{}`: {}", name.string(), error.message())};
  return toolchain::write_file(folder / name, text);
}

Result<std::string> compile_text(std::string_view source, const CompileOptions& options) {
  fs::path name = fs::path(options.name).filename();
  if (name.empty() || name != options.name)
    return Error{"U0001", fmt::format("`{}` cannot be the name of a source: it takes a file name without folders",
                                      options.name)};
  std::error_code error;
  fs::path parent = fs::temp_directory_path(error);
  if (error) return Error{"U0002", fmt::format("there is no folder for temporary files: {}", error.message())};
  toolchain::TemporaryFolder folder = TRY(toolchain::TemporaryFolder::create(parent));
  TRY(toolchain::write_file(folder.path() / name, source));
  CompileOptions with_headers = options;
  if (!options.headers.empty()) {
    // Apart from the source, so that a header cannot replace it.
    fs::path headers = folder.path() / "include";
    for (const auto& [file, text] : options.headers) TRY(write_header(headers, file, text));
    with_headers.flags.insert(with_headers.flags.begin(), "-I" + headers.string());
  }
  return compile_file(folder.path() / name, with_headers, folder.path().string() + "/");
}

}  // namespace

Result<std::string> compile_cuda(std::string_view source, const CompileOptions& options) {
  return finished(compile_text(source, options));
}

Result<std::string> compile_cuda_file(const std::string& path, const CompileOptions& options) {
  return finished(compile_file(path, options, ""));
}

}  // namespace warpwise
