// Preloaded into Clang (loaded_compiler.h): has its main() run once for each compilation, each time in a fork of the
// process that has loaded it.
//
// A process that compiles is busy for some 20 ms before main() begins: the loader writes half a million addresses into
// libLLVM and libclang-cpp, and their initialisers run. No header of Clang is needed to do that once: the C library
// starts a program by calling __libc_start_main with the address of its main(), and what is preloaded may take its
// place.
//
//     loader, initialisers ──► serve(): waits for requests ──fork──► main(words of the request)
//                                                          ──fork──► execve, where the program is another: the linker
//
// A request is 4 bytes of length and texts that each end with a zero: the file that takes what the program says, its
// environment, an empty text, its words. The answer is what waitpid says of it, in 4 bytes. It comes when nothing of
// the program is left: where something is, this process ends, and the sandbox with it.
//
// The process calls the C library alone, so that it is small and brings no library that Clang does not have.
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace {

using Main = int (*)(int, char**, char**);
Main main_of_program;

constexpr int kMostSockets = 8;
constexpr uint32_t kMostRequest = 1 << 20;
constexpr int kMostTexts = 4096;

struct Slot {
  int socket;
  pid_t running;  // 0: waits for a request
};

[[noreturn]] void give_up() { _exit(127); }

bool receive(int socket, void* to, size_t bytes) {
  for (char* at = static_cast<char*>(to); bytes != 0;) {
    const ssize_t n = recv(socket, at, bytes, 0);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    at += n, bytes -= static_cast<size_t>(n);
  }
  return true;
}

// The child of a request.
[[noreturn]] void run(char* text, uint32_t bytes, const char* own_name, sigset_t signals) {
  char* texts[kMostTexts];
  int count = 0;
  char* const end = text + bytes;
  for (char* at = text; at != end && count < kMostTexts - 2; at += strlen(at) + 1) texts[count++] = at;
  texts[count] = nullptr;
  int words = 1;
  while (words < count && *texts[words]) ++words;
  if (words + 1 >= count) give_up();
  texts[words++] = nullptr;  // the environment ends here

  const int output = open(texts[0], O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0600);
  if (output < 0 || dup2(output, STDOUT_FILENO) < 0 || dup2(output, STDERR_FILENO) < 0) give_up();
  close_range(STDERR_FILENO + 1, ~0u, 0);
  sigprocmask(SIG_SETMASK, &signals, nullptr);
  environ = texts + 1;
  char** const argv = texts + words;
  if (strcmp(argv[0], own_name) == 0) exit(main_of_program(count - words, argv, environ));
  execve(argv[0], argv, environ);
  give_up();
}

// Whether each child of this process is one that runs for a slot. What a program has left behind when it ended became
// a child of this one before.
bool knows_all_children(const Slot* slots, int count) {
  char path[64];
  snprintf(path, sizeof path, "/proc/self/task/%ld/children", syscall(SYS_gettid));
  const int list = open(path, O_RDONLY | O_CLOEXEC);
  if (list < 0) return false;
  char text[1024];
  const ssize_t n = read(list, text, sizeof text - 1);
  close(list);
  if (n < 0 || n == sizeof text - 1) return false;
  text[n] = 0;
  for (char *at = text, *next;; at = next) {
    const long child = strtol(at, &next, 10);
    if (next == at) return true;
    bool known = false;
    for (int i = 0; i < count; ++i) known |= slots[i].running == child;
    if (!known) return false;
  }
}

int serve(int, char** argv, char** environment) {
  Slot slots[kMostSockets];
  int count = 0;
  const char* numbers = getenv("WARPWISE_FORK_AT_MAIN");
  for (char* next; numbers && *numbers && count < kMostSockets; numbers = next + (*next == ',')) {
    const long socket = strtol(numbers, &next, 10);
    if (next == numbers) break;
    slots[count++] = {static_cast<int>(socket), 0};
  }
  if (count == 0) return main_of_program(1, argv, environment);
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  sigset_t children, before;
  sigemptyset(&children);
  sigaddset(&children, SIGCHLD);
  sigprocmask(SIG_BLOCK, &children, &before);
  const int ends = signalfd(-1, &children, SFD_CLOEXEC | SFD_NONBLOCK);
  if (ends < 0) give_up();
  for (;;) {
    pollfd waits[kMostSockets + 1];
    for (int i = 0; i < count; ++i) waits[i] = {slots[i].running ? -1 : slots[i].socket, POLLIN, 0};
    waits[count] = {ends, POLLIN, 0};
    if (poll(waits, static_cast<nfds_t>(count) + 1, -1) < 0 && errno != EINTR) give_up();
    if (waits[count].revents) {
      signalfd_siginfo infos[kMostSockets];
      (void)!read(ends, infos, sizeof infos);
      int status;
      for (pid_t child; (child = waitpid(-1, &status, WNOHANG)) > 0;)
        for (int i = 0; i < count; ++i) {
          if (slots[i].running != child) continue;
          slots[i].running = 0;
          if (!knows_all_children(slots, count)) give_up();
          if (send(slots[i].socket, &status, sizeof status, MSG_NOSIGNAL) != sizeof status) give_up();
        }
    }
    for (int i = 0; i < count; ++i) {
      if (slots[i].running || !waits[i].revents) continue;
      uint32_t bytes = 0;
      if (!receive(slots[i].socket, &bytes, sizeof bytes) || bytes == 0 || bytes > kMostRequest) give_up();
      char* const text = static_cast<char*>(malloc(bytes));
      if (!text || !receive(slots[i].socket, text, bytes) || text[bytes - 1] != 0) give_up();
      const pid_t child = fork();
      if (child < 0) give_up();
      if (child == 0) run(text, bytes, argv[0], before);
      free(text);
      slots[i].running = child;
    }
  }
}

}  // namespace

// Of the C library: what the first instructions of a program call.
extern "C" __attribute__((visibility("default"))) int __libc_start_main(Main main, int argc, char** argv,
                                                                        void (*init)(), void (*fini)(),
                                                                        void (*rtld_fini)(), void* stack_end) {
  using Start = int (*)(Main, int, char**, void (*)(), void (*)(), void (*)(), void*);
  const auto start = reinterpret_cast<Start>(dlsym(RTLD_NEXT, "__libc_start_main"));
  if (!start) give_up();
  main_of_program = main;
  return start(serve, argc, argv, init, fini, rtld_fini, stack_end);
}
