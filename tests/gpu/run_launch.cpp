#include "run_launch.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sstream>

namespace warpwise::gpu {

using ptx::Type;
using test::Buffer;
using test::PtxCase;
using test::PtxLaunch;

const char* name_of(Verdict verdict) {
  constexpr const char* kNames[] = {"agrees", "DIFFERS", "laxer", "REFUSED", "HUNG", "BROKEN", "unjudged"};
  return kNames[static_cast<unsigned>(verdict)];
}

namespace {

constexpr size_t kMostDifferences = 64;  // of one buffer, reported value by value

// What the driver may call a fault that a test names (cuda.h, CUresult). A trap is either of two, by architecture.
struct FaultRow {
  const char* fault;
  std::vector<std::string> errors;
};
const FaultRow kFaults[] = {
    {"IllegalAddress", {"CUDA_ERROR_ILLEGAL_ADDRESS"}},
    {"MisalignedAddress", {"CUDA_ERROR_MISALIGNED_ADDRESS"}},
    {"IllegalInstruction", {"CUDA_ERROR_ILLEGAL_INSTRUCTION"}},
    {"InvalidPc", {"CUDA_ERROR_INVALID_PC"}},
    {"HardwareStackError", {"CUDA_ERROR_ILLEGAL_ADDRESS", "CUDA_ERROR_HARDWARE_STACK_ERROR"}},
    {"Assert", {"CUDA_ERROR_ASSERT"}},
    {"LaunchFailure", {"CUDA_ERROR_LAUNCH_FAILED"}},
    {"LaunchTimeout", {"CUDA_ERROR_LAUNCH_TIMEOUT"}},
    {"InvalidPtx", {"CUDA_ERROR_INVALID_PTX"}},
};

std::string hex(const std::byte* at, unsigned bytes) {
  std::string text = "0x";
  for (unsigned k = bytes; k-- > 0;) {
    char digits[3];
    std::snprintf(digits, sizeof digits, "%02x", static_cast<unsigned>(at[k]));
    text += digits;
  }
  return text;
}

bool is_nan64(const std::byte* at) {
  double value;
  std::memcpy(&value, at, sizeof value);
  return std::isnan(value);
}

void compare(const Buffer& buffer, const std::vector<std::byte>& got, std::vector<std::string>& lines) {
  unsigned width = 0;
#define TYPE(id, name, bits, kind) \
  if (buffer.type == Type::id) width = (bits + 7) / 8;
  WARPWISE_PTX_TYPES(TYPE)
#undef TYPE
  size_t wrong = 0;
  for (size_t k = 0; k * width < got.size(); ++k) {
    const std::byte *is = &got[k * width], *should = &buffer.after[k * width];
    if (std::memcmp(is, should, width) == 0) continue;
    if (buffer.type == Type::F64 && is_nan64(is) && is_nan64(should)) continue;
    if (++wrong > kMostDifferences) continue;
    lines.push_back(buffer.name + "[" + std::to_string(k) + "] expected " + hex(should, width) + " got " +
                    hex(is, width));
  }
  if (wrong > kMostDifferences) lines.push_back(buffer.name + ": " + std::to_string(wrong) + " values differ in all");
}

// The lines of a text in order: threads print in any order on a GPU.
std::string sorted_lines(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  std::sort(lines.begin(), lines.end());
  std::string sorted;
  for (const std::string& line : lines) sorted += line + "\n";
  return sorted;
}

std::string one_line(std::string text) {
  for (char& c : text) c = c == '\n' || c == '\t' ? ' ' : c;
  return text;
}

// The parameters of a launch in device memory, and pointers to them as cuLaunchKernel takes them.
class Parameters {
 public:
  Result<void> pass(const Driver& driver, const PtxLaunch& launch) {
    values_.resize(launch.buffers.size());
    for (size_t k = 0; k < launch.buffers.size(); ++k) {
      const Buffer& buffer = launch.buffers[k];
      values_[k].resize(kLargest);
      pointers_.push_back(values_[k].data());
      places_.push_back(0);
      if (buffer.kind == Buffer::Kind::Tensor) {
        alignas(64) unsigned char map[128];
        if (CUresult result = encode(driver, launch, buffer.tensor, map); result != 0)
          return Error{"", buffer.name + ": " + driver.name_of(result)};
        std::memcpy(values_[k].data(), map, sizeof map);
        continue;
      }
      if (buffer.kind == Buffer::Kind::Arg) {
        std::memcpy(values_[k].data(), buffer.before.data(), std::min(buffer.before.size(), kLargest));
        continue;
      }
      CUresult result = driver.allocate(&places_[k], buffer.before.size());
      if (result == 0) result = driver.copy_to_device(places_[k], buffer.before.data(), buffer.before.size());
      if (result != 0) return Error{"", "passing " + buffer.name + ": " + driver.name_of(result)};
      std::memcpy(values_[k].data(), &places_[k], sizeof(CUdeviceptr));
    }
    return {};
  }
  CUresult encode(const Driver& driver, const PtxLaunch& launch, const test::TensorSpec& t, void* map) {
    CUdeviceptr address = 0;
    for (size_t k = 0; k < places_.size(); ++k)
      if (launch.buffers[k].name == t.of) address = places_[k];
    const unsigned rank = static_cast<unsigned>(t.sizes.size());
    const uint64_t none[1] = {};  // the driver needs an address even for no strides
    const uint64_t* strides = t.strides.empty() ? none : t.strides.data();
    if (t.wide >= 0)
      return driver.encode_im2col_wide(map, t.type, rank, address, t.sizes.data(), strides, t.lower[0], t.upper[0],
                                       t.channels, t.pixels, t.steps.data(), 0, t.wide, t.swizzle, 0, t.fill);
    if (t.pixels == 0)
      return driver.encode_tiled(map, t.type, rank, address, t.sizes.data(), strides, t.box.data(), t.steps.data(), 0,
                                 t.swizzle, 0, t.fill);
    return driver.encode_im2col(map, t.type, rank, address, t.sizes.data(), strides, t.lower.data(), t.upper.data(),
                                t.channels, t.pixels, t.steps.data(), 0, t.swizzle, 0, t.fill);
  }
  void** pointers() { return pointers_.data(); }
  CUdeviceptr place(size_t k) const { return places_[k]; }

