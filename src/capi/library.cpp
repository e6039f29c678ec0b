#include "capi/library.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <string_view>

#include "base/json.h"
#include "capi/source_functions.h"
#include "toolchain/build.h"
#include "toolchain/cache.h"
#include "toolchain/flags.h"
#include "toolchain/hash.h"
#include "toolchain/process.h"

namespace warpwise::capi {
namespace {

using OrderedJson = nlohmann::ordered_json;

struct LeftOut {
  std::string name, why;
};

// The functions that the library will list, and those that it cannot.
struct Offer {
  std::vector<SourceFunction> functions;
  std::vector<LeftOut> left_out;

  explicit Offer(std::vector<SourceFunction> found) {
    std::map<std::string, int> uses;
    for (const SourceFunction& f : found) ++uses[f.name];
    for (SourceFunction& f : found) {
      if (f.is_template)
        leave_out(f.name, "it is a template: give a kernel that is none its types");
      else if (uses[f.name] > 1)
        leave_out(f.name, "several functions have this name: give them different ones");
      else
        functions.push_back(std::move(f));
    }
  }

  void leave_out(const std::string& name, std::string why) {
    const bool known = std::any_of(left_out.begin(), left_out.end(), [&](const LeftOut& l) { return l.name == name; });
    if (!known) left_out.push_back({name, std::move(why)});
  }

  // Host code alone has functions to call. A line for each function, so that messages tell which one is meant.
  std::string epilogue() const {
    std::string text = "#ifndef __CUDA_ARCH__\n#include \"warpwise/signatures.h\"\nWARPWISE_ENTRIES_BEGIN\n";
    for (const SourceFunction& f : functions)
      text += fmt::format("{}({})\n", f.kernel ? "WARPWISE_KERNEL" : "WARPWISE_FUNCTION", f.name);
    return text + "WARPWISE_ENTRIES_END\n#endif\n";
  }
  static constexpr size_t kFirstLine = 4;  // of the functions in the epilogue

  // Leaves out the functions that the compiler's messages are about; false when they are about none.
  bool drop_refused(std::string_view messages) {
    const std::string place = fmt::format("{}:", toolchain::kEpilogueName);
    std::map<size_t, std::string> refused;  // by line, with the first message
    for (size_t at = 0; (at = messages.find(place, at)) != messages.npos;) {
      at += place.size();
      size_t line = 0;
      std::from_chars(messages.data() + at, messages.data() + messages.size(), line);
      const std::string_view rest = messages.substr(at, messages.find('\n', at) - at);
      const size_t error = rest.find("error: ");
      if (line >= kFirstLine && line < kFirstLine + functions.size())
        refused.emplace(line - kFirstLine, error == rest.npos ? "" : std::string(rest.substr(error + 7)));
    }
    for (auto it = refused.rbegin(); it != refused.rend(); ++it) {
      const std::string name = functions[it->first].name;
      drop(name, it->second.empty() ? "the compiler does not take its address" : it->second);
      dropped.push_back({{"name", name}, {"why", left_out.back().why}});
    }
    return !refused.empty();
  }

  void drop(const std::string& name, const std::string& why) {
    leave_out(name, why);
    std::erase_if(functions, [&](const SourceFunction& f) { return f.name == name; });
  }

