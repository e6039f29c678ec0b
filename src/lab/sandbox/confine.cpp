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
  std::string answer =
      to_json(sandbox::keep(job.value(), STDIN_FILENO, std::string(self, static_cast<size_t>(length))));
  for (size_t sent = 0; sent < answer.size();) {
    ssize_t n = write(STDOUT_FILENO, answer.data() + sent, answer.size() - sent);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return 1;
    sent += static_cast<size_t>(n);
  }
  return 0;
}
