#include "capi/ir_request.h"

#include <fmt/format.h>

#include "base/json.h"

namespace warpwise::capi {
namespace {

using Json = nlohmann::json;

Result<void> read_member(const std::string& name, const Json& value, toolchain::IrRequest& request) {
  if (name == "architecture") {
    if (!value.is_number_unsigned()) return Error{"U0005", "`architecture` is a number such as 90"};
    request.architecture = value.get<unsigned>();
    return {};
  }
  bool* member = name == "checked"            ? &request.for_check
                 : name == "contract"         ? &request.contract
                 : name == "precise_division" ? &request.precise_division
                 : name == "precise_root"     ? &request.precise_root
                                              : nullptr;
  if (!member) return Error{"U0005", fmt::format("there is no option `{}` of ww_compile_ir", name)};
  if (!value.is_boolean()) return Error{"U0005", fmt::format("`{}` is true or false", name)};
  *member = value.get<bool>();
  return {};
}

}  // namespace

Result<toolchain::IrRequest> read_ir_request(std::string_view options) {
  toolchain::IrRequest request;
  if (options.empty()) return request;
  const Json json = parse_json<Json>(options);
  if (!json.is_object()) return Error{"U0005", "options are a JSON object"};
  for (const auto& [name, value] : json.items()) TRY(read_member(name, value, request));
  return request;
}

}  // namespace warpwise::capi
