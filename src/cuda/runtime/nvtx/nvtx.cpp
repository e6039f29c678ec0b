// NVTX: the ranges with which programs name their phases, for profilers.
//
// There are two entries. Programs compiled with the headers of include/cuda, and libnvToolsExt, call warpwise_nvtx()
// (include/cuda/nvToolsExt.h). NVIDIA's header, which programs of nvcc bring along, looks for a tool: it loads the
// library that NVTX_INJECTION64_PATH names (`warpwise profile` names this one) and calls InitializeInjectionNvtx2,
// which enters functions of this file into its tables (nvtx3/nvtxDetail/nvtxTypes.h gives the numbers of modules, and
// of functions in their tables).
//
// A range is reported when it ends (device/program_trace.h). Ranges nest by thread and domain; those that are started
// and ended by number may overlap.
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "cuda/runtime/process.h"

namespace warpwise::cuda {
namespace {

device::ProgramTrace* program_trace() {
  device::Device* gpu = Process::instance().opened_device();
  return gpu ? gpu->program_trace() : nullptr;
}

// Before the first CUDA call there is no device, and every moment counts as the beginning.
device::ProgramTrace::Moment now() {
  device::ProgramTrace* trace = program_trace();
  return trace ? trace->now() : device::ProgramTrace::Moment{};
}

struct OpenRange {
  std::string name;
  device::ProgramTrace::Moment began;
};

void close(const OpenRange& range) {
  if (device::ProgramTrace* trace = program_trace()) trace->range_ended(range.name, range.began);
}

using Domain = const std::string;  // its name; null: the program's default domain

std::vector<OpenRange>& nested_in(Domain* domain) {
  thread_local std::map<Domain*, std::vector<OpenRange>> ranges;
  return ranges[domain];
}
int push(Domain* domain, std::string name) {
  std::vector<OpenRange>& ranges = nested_in(domain);
  ranges.push_back({std::move(name), now()});
  return int(ranges.size()) - 1;
}
int pop(Domain* domain) {
  std::vector<OpenRange>& ranges = nested_in(domain);
  if (ranges.empty()) return -1;
  close(ranges.back());
  ranges.pop_back();
  return int(ranges.size());
}

// Ranges that any thread can end, by their number.
class Numbered {
 public:
  static Numbered& instance() {
    static Numbered* const numbered = new Numbered;  // programs may end ranges from destructors that run last
    return *numbered;
  }
  uint64_t start(std::string name) {
    std::lock_guard lock(mutex_);
    open_.emplace(++last_, OpenRange{std::move(name), now()});
    return last_;
  }
  void end(uint64_t id) {
    std::lock_guard lock(mutex_);
    auto range = open_.find(id);
    if (range == open_.end()) return;
    close(range->second);
    open_.erase(range);
  }

