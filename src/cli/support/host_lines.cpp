#include "cli/support/host_lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <set>

#include "toolchain/installation.h"
#include "toolchain/process.h"

namespace warpwise::cli {
namespace fs = std::filesystem;
namespace {

// The place of a return address is the call before it.
uint64_t call_of(const HostFrame& frame) { return frame.offset ? frame.offset - 1 : 0; }

using Lines = std::vector<SourcePlace>;  // of one address: inlined functions first
using LineTable = std::map<std::pair<std::string, uint64_t>, Lines>;

std::string output_of(std::vector<std::string> command) {
  auto results = toolchain::run_jobs({{std::move(command)}});
  return results && results->at(0).exit_code == 0 ? results->at(0).output : "";
}

std::string_view next_line(std::string_view& text) {
  size_t end = std::min(text.find('\n'), text.size());
  std::string_view line = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return line;
}

// "/src/a.cu:12 (discriminator 3)"; "??:0" and "??:?" are unknown.
SourcePlace parse_place(std::string_view function, std::string_view line) {
  SourcePlace place;
  if (function != "??") place.function = function;
  line = line.substr(0, line.find(" (discriminator"));
  size_t colon = line.rfind(':');
  if (colon == line.npos) return place;
  std::from_chars(line.data() + colon + 1, line.data() + line.size(), place.line);
  if (place.line) place.file = fs::path(line.substr(0, colon)).lexically_normal();
  return place;
}

// addr2line -a -f -i: for each address "0x…", then function and place of each inlined function around it.
void look_up(const std::string& module, const std::set<uint64_t>& addresses, LineTable& table) {
  auto tool = toolchain::find_object_tool("addr2line");
  if (!tool) return;
  constexpr size_t kAtOnce = 500;  // arguments of one command
  for (auto at = addresses.begin(); at != addresses.end();) {
    std::vector<std::string> command{*tool, "-a", "-f", "-i", "-C", "-e", module};
    for (size_t i = 0; i < kAtOnce && at != addresses.end(); ++i, ++at) command.push_back(fmt::format("{:#x}", *at));
    std::string output = output_of(std::move(command));
    std::string_view text = output;
    Lines* lines = nullptr;
    while (!text.empty()) {
      std::string_view line = next_line(text);
      if (line.starts_with("0x")) {
        uint64_t address = 0;
        std::from_chars(line.data() + 2, line.data() + line.size(), address, 16);
        lines = &table[{module, address}];
        continue;
      }
      std::string_view place = next_line(text);
      if (lines) lines->push_back(parse_place(line, place));
    }
  }
}

bool is_below(const std::string& file, const fs::path& folder) {
  std::string prefix = folder.lexically_normal().string();
  return !prefix.empty() && file.starts_with(prefix.back() == '/' ? prefix : prefix + "/");
}

// Libraries of the system have lines, too, where their debug information is installed.
bool of_the_system(const std::string& module) {
  return module.starts_with("/lib/") || module.starts_with("/lib64/") || module.starts_with("/usr/lib/") ||
         module.starts_with("/usr/lib64/");
}

bool is_below_any(const std::string& file, const std::vector<fs::path>& folders) {
  return std::any_of(folders.begin(), folders.end(), [&](const fs::path& folder) { return is_below(file, folder); });
}

// Device code: an atomicAdd is an instruction in our header, so the line of its call is shown.
void leave_out_headers(CodePlace& code, const std::vector<fs::path>& not_the_users) {
  auto own = std::find_if(code.frames.begin(), code.frames.end(), [&](const SourcePlace& place) {
    return place.line && !is_below_any(place.file, not_the_users);
  });
  if (own != code.frames.end()) code.frames.erase(code.frames.begin(), own);
}

// <<<>>> calls a function that the compiler makes for each kernel; its lines are the kernel's. nvcc's lies in a
// generated file, and the kernel's function is around it.
void leave_out_stub(Lines& lines) {
  auto leave_out_place = [&] {
    const SourcePlace first = lines[0];
    while (lines.size() > 1 && lines[0].line == first.line && lines[0].file == first.file) lines.erase(lines.begin());
  };
  if (lines.empty()) return;
  bool generated = lines[0].file.ends_with(".stub.c");
  leave_out_place();
  if (generated) leave_out_place();
}

// Where the kernel of reported threads was launched. Whether by <<<>>> is no longer known, but its function is declared
// above its code.
bool begins_with_stub(const Party& party) {
  if (party.kernel.empty() || party.code.frames.empty() || party.host_lines.size() < 2) return false;
  const SourcePlace &kernel = party.code.frames.back(), &launch = party.host_lines.front();
  return launch.file.ends_with(".stub.c") || (launch.file == kernel.file && launch.line <= kernel.line);
}

class Resolver {
 public:
  Resolver(const LineTable& table, const std::vector<fs::path>& others) : table_(table), others_(others) {}

  Lines operator()(const HostPlace& place, bool launch) const {
    Lines all, own;
    for (const HostFrame& frame : place) {
      auto found = table_.find({frame.module, call_of(frame)});
      if (found == table_.end()) continue;
      for (const SourcePlace& line : found->second) {
        if (line.line == 0 && line.function.empty()) continue;
        bool foreign = line.line == 0 || of_the_system(frame.module) || is_below_any(line.file, others_);
        all.push_back(line);
        if (!foreign) own.push_back(line);
      }
    }
    if (launch) leave_out_stub(own);
    if (!own.empty()) return own;
    if (all.size() > 1) all.resize(1);
    return all;
  }

