// What the pages of a profile and of a comparison are made of: the begin and end of a page, tables that sort, advice,
// and the pictures of one kernel.
#pragma once

#include <string>
#include <string_view>

#include "perf/report/analysis.h"
#include "perf/report/provenance.h"
#include "perf/report/source_text.h"

namespace warpwise::perf {

// "tiled.cu" of "src/tiled.cu".
std::string_view file_name(std::string_view path);

// A page is self-contained: its style and its script are in it, and it asks the network for nothing.
std::string page_begin(std::string_view title);
// Version, date, devices and command line, below the heading of a page.
std::string provenance_html(const Provenance& provenance, std::string_view devices);
std::string page_end();

// The head of a column by which a table sorts, and a cell of such a column.
// Column::Wide: left out where the page is narrow.
enum class Column : uint8_t { Always, Wide };
std::string sorter(std::string_view title, bool sorted = false, Column column = Column::Always);
std::string cell(double value, std::string_view text, Column column = Column::Always);

// An advice as an item of a list. `of`: HTML that names the kernel, where a list has those of several.
std::string advice_html(const Advice& advice, std::string_view of = {});
// How busy the GPU is: compute and memory, and their parts below.
std::string meters_html(const Prediction& prediction);
// threads → L1 → L2 → DRAM, and shared memory beside: bytes on the arrows, hit rates in the boxes.
std::string memory_svg(const KernelReport& kernel);
// Source lines with their counters, the hottest first; "" when none are known.
std::string source_table_html(std::string_view heading, const KernelReport& kernel, const device::Properties& device,
                              SourceText& sources, size_t most);

}  // namespace warpwise::perf
