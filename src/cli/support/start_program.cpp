#include "cli/support/start_program.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>

#include "cli/support/engine_options.h"
#include "cli/support/static_runtime.h"
#include "toolchain/installation.h"
#include "toolchain/program_environment.h"
#include "toolchain/route.h"

extern char** environ;

namespace warpwise::cli {

std::string as_file_here(std::string program) { return program.find('/') == program.npos ? "./" + program : program; }

Result<ProgramStart> start_of_program(Words words) {
  ProgramStart start{.file = as_file_here(words.at(0)), .modules = {}, .options = {}, .words = std::move(words)};
  if (access(start.file.c_str(), F_OK) != 0) return cannot_run(start.file, errno);
  TRY(prepare_static_runtime(start.file, toolchain::Installation::find().libraries));
  return start;
}

ProgramStart start_of_built(const toolchain::Program& built, const std::string& source, Words arguments) {
  arguments.insert(arguments.begin(), std::filesystem::path(source).replace_extension());
  return {.file = built.executable, .modules = built.modules, .options = {}, .words = std::move(arguments)};
}

void offer_tool_of_nvtx() {
  const std::string tool = (toolchain::Installation::find().libraries / "libcudart.so").string();
  setenv("NVTX_INJECTION64_PATH", tool.c_str(), /*overwrite=*/0);
}

int become_program(ProgramStart start, const std::function<void()>& opened) {
  toolchain::set_program_environment(toolchain::Installation::find());
  if (!start.options.empty()) setenv(kOptionsVariable, start.options.c_str(), 1);
  if (start.modules.empty())
    unsetenv(toolchain::kModulesVariable);
  else
    setenv(toolchain::kModulesVariable, start.modules.c_str(), 1);

  std::vector<char*> argv;
  for (std::string& word : start.words) argv.push_back(word.data());
  argv.push_back(nullptr);
  int fd = open(start.file.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd >= 0 && opened) opened();
  if (fd >= 0) fexecve(fd, argv.data(), environ);
  int reason = errno;
  // A script has to be opened again by its interpreter, which a file that closes on exec does not allow.
  if (reason == ENOENT && !opened) {
    execv(start.file.c_str(), argv.data());
    reason = errno;
  }
  return reason;
}

Result<void> check_program(const std::string& path) {
  // As it was typed: as_file_here() has put `./` before a name alone.
  const bool own_prefix = path.starts_with("./") && path.find('/', 2) == path.npos;
  const std::string file = own_prefix ? path.substr(2) : path;
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (!exists(status)) return {};
  if (is_directory(status))
    return Error{"U0006", fmt::format("`{}` is a folder: name a CUDA source (.cu) or a program", file)};
  if (!is_regular_file(status)) return {};
  if (access(path.c_str(), X_OK) == 0) return {};
  if (access(path.c_str(), R_OK) != 0) return cannot_run(file, EACCES);
  std::string magic(4, '\0');
  std::ifstream(path, std::ios::binary).read(magic.data(), magic.size());
  if (magic ==
          "\x7f"
          "ELF" ||
      magic.starts_with("#!"))
    return Error{"U0006", fmt::format("`{0}` is a program that may not be executed: chmod +x {0}", file)};
  return Error{"U0006", fmt::format("`{}` is neither a CUDA source (.cu) nor a program", file)};
}

Error cannot_run(const std::string& file, int reason) {
  return {"U0006", fmt::format("cannot run `{}`: {}", file, std::strerror(reason))};
}

int code_of_failed_start(int reason) { return reason == ENOENT ? kNotFound : kCannotExecute; }

}  // namespace warpwise::cli
