// --device=NAME: which GPU is modelled; or a file that describes one (device/device_file.h).
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "base/result.h"
#include "device/properties.h"

namespace warpwise::cli {

void declare_device(CLI::App& app, std::string& name);
// U0004 with a suggestion when there is none of that name; "" is the default device.
Result<const device::Properties*> chosen_device(const std::string& name);
// The compute capability times ten.
inline unsigned architecture_of(const device::Properties& p) { return p.major * 10 + p.minor; }

}  // namespace warpwise::cli
