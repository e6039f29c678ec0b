#include "cli/device_option.h"

#include <fmt/format.h>

#include <vector>

#include "base/suggest.h"

namespace warpwise::cli {

void declare_device(CLI::App& app, std::string& name) {
  app.add_option("--device", name, fmt::format("the GPU to model ({}); see `warpwise devices`", device::default_device().id))
      ->type_name("NAME");
}

Result<const device::Properties*> chosen_device(const std::string& name) {
  if (name.empty()) return &device::default_device();
  if (const device::Properties* found = device::find_device(name)) return found;
  std::vector<std::string_view> ids;
  for (const device::Properties& p : device::all_devices()) ids.push_back(p.id);
  return Error{"U0004", fmt::format("there is no device `{}`{}", name, did_you_mean(name, ids))};
}

}  // namespace warpwise::cli