 private:
  // The driver reads as much of a value as the kernel's parameter is large; no test passes more than this.
  static constexpr size_t kLargest = 4096;
  std::vector<std::vector<std::byte>> values_;
  std::vector<void*> pointers_;
  std::vector<CUdeviceptr> places_;
};

CUresult launch_and_wait(const Driver& driver, CUfunction kernel, const PtxLaunch& launch, void** parameters) {
  CUresult result = driver.set_attribute(kernel, kAttributeMaxDynamicShared, static_cast<int>(launch.shared_bytes));
  if (result != 0) return result;
  if (launch.stack_bytes != 0) result = driver.set_limit(kLimitStackSize, launch.stack_bytes);
  if (result != 0) return result;
  auto [gx, gy, gz] = launch.grid;
  auto [bx, by, bz] = launch.block;
  result = launch.cooperative
               ? driver.launch_cooperative(kernel, gx, gy, gz, bx, by, bz, launch.shared_bytes, nullptr, parameters)
               : driver.launch(kernel, gx, gy, gz, bx, by, bz, launch.shared_bytes, nullptr, parameters, nullptr);
  return result != 0 ? result : driver.synchronize();
}

Answer judge_fault(const Driver& driver, const PtxLaunch& launch, CUresult result) {
  if (launch.fault == "NotSupported") return {Verdict::Laxer, {"we refuse it; the GPU says " + driver.name_of(result)}};
  if (result == 0) return {Verdict::Laxer, {"expected " + launch.fault + ", and the GPU ran on"}};
  for (const FaultRow& row : kFaults) {
    if (launch.fault == row.fault && std::count(row.errors.begin(), row.errors.end(), driver.name_of(result))) {
      return {Verdict::Agrees, {}};
    }
  }
  return {Verdict::Differs, {"expected " + launch.fault + " got " + driver.name_of(result)}};
}

std::string read_all(FILE* file) {
  std::fflush(stdout);
  std::rewind(file);
  std::string text;
  char block[4096];
  while (size_t got = std::fread(block, 1, sizeof block, file)) text.append(block, got);
  return text;
}

// The architecture that PTX is for: 90 of `.target sm_90a`; 0 when there is none.
int architecture_of(const std::string& ptx) {
  size_t at = ptx.find(".target sm_");
  return at == std::string::npos ? 0 : std::atoi(ptx.c_str() + at + std::strlen(".target sm_"));
}

// Why this GPU cannot say anything to a test; empty when it can.
std::string unjudgeable(const Driver& driver, const PtxCase& test, const PtxLaunch& launch) {
  for (const Buffer& buffer : launch.buffers) {
    if (!buffer.image.empty()) return "tests/gpu/texture_samples.cu judges textures and surfaces";
    if (buffer.copies)
      return "multicast objects want a GPU for each copy: tests/cuda/programs/multicast.cu asks for what they do";
  }
  int major = 0, minor = 0;
  driver.device_attribute(&major, kComputeCapabilityMajor, 0);
  driver.device_attribute(&minor, kComputeCapabilityMinor, 0);
  if (int needed = architecture_of(test.text); needed > major * 10 + minor)
    return "the test is for sm_" + std::to_string(needed) + ", this GPU is sm_" + std::to_string(major * 10 + minor);
  return "";
}

}  // namespace

Answer run_launch(const Driver& driver, const PtxCase& test, const PtxLaunch& launch, FILE* printed) {
  if (std::string why = unjudgeable(driver, test, launch); !why.empty()) return {Verdict::Unjudged, {why}};
  char log[4096] = "";
  int options[] = {kJitErrorLogBuffer, kJitErrorLogBufferBytes};
  void* values[] = {log, reinterpret_cast<void*>(sizeof log)};
  CUmodule module = nullptr;
  if (CUresult result = driver.load_module(&module, test.text.c_str(), 2, options, values); result != 0) {
    return {Verdict::Refused, {driver.name_of(result) + ": " + one_line(log)}};
  }
  CUfunction kernel = nullptr;
  if (CUresult result = driver.get_function(&kernel, module, launch.kernel.c_str()); result != 0) {
    return {Verdict::Refused, {driver.name_of(result) + ": no kernel " + launch.kernel}};
  }
  Parameters parameters;
  if (auto passed = parameters.pass(driver, launch); !passed) return {Verdict::Broken, {passed.error().message}};

  CUresult result = launch_and_wait(driver, kernel, launch, parameters.pointers());
  if (!launch.fault.empty()) return judge_fault(driver, launch, result);
  if (result != 0) return {Verdict::Differs, {"expected no fault got " + driver.name_of(result)}};

  Answer answer;
  for (size_t k = 0; k < launch.buffers.size(); ++k) {
    const Buffer& buffer = launch.buffers[k];
    if (buffer.after.empty()) continue;
    std::vector<std::byte> got(buffer.after.size());
    result = driver.copy_from_device(got.data(), parameters.place(k), got.size());
    if (result != 0) return {Verdict::Broken, {"reading " + buffer.name + ": " + driver.name_of(result)}};
    compare(buffer, got, answer.lines);
  }
  if (std::string text = read_all(printed); sorted_lines(text) != sorted_lines(launch.print)) {
    answer.lines.push_back("printed `" + one_line(text) + "` expected `" + one_line(launch.print) + "`");
  }
  if (answer.lines.empty()) return {Verdict::Agrees, {}};
  if (launch.manual) return {Verdict::Laxer, {"does not follow the manual, as the test says"}};
  answer.verdict = Verdict::Differs;
  return answer;
}

}  // namespace warpwise::gpu
