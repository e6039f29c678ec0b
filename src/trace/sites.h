// The sites of a kernel: what is known of its instructions before it runs. Made from the same facts as the profile's
// counts (perf/counters/kernel_facts.h), so that lines, accesses and prices agree with it.
#pragma once

#include <vector>

#include "device/properties.h"
#include "exec/engine.h"
#include "perf/counters/kernel_facts.h"
#include "simt/instrument/counts.h"
#include "trace/step.h"

namespace warpwise::trace {

// Sites::callees of what calls no function with code here, and of a call through a register.
constexpr int64_t kNoCallee = -1, kAnyCallee = -2;

struct Sites {
  perf::KernelFacts facts;
  std::vector<Site> all;                        // by cell (simt/instrument/counts.h)
  std::vector<uint32_t> ends;                   // by cell: the end of its basic block
  std::vector<uint32_t> entries;                // the first cells of functions, in order
  std::vector<int64_t> callees;                 // by cell, of a call: the first cell of what is called
  std::vector<std::vector<SourceFrame>> lines;  // Site::line
  simt::ReportedValues values;

  explicit Sites(const exec::KernelImage& image) : facts(image) {}
  bool is_entry(uint32_t cell) const;
};

// `value_lines`: lines of source whose values are to be recorded.
Sites sites_of(const exec::KernelImage& image, const std::vector<uint32_t>& value_lines,
               const device::Properties& device);

// The instructions whose values are recorded: of lines with one of these numbers, in the source or in what is inlined
// there.
simt::ReportedValues values_at(const exec::KernelImage& image, const std::vector<uint32_t>& value_lines);

}  // namespace warpwise::trace
