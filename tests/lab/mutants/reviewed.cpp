#include "lab/mutants/reviewed.h"

#include <fmt/format.h>

#include "lab/problem/toml_table.h"
#include "toolchain/files.h"

namespace warpwise::mutants {

Result<Reviewed> Reviewed::read(const std::filesystem::path& file) {
  lab::TomlFile parsed = TRY(lab::parse_toml(TRY(toolchain::read_file(file)), file, "L0001"));
  lab::TomlTable top = parsed.top();
  Reviewed out;
  for (const bool right : {true, false})
    for (lab::TomlTable& table : top.tables(right ? "right" : "wrong")) {
      std::string key = table.text("key"), reason = table.text("reason");
      if (reason.empty()) table.mistake("the reason is empty");
      out.entries_[std::move(key)] = {right, std::move(reason)};
      table.finish();
    }
  top.finish();
  TRY(parsed.result());
  return out;
}

}  // namespace warpwise::mutants
