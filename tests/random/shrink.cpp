// Leaves out halves, quarters and so on down to single statements of each list as long as that helps. It also replaces
// a statement by what is inside it, leaves out single lines, and makes grids and blocks smaller. Any statement may go,
// because registers always hold a value. The exception are registers that a statement declares: the line that writes
// these stays. The verifier refuses other lines that cannot stand alone (a line without the one before), and such a
// program does not fail in the way that is wanted.
#include "shrink.h"

#include <cctype>
#include <cstdlib>

namespace warpwise::random_programs {

namespace {

// Without its barrier the rest of a statement would race, and differ for another reason.
bool is_barrier(const std::string& line) {
  return line.find("bar.") != line.npos || line.find("barrier.") != line.npos;
}

bool is_declaration(const std::string& line) { return line.find(".reg ") != line.npos; }

// Where `name` stands in `line` as a whole word; npos: nowhere.
size_t find_register(const std::string& line, const std::string& name) {
  for (size_t at = line.find(name); at != line.npos; at = line.find(name, at + 1)) {
    const size_t end = at + name.size();
    if (end == line.size() || (!std::isalnum(static_cast<unsigned char>(line[end])) && line[end] != '_')) return at;
  }
  return line.npos;
}

// The registers that a declaration names: "%x" and "%y" of `.reg .b32 %x, %y;`, "%at0" and "%at1" of `%at<2>`.
std::vector<std::string> declared(const std::string& line) {
  std::vector<std::string> names;
  for (size_t at = line.find('%'); at != line.npos; at = line.find('%', at + 1)) {
    const size_t end = line.find_first_of(",; <", at);
    const std::string name = line.substr(at, end - at);
    if (end == line.npos || line[end] != '<') {
      names.push_back(name);
      continue;
    }
    const int count = std::atoi(line.c_str() + end + 1);
    for (int k = 0; k < count; ++k) names.push_back(name + std::to_string(k));
  }
  return names;
}

// Whether a line that names a register first writes it: the destination ends at the first comma outside of braces, and
// addresses are read.
bool writes(const std::string& line, size_t at) {
  const size_t guard = line.find('@'),
               opcode = line.find_first_not_of(' ', guard == line.npos ? 0 : line.find(' ', guard));
  const size_t operands = opcode == line.npos ? line.npos : line.find(' ', opcode);
  if (operands == line.npos || at < operands) return false;
  int depth = 0;
  for (size_t k = operands; k < at; ++k) {
    depth += (line[k] == '{') - (line[k] == '}');
    if (line[k] == '[' || (line[k] == ',' && depth == 0)) return false;
  }
  return true;
}

// What a statement declares holds nothing before it is written, and engines may differ in what nothing is.
bool declared_are_written_first(const std::vector<std::string>& lines) {
  for (const std::string& declaration : lines) {
    if (!is_declaration(declaration)) continue;
    for (const std::string& name : declared(declaration))
      for (const std::string& line : lines) {
        if (is_declaration(line)) continue;
        const size_t at = find_register(line, name);
        if (at == line.npos) continue;
        if (!writes(line, at)) return false;
        break;
      }
  }
  return true;
}

using Lists = std::function<bool(std::vector<Statement>&)>;

// Calls `visit` with each list of statements until it returns true.
bool for_each_list(std::vector<Statement>& list, const Lists& visit) {
  if (visit(list)) return true;
  for (Statement& s : list) {
    if (for_each_list(s.children, visit) || for_each_list(s.others, visit)) return true;
  }
  return false;
}

constexpr unsigned kMaxAttempts = 500;

class Shrinker {
 public:
  Shrinker(Program program, const std::function<bool(const Program&)>& fails)
      : program_(std::move(program)), fails_(fails) {}

  Program run() {
    for (bool smaller = true; smaller && attempts_ < kMaxAttempts;) {
      smaller = false;
      for (size_t chunk = 32; chunk >= 1; chunk /= 2)
        smaller |= everywhere([&](std::vector<Statement>& list) { return leave_out(list, chunk); });
      smaller |= everywhere([&](std::vector<Statement>& list) { return unwrap(list); });
      smaller |= everywhere([&](std::vector<Statement>& list) { return leave_out_lines(list); });
      smaller |= simpler_launch();
    }
    return std::move(program_);
  }

 private:
  // Repeats `attempt`, which is true when it made a list smaller, until it finds nothing more.
  bool everywhere(const Lists& attempt) {
    bool any = false;
    for (bool found = true; found && attempts_ < kMaxAttempts; any |= found) {
      found = for_each_list(program_.body, attempt);
      for (size_t f = 0; !found && f < program_.functions.size(); ++f)
        found = for_each_list(program_.functions[f].body, attempt);
    }
    return any;
  }

  bool still_fails() { return attempts_++ < kMaxAttempts && fails_(program_); }

  bool leave_out(std::vector<Statement>& list, size_t chunk) {
    for (size_t at = 0; at + chunk <= list.size(); ++at) {
      std::vector<Statement> whole = list;
      list.erase(list.begin() + at, list.begin() + at + chunk);
      if (still_fails()) return true;
      list = std::move(whole);
    }
    return false;
  }

  bool unwrap(std::vector<Statement>& list) {
    for (size_t at = 0; at < list.size(); ++at) {
      for (std::vector<Statement> Statement::* inner : {&Statement::children, &Statement::others}) {
        std::vector<Statement> whole = list, inside = list[at].*inner;
        if (inside.empty()) continue;
        list.erase(list.begin() + at);
        list.insert(list.begin() + at, inside.begin(), inside.end());
        if (still_fails()) return true;
        list = std::move(whole);
      }
    }
    return false;
  }

  bool leave_out_lines(std::vector<Statement>& list) {
    for (Statement& s : list) {
      if (s.kind != Statement::Kind::Code || s.lines.size() < 2) continue;
      for (size_t at = 0; at < s.lines.size(); ++at) {
        if (is_barrier(s.lines[at])) continue;
        std::vector<std::string> whole = s.lines;
        s.lines.erase(s.lines.begin() + at);
        // (A statement that never was so, by a loop for example, is left to the verifier as before.)
        if ((declared_are_written_first(s.lines) || !declared_are_written_first(whole)) && still_fails()) return true;
        s.lines = std::move(whole);
      }
    }
    return false;
  }

  bool simpler_launch() {
    bool any = false;
    for (Extent Shape::* size : {&Shape::grid, &Shape::block}) {
      Extent before = program_.shape.*size;
      for (Extent smaller : {Extent{1, 1, 1}, Extent{32, 1, 1}, Extent{product(before), 1, 1}}) {
        if (smaller == before || product(smaller) > product(before)) continue;
        program_.shape.*size = smaller;
        any = still_fails();
        if (any) break;
        program_.shape.*size = before;
      }
    }
    return any;
  }

  Program program_;
  const std::function<bool(const Program&)>& fails_;
  unsigned attempts_ = 0;
};

}  // namespace

Program shrink(Program program, const std::function<bool(const Program&)>& fails) {
  return Shrinker(std::move(program), fails).run();
}

}  // namespace warpwise::random_programs
