#include "image/piece.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>

#include "base/demangled.h"
#include "lab/judge/compile_submission.h"
#include "lab/judge/signature.h"

namespace warpwise::image {

namespace {

constexpr std::string_view kFirstParameters = "uchar4*, int, int, float, float2, int";
constexpr std::string_view kSignature =
    "__global__ void image(uchar4* out, int w, int h, float time, float2 mouse, int frame)";
constexpr uint32_t kMostThreads = 1024;

// The types that arrays may have, as the demangler spells them.
struct ElementType {
  std::string_view name;
  uint32_t bytes;
};
constexpr ElementType kElementTypes[] = {
    {"bool", 1},
    {"char", 1},
    {"signed char", 1},
    {"unsigned char", 1},
    {"short", 2},
    {"unsigned short", 2},
    {"int", 4},
    {"uint", 4},
    {"unsigned int", 4},
    {"long", 8},
    {"unsigned long", 8},
    {"long long", 8},
    {"unsigned long long", 8},
    {"float", 4},
    {"double", 8},
    {"uchar2", 2},
    {"uchar4", 4},
    {"short2", 4},
    {"short4", 8},
    {"int2", 8},
    {"int4", 16},
    {"uint2", 8},
    {"uint4", 16},
    {"float2", 8},
    {"float4", 16},
    {"double2", 16},
};

// "float const*" and "float*" are pointers to the same elements.
std::optional<uint32_t> bytes_of_pointee(std::string_view type) {
  if (!type.ends_with('*')) return std::nullopt;
  type.remove_suffix(1);
  if (type.ends_with(" const")) type.remove_suffix(6);
  for (const ElementType& row : kElementTypes)
    if (row.name == type) return row.bytes;
  return std::nullopt;
}

// Without function pointers and templates, commas stand between parameters alone.
std::vector<std::string_view> parameters_in(std::string_view list) {
  std::vector<std::string_view> types;
  while (!list.empty()) {
    types.push_back(list.substr(0, list.find(", ")));
    list.remove_prefix(std::min(list.size(), types.back().size() + 2));
  }
  return types;
}

std::optional<uint32_t> number_at(std::string_view& text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  uint32_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{}) return std::nullopt;
  text.remove_prefix(size_t(end - text.data()));
  return number;
}

// "512 x 384"
std::optional<std::pair<uint32_t, uint32_t>> pair_in(std::string_view text) {
  const auto first = number_at(text);
  while (text.starts_with(' ')) text.remove_prefix(1);
  if (!first || !text.starts_with('x')) return std::nullopt;
  text.remove_prefix(1);
  const auto second = number_at(text);
  if (!second || text.find_first_not_of(" \r") != text.npos) return std::nullopt;
  return std::pair(*first, *second);
}

Error other_parameters(const std::string& name) {
  return {"I0002", fmt::format("the kernel `{}` has other parameters than the picture gives it: they begin as in `{}`, "
                               "and pointers to arrays of w x h numbers may follow",
                               name, kSignature)};
}

}  // namespace

Result<Shape> shape_in(std::string_view source) {
  Shape shape;
  for (size_t number = 1; !source.empty(); ++number) {
    std::string_view line = source.substr(0, source.find('\n'));
    source.remove_prefix(std::min(source.size(), line.size() + 1));
    for (const bool size : {true, false}) {
      const std::string_view begin = size ? "// size: " : "// block: ";
      // A comment that goes on in words is one like others.
      if (!line.starts_with(begin) || line.find_first_of("0123456789") != begin.size()) continue;
      const auto pair = pair_in(line.substr(begin.size()));
      const uint32_t most = size ? kMostSide : kMostThreads;
      if (!pair || pair->first == 0 || pair->second == 0 || pair->first > most || pair->second > most ||
          (!size && pair->first * pair->second > kMostThreads))
        return Error{
            "I0003",
            size ? fmt::format("line {}: a size is `// size: 512 x 512`, at most {} each", number, most)
                 : fmt::format("line {}: a block is `// block: 32 x 8`, at most {} threads", number, kMostThreads)};
      (size ? shape.width : shape.block_x) = pair->first, (size ? shape.height : shape.block_y) = pair->second;
    }
  }
  return shape;
}

