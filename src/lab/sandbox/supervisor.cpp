#include "lab/sandbox/supervisor.h"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>

#include "lab/sandbox/call_judge.h"
#include "lab/sandbox/descriptors.h"
#include "lab/sandbox/inside.h"
#include "lab/sandbox/namespaces.h"
#include "lab/sandbox/process_tree.h"

namespace warpwise::lab::sandbox {
namespace {

using Clock = std::chrono::steady_clock;

// How often time, memory, tasks and folders are checked: a check costs half a millisecond. Memory that is more than
// half full is checked more often: a program that fills it as fast as it can gets a few dozen megabytes further.
constexpr auto kCheckInterval = std::chrono::milliseconds(20), kQuickCheckInterval = std::chrono::milliseconds(4);
constexpr unsigned kChecksPerWalk = 5;
// Bubblewrap and the inner process.
constexpr unsigned kOwnTasks = 2;

struct OnDisk {
  uint64_t bytes = 0;
  unsigned files = 0;
};
void add_folder(int folder, OnDisk& found, const Limits& limits, unsigned depth = 0) {
  DIR* entries = fdopendir(folder);
  if (!entries) {
    close(folder);
    return;
  }
  while (dirent* entry = readdir(entries)) {
    if (std::strcmp(entry->d_name, ".") == 0 || std::strcmp(entry->d_name, "..") == 0) continue;
    if (++found.files > limits.files) break;
    struct stat info{};
    if (fstatat(dirfd(entries), entry->d_name, &info, AT_SYMLINK_NOFOLLOW) != 0) continue;
    if (S_ISREG(info.st_mode)) found.bytes += static_cast<uint64_t>(info.st_blocks) * 512;
    if (!S_ISDIR(info.st_mode) || depth > 64) continue;
    int below = openat(dirfd(entries), entry->d_name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (below >= 0) add_folder(below, found, limits, depth + 1);
  }
  closedir(entries);
}

class Supervisor {
 public:
  Supervisor(const Job& job, int life, std::string self, std::vector<int> descriptors)
      : job_(job),
        self_(std::move(self)),
        life_(life),
        given_(std::move(descriptors)),
        judge_(job, getpid(), kOwnTasks) {}
  // The first run, and the next one of a series whose sandbox stands.
  Outcome keep();
  Outcome keep_again(std::vector<int> descriptors);

 private:
  void start_next();
  Outcome finish();
  bool start(bool namespaces);
  void loop();
  void end(End how, std::string what = {}, int code = 0);
  void hear();
  void read_output(int& fd, std::string& kept);
  void answer_question();
  void check_limits();

  const Job& job_;
  std::string self_;
  int life_;
  std::vector<int> given_;  // of a series: for the run that begins
  int socket_ = -1, out_ = -1, err_ = -1, questions_ = -1;
  pid_t inside_ = -1;
  bool ready_ = false;    // entering the namespaces worked, or there are none
  bool started_ = false;  // the command, or the first of two
  bool over_ = false;
  bool has_ended_ = false;  // the command, by itself
  uint64_t written_ = 0;
  uint64_t memory_ = 0;  // at the last check
  unsigned checks_ = 0;
  OnDisk before_;                // the bytes in its folders before
  double processor_before_ = 0;  // what the runs before this one have used
  Clock::time_point begin_ = Clock::now();
  CallJudge judge_;
  Outcome outcome_;
};

OnDisk on_disk(const Job& job) {
  OnDisk found;
  for (const std::string& path : job.writable) {
    int folder = open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder >= 0) add_folder(folder, found, job.limits);
  }
  return found;
}

bool Supervisor::start(bool namespaces) {
  int sockets[2], out[2], err[2];
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, sockets) != 0 || pipe2(out, O_CLOEXEC) != 0 ||
      pipe2(err, O_CLOEXEC) != 0) {
    end(End::NotStarted, fmt::format("no pipes: {}", std::strerror(errno)));
    return false;
  }
  std::vector<std::string> words;
  if (namespaces) words = in_namespaces(job_, self_, {"--inside", std::to_string(sockets[1])});
  if (namespaces && words.empty()) {
    for (int fd : {sockets[0], sockets[1], out[0], out[1], err[0], err[1]}) close(fd);
    return false;
  }
  inside_ = fork();
  if (inside_ == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
    dup2(nothing, STDIN_FILENO);
    dup2(job_.series ? nothing : out[1], STDOUT_FILENO);
    dup2(job_.series ? nothing : err[1], STDERR_FILENO);
    if (!namespaces) become_inside(sockets[1], &job_);
    fcntl(sockets[1], F_SETFD, 0);
    if (!job_.series)
      for (int fd : job_.descriptors) fcntl(fd, F_SETFD, 0);
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    execv(arguments[0], arguments.data());
    _exit(127);
  }
  for (int fd : {sockets[1], out[1], err[1]}) close(fd);
  socket_ = sockets[0], out_ = out[0], err_ = err[0];
  if (!namespaces && job_.series) start_next();
  if (inside_ < 0) end(End::NotStarted, fmt::format("no process: {}", std::strerror(errno)));
  ready_ = !namespaces;
  outcome_.namespaces = namespaces;
  return true;
}

