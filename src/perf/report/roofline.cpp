#include "perf/report/roofline.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/markup.h"
#include "perf/report/format.h"
#include "perf/report/html_parts.h"

namespace warpwise::perf {
namespace {

constexpr double kWidth = 640, kHeight = 364, kLeft = 84, kRight = 606, kTop = 20, kBottom = 310;

// Logarithmic scales of the picture.
struct Scales {
  double from = -2, to = 3;   // powers of ten, operations a byte
  double low = 8, high = 14;  // operations a second
  double x(double intensity) const { return kLeft + (std::log10(intensity) - from) / (to - from) * (kRight - kLeft); }
  double y(double rate) const { return kBottom - (std::log10(rate) - low) / (high - low) * (kBottom - kTop); }
};

void grid(std::string& svg, const Scales& s) {
  for (double p = s.from; p <= s.to; ++p)
    fmt::format_to(std::back_inserter(svg),
                   "<line class=axis x1={0:.1f} x2={0:.1f} y1={1} y2={2} /><text class=soft x={0:.1f} y={3} "
                   "text-anchor=middle>{4:g}</text>",
                   s.x(std::pow(10, p)), kTop, kBottom, kBottom + 20, std::pow(10, p));
  for (double p = s.low; p <= s.high; ++p)
    fmt::format_to(
        std::back_inserter(svg),
        "<line class=axis x1={} x2={} y1={:.1f} y2={:.1f} /><text class=soft x={} y={:.1f} text-anchor=end>{}</text>",
        kLeft, kRight, s.y(std::pow(10, p)), s.y(std::pow(10, p)), kLeft - 6, s.y(std::pow(10, p)) + 4,
        count_text(std::pow(10, p)));
  fmt::format_to(std::back_inserter(svg),
                 "<text class=soft x={} y={} text-anchor=middle>arithmetic intensity (FLOP per byte of DRAM "
                 "traffic)</text><text class=soft text-anchor=middle transform='translate(14 {}) "
                 "rotate(-90)'>performance (FLOP/s)</text>",
                 (kLeft + kRight) / 2, kHeight - 8, (kTop + kBottom) / 2);
}

// The slope of a bandwidth up to the peak, and the peak from there on. The label of DRAM is below its line and that of
// L2 above, where no other line is.
void roof(std::string& svg, const Scales& s, double bandwidth, double peak, std::string_view kind,
          std::string_view label) {
  double first = std::pow(10, s.from), ridge = peak / bandwidth,
         start = std::max(first, std::pow(10, s.low) / bandwidth);
  fmt::format_to(std::back_inserter(svg), "<path class='roof {}' d='M{:.1f} {:.1f}L{:.1f} {:.1f}L{:.1f} {:.1f}'/>",
                 kind, s.x(start), s.y(start * bandwidth), s.x(ridge), s.y(peak), kRight, s.y(peak));
  double at = std::sqrt(start * ridge),
         angle = -std::atan2(s.y(at * bandwidth) - s.y(at * 2 * bandwidth), s.x(at * 2) - s.x(at)) * 180 / M_PI;
  fmt::format_to(
      std::back_inserter(svg),
      "<text class=soft text-anchor=middle dy={} transform='translate({:.1f} {:.1f}) rotate({:.1f})'>{}</text>",
      kind == "l2" ? -6 : 16, s.x(at), s.y(at * bandwidth), angle, label);
}

// A kernel in the picture.
struct Dot {
  const KernelReport* kernel;
  double share;      // of its run's time
  bool was = false;  // it is of the first of two runs
  double intensity() const { return kernel->flops() / kernel->dram_bytes(); }
  double rate() const { return kernel->flops() / kernel->seconds; }
};

double radius_of(const Dot& dot) { return 5 + 6 * std::sqrt(dot.share); }

bool has_a_place(const KernelReport* k) {
  return k && k->predicted && k->flops() > 0 && k->dram_bytes() > 0 && k->seconds > 0;
}

void draw(std::string& svg, const Scales& s, const Dot& dot) {
  const KernelReport& k = *dot.kernel;
  const std::string tip =
      fmt::format("{}{}\n{} ({} launch{})\n{}, {:.3g} operations per byte\nlimited by: {}", dot.was ? "before: " : "",
                  k.launch.kernel, seconds_text(k.seconds), k.launches, k.launches == 1 ? "" : "es",
                  rate_text(dot.rate(), "FLOP"), dot.intensity(), name_of(k.prediction.limiter));
  fmt::format_to(std::back_inserter(svg),
                 "<circle class='dot{}' tabindex=0 cx={:.1f} cy={:.1f} r={:.1f} data-tip=\"{}\"/>",
                 dot.was ? " was" : "", s.x(dot.intensity()), s.y(dot.rate()), radius_of(dot), escape_markup(tip));
}

// Names beside the circles, as far as there is room: a label that would cover another, or a circle, is left out, and
// the text under the pointer has the name.
class Labels {
 public:
  explicit Labels(const std::vector<Dot>& dots, const Scales& s) : s_(s) {
    for (const Dot& dot : dots) {
      const double r = radius_of(dot), x = s.x(dot.intensity()), y = s.y(dot.rate());
      taken_.push_back({x - r, x + r, y - r, y + r});
    }
  }

