#include "cli/support/device_option.h"

#include <fmt/format.h>

#include <filesystem>
#include <vector>

#include "base/suggest.h"
#include "device/device_file.h"

namespace warpwise::cli {

void declare_device(CLI::App& app, std::string& name) {
  app.add_option("--device", name,
                 fmt::format("the GPU to model ({}): a name of `warpwise devices`, or a FILE.toml",
                             device::default_device().id))
      ->type_name("NAME");
}

Result<const device::Properties*> chosen_device(const std::string& name) {
  if (name.empty()) return &device::default_device();
  if (!name.ends_with(".toml")) {
    if (const device::Properties* found = device::find_device(name)) return found;
    std::vector<std::string_view> known;
    for (const device::Properties& p : device::all_devices()) known.push_back(p.id);
    return Error{"U0004", fmt::format("there is no device `{}`{}", name, did_you_mean(name, known))};
  }
  std::error_code error;
  std::filesystem::path path = std::filesystem::absolute(name, error);
  return device::device_named(error ? name : path.string());
}

}  // namespace warpwise::cli
