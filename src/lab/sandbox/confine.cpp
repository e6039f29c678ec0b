// The program warpwise-confine: the supervisor of one untrusted command (sandbox.h). Reads a job from its standard
// input, one line of JSON, and writes the outcome to its standard output; when its input closes, the command ends.
//
//     printf '{"command":["/bin/true"],…}\n' | warpwise-confine
#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "lab/sandbox/descriptors.h"
#include "lab/sandbox/inside.h"
#include "lab/sandbox/supervisor.h"

using namespace warpwise;
using namespace warpwise::lab;

namespace {

// Up to the end of the line; the caller keeps the other end open.
std::string read_line() {
  std::string line;
  char part[4096];
  while (line.find('\n') == std::string::npos) {
    ssize_t n = read(STDIN_FILENO, part, sizeof part);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) break;
    line.append(part, static_cast<size_t>(n));
  }
  return line;
}

bool write_all(const std::string& text) {
  for (size_t sent = 0; sent < text.size();) {
    ssize_t n = write(STDOUT_FILENO, text.data() + sent, text.size() - sent);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    sent += static_cast<size_t>(n);
  }
  return true;
}

}  // namespace

int main(int count, char** words) {
  if (count == 3 && std::string(words[1]) == "--inside") sandbox::become_inside(std::atoi(words[2]), nullptr);
  signal(SIGPIPE, SIG_IGN);
  const std::string line = read_line();
  if (!line.ends_with('\n')) return 1;  // the caller has ended before it had sent the job: no one waits for an outcome
  auto job = sandbox::job_from_json(line);
  if (!job.ok() || job.value().command.empty()) {
    std::fprintf(stderr, "warpwise-confine: %s\n", job.ok() ? "the job has no command" : job.error().message.c_str());
    return 2;
  }
  char self[4096];
  ssize_t length = readlink("/proc/self/exe", self, sizeof self);
  if (length <= 0) return 2;
  // Of a series: the caller sends them when it has seen that this program runs.
  std::vector<int> descriptors;
  if (job.value().series && (!write_all("\n") || (descriptors = sandbox::receive_descriptors(STDIN_FILENO)).empty()))
    return 1;
  bool answered = true;
  sandbox::keep(job.value(), STDIN_FILENO, std::string(self, static_cast<size_t>(length)), std::move(descriptors),
                [&](const sandbox::Outcome& outcome) { answered = write_all(to_json(outcome) + "\n") && answered; });
  return answered ? 0 : 1;
}
