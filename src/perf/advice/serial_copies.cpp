// Copies and kernels that run one after the other although the GPU can run both at once.
#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "perf/advice/rules.h"
#include "perf/report/format.h"

namespace warpwise::perf::rules {

using Kind = HostEvent::Kind;

namespace {

struct Span {
  uint64_t begin, end;
};

// In order; spans that touch are merged.
std::vector<Span> united(std::vector<Span> spans) {
  std::sort(spans.begin(), spans.end(), [](const Span& a, const Span& b) { return a.begin < b.begin; });
  std::vector<Span> out;
  for (const Span& s : spans)
    if (out.empty() || s.begin > out.back().end)
      out.push_back(s);
    else
      out.back().end = std::max(out.back().end, s.end);
  return out;
}

uint64_t length_of(const std::vector<Span>& spans) {
  uint64_t sum = 0;
  for (const Span& s : spans) sum += s.end - s.begin;
  return sum;
}

// The time in which both are in progress. Both lists are united.
uint64_t overlap_of(const std::vector<Span>& a, const std::vector<Span>& b) {
  uint64_t sum = 0;
  for (size_t x = 0, y = 0; x < a.size() && y < b.size();) {
    const uint64_t begin = std::max(a[x].begin, b[y].begin), end = std::min(a[x].end, b[y].end);
    if (begin < end) sum += end - begin;
    ++(a[x].end < b[y].end ? x : y);
  }
  return sum;
}

}  // namespace

std::optional<Advice> serial_copies(const ProgramSituation& s) {
  std::vector<Span> copies, kernels;
  for (const HostEvent& e : s.profile.events) {
    if (e.moves_to_or_from_host())
      copies.push_back({e.device_begin_ns, e.device_end_ns});
    else if (e.kind == Kind::Launch)
      kernels.push_back({e.device_begin_ns, e.device_end_ns});
  }
  copies = united(std::move(copies)), kernels = united(std::move(kernels));
  const double copy = double(length_of(copies)) * 1e-9, kernel = double(length_of(kernels)) * 1e-9,
               both = copy + kernel;
  // Streams are worth the effort only where the time is noticeable and both take a good part of it.
  constexpr double kFelt = 1e-3, kPart = 0.15;
  if (both < kFelt || std::min(copy, kernel) < kPart * both ||
      double(overlap_of(copies, kernels)) * 1e-9 > 0.1 * std::min(copy, kernel))
    return std::nullopt;
  // In pieces, the shorter overlaps with the longer except for a piece at the beginning and one at the end.
  constexpr double kPieces = 4;
  const double then = std::max(copy, kernel) + std::min(copy, kernel) / kPieces, saved = both - then;
  if (saved < kWorthwhile * both) return std::nullopt;
  return Advice{
      nullptr,
      fmt::format("copies take {} and kernels {}, one after the other", seconds_text(copy), seconds_text(kernel)),
      "divide the work over two or more streams: cudaMemcpyAsync from pinned memory copies the next piece while a "
      "kernel works on this one",
      saved,
      both / then,
      std::nullopt};
}

}  // namespace warpwise::perf::rules
