#include "lab/mutants/reviewed.h"

#include <fmt/format.h>

#include "lab/problem/toml_table.h"

namespace warpwise::mutants {

Result<Reviewed> Reviewed::read(const std::filesystem::path& file) {
  const toml::parse_result parsed = toml::parse_file(file.string());
  if (!parsed)
    return Error{"L0001", fmt::format("{}:{}: {}", file.string(), parsed.error().source().begin.line,
                                      parsed.error().description())};
  lab::TomlMistakes mistakes{file.string(), ""};
  lab::TomlTable top(parsed.table(), mistakes, "");
  Reviewed out;
  for (const bool right : {true, false})
    for (lab::TomlTable& table : top.tables(right ? "right" : "wrong")) {
      std::string key = table.text("key"), reason = table.text("reason");
      if (reason.empty()) table.mistake("the reason is empty");
      out.entries_[std::move(key)] = {right, std::move(reason)};
      table.finish();
    }
  top.finish();
  if (!mistakes.first.empty()) return Error{"L0001", mistakes.first};
  return out;
}

}  // namespace warpwise::mutants
