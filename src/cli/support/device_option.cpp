#include "cli/support/device_option.h"

#include <fmt/format.h>

#include <filesystem>

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
  if (!name.ends_with(".toml")) return device::device_named(name);
  // The program that will read the file may have another folder.
  std::error_code error;
  std::filesystem::path path = std::filesystem::absolute(name, error);
  return device::device_named(error ? name : path.string());
}

}  // namespace warpwise::cli
