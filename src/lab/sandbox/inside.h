// The inner half of the sandbox: a small process that starts the command, confined, and collects what it leaves behind.
//
// It is process 1 where there are namespaces, so that all that is in them ends with it, and otherwise a child of the
// supervisor. It talks to the supervisor through a socket that the command never sees.
#pragma once

#include <cstdint>
#include <string>

#include "lab/sandbox/job.h"

namespace warpwise::lab::sandbox {

// What goes through the socket, a packet each. To the inner process goes the job, and for each run of a series a packet
// with descriptors: standard input, output and error, and then those of the job.
struct Message {
  enum Kind : uint32_t {
    Ready,       // inside; asks for the job
    Filtered,    // carries the descriptor at which the kernel asks about calls
    NoSandbox,   // text: which wall cannot be built
    NotStarted,  // text: why
    Ended,       // status and the rest: of the command, as wait4 gives it
  };
  Kind kind = Ready;
  int32_t status = 0;
  int64_t processor_microseconds = 0, peak_memory_bytes = 0;
  char text[488] = {};
};

// Never returns. `job`: null behind bubblewrap, where this is a newly started program: then the job comes as packets,
// asked for by Ready.
[[noreturn]] void become_inside(int socket, const Job* job);

// Sends all bytes of a text in packets and an empty one; receives them.
bool send_text(int socket, const std::string& text);
std::string receive_text(int socket);

}  // namespace warpwise::lab::sandbox
