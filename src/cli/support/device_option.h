// --device: which GPU is modelled, by a name of `warpwise devices` or by a file that describes one, FILE.toml
// (device/device_file.h).
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "base/result.h"
#include "device/properties.h"

namespace warpwise::cli {

// Adds the option, which sets `name`.
void declare_device(CLI::App& app, std::string& name);
// The device; "" is the default one. It lives as long as the process. U0004 with a suggestion when there is none of
// that name; U0012 when the file does not describe a device. The id of a device from a file is the file's absolute
// path, because the program that will read it may run in another folder.
Result<const device::Properties*> chosen_device(const std::string& name);
// The compute capability times ten.
inline unsigned architecture_of(const device::Properties& p) { return p.major * 10 + p.minor; }

}  // namespace warpwise::cli
