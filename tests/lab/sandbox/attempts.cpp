// What a hostile program tries, one attempt by its name. Each ends with 0 when the sandbox let it through, with 1 when
// it was refused and went on, or does not get so far.
#include <arpa/inet.h>
#include <dirent.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <netinet/in.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <functional>
#include <map>
#include <string>
#include <thread>
#include <vector>

namespace {

int reads(const char* path) {
  int fd = open(path, O_RDONLY);
  char byte;
  return fd >= 0 && read(fd, &byte, 1) == 1 ? 0 : 1;
}
int writes(const char* path) {
  int fd = open(path, O_WRONLY | O_CREAT, 0600);
  return fd >= 0 && write(fd, "x", 1) == 1 ? 0 : 1;
}
void spin() {
  for (unsigned long i = 0;; ++i) asm volatile("" : : "r"(i));
}

const std::map<std::string, std::function<int(char**)>> attempts{
    // honest
    {"well", [](char**) { return std::puts("well"), 0; }},
    {"code", [](char** a) { return std::atoi(a[0]); }},
    {"threads",
     [](char**) {
       std::vector<std::thread> all;
       for (int i = 0; i < 4; ++i) all.emplace_back([] { usleep(1000); });
       for (auto& one : all) one.join();
       return 0;
     }},
    {"own-file",
     [](char**) {
       return writes("mine") || reads("mine") || chmod("mine", 0700) || rename("mine", "yours") || unlink("yours");
     }},
    {"abort", [](char**) -> int { std::abort(); }},
    {"segfault", [](char** a) -> int { return std::strlen(a[0]); }},
    {"reserve",
     [](char**) {
       return mmap(nullptr, size_t{1} << 42, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0) ==
              MAP_FAILED;
     }},
    {"inherited", [](char** a) { return write(std::atoi(a[0]), "hello", 5) != 5; }},
    {"print-environment",
     [](char**) {
       for (char** e = environ; *e; ++e) std::puts(*e);
       return 0;
     }},
    // A run of a series: looks for what an earlier run has left, and leaves all it can.
    {"traces",
     [](char**) {
       int found = fcntl(STDOUT_FILENO, F_GETFL) & O_NONBLOCK ? 1 : 0;
       if (access("/dev/shm/trace", F_OK) == 0 || access("trace", F_OK) == 0) found |= 2;
       int others = -2;  // process 1, and this one
       if (DIR* processes = opendir("/proc")) {
         while (dirent* entry = readdir(processes)) others += std::isdigit(entry->d_name[0]) != 0;
         closedir(processes);
         if (others > 0) found |= 4;
       }
       std::puts("looked");
       std::fflush(stdout);
       fcntl(STDOUT_FILENO, F_SETFL, O_NONBLOCK);
       writes("/dev/shm/trace"), writes("trace");
       if (fork() == 0)
         for (setsid();;) pause();
       return found;
     }},
    // time
    {"burn",
     [](char** a) {  // so many milliseconds
       while (std::clock() < std::atol(a[0]) * (CLOCKS_PER_SEC / 1000)) {
       }
       return 0;
     }},
    {"spin",
     [](char**) {
       spin();
       return 0;
     }},
    {"sleep", [](char**) { return sleep(1000) ? 1 : 0; }},
    {"spin-in-threads",
     [](char**) {
       for (int i = 0; i < 3; ++i) std::thread(spin).detach();
       spin();
       return 0;
     }},
    // memory
    {"allocate",
     [](char**) {
       for (;;) {
         char* p = static_cast<char*>(std::malloc(1 << 20));
         if (p) std::memset(p, 1, 1 << 20);
         asm volatile("" : : "r"(p) : "memory");  // or compilers leave both out
       }
       return 0;
     }},
    // Reads a byte of each two megabytes: no page is resident, their tables are.
    {"page-tables",
     [](char**) {
       constexpr size_t kBytes = size_t{1} << 42;
       void* memory = mmap(nullptr, kBytes, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
       if (memory == MAP_FAILED) return 1;
       madvise(memory, kBytes, MADV_NOHUGEPAGE);
       for (size_t at = 0; at < kBytes; at += 2 << 20) (void)*(static_cast<volatile char*>(memory) + at);
       return 0;
     }},
    {"shared-memory",
     [](char**) {
       int fd = memfd_create("x", 0);
       for (;;) {
         if (ftruncate(fd, off_t{8} << 30) != 0) return 1;
         char* p = static_cast<char*>(mmap(nullptr, size_t{8} << 30, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0));
         if (p == MAP_FAILED) return 1;
         std::memset(p, 1, size_t{8} << 30);
       }
     }},
    // processes
    {"fork", [](char**) { return fork() < 0; }},
    {"fork-bomb",
     [](char**) {
       for (;;) fork();
       return 0;
     }},
    {"thread-bomb",
     [](char**) {
       for (;;) std::thread([] { sleep(100); }).detach();
       return 0;
     }},
    {"daemon",
     [](char**) {  // leaves a process behind
       if (fork() == 0) {
         setsid();
         if (fork() == 0) {
           signal(SIGHUP, SIG_IGN);
           for (;;) usleep(1000), writes("still-here"), unlink("gone");
         }
         _exit(0);
       }
       usleep(20000);
       return 0;
     }},
    {"exec", [](char**) { return execl("/bin/sh", "sh", "-c", "echo started", nullptr), 1; }},
    {"spawn", [](char**) { return std::system("true") != 0; }},
    {"namespaces", [](char**) { return unshare(CLONE_NEWUSER) != 0; }},
    {"clone-namespaces", [](char**) { return syscall(SYS_clone, CLONE_NEWUSER | SIGCHLD, 0, 0, 0, 0) < 0; }},
    // output and disk
    {"output",
     [](char**) {
       std::string line(1 << 16, 'x');
       for (int i = 0; i < 16384; ++i)
         if (write(i & 1 ? 1 : 2, line.data(), line.size()) < 0) return 1;
       return 0;
     }},
    {"large-file",
     [](char**) {
       std::string block(1 << 20, 'x');
       int fd = open("large", O_WRONLY | O_CREAT, 0600);
       for (int i = 0; i < 4096; ++i)
         if (write(fd, block.data(), block.size()) < 0) return 1;
       return 0;
     }},
    {"many-files",
     [](char**) {
       for (int i = 0; i < 1 << 20; ++i) close(open(std::to_string(i).c_str(), O_WRONLY | O_CREAT, 0600));
       return 0;
     }},
    {"deep-folders",
     [](char**) {
       for (int i = 0; i < 1 << 20; ++i)
         if (mkdir("d", 0700) != 0 || chdir("d") != 0) return 1;
       return 0;
     }},
    // files
    {"read", [](char** a) { return reads(a[0]); }},
    {"write", [](char** a) { return writes(a[0]); }},
    {"list", [](char** a) { return open(a[0], O_RDONLY | O_DIRECTORY) < 0; }},
    {"symlink", [](char** a) { return symlink(a[0], "link") || reads("link"); }},
    {"hard-link", [](char** a) { return link(a[0], "link") || reads("link"); }},
    {"through-proc", [](char**) { return reads("/proc/self/root/etc/passwd"); }},
    {"dot-dot", [](char**) { return reads("../../../../../../../../etc/passwd"); }},
    {"pipe-in-folder", [](char**) { return mkfifo("trap", 0600) != 0; }},
    {"chmod", [](char** a) { return chmod(a[0], 0777) != 0; }},
    {"remove", [](char** a) { return unlink(a[0]) != 0; }},
    {"truncate", [](char** a) { return truncate(a[0], 0) != 0; }},
    // the network
    {"internet", [](char**) { return socket(AF_INET, SOCK_STREAM, 0) < 0; }},
    {"datagram", [](char**) { return socket(AF_INET6, SOCK_DGRAM, 0) < 0; }},
    {"netlink", [](char**) { return socket(AF_NETLINK, SOCK_RAW, 0) < 0; }},
    {"local-socket", [](char**) { return socket(AF_UNIX, SOCK_STREAM, 0) < 0; }},
    {"connect-pair",
     [](char**) {
       int pair[2];
       sockaddr_un to{AF_UNIX, "/run/docker.sock"};
       return socketpair(AF_UNIX, SOCK_DGRAM, 0, pair) || connect(pair[0], reinterpret_cast<sockaddr*>(&to), sizeof to);
     }},
    // other processes
    {"kill-parent", [](char**) { return kill(getppid(), SIGKILL) != 0; }},
    {"kill-all", [](char**) { return kill(-1, SIGKILL) != 0; }},
    {"queue-signal", [](char**) { return sigqueue(getppid(), SIGTERM, {}) != 0; }},
    {"trace-parent", [](char**) { return ptrace(PTRACE_ATTACH, getppid(), 0, 0) != 0; }},
    {"parent-memory", [](char**) { return reads(("/proc/" + std::to_string(getppid()) + "/mem").c_str()); }},
    {"parent-descriptors", [](char**) { return writes(("/proc/" + std::to_string(getppid()) + "/fd/1").c_str()); }},
    {"read-memory",
     [](char**) {
       iovec none{};
       return syscall(SYS_process_vm_readv, getppid(), &none, 1, &none, 1, 0) < 0;
     }},
    {"parent-limits",
     [](char**) {
       rlimit limit{1, 1};
       return prlimit(getppid(), RLIMIT_NOFILE, &limit, nullptr) != 0;
     }},
    {"parent-priority", [](char**) { return setpriority(PRIO_PROCESS, static_cast<id_t>(getppid()), 19) != 0; }},
    {"signal-owner", [](char**) { return fcntl(1, F_SETOWN, getppid()) != 0; }},
    {"terminal", [](char**) { return ioctl(0, TIOCSTI, "x") != 0; }},
    // the kernel
    {"old-calls",
     [](char**) {
       long result = 20;  // getpid of 32 bits
       asm volatile("int $0x80" : "+a"(result) : : "memory");
       return result < 0;
     }},
    {"ring", [](char**) { return syscall(425, 1, nullptr) < 0; }},  // io_uring_setup
    {"kernel-keys", [](char**) { return syscall(SYS_keyctl, 0, 0, 0, 0, 0) < 0; }},
    {"bpf", [](char**) { return syscall(SYS_bpf, 0, nullptr, 0) < 0; }},
    {"old-shared", [](char**) { return shmget(IPC_PRIVATE, 4096, 0600) < 0; }},
    {"unknown-call", [](char**) { return syscall(1000) < 0; }},
    {"become-root", [](char**) { return setuid(0) != 0; }},
    {"own-filter",
     [](char**) {
       sock_filter allow[]{{BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ALLOW}};
       sock_fprog program{1, allow};
       prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);  // a filter on top of ours takes nothing away
       return socket(AF_INET, SOCK_STREAM, 0) < 0;
     }},
    {"raise-limit",
     [](char**) {
       rlimit limit{RLIM_INFINITY, RLIM_INFINITY};
       return setrlimit(RLIMIT_FSIZE, &limit) != 0;
     }},
};

}  // namespace

int main(int count, char** words) {
  auto attempt = count > 1 ? attempts.find(words[1]) : attempts.end();
  if (attempt == attempts.end()) return 125;
  return attempt->second(words + 2);
}
