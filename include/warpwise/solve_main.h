// main() around the `solve` of a submission: what the lab compiles once per problem and links with each submission of
// it. Nothing to include by hand.
//
//     judge ──arguments──► main ──► solve(…) ──► cudaDeviceSynchronize ──result──► judge
//                                     └── kernels, copies: through the socket of the device, which is the judge's
//
// The program is not trusted, and neither is what it answers here: whether the answer is right is read from the judge's
// device.
#pragma once

#include <unistd.h>

#include <cstdint>
#include <cstdlib>

namespace warpwise::lab_host {

// Where the program finds its arguments: the number of a socket.
constexpr const char* kDescriptorVariable = "WARPWISE_LAB_DESCRIPTOR";
constexpr uint64_t kMostArguments = 64;
// The processor time that its own code may take, without the system's, in milliseconds: it ends itself then, and says
// where it was.
constexpr const char* kMillisecondsVariable = "WARPWISE_LAB_MILLISECONDS";

// What it sends first, before solve is called: code that runs before main() has ended.
constexpr char kBegins = 'b';
// What it answers when solve has returned and everything it submitted has run.
struct Result {
  uint32_t returned = 1;
  int32_t failure = 0;  // of waiting: a cudaError_t
  int32_t unread = 0;   // an error that solve left unread
  uint32_t padding = 0;
};

}  // namespace warpwise::lab_host

#ifdef WARPWISE_SOLVE_MAIN

extern "C" int cudaDeviceSynchronize();
extern "C" int cudaGetLastError();

// Calls solve; made from the problem's signature. Each argument has 8 bytes.
void warpwise_call_solve(const uint64_t* arguments);

int main() {
  using namespace warpwise::lab_host;
  const char* descriptor = std::getenv(kDescriptorVariable);
  const int judge = descriptor ? std::atoi(descriptor) : -1;
  uint64_t count = 0, arguments[kMostArguments] = {};
  if (read(judge, &count, sizeof count) != sizeof count || count > kMostArguments) return 125;
  if (read(judge, arguments, count * sizeof *arguments) != ssize_t(count * sizeof *arguments)) return 125;
  if (write(judge, &kBegins, 1) != 1) return 125;
  warpwise_call_solve(arguments);
  Result result;
  // In this order: waiting may return, and take, an error that solve left.
  result.unread = cudaGetLastError();
  result.failure = cudaDeviceSynchronize();
  return write(judge, &result, sizeof result) == sizeof result ? 0 : 125;
}

#endif