// A run has pipes of its own: what one does to them, the next one does not meet.
void Supervisor::start_next() {
  int out[2], err[2];
  const int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
  for (int fd : {out_, err_})
    if (fd >= 0) close(fd);
  out_ = err_ = -1;
  if (nothing < 0 || pipe2(out, O_CLOEXEC) != 0 || pipe2(err, O_CLOEXEC) != 0)
    return end(End::NotStarted, fmt::format("no pipes: {}", std::strerror(errno)));
  out_ = out[0], err_ = err[0];
  std::vector<int> descriptors{nothing, out[1], err[1]};
  descriptors.insert(descriptors.end(), given_.begin(), given_.end());
  const bool sent = send_descriptors(socket_, descriptors);
  for (int fd : descriptors) close(fd);
  given_.clear();
  if (!sent) end(End::NotStarted, "the inner process does not answer");
}

void Supervisor::end(End how, std::string what, int code) {
  if (over_) return;
  over_ = true;
  outcome_.end = how;
  outcome_.what = std::move(what);
  outcome_.code = code;
}

// From inside: that the walls stand, or how it ended.
void Supervisor::hear() {
  Message message;
  iovec part{&message, sizeof message};
  msghdr packet{};
  packet.msg_iov = &part;
  packet.msg_iovlen = 1;
  alignas(cmsghdr) char space[CMSG_SPACE(sizeof(int))];
  packet.msg_control = space;
  packet.msg_controllen = sizeof space;
  ssize_t n = recvmsg(socket_, &packet, MSG_CMSG_CLOEXEC);
  if (n < 0 && errno == EINTR) return;
  if (n != sizeof message) {
    // Closed without a message: nothing came in, or the inner process was killed from outside, for want of memory most
    // likely.
    if (ready_)
      end(End::Signalled, "", SIGKILL);
    else
      over_ = true;
    return;
  }
  message.text[sizeof message.text - 1] = 0;
  switch (message.kind) {
    case Message::Ready:
      ready_ = true;
      send_text(socket_, to_json(job_));
      if (job_.series) start_next();
      return;
    case Message::Filtered:
      // A second command has a filter of its own.
      if (questions_ >= 0) close(questions_);
      judge_.begin_command();
      if (cmsghdr* header = CMSG_FIRSTHDR(&packet); header && header->cmsg_type == SCM_RIGHTS)
        std::memcpy(&questions_, CMSG_DATA(header), sizeof questions_);
      if (!started_) begin_ = Clock::now();
      started_ = true;
      return;
    case Message::NoSandbox:
      return end(End::NoSandbox, message.text);
    case Message::NotStarted:
      return end(End::NotStarted, message.text);
    case Message::Ended:
      check_limits();
      has_ended_ = !over_;
      outcome_.processor_seconds =
          std::max(outcome_.processor_seconds, static_cast<double>(message.processor_microseconds) * 1e-6);
      outcome_.peak_memory_bytes =
          std::max(outcome_.peak_memory_bytes, static_cast<uint64_t>(message.peak_memory_bytes));
      if (WIFEXITED(message.status)) return end(End::Exited, "", WEXITSTATUS(message.status));
      switch (int signal = WTERMSIG(message.status)) {
        case SIGXFSZ:
          return end(End::TooMuchOnDisk);
        case SIGXCPU:
          return end(End::OutOfProcessorTime);
        case SIGSYS:
          return end(End::ForbiddenCall, "a call of another architecture");
        default:
          return end(End::Signalled, "", signal);
      }
  }
}