 private:
  const LineTable& table_;
  const std::vector<fs::path>& others_;
};

template <class Visit>
void for_each_place(Finding& finding, const Visit& visit) {
  for (Party& party : finding.parties)
    visit(party.host, party.host_lines, party.role == "launch" && party.detail == "<<<>>>");
  if (!finding.memory) return;
  visit(finding.memory->allocated_at, finding.memory->allocated_lines, false);
  visit(finding.memory->freed_at, finding.memory->freed_lines, false);
}

}  // namespace

void resolve_host_lines(std::vector<Finding>& findings, const std::vector<fs::path>& not_the_users) {
  std::map<std::string, std::set<uint64_t>> wanted;
  for (Finding& finding : findings)
    for_each_place(finding, [&](const HostPlace& place, Lines&, bool) {
      for (const HostFrame& frame : place) wanted[frame.module].insert(call_of(frame));
    });
  LineTable table;
  for (const auto& [module, addresses] : wanted) look_up(module, addresses, table);
  for (Finding& finding : findings)
    for (Party& party : finding.parties) leave_out_headers(party.code, not_the_users);
  Resolver resolve(table, not_the_users);
  for (Finding& finding : findings)
    for_each_place(finding, [&](const HostPlace& place, Lines& lines, bool launch) {
      if (lines.empty()) lines = resolve(place, launch);
    });
  for (Finding& finding : findings)
    for (Party& party : finding.parties)
      if (begins_with_stub(party)) leave_out_stub(party.host_lines);
}

void merge_same_lines(std::vector<Finding>& findings) {
  std::map<std::string, size_t> kept;
  std::vector<Finding> out;
  for (Finding& finding : findings) {
    std::string cause = finding.code;
    bool resolved = !finding.parties.empty();
    for (const Party& party : finding.parties) {
      const bool device = !party.code.frames.empty();
      const std::vector<SourcePlace>& places = device ? party.code.frames : party.host_lines;
      resolved &= (device || !party.code.known()) && !places.empty() && places[0].line;
      cause += fmt::format("/{}|{}", party.role, party.kernel);
      // A function of the program that makes a mistake makes it wherever it is called.
      for (const SourcePlace& place : places) {
        cause += fmt::format("|{}:{}:{}", place.file, place.line, place.column);
        if (device) break;
      }
    }
    auto [at, is_new] = resolved ? kept.try_emplace(cause, out.size()) : std::pair(kept.end(), true);
    if (is_new)
      out.push_back(std::move(finding));
    else
      out[at->second].threads += finding.threads;
  }
  findings = std::move(out);
}

namespace {

enum class Fate { Used, Lost, Returned };

bool mentions(std::string_view operands, std::initializer_list<std::string_view> names) {
  for (std::string_view name : names)
    if (operands.find(name) != operands.npos) return true;
  return false;
}

// What happens to %eax after a return address, in straight-line code (AT&T syntax: the last operand is
// written).
Fate fate_of_result(const HostFrame& frame) {
  static const std::optional<fs::path> tool = toolchain::find_object_tool("objdump");
  if (!tool) return Fate::Used;
  constexpr uint64_t kBytes = 96;
  std::string output = output_of({*tool, "-d", "--no-show-raw-insn", fmt::format("--start-address={:#x}", frame.offset),
                                  fmt::format("--stop-address={:#x}", frame.offset + kBytes), frame.module});
  std::string_view text = output;
  while (!text.empty()) {
    std::string_view line = next_line(text);
    size_t tab = line.find('\t');
    if (tab == line.npos || line.find(":") > tab) continue;
    std::string_view code = line.substr(tab + 1);
    std::string_view name = code.substr(0, code.find(' '));
    size_t operands_at = code.find_first_not_of(' ', name.size());
    std::string_view operands = operands_at == code.npos ? std::string_view() : code.substr(operands_at);
    operands = operands.substr(0, operands.find('#'));
    while (!operands.empty() && operands.back() == ' ') operands.remove_suffix(1);

    auto is_a = [](std::string_view o) { return mentions(o, {"%eax", "%rax", "%al", "%ah", "%ax"}); };
    if (name.starts_with("ret")) return Fate::Returned;
    if (name.starts_with("call")) return is_a(operands) ? Fate::Used : Fate::Lost;  // its result takes the place
    if (name == "jmp") return Fate::Used;  // somewhere else; perhaps to a comparison
    if (name.starts_with("j")) return Fate::Used;
    if (name.starts_with("nop") || name.starts_with("endbr") || name == "leave") continue;
    if (name.starts_with("cltq") || name.starts_with("cwtl") || name.starts_with("cltd") || name.starts_with("cqto"))
      return Fate::Used;
    if (!is_a(operands)) continue;
    // xor %eax,%eax and a move or address into it write without reading.
    if (name == "xor" && (operands == "%eax,%eax" || operands == "%rax,%rax")) return Fate::Lost;
    size_t comma = operands.rfind(',');
    bool writes = name.starts_with("mov") || name.starts_with("lea");
    if (writes && comma != operands.npos && !is_a(operands.substr(0, comma)) &&
        (operands.substr(comma + 1) == "%eax" || operands.substr(comma + 1) == "%rax"))
      return Fate::Lost;
    // Unoptimised code does not store a result that is unused. Any other use reads it.
    return Fate::Used;
  }
  return Fate::Used;
}

}  // namespace

bool may_use_result(const HostPlace& call) {
  for (const HostFrame& frame : call) switch (fate_of_result(frame)) {
      case Fate::Used:
        return true;
      case Fate::Lost:
        return false;
      case Fate::Returned:
        continue;  // it is the outer function's result, too
    }
  return true;
}

}  // namespace warpwise::cli
