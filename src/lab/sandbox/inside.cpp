#include "lab/sandbox/inside.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/capability.h>
#include <linux/securebits.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <utility>

#include "lab/sandbox/call_filter.h"
#include "lab/sandbox/descriptors.h"
#include "lab/sandbox/landlock.h"

namespace warpwise::lab::sandbox {
namespace {

void send_message(int socket, const Message& message, int descriptor = -1) {
  iovec part{const_cast<Message*>(&message), sizeof message};
  msghdr packet{};
  packet.msg_iov = &part;
  packet.msg_iovlen = 1;
  alignas(cmsghdr) char space[CMSG_SPACE(sizeof(int))] = {};
  if (descriptor >= 0) {
    packet.msg_control = space;
    packet.msg_controllen = sizeof space;
    cmsghdr* header = CMSG_FIRSTHDR(&packet);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof(int));
    std::memcpy(CMSG_DATA(header), &descriptor, sizeof descriptor);
  }
  while (sendmsg(socket, &packet, MSG_NOSIGNAL) < 0 && errno == EINTR) {
  }
}

[[noreturn]] void give_up(int socket, Message::Kind kind, std::string_view why) {
  Message message{kind};
  why.copy(message.text, sizeof message.text - 1);
  send_message(socket, message);
  _exit(127);
}

void limit(int resource, uint64_t most, uint64_t hard) {
  rlimit both{most, hard};
  setrlimit(static_cast<__rlimit_resource>(resource), &both);
}

void limit(int resource, uint64_t most) { limit(resource, most, most); }

// The supervisor checks time, memory and tasks of all processes together. These limits hold for each process alone,
// even while the supervisor does not get to run.
void set_limits(const Limits& limits) {
  limit(RLIMIT_CORE, 0);
  // First SIGXCPU, which names the reason, and then SIGKILL for a process that ignores it.
  const uint64_t seconds = static_cast<uint64_t>(std::ceil(limits.processor_seconds)) + 2;
  limit(RLIMIT_CPU, seconds, seconds + 1);
  if (limits.file_bytes) limit(RLIMIT_FSIZE, limits.file_bytes);
  limit(RLIMIT_NOFILE, 256);
  limit(RLIMIT_MSGQUEUE, 0);
  limit(RLIMIT_MEMLOCK, 64 << 10);
}

// A root user outside of namespaces keeps only its name, and does not regain its rights by exec.
void drop_privileges() {
  for (int capability = 0; prctl(PR_CAPBSET_DROP, capability, 0, 0, 0) == 0; ++capability) {
  }
  prctl(PR_SET_SECUREBITS,
        SECBIT_NOROOT | SECBIT_NOROOT_LOCKED | SECBIT_NO_SETUID_FIXUP | SECBIT_NO_SETUID_FIXUP_LOCKED, 0, 0, 0);
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  __user_cap_data_struct none[2] = {};
  syscall(SYS_capset, &header, none);
}

// Closes everything but the first three, `socket` and what the job hands on. They close on exec where that is later.
void close_others(int socket, std::vector<int> kept) {
  kept.push_back(socket);
  std::sort(kept.begin(), kept.end());
  unsigned from = 3;
  for (int fd : kept) {
    if (fd < 3) continue;
    if (static_cast<unsigned>(fd) > from) close_range(from, static_cast<unsigned>(fd) - 1, 0);
    from = static_cast<unsigned>(fd) + 1;
  }
  close_range(from, ~0u, 0);
}

// `filter`: null where there are limits alone.
[[noreturn]] void become_command(int socket, const Job& job, const CallFilter* filter, bool namespaces) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  setsid();
  signal(SIGPIPE, SIG_DFL);  // the supervisor ignores it
  fcntl(socket, F_SETFD, FD_CLOEXEC);
  for (int fd : job.descriptors) fcntl(fd, F_SETFD, 0);
  if (chdir(job.folder.c_str()) != 0)
    give_up(socket, Message::NotStarted, fmt::format("{}: {}", job.folder, std::strerror(errno)));
  std::vector<char*> words, environment;
  for (const std::string& word : job.command) words.push_back(const_cast<char*>(word.c_str()));
  for (const std::string& variable : job.environment) environment.push_back(const_cast<char*>(variable.c_str()));
  words.push_back(nullptr);
  environment.push_back(nullptr);
  set_limits(job.limits);
  if (filter) {
    drop_privileges();
    if (auto confined = confine_files(job, namespaces); !confined.ok())
      give_up(socket, Message::NoSandbox, confined.error().message);
    auto asking = filter->load();
    if (!asking.ok()) give_up(socket, Message::NoSandbox, asking.error().message);
    // From here on the filter applies to this process, too.
    send_message(socket, Message{Message::Filtered}, asking.value());
  }
  execve(words[0], words.data(), environment.data());
  give_up(socket, Message::NotStarted, fmt::format("{}: {}", job.command[0], std::strerror(errno)));
}

