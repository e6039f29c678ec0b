#include "device/device_file.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cerrno>
#include <cmath>
#include <cstring>
#include <deque>
#include <fstream>
#include <iterator>
#include <limits>
#include <mutex>
#include <string>
#include <type_traits>

#include "base/suggest.h"
#include "base/toml.h"

namespace warpwise::device {
namespace {

template <class T>
bool assign(T& member, double value) {
  if (!std::isfinite(value) || value < 0) return false;
  if constexpr (std::is_integral_v<T>) {
    if (value != std::floor(value) || value > static_cast<double>(std::numeric_limits<T>::max())) return false;
  }
  member = static_cast<T>(value);
  return true;
}

constexpr Figure kFigures[] = {
#define FIGURE(member, name, unit, meaning)                                                \
  {name, unit, meaning, [](const Properties& p) { return static_cast<double>(p.member); }, \
   [](Properties& p, double value) { return assign(p.member, value); }},
#include "device/figures.inc"
#undef FIGURE
};

Error wrong(std::string_view path, std::string_view what) { return Error{"U0012", fmt::format("{}: {}", path, what)}; }

Result<void> read_entry(DeviceFile& file, std::string_view key, const toml::node& value) {
  if (key == "like") return {};
  if (key == "name" || key == "source") {
    auto text = value.value<std::string>();
    if (!text) return wrong(file.path, fmt::format("`{}` is a text in quotes", key));
    (key == "name" ? file.name : file.source) = *text;
    return {};
  }
  for (const Figure& figure : kFigures) {
    if (figure.name != key) continue;
    auto number = value.value<double>();
    if (!number || !figure.set(file.properties, *number))
      return wrong(file.path, fmt::format("`{}` ({}) cannot be this", key, figure.meaning));
    return {};
  }
  std::vector<std::string_view> known = {"like", "name", "source"};
  for (const Figure& figure : kFigures) known.push_back(figure.name);
  return wrong(file.path, fmt::format("`{}` is not a figure of a device{}", key, did_you_mean(key, known)));
}

// Devices are referred to by address, so a device that has been read keeps its address.
struct Shelf {
  std::mutex mutex;
  std::deque<DeviceFile> files;
};

Result<const Properties*> from_file(std::string_view path) {
  static Shelf shelf;
  std::lock_guard lock(shelf.mutex);
  for (const DeviceFile& file : shelf.files)
    if (file.path == path) return &file.properties;
  const std::string name(path);
  std::ifstream stream(name, std::ios::binary);
  if (!stream) return Error{"U0001", fmt::format("{}: {}", path, std::strerror(errno))};
  const std::string text{std::istreambuf_iterator<char>(stream), {}};
  shelf.files.emplace_back().path = path;
  if (auto result = read_device_file(text, shelf.files.back()); !result.ok()) {
    shelf.files.pop_back();
    return std::move(result).error();
  }
  return &shelf.files.back().properties;
}

}  // namespace

Result<void> read_device_file(std::string_view text, DeviceFile& file) {
  toml::parse_result parsed = toml::parse(text);
  if (!parsed) {
    const toml::parse_error& error = parsed.error();
    return wrong(fmt::format("{}:{}", file.path, error.source().begin.line), error.description());
  }
  const toml::table& table = parsed.table();
  auto like = table["like"].value<std::string>();
  const Properties* base = like ? find_device(*like) : nullptr;
  if (!base)
    return wrong(file.path,
                 "`like` names a device of `warpwise devices`, which supplies the figures that the file does not give");
  file.properties = *base;
  file.name = fmt::format("like {}", base->name);
  file.source = fmt::format("{}; otherwise: {}", file.path, base->source);
  for (const auto& [key, value] : table) TRY(read_entry(file, key.str(), value));
  if (file.properties.sm_count == 0 || file.properties.core_clock_khz == 0)
    return wrong(file.path, "a device has multiprocessors and a clock");
  if (file.properties.machine.sustained_khz > file.properties.core_clock_khz)
    file.properties.machine.sustained_khz = file.properties.core_clock_khz;
  file.id = file.path;
  file.properties.id = file.id;
  file.properties.name = file.name;
  file.properties.source = file.source;
  return {};
}

std::string device_file_text(const Properties& device, const Properties& like,
                             const std::map<std::string, std::string, std::less<>>& remarks,
                             const std::vector<std::string>& preface) {
  // A basic string of TOML.
  auto quoted = [](std::string_view text) {
    std::string out = "\"";
    for (char c : text) {
      if (c == '"' || c == '\\') out += '\\';
      out += static_cast<unsigned char>(c) < ' ' ? ' ' : c;
    }
    return out + "\"";
  };
  std::string text;
  for (const std::string& line : preface) text += fmt::format("# {}\n", line);
  text +=
      fmt::format("like = {}\nname = {}\nsource = {}\n", quoted(like.id), quoted(device.name), quoted(device.source));
  for (const Figure& figure : kFigures) {
    const double value = figure.get(device);
    const auto remark = remarks.find(figure.name);
    if (value == figure.get(like) && remark == remarks.end()) continue;
    const std::string number =
        value == std::floor(value) && std::abs(value) < 1e15 ? fmt::format("{:.0f}", value) : fmt::format("{}", value);
    const std::string entry = fmt::format("{} = {}", figure.name, number);
    text += remark == remarks.end() ? entry + "\n" : fmt::format("{:40}# {}\n", entry, remark->second);
  }
  return text;
}

std::span<const Figure> all_figures() { return kFigures; }

Result<const Properties*> device_named(std::string_view name) {
  if (const Properties* found = find_device(name)) return found;
  if (name.ends_with(".toml")) return from_file(name);
  std::vector<std::string_view> ids;
  for (const Properties& device : all_devices()) ids.push_back(device.id);
  std::string nearest = did_you_mean(name, ids);
  return Error{"U0004", fmt::format("there is no device `{}`{}", name,
                                    nearest.empty() ? fmt::format("; known are {}", fmt::join(ids, ", ")) : nearest)};
}

}  // namespace warpwise::device
