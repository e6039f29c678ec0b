// A report with one finding of each kind of place.
#pragma once

#include "check/report/fingerprint.h"
#include "check/report/report.h"

namespace warpwise::check::report {

inline Finding race_example() {
  Finding finding = make_finding("C0201", "threads of a block race on `tile`");
  Party write;
  write.role = "write";
  write.detail = "4 bytes";
  write.kernel = "sum(float*, int)";
  write.block = Index3{2, 0, 0};
  write.thread = Index3{31, 0, 0};
  write.code = {{{"sum.cu", 12, 5, "sum(float*, int)"}}, "st.shared.f32 [%r1], %f1;"};
  Party read = write;
  read.role = "read";
  read.thread = Index3{32, 0, 0};
  read.code.frames[0].line = 14;
  finding.parties = {write, read};
  finding.threads = 992;
  finding.memory = MemoryPlace{
      .space = "shared", .address = 0x80, .bytes = 4, .name = "tile", .base = 0, .size = 1024, .allocated = true};
  return finding;
}

inline Finding leak_example() {
  Finding finding = make_finding("C0501", "400 bytes that cudaMalloc allocated are never freed");
  Party party;
  party.role = "allocation";
  party.host_lines = {{"main & co.cu", 30, 0, "main"}};
  finding.parties = {party};
  return finding;
}

inline Finding placeless_example() {
  return make_finding("C0512", "a kernel failed, and the program ended without asking");
}

inline Report example() {
  Report report;
  report.tool_version = "1.2.3";
  report.program = "sum.cu";
  report.build = "unoptimised, for checking (Clang)";
  for (unsigned i = 0; i < kCheckers - 1; ++i) report.checkers.add(Checker(i));
  SourceFiles sources;
  for (const Finding& finding : {race_example(), leak_example(), placeless_example()})
    report.findings.push_back({finding, fingerprint_of(finding, sources)});
  return report;
}

}  // namespace warpwise::check::report