pid_t start_command(int socket, const Job& job, const CallFilter* filter, bool namespaces) {
  pid_t child = fork();
  if (child < 0) give_up(socket, Message::NotStarted, fmt::format("no process: {}", std::strerror(errno)));
  if (child == 0) become_command(socket, job, filter, namespaces);
  return child;
}

// The next run of a series. Ends this process when there is none.
pid_t start_next(int socket, const Job& job, const CallFilter* filter, bool namespaces) {
  const std::vector<int> given = receive_descriptors(socket);
  std::vector<int> numbers{STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO};
  numbers.insert(numbers.end(), job.descriptors.begin(), job.descriptors.end());
  if (given.size() != numbers.size()) _exit(0);
  const pid_t child = fork();
  if (child < 0) give_up(socket, Message::NotStarted, fmt::format("no process: {}", std::strerror(errno)));
  if (child == 0) {
    for (size_t i = 0; i < given.size(); ++i) dup2(given[i], numbers[i]);
    become_command(socket, job, filter, namespaces);
  }
  for (int fd : given) close(fd);
  return child;
}

// Process 1 alone remains.
void end_all_others() {
  do kill(-1, SIGKILL);
  while (waitpid(-1, nullptr, 0) > 0 || errno == EINTR);
}

}  // namespace

bool send_text(int socket, const std::string& text) {
  constexpr size_t kPart = 32 << 10;
  for (size_t at = 0; at < text.size(); at += kPart) {
    if (send(socket, text.data() + at, std::min(kPart, text.size() - at), MSG_NOSIGNAL) < 0) return false;
  }
  return send(socket, "", 0, MSG_NOSIGNAL) == 0;
}

std::string receive_text(int socket) {
  std::string text;
  std::vector<char> part(32 << 10);
  for (ssize_t n; (n = recv(socket, part.data(), part.size(), 0)) > 0;)
    text.append(part.data(), static_cast<size_t>(n));
  return text;
}

void become_inside(int socket, const Job* given) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  bool namespaces = given == nullptr;
  std::optional<Job> received;
  if (namespaces) {
    send_message(socket, Message{Message::Ready});
    auto job = job_from_json(receive_text(socket));
    if (!job.ok()) give_up(socket, Message::NotStarted, job.error().message);
    received = std::move(job).value();
    given = &*received;
  }
  close_others(socket, given->series ? std::vector<int>{} : given->descriptors);
  // No process may look into this one either, although it belongs to the same user.
  prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
  std::optional<CallFilter> filter;
  if (given->isolation != Isolation::None) {
    auto made = given->filter.empty() ? CallFilter::make() : CallFilter::from_text(given->filter);
    if (!made.ok()) give_up(socket, Message::NoSandbox, made.error().message);
    filter = std::move(made).value();
  }
  auto start = [&, walls = filter ? &*filter : nullptr] {
    return given->series ? start_next(socket, *given, walls, namespaces)
                         : start_command(socket, *given, walls, namespaces);
  };
  pid_t command = start();
  // As process 1, this process must collect whatever the command has left behind.
  for (;;) {
    Message ended{Message::Ended};
    rusage used{};
    pid_t gone = wait4(-1, &ended.status, 0, &used);
    if (gone < 0 && errno == EINTR) continue;
    if (gone != command && gone >= 0) continue;
    auto microseconds = [](const timeval& t) { return int64_t{t.tv_sec} * 1'000'000 + t.tv_usec; };
    ended.processor_microseconds = microseconds(used.ru_utime) + microseconds(used.ru_stime);
    ended.peak_memory_bytes = int64_t{used.ru_maxrss} << 10;
    const bool goes_on = given->series && namespaces;
    if (goes_on) end_all_others();
    send_message(socket, ended);
    if (!goes_on) _exit(0);
    command = start();
  }
}

}  // namespace warpwise::lab::sandbox