  // What drop_refused has dropped, for the next load of the same source: it need not be refused once more.
  OrderedJson dropped = OrderedJson::array();
  void drop_as_before(std::string_view known) {
    OrderedJson list = parse_json<OrderedJson>(known);
    if (!list.is_array()) return;
    for (const auto& item : list) drop(item.value("name", ""), item.value("why", ""));
    dropped = std::move(list);
  }
};

constexpr const char* kDroppedKind = "dropped";  // in the cache

// The process may have another CUDA runtime, whose functions all libraries see (PyTorch loads NVIDIA's so). A library's
// own calls shall be to ours. AddressSanitizer does not allow the flag.
#ifdef __SANITIZE_ADDRESS__
constexpr int kOwnNamesFirst = 0;
#else
constexpr int kOwnNamesFirst = RTLD_DEEPBIND;
#endif

std::string key_of(const SourceRequest& source, std::string_view text) {
  toolchain::Hasher hash;
  hash.add(WARPWISE_VERSION).add(text).add(uint64_t{source.checked}).add(source.architecture);
  for (const auto* words : {&source.flags, &source.functions}) {
    hash.add(words->size());
    for (const std::string& word : *words) hash.add(word);
  }
  return hash.hex();
}

Result<toolchain::BuildRequest> request_for(const SourceRequest& source) {
  toolchain::BuildRequest request;
  std::vector<std::string> words = source.flags;
  words.push_back(source.path);
  request.flags = TRY(toolchain::parse_flags(words));
  const toolchain::CompilerFlags& flags = request.flags;
  if (flags.inputs.size() != 1 || flags.inputs[0] != source.path || flags.dry_run)
    return Error{"T0005", "the flags may not name files or end in the middle of an option: one source is compiled"};
  request.flags.cuda_language = true;
  request.library = true;
  request.explain_inputs = true;
  request.purpose = source.checked ? toolchain::BuildPurpose::Check : toolchain::BuildPurpose::Run;
  request.device_architecture = source.architecture;
  return request;
}

OrderedJson type_to_json(const warpwise_entries::Type& type) {
  constexpr std::array kKinds{"void", "bool", "signed", "unsigned", "floating", "other"};
  // "const char *warpwise_entries::spelling() [T = const float *]"
  std::string_view spelling = type.spelling;
  spelling.remove_prefix(spelling.find("[T = ") + 5);
  spelling.remove_suffix(1);
  return {{"spelling", spelling},
          {"kind", kKinds[type.kind]},
          {"pointer", type.pointer},
          {"const", type.constant},
          {"bytes", type.bytes}};
}

std::string to_json(const std::vector<LibraryFunction>& functions, const std::vector<LeftOut>& left_out,
                    const std::string& messages) {
  OrderedJson all = {{"functions", OrderedJson::array()}, {"left_out", OrderedJson::array()}, {"messages", messages}};
  for (const LibraryFunction& function : functions) {
    OrderedJson parameters = OrderedJson::array();
    for (unsigned i = 0; i < function.entry->parameter_count; ++i) {
      OrderedJson parameter = type_to_json(function.entry->parameters[i]);
      parameter["name"] = i < function.parameter_names.size() ? function.parameter_names[i] : "";
      parameters.push_back(std::move(parameter));
    }
    all["functions"].push_back({{"name", function.name},
                                {"kernel", function.entry->kernel},
                                {"result", type_to_json(function.entry->result)},
                                {"parameters", std::move(parameters)}});
  }
  for (const LeftOut& l : left_out) all["left_out"].push_back({{"name", l.name}, {"why", l.why}});
  return dump_json(all);
}

}  // namespace

Result<std::unique_ptr<Library>> Library::load(const SourceRequest& source) {
  toolchain::BuildRequest request = TRY(request_for(source));
  std::string messages;
  request.say = [&](std::string_view text) { messages += text; };
  const std::string text = TRY(toolchain::read_file(source.path));
  Offer offer(functions_in(text, source.functions));
  const toolchain::Cache cache = toolchain::Cache::from_environment();
  if (const auto dropped = cache.load(kDroppedKind, key_of(source, text))) offer.drop_as_before(*dropped);

  request.epilogue = offer.epilogue();
  auto built = toolchain::build_program(request, cache);
  if (!built && built.error().code == "T0003" && offer.drop_refused(messages)) {
    messages.clear();
    request.epilogue = offer.epilogue();
    built = toolchain::build_program(request, cache);
    if (built) cache.store(kDroppedKind, key_of(source, text), dump_json(offer.dropped));
  }
  if (!built) {
    if (built.error().code == "T0009") toolchain::die_of_interrupt();
    Error error = std::move(built).error();
    if (!messages.empty()) error.message += "\n" + messages;
    return error;
  }

  std::unique_ptr<Library> library(new Library);
  library->source_ = source.path;
  library->file_ = built->executable;
  library->handle_ = dlopen(built->executable.c_str(), RTLD_NOW | RTLD_LOCAL | kOwnNamesFirst);
  if (!library->handle_) return Error{"T0020", fmt::format("`{}` cannot be loaded: {}", source.path, dlerror())};
  const auto list = reinterpret_cast<const void* (*)()>(dlsym(library->handle_, "warpwise_entries_of_this_library"));
  if (!list) return Error{"T0020", fmt::format("`{}` cannot be loaded: {}", source.path, dlerror())};
  auto* entry = static_cast<const warpwise_entries::Entry*>(list());
  for (SourceFunction& function : offer.functions)
    library->functions_.push_back({function.name, std::move(function.parameter_names), entry++});
  library->json_ = to_json(library->functions_, offer.left_out, messages);
  return library;
}

Library::~Library() {
  if (handle_) dlclose(handle_);
  if (device_code_) (void)cudaLibraryUnload(device_code_);
}

}  // namespace warpwise::capi
