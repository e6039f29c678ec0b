#include "serve/reader.h"

#include <fmt/format.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

#include "serve/answers.h"
#include "serve/beside_answers.h"

namespace warpwise::serve {

namespace {

// Ends when the server does.
[[noreturn]] void read_and_answer(int socket, int file_fd) {
  const auto file = trace::TraceFile::open(fmt::format("/proc/self/fd/{}", file_fd));
  // Each view asks for the lines, they take longest, and a recording does not change.
  std::optional<Response> lines;
  answer_questions(socket, [&](const std::string& question, const Parameters& parameters) {
    if (!file) return refuse(422, file.error());
    const bool of_lines = question == "lines";
    if (of_lines && lines) return *lines;
    try {
      Response response = answer_about(**file, question, parameters);
      if (of_lines) lines = response;
      return response;
    } catch (const std::bad_alloc&) {
      return refuse(422, Error{"U0016", "there is not enough memory for the answer"});
    }
  });
  _exit(0);
}

// The same about two.
[[noreturn]] void compare_and_answer(int socket, int file_fd, int beside_fd) {
  const auto file = trace::TraceFile::open(fmt::format("/proc/self/fd/{}", file_fd));
  const auto beside = trace::TraceFile::open(fmt::format("/proc/self/fd/{}", beside_fd));
  std::optional<BesideAnswers> answers;
  if (file && beside) answers.emplace(**file, **beside);
  answer_questions(socket, [&](const std::string& question, const Parameters& parameters) {
    if (!answers) return refuse(422, file ? beside.error() : file.error());
    try {
      return answers->answer(question, parameters);
    } catch (const std::bad_alloc&) {
      return refuse(422, Error{"U0016", "there is not enough memory for the answer"});
    }
  });
  _exit(0);
}

// Of the server's descriptors it keeps these.
void close_others(std::vector<int> kept) {
  constexpr int kFirst = 3;
  std::sort(kept.begin(), kept.end());
  unsigned from = kFirst;
  for (const int fd : kept) {
    if (unsigned(fd) > from) syscall(SYS_close_range, from, unsigned(fd - 1), 0u);
    from = std::max(from, unsigned(fd + 1));
  }
  syscall(SYS_close_range, from, ~0u, 0u);
}

}  // namespace

Result<std::shared_ptr<AskedProcess>> start_reader(boost::asio::io_context& context, const OpenFile& file,
                                                   const OpenFile* beside) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
    return Error{"T0001", fmt::format("cannot make a socket: {}", std::strerror(errno))};
  const pid_t server = getpid(), child = fork();
  if (child == 0) {
    leave_the_server(server);
    std::vector<int> kept{ends[1], file.fd()};
    if (beside) kept.push_back(beside->fd());
    close_others(std::move(kept));
    if (beside) compare_and_answer(ends[1], file.fd(), beside->fd());
    read_and_answer(ends[1], file.fd());
  }
  close(ends[1]);
  if (child < 0) {
    close(ends[0]);
    return Error{"T0001", fmt::format("cannot start a process: {}", std::strerror(errno))};
  }
  return AskedProcess::adopt(context, ends[0], child,
                             {.gone = {"W0006", "the process that reads the recording has ended; reload the page"}});
}

}  // namespace warpwise::serve