Result<Passes> passes_of(const std::vector<std::string>& symbols, std::string_view source) {
  Passes passes;
  bool has_image = false;
  for (const std::string& symbol : symbols) {
    const std::string whole = demangled(symbol);
    const size_t open = whole.find('(');
    const std::string name = whole.substr(0, open);
    has_image = has_image || name == "image";
    if (open == whole.npos || !whole.ends_with(')'))
      return name == "image" || open == whole.npos
                 ? Error{"I0002", fmt::format("the kernel `{}` is extern \"C\", which hides the types of its "
                                              "parameters: leave that out",
                                              name)}
                 : other_parameters(name);
    std::string_view list = std::string_view(whole).substr(open + 1);
    list.remove_suffix(1);
    const std::string_view further = list.substr(std::min(list.size(), kFirstParameters.size()));
    if (!list.starts_with(kFirstParameters) || (!further.empty() && !further.starts_with(", ")))
      return other_parameters(name);
    const std::vector<std::string_view> arrays = parameters_in(further.substr(std::min<size_t>(further.size(), 2)));
    if (arrays.size() > kMostArrays)
      return Error{"I0002",
                   fmt::format("the kernel `{}` has {} arrays, and may have {}", name, arrays.size(), kMostArrays)};
    for (size_t n = 0; n < arrays.size(); ++n) {
      const auto bytes = bytes_of_pointee(arrays[n]);
      if (!bytes) {
        return Error{"I0002", fmt::format("the kernel `{}`: `{}` is no pointer to numbers or to vectors of them, and "
                                          "what follows `frame` are such pointers",
                                          name, arrays[n])};
      }
      if (n == passes.arrays.size()) passes.arrays.push_back({fmt::format("array {}", n + 1), *bytes});
      if (passes.arrays[n].bytes != *bytes)
        return Error{"I0002", fmt::format("array {} has elements of {} bytes in one kernel and of {} in `{}`: all "
                                          "kernels get the same arrays, in the same order",
                                          n + 1, passes.arrays[n].bytes, *bytes, name)};
    }
    passes.list.push_back({symbol, name, arrays.size()});
  }
  if (!has_image) return Error{"I0001", fmt::format("there is no kernel `image`: {} {{ … }}", kSignature)};
  constexpr size_t kFirst = 6;
  const lab::OwnSignature own = lab::signature_in(source, "image");
  for (size_t n = 0; n < passes.arrays.size() && kFirst + n < own.parameters.size(); ++n)
    if (const std::string& name = own.parameters[kFirst + n].name; !name.empty()) passes.arrays[n].name = name;
  return passes;
}

Result<CompiledPiece> compile(const std::filesystem::path& source, const CompileOptions& options) {
  // In a terminal one waits on a busy machine, too; of the page's texts the next one is on its way.
  constexpr double kPatience = 10;
  auto made = TRY(lab::compile_device_half(source, {.purpose = options.purpose,
                                                    .architecture = options.architecture,
                                                    .headers = {},
                                                    .sandbox = options.sandbox,
                                                    .patience = options.sandbox ? 1 : kPatience}));
  CompiledPiece piece{made.compiled, std::move(made.ptx), std::move(made.messages)};
  const std::string folder = source.parent_path().string() + "/";
  for (size_t at = 0; folder.size() > 1 && (at = piece.messages.find(folder, at)) != std::string::npos;)
    piece.messages.erase(at, folder.size());
  for (const std::string& more : {made.forbidden.empty() ? "" : "the source may not " + made.forbidden, made.next})
    if (!more.empty()) piece.messages += more + "\n";
  return piece;
}

}  // namespace warpwise::image
