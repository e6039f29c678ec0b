// A PTX text as a library: what other compilers of Python (Triton, for one) hand over.
//
// Parameters of PTX have a size and hardly a type. 64 bits that are no float may be an address, so an array fits there;
// everything else is a number.
#include <fmt/format.h>

#include "base/diagnostics.h"
#include "base/json.h"
#include "capi/library.h"
#include "capi/runtime_error.h"
#include "ptx/parse/parser.h"

namespace warpwise::capi {
namespace {

using OrderedJson = nlohmann::ordered_json;

bool is_number(const ptx::Parameter& parameter) { return !parameter.is_array && parameter.size <= 8; }

warpwise_entries::Type type_of(const ptx::Parameter& parameter) {
  using namespace warpwise_entries;
  const auto bytes = static_cast<unsigned>(parameter.size);
  if (!is_number(parameter)) return {nullptr, kOther, false, false, bytes};
  if (ptx::is_float(parameter.type)) return {nullptr, kFloating, false, false, bytes};
  if (bytes == 8) return {nullptr, kVoid, true, false, 0};
  return {nullptr, ptx::is_signed(parameter.type) ? kSigned : kUnsigned, false, false, bytes};
}

OrderedJson describe(const ptx::Parameter& parameter, const warpwise_entries::Type& type, const std::string& name) {
  constexpr std::array kKinds{"void", "bool", "signed", "unsigned", "floating", "other"};
  std::string spelling = fmt::format(".{}", ptx::name_of(parameter.type));
  if (parameter.is_array) spelling += fmt::format("[{}]", parameter.size);
  return {{"spelling", spelling},   {"kind", kKinds[type.kind]}, {"pointer", type.pointer},
          {"const", type.constant}, {"bytes", type.bytes},       {"name", name}};
}

}  // namespace

Result<void> Library::add_entries(const PtxRequest& request) {
  Diagnostics diagnostics;
  const auto module = ptx::load(std::make_shared<SourceText>(request.name, request.text), diagnostics);
  if (!module || diagnostics.has_errors()) {
    Error error = diagnostics.first_error();
    error.message += "\n" + render_text(diagnostics, /*color=*/false);
    return error;
  }
  OrderedJson functions = OrderedJson::array();
  for (const ptx::Function& function : module->functions) {
    if (!function.is_entry || function.is_declaration) continue;
    OrderedJson parameters = OrderedJson::array();
    PtxEntry& added = entries_of_ptx_.emplace_back();
    for (size_t i = 0; i < function.parameters.size(); ++i) {
      added.parameters.push_back(type_of(function.parameters[i]));
      const std::string name = i < request.parameter_names.size() ? request.parameter_names[i] : "";
      parameters.push_back(describe(function.parameters[i], added.parameters.back(), name));
    }
    functions.push_back(
        {{"name", function.name},
         {"kernel", true},
         {"result", {{"spelling", "void"}, {"kind", "void"}, {"pointer", false}, {"const", false}, {"bytes", 0}}},
         {"parameters", std::move(parameters)}});
    functions_.push_back({std::string(function.name), request.parameter_names, nullptr});
  }
  json_ =
      dump_json(OrderedJson{{"functions", std::move(functions)}, {"left_out", OrderedJson::array()}, {"messages", ""}});
  return {};
}

// What the GPU says of its kernels, for ww_library_functions.
Result<void> Library::add_registers() {
  OrderedJson all = OrderedJson::parse(json_);
  for (size_t i = 0; i < functions_.size(); ++i) {
    cudaFuncAttributes attributes{};
    TRY(runtime_result(cudaFuncGetAttributes(&attributes, functions_[i].entry->address)));
    all["functions"][i]["registers"] = attributes.numRegs;
  }
  json_ = dump_json(all);
  return {};
}

Result<std::unique_ptr<Library>> Library::load_ptx(const PtxRequest& request) {
  std::unique_ptr<Library> library(new Library);
  library->source_ = request.name;
  TRY(library->add_entries(request));
  TRY(runtime_result(
      cudaLibraryLoadData(&library->device_code_, request.text.c_str(), nullptr, nullptr, 0, nullptr, nullptr, 0)));
  for (size_t i = 0; i < library->functions_.size(); ++i) {
    PtxEntry& described = library->entries_of_ptx_[i];
    cudaKernel_t kernel = nullptr;
    TRY(runtime_result(cudaLibraryGetKernel(&kernel, library->device_code_, library->functions_[i].name.c_str())));
    described.entry = {.name = library->functions_[i].name.c_str(),
                       .address = kernel,
                       .kernel = true,
                       .call = nullptr,
                       .result = {nullptr, warpwise_entries::kVoid, false, false, 0},
                       .parameters = described.parameters.data(),
                       .parameter_count = static_cast<unsigned>(described.parameters.size())};
    library->functions_[i].entry = &described.entry;
  }
  TRY(library->add_registers());
  return library;
}

}  // namespace warpwise::capi
