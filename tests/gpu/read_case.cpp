#include "read_case.h"

#include <bit>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <sstream>

namespace warpwise::gpu {

using ptx::Type;
using test::Buffer;
using test::PtxCase;
using test::PtxLaunch;

namespace {

struct TypeRow {
  const char* name;
  Type type;
  unsigned bits;
};
constexpr TypeRow kTypes[] = {
#define TYPE(id, name, bits, kind) {name, Type::id, bits},
    WARPWISE_PTX_TYPES(TYPE)
#undef TYPE
};

const TypeRow* find_type(const std::string& name) {
  for (const TypeRow& row : kTypes) {
    if (name == row.name) return &row;
  }
  return nullptr;
}

Error mistake(const std::string& message) { return Error{"U0005", message}; }

std::vector<std::string> words_of(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

Result<uint64_t> value_of(const std::string& word, const TypeRow& type) {
  if (word == "nan")
    return type.type == Type::F64 ? std::bit_cast<uint64_t>(double{NAN}) : type.bits == 16 ? 0x7fff : 0x7fffffff;
  const bool hex = word.find("0x") != std::string::npos;
  char* end = nullptr;
  uint64_t bits;
  if (type.type == Type::F64 && !hex)
    bits = std::bit_cast<uint64_t>(std::strtod(word.c_str(), &end));
  else if (type.type == Type::F32 && !hex)
    bits = std::bit_cast<uint32_t>(std::strtof(word.c_str(), &end));
  else if (word[0] == '-')
    bits = static_cast<uint64_t>(std::strtoll(word.c_str(), &end, 0));
  else
    bits = std::strtoull(word.c_str(), &end, 0);
  if (*end != '\0') return mistake("`" + word + "` is no " + type.name);
  return bits;
}

Result<std::vector<std::byte>> values_of(const std::vector<std::string>& words, const TypeRow& type) {
  std::vector<std::byte> bytes;
  auto append = [&](uint64_t value) {
    for (unsigned k = 0; k < (type.bits + 7) / 8; ++k) bytes.push_back(static_cast<std::byte>(value >> (8 * k)));
  };
  for (size_t k = 0; k < words.size(); ++k) {
    if (size_t dots = words[k].find(".."); dots != std::string::npos) {
      uint64_t last = std::stoull(words[k].substr(dots + 2));
      for (uint64_t v = std::stoull(words[k].substr(0, dots)); v <= last; ++v) {
        append(type.type == Type::F32 ? std::bit_cast<uint32_t>(static_cast<float>(v)) : v);
      }
      continue;
    }
    uint64_t value = TRY(value_of(words[k], type)), times = 1;
    if (k + 1 < words.size() && words[k + 1][0] == 'x') times = std::stoull(words[++k].substr(1));
    for (; times > 0; --times) append(value);
  }
  return bytes;
}

Result<Buffer> read_buffer(Buffer::Kind kind, const std::string& name, std::vector<std::string> words) {
  const TypeRow* type = words.empty() ? nullptr : find_type(words[0]);
  if (!type) return mistake("`" + name + "` has no type that we know");
  Buffer buffer;
  buffer.kind = kind;
  buffer.name = name;
  buffer.type = type->type;
  size_t arrow = 1;
  while (arrow < words.size() && words[arrow] != "=>") ++arrow;
  buffer.before = TRY(values_of({words.begin() + 1, words.begin() + arrow}, *type));
  if (kind == Buffer::Kind::Out) {
    buffer.after = buffer.before;
    buffer.before.assign(buffer.after.size(), std::byte{0});
  } else if (arrow < words.size()) {
    buffer.after = TRY(values_of({words.begin() + arrow + 1, words.end()}, *type));
  }
  return buffer;
}

device::Dim3 dim3_of(std::string text) {
  device::Dim3 dim;
  for (char& c : text) c = c == ',' ? ' ' : c;
  std::istringstream(text) >> dim.x >> dim.y >> dim.z;
  if (dim.y == 0) dim.y = 1;  // a failed read leaves zero
  if (dim.z == 0) dim.z = 1;
  return dim;
}

Result<PtxLaunch> read_launch(const std::string& text) {
  PtxLaunch launch;
  for (const std::string& word : words_of(text)) {
    size_t equals = word.find('=');
    std::string key = word.substr(0, equals), value = equals == std::string::npos ? "" : word.substr(equals + 1);
    if (word == "cooperative")
      launch.cooperative = true;
    else if (word == "independent")
      launch.independent = true;
    else if (word == "exact")
      launch.exact = true;
    else if (word == "manual")
      launch.manual = true;
    else if (equals == std::string::npos)
      launch.kernel = word;
    else if (key == "grid")
      launch.grid = dim3_of(value);
    else if (key == "block")
      launch.block = dim3_of(value);
    else if (key == "stack")
      launch.stack_bytes = static_cast<uint32_t>(std::stoul(value));
    else if (key == "shared")
      launch.shared_bytes = static_cast<uint32_t>(std::stoul(value));
    else if (key == "timeout" || key == "told")
      continue;  // the virtual GPU's watchdog and checkers; the judge has its own watchdog
    else
      return mistake("`" + word + "` is no word of a launch");
  }
  return launch;
}

struct Keyword {
  const char* word;
  Buffer::Kind kind;
};
constexpr Keyword kBuffers[] = {
    {"in", Buffer::Kind::In}, {"out", Buffer::Kind::Out}, {"inout", Buffer::Kind::InOut}, {"arg", Buffer::Kind::Arg}};

// One directive, "in a: u32 1 2", or a comment that is none.
Result<void> read_directive(PtxCase& test, const std::string& text, unsigned line) {
  size_t colon = text.find(':');
  if (colon == std::string::npos) return {};
  std::vector<std::string> head = words_of(text.substr(0, colon));
  std::string rest = text.substr(colon + 1);
  if (head.size() == 1 && head[0] == "launch") {
    test.launches.push_back(TRY(read_launch(rest)));
    test.launches.back().line = line;
    return {};
  }
  if (test.launches.empty()) return {};
  PtxLaunch& launch = test.launches.back();
  if (head.size() == 1 && head[0] == "print") {
    launch.print += (rest.empty() ? rest : rest.substr(1)) + "\n";
  } else if (head.size() == 1 && head[0] == "fault") {
    std::istringstream words(rest);
    words >> launch.fault >> std::ws;
    std::getline(words, launch.fault_words);
  }
  if (head.size() == 2 && head[0] == "tensor") {
    Buffer buffer;
    buffer.kind = Buffer::Kind::Tensor;
    buffer.name = head[1];
    if (std::string trouble = test::read_tensor(rest, buffer.tensor); !trouble.empty()) return mistake(trouble);
    launch.buffers.push_back(std::move(buffer));
  }
  for (auto [word, kind] : kBuffers) {
    const bool image = head.size() == 3 && (head[2].rfind("texture=", 0) == 0 || head[2].rfind("surface=", 0) == 0);
    const bool copies = head.size() == 3 && head[2].rfind("copies=", 0) == 0;
    if ((head.size() != 2 && !image && !copies) || head[0] != word) continue;
    launch.buffers.push_back(TRY(read_buffer(kind, head[1], words_of(rest))));
    if (image) launch.buffers.back().image = head[2];
    if (copies) launch.buffers.back().copies = static_cast<unsigned>(std::stoul(head[2].substr(7)));
  }
  return {};
}

}  // namespace

Result<PtxCase> read_case(const std::string& path) {
  std::ifstream file(path);
  if (!file) return Error{"U0001", "cannot read " + path};
  PtxCase test;
  test.name = path.substr(path.find_last_of('/') + 1);
  std::string directive;
  unsigned number = 0, begun = 0;
  for (std::string line; std::getline(file, line);) {
    ++number;
    test.text += line + "\n";
    if (line.starts_with("//   ") && !directive.empty()) {  // a list that goes on
      directive += ' ';
      directive += line.substr(5);
      continue;
    }
    TRY(read_directive(test, directive, begun));
    directive = line.starts_with("// ") ? line.substr(3) : "";
    begun = number;
  }
  TRY(read_directive(test, directive, begun));
  if (test.launches.empty()) return mistake(test.name + " launches nothing");
  return test;
}

}  // namespace warpwise::gpu
