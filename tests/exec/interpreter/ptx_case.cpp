#include "ptx_case.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <cstring>
#include <fstream>
#include <map>
#include <sstream>

#include "base/sanitized.h"
#include "device/tensor_map.h"
#include "engines.h"
#include "exec/fault/fault_report.h"
#include "image_case.h"
#include "multicast_case.h"

namespace warpwise::test {

using device::Failure;
using ptx::Type;

namespace {

// --- reading ---

constexpr std::pair<const char*, Failure> kFailures[] = {
    {"IllegalAddress", Failure::IllegalAddress},
    {"MisalignedAddress", Failure::MisalignedAddress},
    {"IllegalInstruction", Failure::IllegalInstruction},
    {"InvalidPc", Failure::InvalidPc},
    {"HardwareStackError", Failure::HardwareStackError},
    {"Assert", Failure::Assert},
    {"LaunchFailure", Failure::LaunchFailure},
    {"LaunchTimeout", Failure::LaunchTimeout},
    {"NotSupported", Failure::NotSupported},
    {"InvalidPtx", Failure::InvalidPtx},
};

void append(std::vector<std::byte>& bytes, uint64_t value, unsigned count) {
  for (unsigned k = 0; k < count; ++k) bytes.push_back(static_cast<std::byte>(value >> (8 * k)));
}

uint64_t f64_bits(double value) {
  uint64_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}
uint64_t f32_bits(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

Result<uint64_t> value_of(const std::string& word, Type type) {
  if (word == "nan")
    return type == Type::F64 ? f64_bits(NAN) : ptx::bits_of(type) == 16 ? uint64_t{0x7fff} : uint64_t{0x7fffffff};
  bool hex = word.starts_with("0x") || word.starts_with("-0x");
  char* end = nullptr;
  uint64_t bits;
  if (!hex && type == Type::F64) {
    bits = f64_bits(std::strtod(word.c_str(), &end));
  } else if (!hex && type == Type::F32) {
    bits = f32_bits(std::strtof(word.c_str(), &end));
  } else if (word[0] == '-') {
    bits = static_cast<uint64_t>(std::strtoll(word.c_str(), &end, 0));
  } else {
    bits = std::strtoull(word.c_str(), &end, 0);
  }
  if (*end != '\0') return Error{"U0005", fmt::format("`{}` is no {}", word, ptx::name_of(type))};
  return bits;
}

// The words of a list as bytes.
Result<std::vector<std::byte>> values_of(const std::vector<std::string>& words, Type type) {
  std::vector<std::byte> bytes;
  unsigned width = ptx::bytes_of(type);
  for (size_t k = 0; k < words.size(); ++k) {
    if (size_t dots = words[k].find(".."); dots != std::string::npos) {
      for (uint64_t v = std::stoull(words[k].substr(0, dots)), last = std::stoull(words[k].substr(dots + 2)); v <= last;
           ++v) {
        append(bytes, type == Type::F32 ? f32_bits(static_cast<float>(v)) : v, width);
      }
      continue;
    }
    uint64_t value = TRY(value_of(words[k], type)), times = 1;
    if (k + 1 < words.size() && words[k + 1][0] == 'x') times = std::stoull(words[++k].substr(1));
    for (; times > 0; --times) append(bytes, value, width);
  }
  return bytes;
}

std::vector<std::string> words_of(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

// "16" or "16,8,2".
Result<device::Dim3> dim3_of(const std::string& text) {
  std::vector<std::string> parts = split(text, ',');
  device::Dim3 dim;
  uint32_t* fields[] = {&dim.x, &dim.y, &dim.z};
  if (parts.size() > 3) return Error{"U0005", fmt::format("`{}` is no size: at most three numbers", text)};
  for (size_t k = 0; k < parts.size(); ++k) {
    auto [end, error] = std::from_chars(parts[k].data(), parts[k].data() + parts[k].size(), *fields[k]);
    if (error != std::errc{} || end != parts[k].data() + parts[k].size())
      return Error{"U0005", fmt::format("`{}` is no size: numbers with commas between them", text)};
  }
  return dim;
}

Result<Buffer> read_buffer(const std::string& keyword, const std::string& name, const std::string& text) {
  Buffer buffer;
  buffer.name = name;
  buffer.kind = keyword == "in"    ? Buffer::Kind::In
                : keyword == "out" ? Buffer::Kind::Out
                : keyword == "arg" ? Buffer::Kind::Arg
                                   : Buffer::Kind::InOut;
  if (keyword == "tensor") {
    buffer.kind = Buffer::Kind::Tensor;
    if (std::string trouble = read_tensor(text, buffer.tensor); !trouble.empty()) return Error{"U0005", trouble};
    return buffer;
  }
  std::vector<std::string> words = words_of(text);
  if (words.empty()) return Error{"U0005", fmt::format("`{}` has no type", name)};
  auto type = ptx::find_type(words[0]);
  if (!type) return Error{"U0005", fmt::format("`{}` is no type", words[0])};
  buffer.type = *type;
  words.erase(words.begin());
  auto arrow = std::find(words.begin(), words.end(), "=>");
  std::vector<std::string> first(words.begin(), arrow);
  if (buffer.kind == Buffer::Kind::Out) {
    buffer.after = TRY(values_of(first, *type));
    buffer.before.resize(buffer.after.size());
  } else {
    buffer.before = TRY(values_of(first, *type));
    if (arrow != words.end()) buffer.after = TRY(values_of({arrow + 1, words.end()}, *type));
  }
  return buffer;
}

Result<PtxLaunch> read_launch(const std::string& text) {
  PtxLaunch launch;
  for (const std::string& word : words_of(text)) {
    size_t equals = word.find('=');
    std::string key = word.substr(0, equals), value = equals == std::string::npos ? "" : word.substr(equals + 1);
    if (equals == std::string::npos && key == "cooperative")
      launch.cooperative = true;
    else if (equals == std::string::npos && key == "independent")
      launch.independent = true;
    else if (equals == std::string::npos && key == "exact")
      launch.exact = true;
    else if (equals == std::string::npos && key == "manual")
      launch.manual = true;
    else if (equals == std::string::npos)
      launch.kernel = key;
    else if (key == "grid")
      launch.grid = TRY(dim3_of(value));
    else if (key == "block")
      launch.block = TRY(dim3_of(value));
    else if (key == "told")
      std::ranges::replace(value, ',', ' '), launch.told = words_of(value);
    else if (key == "timeout")
      launch.timeout_seconds = std::stod(value);
    else if (key == "stack")
      launch.stack_bytes = static_cast<uint32_t>(std::stoul(value));
    else if (key == "shared")
      launch.shared_bytes = static_cast<uint32_t>(std::stoul(value));
    else
      return Error{"U0005", fmt::format("`{}` is no word of a launch", word)};
  }
  return launch;
}

// One directive: "in a: u32 1 2".
Result<void> read_directive(PtxCase& test, const std::string& directive, unsigned line) {
  size_t colon = directive.find(':');
  std::vector<std::string> head = words_of(directive.substr(0, colon));
  std::string rest = directive.substr(colon + 1);
  if (head[0] == "launch") {
    test.launches.push_back(TRY(read_launch(rest)));
    test.launches.back().line = line;
    return {};
  }
  if (test.launches.empty()) return Error{"U0005", fmt::format("line {}: no launch before `{}`", line, head[0])};
  PtxLaunch& launch = test.launches.back();
  if (head[0] == "print") {
    launch.print += rest.substr(1) + "\n";
  } else if (head[0] == "fault") {
    std::vector<std::string> words = words_of(rest);
    launch.fault = words[0];
    size_t at = rest.find(words[0]) + words[0].size();
    launch.fault_words = at + 1 < rest.size() ? rest.substr(at + 1) : "";
  } else {
    launch.buffers.push_back(TRY(read_buffer(head[0], head.size() > 1 ? head[1] : "", rest)));
    if (head.size() > 2 && head[2].starts_with("copies="))
      launch.buffers.back().copies = static_cast<unsigned>(std::stoul(head[2].substr(7)));
    else if (head.size() > 2)
      launch.buffers.back().image = head[2];
  }
  return {};
}

bool is_directive(const std::string& comment) {
  for (const char* word : {"launch:", "in ", "out ", "inout ", "arg ", "tensor ", "print:", "fault:"}) {
    if (comment.starts_with(word) && comment.find(':') != std::string::npos) return true;
  }
  return false;
}

// --- running ---

std::string hex(const std::byte* at, unsigned bytes) {
  std::string text = "0x";
  for (unsigned k = bytes; k-- > 0;) text += fmt::format("{:02x}", static_cast<unsigned>(at[k]));
  return text;
}

bool is_nan64(const std::byte* at) {
  double value;
  std::memcpy(&value, at, sizeof value);
  return std::isnan(value);
}

std::string compare(const Buffer& buffer, const std::vector<std::byte>& got) {
  unsigned width = ptx::bytes_of(buffer.type);
  std::string complaints;
  unsigned wrong = 0;
  for (size_t k = 0; k * width < got.size(); ++k) {
    const std::byte *is = &got[k * width], *should = &buffer.after[k * width];
    if (std::memcmp(is, should, width) == 0) continue;
    if (buffer.type == Type::F64 && is_nan64(is) && is_nan64(should)) continue;
    if (++wrong <= 8)
      complaints += fmt::format("  {}[{}] is {}, not {}\n", buffer.name, k, hex(is, width), hex(should, width));
  }
  if (wrong > 8) complaints += fmt::format("  {} values of {} are wrong in all\n", wrong, buffer.name);
  return complaints;
}

class Runner {
 public:
  explicit Runner(exec::VirtualDevice& device) : device_(device) {}

  std::string run(const PtxCase& test, const PtxLaunch& launch) {
    device::ModuleId module;
    device::Launch command;
    if (auto s = device_.load_module(test.text, test.name, &module); !s.ok()) return "  " + s.detail + "\n";
    if (auto s = device_.find_kernel(module, launch.kernel, &command.kernel); !s.ok()) return "  " + s.detail + "\n";
    if (launch.stack_bytes != 0)
      if (auto s = device_.set_stack_size(launch.stack_bytes); !s.ok()) return "  " + s.detail + "\n";
    command.grid = launch.grid;
    command.block = launch.block;
    command.dynamic_shared_bytes = launch.shared_bytes;
    command.cooperative = launch.cooperative;
    if (std::string trouble = pass(launch, command); !trouble.empty()) return trouble;
    device::Status status = device_.submit(0, command);
    if (status.ok()) status = device_.wait(0);
    if (!launch.fault.empty()) return compare_fault(launch, status);
    if (!status.ok()) return "  " + status.detail + "\n";
    std::string complaints;
    for (size_t k = 0; k < launch.buffers.size(); ++k) {
      const Buffer& buffer = launch.buffers[k];
      if (buffer.after.empty()) continue;
      std::vector<std::byte> got(buffer.after.size());
      const device::Status read =
          buffer.copies ? read_copies(device_, multicasts_[k], got) : copy_back(got.data(), places_[k], got.size());
      complaints += read.ok() ? compare(buffer, got) : "  " + read.detail + "\n";
    }
    return complaints;
  }

 private:
  // Puts the buffers into memory and their addresses into the parameters.
  std::string pass(const PtxLaunch& launch, device::Launch& command) {
    const device::KernelInfo& info = device_.kernel_info(command.kernel);
    command.parameters.resize(info.parameter_bytes);
    if (info.parameters.size() != launch.buffers.size()) {
      return fmt::format("  the kernel has {} parameters, the test {}\n", info.parameters.size(),
                         launch.buffers.size());
    }
    for (size_t k = 0; k < launch.buffers.size(); ++k) {
      const Buffer& buffer = launch.buffers[k];
      std::byte* parameter = command.parameters.data() + info.parameters[k].offset;
      device::Address place = 0;
      if (buffer.kind == Buffer::Kind::Tensor) {
        if (auto s = encode(launch, buffer.tensor, parameter); !s.ok()) return "  " + s.detail + "\n";
      } else if (buffer.kind == Buffer::Kind::Arg) {
        std::memcpy(parameter, buffer.before.data(), std::min<size_t>(buffer.before.size(), info.parameters[k].size));
      } else {
        size_t bytes = buffer.before.size();
        if (buffer.copies) {
          auto multicast = make_multicast(device_, buffer.before, buffer.copies);
          if (!multicast) return "  " + multicast.error().message + "\n";
          std::memcpy(parameter, &multicast->address, sizeof multicast->address);
          places_.push_back(0);
          multicasts_[k] = *multicast;
          continue;
        }
        if (auto s = device_.allocate(bytes, device::MemoryKind::Device, &place); !s.ok())
          return "  " + s.detail + "\n";
        device::CopyToDevice copy{place, buffer.before.data(), {bytes}};
        if (auto s = device_.submit(0, copy); !s.ok()) return "  " + s.detail + "\n";
        uint64_t passed = place;
        if (!buffer.image.empty()) {
          auto image = read_image(buffer.image, place);
          if (!image) return "  " + image.error().message + "\n";
          if (auto s = device_.create_texture(*image, &passed); !s.ok()) return "  " + s.detail + "\n";
        }
        std::memcpy(parameter, &passed, sizeof passed);
      }
      places_.push_back(place);
    }
    return "";
  }

  device::Status encode(const PtxLaunch& launch, const TensorSpec& spec, std::byte* parameter) {
    const uint64_t none[1] = {};
    device::TensorRequest request{.type = spec.type,
                                  .rank = static_cast<uint32_t>(spec.sizes.size()),
                                  .sizes = spec.sizes.data(),
                                  .strides = spec.strides.empty() ? none : spec.strides.data(),
                                  .element_strides = spec.steps.data(),
                                  .swizzle = spec.swizzle,
                                  .fill = spec.fill};
    for (size_t k = 0; k < places_.size(); ++k)
      if (launch.buffers[k].name == spec.of) request.address = places_[k];
    alignas(64) std::byte map[device::kTensorMapBytes];
    device::Status status = spec.wide >= 0 ? device::encode_im2col_wide(map, request, spec.lower[0], spec.upper[0],
                                                                        spec.channels, spec.pixels, spec.wide)
                            : spec.pixels  ? device::encode_im2col(map, request, spec.lower.data(), spec.upper.data(),
                                                                   spec.channels, spec.pixels)
                                           : device::encode_tiled(map, request, spec.box.data());
    if (status.ok()) std::memcpy(parameter, map, sizeof map);
    return status;
  }

  device::Status copy_back(std::byte* to, device::Address from, size_t bytes) {
    device::CopyFromDevice copy{to, from, {bytes}};
    auto status = device_.submit(0, copy);
    return status.ok() ? device_.wait(0) : status;
  }

  static std::string compare_fault(const PtxLaunch& launch, const device::Status& status) {
    for (auto [name, failure] : kFailures) {
      if (launch.fault != name) continue;
      if (status.failure != failure)
        return fmt::format("  expected {}, got `{}`: {}\n", name, exec::describe(status.failure), status.detail);
      if (status.detail.find(launch.fault_words) != std::string::npos) return "";
      return fmt::format("  the message lacks `{}`: {}\n", launch.fault_words, status.detail);
    }
    return fmt::format("  `{}` is no failure\n", launch.fault);
  }

  exec::VirtualDevice& device_;
  std::vector<device::Address> places_;
  std::map<size_t, MulticastBuffer> multicasts_;
};

// The default device, or one that has what the file's .target asks for.
std::string device_for(const PtxCase& test) {
  const std::string target = target_of(test);
  return target == "sm_100a" ? "b200" : target == "sm_120a" ? "rtx5070" : "";
}

}  // namespace

std::string target_of(const PtxCase& test) {
  for (const char* newer : {"sm_100a", "sm_120a"})
    if (test.text.find(fmt::format("\n.target {}", newer)) != std::string::npos) return newer;
  return "sm_90a";
}

Result<PtxCase> read_ptx_case(const std::string& path) {
  std::ifstream file(path);
  if (!file) return Error{"U0001", "cannot read " + path};
  PtxCase test;
  test.name = path.substr(path.find_last_of('/') + 1);
  std::string directive;
  unsigned number = 0, begun = 0;
  auto finish = [&]() -> Result<void> {
    if (!directive.empty()) {
      auto read = read_directive(test, directive, begun);
      if (!read) return Error{"U0005", fmt::format("{}:{}: {}", test.name, begun, read.error().message)};
    }
    directive.clear();
    return {};
  };
  for (std::string line; std::getline(file, line);) {
    ++number;
    test.text += line + "\n";
    bool continued = line.starts_with("//   ") && !directive.empty();
    if (continued) {
      directive += " " + line.substr(5);
      continue;
    }
    TRY(finish());
    if (line.starts_with("// ") && is_directive(line.substr(3))) {
      directive = line.substr(3);
      begun = number;
    }
  }
  TRY(finish());
  if (test.launches.empty()) return Error{"U0005", test.name + " launches nothing"};
  return test;
}

std::string run_ptx_case(const PtxCase& test, std::string_view engine) {
  std::string complaints;
  for (const PtxLaunch& launch : test.launches) {
    if (launch.independent && engine == "jit-simt") continue;
    if (launch.exact && engine != "interpreter") continue;
    std::string printed;
    auto device = open_device(
        engine, [&](std::string_view text) { printed += text; }, kSlowdown * launch.timeout_seconds, device_for(test));
    if (!device) return device.error().message;
    auto* sink = dynamic_cast<CollectingSink*>((*device)->findings());
    std::string wrong = Runner(**device).run(test, launch);
    // Where addresses are checked, a misaligned access of an instruction is a finding, and the kernel goes on; one that
    // a service makes ends it.
    if (sink && launch.fault == "MisalignedAddress") {
      if (std::ranges::none_of(sink->findings(), [](const Finding& f) { return f.code == "C0102"; }))
        wrong += "  the checkers do not tell the misaligned access\n";
      else if ((*device)->wait(0).ok())
        wrong.clear();
    }
    // The checkers have nothing to say of a program that is right.
    if (sink && launch.fault.empty()) {
      for (const std::string& code : launch.told)
        if (std::ranges::none_of(sink->findings(), [&](const Finding& f) { return f.code == code; }))
          wrong += fmt::format("  the checkers do not tell {}\n", code);
      for (const Finding& f : sink->findings()) {
        if (f.severity != Severity::Error || std::ranges::count(launch.told, f.code) > 0) continue;
        wrong += fmt::format("  {}: {}", f.code, f.message);
        for (const Party& party : f.parties)
          wrong += fmt::format(" | {} {} `{}`", party.role, describe_thread(party), party.code.instruction);
        wrong += "\n";
      }
    }
    if (printed != launch.print) wrong += fmt::format("  it printed `{}`, not `{}`\n", printed, launch.print);
    if (!wrong.empty())
      complaints += fmt::format("{}:{}: {} under {}\n{}", test.name, launch.line, launch.kernel, engine, wrong);
  }
  return complaints;
}

}  // namespace warpwise::test
