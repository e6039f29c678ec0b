#include "serve/reader.h"

#include <fmt/format.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstring>

#include "serve/answers.h"

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

// Of the server's descriptors it keeps these two.
void close_others(int socket, int file_fd) {
  const int low = std::min(socket, file_fd), high = std::max(socket, file_fd);
  constexpr unsigned kFirst = 3;
  if (low > int(kFirst)) syscall(SYS_close_range, kFirst, unsigned(low - 1), 0u);
  if (high > low + 1) syscall(SYS_close_range, unsigned(low + 1), unsigned(high - 1), 0u);
  syscall(SYS_close_range, unsigned(high + 1), ~0u, 0u);
}

}  // namespace

Result<std::shared_ptr<AskedProcess>> start_reader(boost::asio::io_context& context, const OpenFile& file) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
    return Error{"T0001", fmt::format("cannot make a socket: {}", std::strerror(errno))};
  const pid_t server = getpid(), child = fork();
  if (child == 0) {
    leave_the_server(server);
    close_others(ends[1], file.fd());
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