void Supervisor::read_output(int& fd, std::string& kept) {
  char part[16384];
  ssize_t n = read(fd, part, sizeof part);
  if (n < 0 && errno == EINTR) return;
  if (n <= 0) {
    close(fd);
    fd = -1;
    return;
  }
  written_ += static_cast<uint64_t>(n);
  if (kept.size() < job_.kept_output)
    kept.append(part, std::min<size_t>(static_cast<size_t>(n), job_.kept_output - kept.size()));
  if (written_ > job_.limits.output_bytes) end(End::TooMuchOutput);
}

void Supervisor::answer_question() {
  // Larger than our headers know, should the kernel's structs have grown.
  alignas(seccomp_notif) char question_bytes[512] = {};
  alignas(seccomp_notif_resp) char answer_bytes[512] = {};
  auto& question = *reinterpret_cast<seccomp_notif*>(question_bytes);
  auto& response = *reinterpret_cast<seccomp_notif_resp*>(answer_bytes);
  if (ioctl(questions_, SECCOMP_IOCTL_NOTIF_RECV, &question) != 0) return;  // the process that asked has gone
  CallJudge::Answer answer = judge_.answer(question);
  response.id = question.id;
  switch (answer.kind) {
    case CallJudge::Answer::GoOn:
      response.flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE;
      break;
    case CallJudge::Answer::Done:
      break;
    case CallJudge::Answer::Fails:
      response.error = -answer.error;
      break;
    case CallJudge::Answer::Ends:
      // The process waits for an answer that never comes.
      return end(answer.end, std::move(answer.what));
  }
  ioctl(questions_, SECCOMP_IOCTL_NOTIF_SEND, &response);
}

void Supervisor::check_limits() {
  const Limits& limits = job_.limits;
  outcome_.wall_seconds = std::chrono::duration<double>(Clock::now() - begin_).count();
  Usage usage = usage_of(processes_below(getpid()));
  usage.processor_seconds -= processor_before_;
  outcome_.processor_seconds = std::max(outcome_.processor_seconds, usage.processor_seconds);
  memory_ = usage.memory_bytes;
  outcome_.peak_memory_bytes = std::max(outcome_.peak_memory_bytes, usage.memory_bytes);
  if (usage.memory_bytes > limits.memory_bytes) return end(End::OutOfMemory);
  if (usage.tasks > limits.tasks + kOwnTasks) return end(End::TooManyTasks);
  if (usage.processor_seconds > limits.processor_seconds) return end(End::OutOfProcessorTime);
  if (outcome_.wall_seconds > limits.wall_seconds) return end(End::OutOfTime);
  if (checks_++ % kChecksPerWalk || job_.writable.empty()) return;
  OnDisk now = on_disk(job_);
  if (now.bytes > before_.bytes + limits.folder_bytes || now.files > limits.files) end(End::TooMuchOnDisk);
}

