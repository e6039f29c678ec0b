#include "serve/asked_process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/write.hpp>
#include <cstring>
#include <deque>

namespace warpwise::serve {

namespace {

namespace asio = boost::asio;
using Code = boost::system::error_code;

constexpr size_t kMostWaiting = 64;
constexpr uint32_t kMostQuestion = 16 * 1024, kMostAnswer = 256u << 20;

// --- messages: the length of the text, then the text; an answer has its status and the length of its type before it
struct AnswerHead {
  uint32_t status = 0, type_bytes = 0, body_bytes = 0;
};

std::string text_of(const std::string& question, const Parameters& parameters) {
  std::string text = question + '\n';
  for (const auto& [name, value] : parameters) text += fmt::format("{}={}\n", name, value);
  return text;
}

Parameters parameters_of(std::string_view lines) {
  Parameters parameters;
  while (!lines.empty()) {
    const std::string_view line = lines.substr(0, lines.find('\n'));
    lines.remove_prefix(std::min(lines.size(), line.size() + 1));
    const size_t equals = line.find('=');
    if (equals != line.npos) parameters.emplace(line.substr(0, equals), line.substr(equals + 1));
  }
  return parameters;
}

// --- in the process
bool read_all(int fd, void* to, size_t bytes) {
  for (char* at = static_cast<char*>(to); bytes > 0;) {
    const ssize_t n = read(fd, at, bytes);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    at += n, bytes -= size_t(n);
  }
  return true;
}
bool write_all(int fd, std::string_view text) {
  while (!text.empty()) {
    const ssize_t n = send(fd, text.data(), text.size(), MSG_NOSIGNAL);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    text.remove_prefix(size_t(n));
  }
  return true;
}

// --- in the server
class Process : public AskedProcess, public std::enable_shared_from_this<Process> {
 public:
  Process(asio::io_context& context, int socket, pid_t child, Options options)
      : options_(std::move(options)),
        socket_(context, asio::local::stream_protocol(), socket),
        timer_(context),
        child_(child) {}
  ~Process() override { end(); }

  bool alive() const override { return child_ > 0; }

  void ask(const std::string& question, const Parameters& parameters, std::function<void(Response)> done) override {
    if (!alive()) return done(gone());
    if (waiting_.size() >= kMostWaiting)
      return done(refuse(503, Error{"W0005", "too many questions wait for an answer: try again"}));
    const std::string text = text_of(question, parameters);
    const uint32_t bytes = uint32_t(text.size());
    waiting_.push_back({std::string(reinterpret_cast<const char*>(&bytes), sizeof bytes) + text, std::move(done)});
    if (waiting_.size() == 1) send();
  }

 private:
  struct Waiting {
    std::string message;
    std::function<void(Response)> done;
  };

  Response gone() const { return refuse(502, options_.gone); }

  void send() {
    timer_.expires_after(options_.slowest);
    timer_.async_wait([self = weak_from_this()](Code error) {
      if (const auto process = self.lock(); process && !error) process->fail();
    });
    asio::async_write(socket_, asio::buffer(waiting_.front().message), continued([this] { receive_head(); }));
  }
  void receive_head() {
    asio::async_read(socket_, asio::buffer(&head_, sizeof head_), continued([this] {
                       if (head_.body_bytes > kMostAnswer || head_.type_bytes > kMostQuestion) return fail();
                       text_.resize(size_t{head_.type_bytes} + head_.body_bytes);
                       receive_text();
                     }));
  }
  void receive_text() {
    asio::async_read(socket_, asio::buffer(text_), continued([this] {
                       Response response{.status = head_.status, .type = text_.substr(0, head_.type_bytes)};
                       response.body = text_.substr(head_.type_bytes);
                       const auto done = std::move(waiting_.front().done);
                       waiting_.pop_front();
                       timer_.cancel();
                       // Hearing the answer may ask the next question, which is then sent by ask().
                       if (!waiting_.empty()) send();
                       done(std::move(response));
                     }));
  }

  std::function<void(Code, size_t)> continued(std::function<void()> body) {
    return [self = shared_from_this(), body = std::move(body)](Code error, size_t) {
      if (!self->alive()) return;
      if (error) return self->fail();
      body();
    };
  }

  // Those who wait are told, and the next question starts another process.
  void fail() {
    end();
    for (auto waiting = std::exchange(waiting_, {}); const Waiting& one : waiting) one.done(gone());
  }
  void end() {
    if (child_ <= 0) return;
    kill(options_.own_group ? -child_ : child_, SIGKILL);
    waitpid(child_, nullptr, 0);
    child_ = -1;
    Code ignored;
    timer_.cancel(ignored), socket_.close(ignored);
  }

  const Options options_;
  asio::local::stream_protocol::socket socket_;
  asio::steady_timer timer_;
  pid_t child_;
  std::deque<Waiting> waiting_;  // the first one is being answered
  AnswerHead head_;
  std::string text_;
};

}  // namespace

std::shared_ptr<AskedProcess> AskedProcess::adopt(asio::io_context& context, int socket, pid_t child, Options options) {
  return std::make_shared<Process>(context, socket, child, std::move(options));
}

Result<std::shared_ptr<AskedProcess>> AskedProcess::start(asio::io_context& context, std::vector<std::string> command,
                                                          const std::filesystem::path& folder, Options options) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
    return Error{"T0001", fmt::format("cannot make a socket: {}", std::strerror(errno))};
  options.own_group = true;
  const pid_t server = getpid(), child = fork();
  if (child == 0) {
    setpgid(0, 0);
    leave_the_server(server);
    const int nowhere = open("/dev/null", O_WRONLY);
    if (nowhere < 0 || chdir(folder.c_str()) != 0) _exit(127);
    dup2(ends[1], STDIN_FILENO), dup2(nowhere, STDOUT_FILENO), dup2(nowhere, STDERR_FILENO);
    constexpr unsigned kFirst = 3;
    syscall(SYS_close_range, kFirst, ~0u, 0u);
    std::vector<char*> words;
    for (std::string& word : command) words.push_back(word.data());
    words.push_back(nullptr);
    execv(words[0], words.data());
    _exit(127);
  }
  close(ends[1]);
  if (child < 0) {
    close(ends[0]);
    return Error{"T0001", fmt::format("cannot start a process: {}", std::strerror(errno))};
  }
  setpgid(child, child);  // whichever of us is first
  return adopt(context, ends[0], child, std::move(options));
}

void answer_questions(int socket, const AnswerTo& answer) {
  for (;;) {
    uint32_t bytes = 0;
    if (!read_all(socket, &bytes, sizeof bytes) || bytes > kMostQuestion) return;
    std::string text(bytes, 0);
    if (!read_all(socket, text.data(), bytes)) return;
    const size_t end = std::min(text.find('\n'), text.size());
    const Response response =
        answer(text.substr(0, end), parameters_of(std::string_view(text).substr(std::min(end + 1, text.size()))));
    const AnswerHead head{response.status, uint32_t(response.type.size()), uint32_t(response.body.size())};
    if (!write_all(socket, {reinterpret_cast<const char*>(&head), sizeof head}) || !write_all(socket, response.type) ||
        !write_all(socket, response.body))
      return;
  }
}

void leave_the_server(pid_t server) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != server) _exit(0);
  prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGPIPE}) ::signal(signal, SIG_DFL);
  const rlimit none{0, 0};
  setrlimit(RLIMIT_CORE, &none);
}

}  // namespace warpwise::serve
