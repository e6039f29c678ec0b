// --device: which GPU is modelled, by a name of `warpwise devices` or by a file that describes one, FILE.toml
// (device/device_file.h).
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "base/result.h"
#include "device/properties.h"

namespace warpwise::cli {

// Adds the option. `name` stays as it is where the option is not given.
void declare_device(CLI::App& app, std::string& name);
// The device; "" is the default one. It lives as long as the process. U0004, with a suggestion: no device has that
// name. U0001: the file cannot be read. U0012: it does not describe a device. A device from a file has the file's
// absolute path as its id, because the program that reads it again may run in another folder.
Result<const device::Properties*> chosen_device(const std::string& name);
// The compute capability times ten: 90 for 9.0.
inline unsigned architecture_of(const device::Properties& p) { return p.major * 10 + p.minor; }

}  // namespace warpwise::cli