void Supervisor::loop() {
  auto next_check = Clock::now() + kCheckInterval;
  while (!over_) {
    pollfd waits[] = {
        {life_, POLLIN, 0}, {socket_, POLLIN, 0}, {questions_, POLLIN, 0}, {out_, POLLIN, 0}, {err_, POLLIN, 0}};
    // Rounded up: the last part of a millisecond would be spent asking again and again.
    auto left = std::chrono::ceil<std::chrono::milliseconds>(next_check - Clock::now()).count();
    int ready = poll(waits, std::size(waits), static_cast<int>(std::max<int64_t>(0, left)));
    if (ready < 0 && errno != EINTR) return end(End::NotStarted, "poll fails");
    // Questions first: a process waits for each answer. The end last: what was written before it is to be read.
    if (waits[2].revents & POLLIN)
      answer_question();
    else if (waits[2].revents)
      close(questions_), questions_ = -1;  // no process is left that could ask
    if (waits[3].revents) read_output(out_, outcome_.output);
    if (waits[4].revents) read_output(err_, outcome_.errors);
    if (waits[0].revents) end(End::Cancelled);
    bool quiet = !waits[2].revents && !waits[3].revents && !waits[4].revents;
    if (waits[1].revents && quiet)
      hear();
    else if (waits[1].revents && !ready_)
      hear();
    else if (waits[1].revents && questions_ < 0)
      hear();
    if (Clock::now() >= next_check) {
      check_limits();
      next_check = Clock::now() + (memory_ > job_.limits.memory_bytes / 2 ? kQuickCheckInterval : kCheckInterval);
    }
  }
}

Outcome Supervisor::keep() {
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
  if (!can_see_children()) {
    outcome_.end = End::NoSandbox;
    outcome_.what = "the kernel does not list the children of a process (CONFIG_PROC_CHILDREN)";
    return std::move(outcome_);
  }
  before_ = on_disk(job_);
  bool inside = job_.isolation == Isolation::Best && start(true);
  if (inside) loop();
  if (!over_ || !ready_) {
    // No bubblewrap, or no namespaces for it.
    if (inside) {
      end_all_below_self();
      for (int fd : {socket_, out_, err_})
        if (fd >= 0) close(fd);
      outcome_ = {};
      over_ = false;
    }
    if (start(false)) loop();
  }
  return finish();
}

// Nothing of the runs before is left but the sandbox: each has a new process, new pipes, and all of its limits.
Outcome Supervisor::keep_again(std::vector<int> descriptors) {
  given_ = std::move(descriptors);
  over_ = started_ = has_ended_ = false;
  written_ = memory_ = 0;
  outcome_ = {};
  outcome_.namespaces = true;
  processor_before_ = usage_of(processes_below(getpid())).processor_seconds;
  begin_ = Clock::now();
  start_next();
  loop();
  return finish();
}

Outcome Supervisor::finish() {
  // A fork that waits for an answer fails with this, so no new process appears while everything is being ended.
  if (questions_ >= 0) close(std::exchange(questions_, -1));
  outcome_.stands = job_.series && outcome_.namespaces && has_ended_;
  if (!outcome_.stands) end_all_below_self();
  // What was written before the end may still be in the pipes.
  for (int fd : {out_, err_})
    if (fd >= 0) fcntl(fd, F_SETFL, O_NONBLOCK);
  while (out_ >= 0 && written_ <= job_.limits.output_bytes) {
    uint64_t before = written_;
    read_output(out_, outcome_.output);
    if (written_ == before) break;
  }
  while (err_ >= 0 && written_ <= job_.limits.output_bytes) {
    uint64_t before = written_;
    read_output(err_, outcome_.errors);
    if (written_ == before) break;
  }
  // The process that serves the command through one of these learns of its end now, not when the outcome is read.
  for (int fd : job_.series ? given_ : job_.descriptors) close(fd);
  outcome_.refused = judge_.refused();
  return std::move(outcome_);
}

}  // namespace

void keep(const Job& job, int life, const std::string& self, std::vector<int> descriptors,
          const std::function<void(const Outcome&)>& answer) {
  Supervisor supervisor(job, life, self, std::move(descriptors));
  Outcome outcome = supervisor.keep();
  for (;;) {
    const bool stands = outcome.stands;
    answer(outcome);
    if (!stands) return;
    std::vector<int> next = receive_descriptors(life);
    if (next.empty()) break;
    outcome = supervisor.keep_again(std::move(next));
  }
  end_all_below_self();
}

}  // namespace warpwise::lab::sandbox