  void draw(std::string& svg, const Dot& dot) {
    constexpr double kLetter = 7.2, kLine = 14;  // of a text of 12 px, at most
    const std::string text = text_of(dot);
    const double width = kLetter * double(text.size()), gap = radius_of(dot) + 5, x = s_.x(dot.intensity()),
                 y = s_.y(dot.rate());
    for (bool left : {x + gap + width > kRight, x + gap + width <= kRight}) {
      const Box box{left ? x - gap - width : x + gap, left ? x - gap : x + gap + width, y - kLine / 2, y + kLine / 2};
      if (box.left < kLeft || box.right > kRight ||
          std::any_of(taken_.begin(), taken_.end(), [&](const Box& other) { return box.overlaps(other); }))
        continue;
      taken_.push_back(box);
      fmt::format_to(std::back_inserter(svg), "<text class=label x={:.1f} y={:.1f} text-anchor={}>{}</text>",
                     left ? x - gap : x + gap, y + 4, left ? "end" : "start", escape_markup(text));
      return;
    }
  }

 private:
  struct Box {
    double left, right, top, bottom;
    bool overlaps(const Box& o) const { return left < o.right && o.left < right && top < o.bottom && o.top < bottom; }
  };
  static std::string text_of(const Dot& dot) {
    constexpr size_t kMost = 28;
    const std::string& kernel = dot.kernel->launch.kernel;
    std::string name = kernel.substr(0, kernel.find('('));
    if (name.size() > kMost) name = name.substr(0, kMost - 1) + "…";
    return dot.was ? "before: " + name : name;
  }

  const Scales& s_;
  std::vector<Box> taken_;
};

// `lines`: between two dots, by index.
std::string roofline(const device::Properties& device, const std::vector<Dot>& dots,
                     const std::vector<std::pair<size_t, size_t>>& lines) {
  if (dots.empty()) return "";
  const bool tensor = std::any_of(dots.begin(), dots.end(),
                                  [](const Dot& dot) { return dot.kernel->launch.totals[Counter::PipeTensor] > 0; });
  const device::Machine& m = device.machine;
  const double clock = device.core_clock_khz * 1e3, bandwidth = device.dram_bytes_per_second() * m.dram_read_fraction;
  const double peak = (tensor ? m.tensor_f16 : 2 * m.fp32_lanes) * device.sm_count * clock;
  Scales s;
  s.high = std::ceil(std::log10(peak) + 0.1);
  s.low = s.high - 5;
  for (const Dot& dot : dots) {
    s.from = std::min(s.from, std::floor(std::log10(dot.intensity())));
    s.to = std::max(s.to, std::ceil(std::log10(dot.intensity())));
    s.low = std::min(s.low, std::floor(std::log10(dot.rate())));
  }
  std::string svg = fmt::format(
      "<svg id=roofline viewBox='0 0 {} {}' role=img aria-label='Roofline' data-left={} data-right={} data-from={} "
      "data-to={} data-peak={} data-bandwidth={}>",
      kWidth, kHeight, kLeft, kRight, s.from, s.to, peak, bandwidth);
  grid(svg, s);
  roof(svg, s, m.l2_bytes_per_clock * clock, peak, "l2",
       fmt::format("L2 {}", rate_text(m.l2_bytes_per_clock * clock, "B")));
  roof(svg, s, bandwidth, peak, "dram", fmt::format("DRAM {}", rate_text(bandwidth, "B")));
  fmt::format_to(std::back_inserter(svg), "<text class=soft x={} y={:.1f} text-anchor=end>{} {}</text>", kRight,
                 s.y(peak) - 5, tensor ? "tensor cores" : "fp32", rate_text(peak, "FLOP"));
  fmt::format_to(std::back_inserter(svg), "<line class='axis guide' y1={} y2={} visibility=hidden />", kTop, kBottom);
  for (const auto& [from, to] : lines)
    fmt::format_to(std::back_inserter(svg), "<line class=became x1={:.1f} y1={:.1f} x2={:.1f} y2={:.1f} />",
                   s.x(dots[from].intensity()), s.y(dots[from].rate()), s.x(dots[to].intensity()),
                   s.y(dots[to].rate()));
  for (const Dot& dot : dots) draw(svg, s, dot);
  Labels labels(dots, s);
  // Where two circles lie upon each other there is room for one name: that of the later run.
  for (const bool was : {false, true})
    for (const Dot& dot : dots)
      if (dot.was == was) labels.draw(svg, dot);
  return svg + "</svg>";
}

double share_of(const KernelReport& k, const Analysis& a) { return k.seconds / std::max(a.seconds, 1e-12); }

}  // namespace

std::string roofline_svg(const Analysis& a) {
  std::vector<Dot> dots;
  for (const KernelReport& k : a.kernels)
    if (has_a_place(&k)) dots.push_back({&k, share_of(k, a)});
  return roofline(*a.device, dots, {});
}

std::string roofline_svg(const Comparison& c) {
  std::vector<Dot> dots;
  std::vector<std::pair<size_t, size_t>> lines;
  for (const KernelPair& p : c.kernels) {
    const bool before = has_a_place(p.before), after = has_a_place(p.after);
    if (before && after) lines.emplace_back(dots.size(), dots.size() + 1);
    if (before) dots.push_back({p.before, share_of(*p.before, *c.before), true});
    if (after) dots.push_back({p.after, share_of(*p.after, *c.after)});
  }
  return roofline(*c.after->device, dots, lines);
}

}  // namespace warpwise::perf