 private:
  std::mutex mutex_;
  uint64_t last_ = 0;
  std::map<uint64_t, OpenRange> open_;
};

void mark(const std::string& name) {
  if (device::ProgramTrace* trace = program_trace()) trace->marked(name);
}

// --- messages

enum MessageType { kAscii = 1, kUnicode = 2, kRegistered = 3 };

// Reports are UTF-8.
std::string narrow(const wchar_t* text) {
  std::string out;
  for (; text && *text; ++text) {
    const uint32_t c = uint32_t(*text);
    if (c < 0x80)
      out += char(c);
    else if (c < 0x800)
      (out += char(0xc0 | c >> 6)) += char(0x80 | (c & 0x3f));
    else if (c < 0x10000)
      ((out += char(0xe0 | c >> 12)) += char(0x80 | (c >> 6 & 0x3f))) += char(0x80 | (c & 0x3f));
    else
      (((out += char(0xf0 | c >> 18)) += char(0x80 | (c >> 12 & 0x3f))) += char(0x80 | (c >> 6 & 0x3f))) +=
          char(0x80 | (c & 0x3f));
  }
  return out;
}

std::string text_of(int type, const void* message) {
  if (!message) return "";
  switch (type) {
    case kAscii:
      return static_cast<const char*>(message);
    case kUnicode:
      return narrow(static_cast<const wchar_t*>(message));
    case kRegistered:
      return *static_cast<const std::string*>(message);
    default:
      return "";
  }
}
std::string name_in(Domain* domain, int type, const void* message) {
  std::string name = text_of(type, message);
  return domain ? *domain + ": " + name : name;
}
// Strings and domains are registered once and live as long as the program.
const std::string* registered(std::string text) { return new std::string(std::move(text)); }

// nvtxEventAttributes_t of version 2 and later, as far as it is read.
struct Attributes {
  uint16_t version, size;
  uint32_t category;
  int32_t color_type;
  uint32_t color;
  int32_t payload_type, reserved;
  uint64_t payload;
  int32_t message_type;
  const void* message;
};
std::string name_in(Domain* domain, const Attributes* a) {
  return a ? name_in(domain, a->message_type, a->message) : name_in(domain, 0, nullptr);
}

// --- what NVIDIA's header calls

void mark_ex(const Attributes* a) { mark(name_in(nullptr, a)); }
void mark_a(const char* name) { mark(text_of(kAscii, name)); }
void mark_w(const wchar_t* name) { mark(narrow(name)); }
uint64_t start_ex(const Attributes* a) { return Numbered::instance().start(name_in(nullptr, a)); }
uint64_t start_a(const char* name) { return Numbered::instance().start(text_of(kAscii, name)); }
uint64_t start_w(const wchar_t* name) { return Numbered::instance().start(narrow(name)); }
void end(uint64_t id) { Numbered::instance().end(id); }
int push_ex(const Attributes* a) { return push(nullptr, name_in(nullptr, a)); }
int push_a(const char* name) { return push(nullptr, text_of(kAscii, name)); }
int push_w(const wchar_t* name) { return push(nullptr, narrow(name)); }
int pop_own() { return pop(nullptr); }

void domain_mark(Domain* domain, const Attributes* a) { mark(name_in(domain, a)); }
uint64_t domain_start(Domain* domain, const Attributes* a) { return Numbered::instance().start(name_in(domain, a)); }
void domain_end(Domain*, uint64_t id) { end(id); }
int domain_push(Domain* domain, const Attributes* a) { return push(domain, name_in(domain, a)); }
int domain_pop(Domain* domain) { return pop(domain); }
const std::string* register_a(Domain*, const char* text) { return registered(text_of(kAscii, text)); }
const std::string* register_w(Domain*, const wchar_t* text) { return registered(narrow(text)); }
Domain* domain_a(const char* name) { return registered(text_of(kAscii, name)); }
Domain* domain_w(const wchar_t* name) { return registered(narrow(name)); }

using Any = void (*)();
struct DomainPlace {
  unsigned index;
  Any function;
};
#define PLACE(index, function) \
  DomainPlace { index, reinterpret_cast<Any>(function) }
enum Module { kCore = 1, kCore2 = 5 };
const DomainPlace kCorePlaces[] = {PLACE(1, mark_ex), PLACE(2, mark_a),  PLACE(3, mark_w),  PLACE(4, start_ex),
                                   PLACE(5, start_a), PLACE(6, start_w), PLACE(7, end),     PLACE(8, push_ex),
                                   PLACE(9, push_a),  PLACE(10, push_w), PLACE(11, pop_own)};
const DomainPlace kCore2Places[] = {PLACE(1, domain_mark), PLACE(2, domain_start), PLACE(3, domain_end),
                                    PLACE(4, domain_push), PLACE(5, domain_pop),   PLACE(10, register_a),
                                    PLACE(11, register_w), PLACE(12, domain_a),    PLACE(13, domain_w)};
#undef PLACE

struct ExportedCallbacks {
  size_t size;
  int (*table_of)(int module, Any*** table, unsigned* size);
};
constexpr uint32_t kCallbacks = 1;

template <size_t n>
bool fill(const ExportedCallbacks& exported, Module module, const DomainPlace (&places)[n]) {
  Any** table = nullptr;
  unsigned size = 0;
  if (!exported.table_of(module, &table, &size) || !table) return false;
  for (const DomainPlace& place : places)
    if (place.index < size && table[place.index]) *table[place.index] = place.function;
  return true;
}

}  // namespace
}  // namespace warpwise::cuda

using namespace warpwise::cuda;

extern "C" __attribute__((visibility("default"))) int InitializeInjectionNvtx2(const void* (*export_table)(uint32_t)) {
  const auto* exported = static_cast<const ExportedCallbacks*>(export_table(kCallbacks));
  if (!exported || exported->size < sizeof(ExportedCallbacks) || !exported->table_of) return 0;
  return fill(*exported, kCore, kCorePlaces) && fill(*exported, kCore2, kCore2Places);
}

// For include/cuda's header: an operation, with a message or a number. Returns a depth, a number or a registered
// string.
extern "C" __attribute__((visibility("default"))) uint64_t warpwise_nvtx(int what, const void* domain_handle,
                                                                         int message_type, const void* message,
                                                                         uint64_t id) {
  enum { kPush, kPop, kStart, kEnd, kMark, kRegister };
  auto* domain = static_cast<Domain*>(domain_handle);
  switch (what) {
    case kPush:
      return uint64_t(int64_t{push(domain, name_in(domain, message_type, message))});
    case kPop:
      return uint64_t(int64_t{pop(domain)});
    case kStart:
      return Numbered::instance().start(name_in(domain, message_type, message));
    case kEnd:
      end(id);
      return 0;
    case kMark:
      mark(name_in(domain, message_type, message));
      return 0;
    case kRegister:
      return reinterpret_cast<uintptr_t>(registered(text_of(message_type, message)));
    default:
      return 0;
  }
}
