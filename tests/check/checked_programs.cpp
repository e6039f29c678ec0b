#include "checked_programs.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <regex>
#include <sstream>

#include "base/sanitized.h"
#include "check/records/finding_json.h"
#include "toolchain/files.h"
#include "toolchain/installation.h"
#include "toolchain/process.h"

namespace warpwise::check {

namespace fs = std::filesystem;

namespace {

fs::path programs_folder() { return fs::path(WARPWISE_SOURCE_DIR) / "tests/check/programs"; }

std::vector<std::string> words_of(const std::string& text) {
  std::istringstream in(text);
  return {std::istream_iterator<std::string>(in), {}};
}

// The lines of a party in the program's own file: that of its code, else that of the host.
std::set<uint32_t> lines_of(const Finding& finding) {
  std::set<uint32_t> out;
  for (const Party& party : finding.parties) {
    const auto& frames = party.code.frames.empty() ? party.host_lines : party.code.frames;
    for (const SourcePlace& place : frames)
      if (place.line) {
        out.insert(place.line);
        break;
      }
  }
  if (out.empty()) out.insert(0);
  return out;
}

Lines found_in(const std::string& report) {
  Lines out;
  auto json = nlohmann::json::parse(report, nullptr, false);
  if (!json.is_object()) return {{"no report", {0}}};
  for (const auto& item : json["findings"]) {
    if (item.contains("suppressed")) continue;
    auto finding = finding_from_json(item.dump());
    if (!finding) return {{"no finding", {0}}};
    for (uint32_t line : lines_of(*finding)) out[finding->code].insert(line);
  }
  return out;
}

}  // namespace

std::string Program::folder() const { return path.lexically_relative(programs_folder()).begin()->string(); }

void PrintTo(const Program& program, std::ostream* out) { *out << program.path.string(); }

Expected expectations_of(const Program& program) {
  Expected out;
  std::ifstream in(program.path);
  std::string line;
  static const std::regex finds("// finds ((?:[CR][0-9]{4}(?:, )?)+)( anywhere)?( with Clang)?");
  static const std::regex code("[CR][0-9]{4}");
  for (uint32_t number = 1; std::getline(in, line); ++number) {
    std::smatch match;
    if (std::regex_search(line, match, finds) && !(match[3].matched && program.by_nvcc)) {
      std::string codes = match[1];
      for (std::sregex_iterator at(codes.begin(), codes.end(), code), end; at != end; ++at)
        out.lines[at->str()].insert(match[2].matched ? 0 : number);
    }
    if (line.starts_with("// clean")) out.clean = true;
    if (line.starts_with("// also by nvcc")) out.also_by_nvcc = true;
    if (line.starts_with("// options:")) out.options = words_of(line.substr(11));
    if (line.starts_with("// says: ")) out.says.push_back(line.substr(9));
    if (line.starts_with("// does not say: ")) out.does_not_say.push_back(line.substr(17));
    if (line.starts_with("// arguments:")) out.arguments = words_of(line.substr(13));
  }
  if (program.by_nvcc) out.options.push_back("--compiler=nvcc");
  return out;
}

std::string show(const Lines& lines) {
  std::string out;
  for (const auto& [code, numbers] : lines) {
    out += code + ":";
    for (uint32_t number : numbers) out += number ? fmt::format(" {}", number) : " anywhere";
    out += "\n";
  }
  return out.empty() ? "clean\n" : out;
}

std::string wrong_words(const Expected& expected, const std::string& output) {
  std::string out;
  for (const std::string& text : expected.says)
    if (output.find(text) == output.npos) out += "it does not say: " + text + "\n";
  for (const std::string& text : expected.does_not_say)
    if (output.find(text) != output.npos) out += "it says: " + text + "\n";
  return out;
}

std::map<std::string, std::string> not_yet() {
  std::map<std::string, std::string> out;
  std::ifstream in(programs_folder() / "not_yet.txt");
  for (std::string line; std::getline(in, line);) {
    if (line.empty() || line[0] == '#') continue;
    std::string name = line.substr(0, line.find(' '));
    out[name] = name.size() < line.size() ? line.substr(name.size() + 1) : "";
  }
  return out;
}

std::vector<std::string> folders() {
  std::vector<std::string> out;
  auto waiting = not_yet();
  for (unsigned i = 0; i < kCheckers; ++i) {
    std::string name(name_of(Checker(i)));
    if (!waiting.contains(name + "/") && fs::exists(programs_folder() / name)) out.push_back(name);
  }
  return out;
}

bool has_compiler(const Program& program) {
  static const bool nvcc = toolchain::find_nvcc().has_value();
  const Expected expected = expectations_of(program);
  return nvcc ||
         std::find(expected.options.begin(), expected.options.end(), "--compiler=nvcc") == expected.options.end();
}

std::vector<Program> all_programs() {
  std::vector<Program> out;
  for (const std::string& folder : folders())
    for (const auto& entry : fs::recursive_directory_iterator(programs_folder() / folder))
      if (const Program program{entry.path()}; entry.path().extension() == ".cu") {
        out.push_back(program);
        if (expectations_of(program).also_by_nvcc) out.push_back({entry.path(), /*by_nvcc=*/true});
      }
  std::sort(out.begin(), out.end(), [](const Program& a, const Program& b) { return a.name() < b.name(); });
  return out;
}

std::vector<Program> programs() {
  std::vector<Program> out = all_programs();
  std::erase_if(out, [](const Program& program) { return !has_compiler(program); });
  return out;
}

Judgement judge(const Program& program, const Expected& expected, const std::vector<std::string>& further_options) {
  auto folder = toolchain::TemporaryFolder::create(fs::temp_directory_path()).value();
  fs::path report = folder.path() / "report.json";
  std::vector<std::string> command = {WARPWISE_PROGRAM, "check", "--json=" + report.string()};
  const bool limited = std::any_of(expected.options.begin(), expected.options.end(),
                                   [](const auto& o) { return o.starts_with("--timeout="); });
  if (!limited) command.push_back("--timeout=" + std::to_string(20 * kSlowdown));
  for (const auto* options : {&expected.options, &further_options})
    command.insert(command.end(), options->begin(), options->end());
  command.push_back(program.path);
  command.push_back("--");
  command.insert(command.end(), expected.arguments.begin(), expected.arguments.end());
  auto results = toolchain::run_jobs({{command}});
  if (!results.ok()) return {results.error().message, ""};
  auto text = toolchain::read_file(report);
  return {text.ok() ? show(found_in(*text)) : "no report\n", (*results)[0].output};
}

}  // namespace warpwise::check
