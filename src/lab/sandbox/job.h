// The sandbox's input and output, as plain data.
//
// Both cross a pipe to the supervisor (supervisor.h), a program of its own, as JSON: a job can be written by hand and
// an outcome read by eye.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace warpwise::lab::sandbox {

// What a command may use. Every limit except file_bytes covers the command together with all processes that it starts.
struct Limits {
  double wall_seconds = 10;
  double processor_seconds = 10;
  uint64_t memory_bytes = uint64_t{1} << 30;  // resident; addresses that are merely reserved cost nothing
  unsigned tasks = 16;                        // processes and threads alive at once
  uint64_t output_bytes = 1 << 20;            // standard output and error
  uint64_t file_bytes = 64 << 20;             // of one file; 0: no limit, and memory in files without names is allowed
  uint64_t folder_bytes = 256 << 20;          // in all writable folders
  unsigned files = 4096;                      // there
};

enum class Isolation : uint8_t {
  Best,          // Landlock, seccomp and limits; user namespaces as well where the machine has them
  NoNamespaces,  // the former alone, as on a machine that forbids them
  None,          // limits on time, memory and output alone: --no-sandbox
};

struct Job {
  std::vector<std::string> command;      // the program by its path, then its arguments
  std::vector<std::string> environment;  // "NAME=value"; nothing is inherited
  std::string folder;                    // where it starts
  // Files and folders, absolute; missing ones are left out. Everything below them may be read and executed, or written
  // as well. Programs need system_folders() beside their own.
  std::vector<std::string> readable, writable;
  bool may_start_programs = false;  // compilers start others; a submission has no reason to
  std::vector<int> descriptors;     // open in the caller, and under the same numbers in the command; 3 or more
  bool series = false;              // one of several runs (series.h): what the numbers mean comes with each
  Limits limits;
  Isolation isolation = Isolation::Best;
  // Of system calls (call_filter.h), where the caller has made one; "": it is made for this command.
  std::string filter;
  size_t kept_output = 64 << 10;  // the bytes of standard output and of standard error that come back
};

enum class End : uint8_t {
  Exited,     // code: its exit code
  Signalled,  // code: the signal
  OutOfTime,  // by the clock on the wall
  OutOfProcessorTime,
  OutOfMemory,
  TooManyTasks,
  TooMuchOutput,
  TooMuchOnDisk,  // one file, all files together, or their number
  ForbiddenCall,  // what: the call
  Cancelled,      // the caller has gone, or asked for it
  NotStarted,     // what: the reason; for example, the program is missing
  NoSandbox,      // what: the part of a sandbox that this machine cannot give; nothing was run
};
std::string_view name_of(End end);  // "out-of-time"

struct Outcome {
  End end = End::NotStarted;
  int code = 0;
  std::string what;
  // What was tried outside of its folders and refused, each once, the first few: "open /etc/passwd". The command went
  // on.
  std::vector<std::string> refused;
  std::string output, errors;  // the beginnings of standard output and error
  double wall_seconds = 0, processor_seconds = 0;
  uint64_t peak_memory_bytes = 0;  // at the last check
  bool namespaces = false;
  bool stands = false;  // of a series: the sandbox is empty, and may run the command again

  bool ok() const { return end == End::Exited && code == 0; }
  // One sentence for people: "ended by signal 11 (Segmentation fault)".
  std::string sentence() const;
};

std::string to_json(const Job& job);
std::string to_json(const Outcome& outcome);
// X0001: not what to_json makes.
Result<Job> job_from_json(std::string_view json);
Result<Outcome> outcome_from_json(std::string_view json);

// Where programs, compilers and what they load live on this machine. Not the folders called share: an installed
// Warpwise has its problems there, with their references.
std::vector<std::string> system_folders();

}  // namespace warpwise::lab::sandbox
