#include "lab/sandbox/loaded_compiler.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "toolchain/installation.h"

namespace warpwise::lab::sandbox {
namespace {

namespace fs = std::filesystem;

// Both halves of a source; one more for a build that asks for more at once.
constexpr size_t kSockets = 3;
// The exit code of a run whose program could not be started.
constexpr int kNotBegun = 127;
// What a run says, as much of it as is kept of any other command.
constexpr size_t kMostSaid = 64 << 10;

fs::path preloaded_library() {
  const fs::path library = toolchain::Installation::find().libraries / "libwarpwise-fork-at-main.so";
  std::error_code error;
  return fs::exists(library, error) ? library : fs::path();
}

bool send_all(int socket, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t n = send(socket, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    bytes.remove_prefix(size_t(n));
  }
  return true;
}

std::string request_of(const fs::path& output, const std::vector<std::string>& environment,
                       const std::vector<std::string>& words) {
  std::string texts = output.string() + '\0';
  for (const std::string& variable : environment) texts += variable + '\0';
  texts += '\0';
  for (const std::string& word : words) texts += word + '\0';
  const auto bytes = static_cast<uint32_t>(texts.size());
  return std::string(reinterpret_cast<const char*>(&bytes), sizeof bytes) + texts;
}

}  // namespace

std::optional<LoadedCompiler> LoadedCompiler::start(Job job, const fs::path& compiler) {
  const fs::path library = preloaded_library();
  if (library.empty()) return std::nullopt;
  std::vector<int> ours, theirs;
  for (size_t i = 0; i < kSockets; ++i) {
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) break;
    ours.push_back(ends[0]), theirs.push_back(ends[1]);
  }
  // A Clang that nothing can be preloaded into says its version and ends, and no run begins.
  job.command = {compiler.string(), "--version"};
  job.environment.push_back("LD_PRELOAD=" + library.string());
  job.environment.push_back(fmt::format("WARPWISE_FORK_AT_MAIN={}", fmt::join(theirs, ",")));
  job.descriptors = theirs;
  auto running = sandbox::start(job);
  for (int fd : theirs) close(fd);
  if (running && ours.size() == kSockets) return LoadedCompiler(std::move(running).value(), std::move(ours));
  for (int fd : ours) close(fd);
  return std::nullopt;
}

LoadedCompiler::~LoadedCompiler() {
  if (running_) running_->cancel();
  for (int fd : sockets_) close(fd);
}

std::optional<toolchain::JobResult> LoadedCompiler::run(const std::vector<std::string>& words,
                                                        const std::vector<std::string>& environment,
                                                        const fs::path& folder) {
  size_t slot = 0;
  {
    std::lock_guard lock(free_->mutex);
    if (free_->slots.empty()) return std::nullopt;
    slot = free_->slots.back();
    free_->slots.pop_back();
  }
  // A slot whose run has failed is not used again: the process at its other end has gone.
  const std::string name = fmt::format("said-{}", slot);
  if (!send_all(sockets_[slot], request_of(folder / name, environment, words))) return std::nullopt;
  int status = 0;
  ssize_t n;
  while ((n = recv(sockets_[slot], &status, sizeof status, MSG_WAITALL)) < 0 && errno == EINTR) {
  }
  if (n != sizeof status || !WIFEXITED(status) || WEXITSTATUS(status) == kNotBegun) return std::nullopt;
  auto said = read_product(folder, name, kMostSaid);
  std::error_code error;
  fs::remove(folder / name, error);
  if (!said) return std::nullopt;
  std::lock_guard lock(free_->mutex);
  free_->slots.push_back(slot);
  return toolchain::JobResult{WEXITSTATUS(status), std::move(said).value()};
}

std::optional<Outcome> LoadedCompiler::finish() {
  if (!running_) return std::nullopt;
  running_->cancel();
  auto outcome = running_->wait();
  running_.reset();
  return outcome ? std::optional(std::move(outcome).value()) : std::nullopt;
}

}  // namespace warpwise::lab::sandbox
