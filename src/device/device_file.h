// User-defined devices: --device=FILE.toml.
//
//     like = "a100"                 # a row of devices.inc, which supplies all values that the file does not give
//     name = "My GPU"
//     source = "its datasheet"
//     multiprocessors = 96          # every name of figures.inc
//     core_clock_khz = 1500000
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "device/properties.h"

namespace warpwise::device {

// A row of devices.inc, or, where the name ends in .toml, the device of that file (read once; it lives as long as the
// process). Error U0004: no such device. Error U0001: the file cannot be read. Error U0012: the file does not describe
// a device.
Result<const Properties*> device_named(std::string_view name);

// A device and the texts that its Properties point to. It must not move.
struct DeviceFile {
  DeviceFile() = default;
  DeviceFile(const DeviceFile&) = delete;
  DeviceFile& operator=(const DeviceFile&) = delete;

  std::string path, id, name, source;
  Properties properties;
};
// Reads the text of such a file into `file`, whose path is for messages. U0012.
Result<void> read_device_file(std::string_view text, DeviceFile& file);

// The text of such a file: `device` as far as it differs from `like`, a row of devices.inc. `remarks`: comments, by the
// name of a figure; figures that have one are written although they do not differ. `preface`: lines above all.
std::string device_file_text(const Properties& device, const Properties& like,
                             const std::map<std::string, std::string, std::less<>>& remarks = {},
                             const std::vector<std::string>& preface = {});

// The figures by name, for lists and files.
struct Figure {
  std::string_view name, unit, meaning;
  double (*get)(const Properties&);
  bool (*set)(Properties&, double);  // false: the figure cannot have that value
};
std::span<const Figure> all_figures();

}  // namespace warpwise::device
