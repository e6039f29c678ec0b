// A finding: what a checker saw a program do wrong, as data.
//
//     Finding finding = make_finding("C0101", "write of 4 bytes, just past the end of an allocation of 400 bytes");
//     finding.parties.push_back({.role = "write", .kernel = "fill(float*)", .block = ..., .thread = ..., .code = ...});
//     finding.memory = ...;
//     const FindingSink::Cause cause = sink.report(std::move(finding));
//     sink.again(cause);                          // another thread does the same
//
// The checkers fill one in inside the program that is checked (src/check), and so does the CUDA runtime for calls that
// are misused. A FindingSink takes it to the command as a record (check/records/record_sink.h). There it is merged with
// others of the same cause and rendered as text, JSON, SARIF or JUnit. The rules, with what to do about each, are
// listed once, in rules.inc; their codes belong to the catalogue of diagnostics.
//
// A finding is about a *cause*: one rule broken at one place (or pair of places). A thousand threads that break it are
// one finding whose `threads` is a thousand.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostics.h"

namespace warpwise {

enum class Checker : uint8_t { Memory, Init, Race, Sync, Assert, Api, Numbers, Outputs };
constexpr unsigned kCheckers = 8;
std::string_view name_of(Checker checker);  // "memory", as in --only= and the option `check`
std::optional<Checker> find_checker(std::string_view name);

class CheckerSet {
 public:
  bool has(Checker checker) const { return bits_ >> unsigned(checker) & 1; }
  void add(Checker checker) { bits_ |= 1u << unsigned(checker); }
  bool any() const { return bits_ != 0; }
  friend bool operator==(CheckerSet, CheckerSet) = default;

 private:
  uint8_t bits_ = 0;
};

// A row of rules.inc.
struct Rule {
  std::string_view code;  // "C0101"
  Checker checker;
  Severity severity;           // of its findings, unless they say otherwise
  std::string_view name;       // "out-of-bounds": what SARIF and --suppress show to people
  std::string_view title;      // what is wrong, in a line
  std::string_view rule;       // what CUDA promises or demands, and where that is written
  std::string_view next_step;  // what to do, in general
};
const Rule* find_rule(std::string_view code);
std::vector<Rule> all_rules();

struct Index3 {
  uint32_t x = 0, y = 0, z = 0;
  friend bool operator==(const Index3&, const Index3&) = default;
};

struct SourcePlace {
  std::string file;
  uint32_t line = 0, column = 0;  // from 1; 0: not known
  std::string function;
  friend bool operator==(const SourcePlace&, const SourcePlace&) = default;
};

// Where device code did something: the innermost function first, then where it was inlined at or called from.
struct CodePlace {
  std::vector<SourcePlace> frames;
  std::string instruction;  // the text of the PTX instruction
  bool known() const { return !frames.empty() || !instruction.empty(); }
  friend bool operator==(const CodePlace&, const CodePlace&) = default;
};

// Where host code did something: return addresses, the innermost call first, as offsets into the files that they belong
// to. The report looks up the lines, so that the checked program loses no time.
struct HostFrame {
  std::string module;   // path of the program or library
  uint64_t offset = 0;  // of the return address from the module's load address
  friend bool operator==(const HostFrame&, const HostFrame&) = default;
};
using HostPlace = std::vector<HostFrame>;

// What took part: a thread of a kernel, an operation of a stream, or the host.
struct Party {
  std::string role;    // "write", "read", "atomic", "barrier", "copy", "free", ...
  std::string detail;  // more words, where there are any: "4 bytes", "atom.add at block scope"
  std::string kernel;  // demangled; "": not a kernel's thread
  std::optional<Index3> block;
  std::optional<Index3> thread;
  CodePlace code;                       // of a thread
  HostPlace host;                       // of the host, or of the launch or call
  std::vector<SourcePlace> host_lines;  // what `host` was resolved to
};

// The memory it is about.
struct MemoryPlace {
  std::string space;     // "global", "shared", "local", "constant", "parameter", "host", ...
  uint64_t address = 0;  // generic for device memory, an offset in its space otherwise
  uint64_t bytes = 0;    // accessed there
  // The allocation or variable it belongs to, or the nearest one.
  std::string name;  // of a variable; "" for an allocation
  uint64_t base = 0, size = 0;
  bool allocated = false;  // base and size are known
  bool freed = false;
  HostPlace allocated_at, freed_at;                       // filled in by the sink for what the CUDA runtime allocated
  std::string allocated_by;                               // "cudaMalloc"
  std::vector<SourcePlace> allocated_lines, freed_lines;  // what they were resolved to
};

// When something happened: in which launch, and in which block in the order that blocks are started in. Blocks run side
// by side, so what is found first depends on timing; which of two blocks of a launch is the earlier does not.
struct LaunchOrder {
  uint64_t launch = 0;  // of the process, from 1; 0: not in a launch
  uint64_t block = 0;
  bool before(const LaunchOrder& other) const { return launch != 0 && launch == other.launch && block < other.block; }
};

struct Finding {
  std::string code;  // a rule's
  Severity severity = Severity::Error;
  std::string message;         // what happened here, lower case, no full stop
  std::vector<Party> parties;  // the first is the one to show
  uint64_t threads = 1;        // how many did it; parties[0] is the first of them
  std::optional<MemoryPlace> memory;
  std::vector<std::string> notes;  // further facts: "the missing order: ..."
  std::string help;                // the next step here; "" takes the rule's
  LaunchOrder order;
};

// A finding of this rule with its severity.
Finding make_finding(std::string_view code, std::string message);

// Equal for findings of one cause: code, and roles, kernels and places of the parties; threads, blocks and addresses
// do not count.
std::string cause_of(const Finding& finding);

// "thread (1,0,0) of block (0,2,0)"; "" when it is not a thread.
std::string describe_thread(const Party& party);

// What the allocations of the program are called in findings.
struct AllocationNote {
  uint64_t base = 0, size = 0;
  std::string by;  // the function that allocated it
  HostPlace at;
};

// Receives findings, on any thread. Must not be called while a signal is handled.
class FindingSink {
 public:
  using Cause = uint32_t;  // 0 is none
  virtual ~FindingSink() = default;

  // Takes a finding; one whose cause was reported before adds its `threads` to that one, and is shown instead of it if
  // its block is an earlier one of the same launch. Returns the cause, for again(): a checker that sees the same at the
  // same place need not build the finding again. 0: there are too many to keep.
  virtual Cause report(Finding finding) = 0;
  // So many more threads did the same.
  virtual void again(Cause cause, uint64_t threads = 1) = 0;
  // From now on something is not checked, so the absence of findings means less: "shared memory of kernel `k`: out of
  // memory". Each text is kept once.
  virtual void note_unchecked(std::string_view what) = 0;
  // Allocations of the program, and where they are freed: findings name them.
  virtual void note_allocation(AllocationNote) {}
  virtual void note_free(uint64_t base, HostPlace at) { (void)base, (void)at; }
};

// Keeps findings, for tests and for the C++ API.
class CollectingSink : public FindingSink {
 public:
  Cause report(Finding finding) override;
  void again(Cause cause, uint64_t threads = 1) override;
  void note_unchecked(std::string_view what) override;
  std::vector<Finding> findings() const;
  std::vector<std::string> not_checked() const;

 private:
  mutable std::mutex mutex_;
  std::vector<Finding> findings_;
  std::vector<std::string> causes_;  // of findings_, in step
  std::vector<std::string> not_checked_;
};

}  // namespace warpwise
