#include "bench/report/plot.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/markup.h"
#include "perf/report/format.h"

namespace warpwise::bench {
namespace {

constexpr double kWidth = 860, kHeight = 410, kLeft = 48, kRight = 190, kTop = 16, kBottom = 72;
constexpr double kLineHeight = 15;

// A version's name beside the end of its line.
struct Label {
  double y = 0;
  size_t version = 0;
};

class Plot {
 public:
  explicit Plot(const Measurement& m) : m_(m) {
    for (const ShapeResult& s : m.shapes)
      for (size_t i = 0; i < s.cells.size(); ++i)
        if (has_time(s.cells[i])) most_ = std::max(most_, s.roofs[i].seconds() / s.cells[i].seconds.median);
  }

  std::string svg() {
    if (most_ == 0) return "";
    // A step above 1 would be beyond the roof: the axis shows it rather than hide it.
    top_ = std::max(1.0, most_ * 1.05);
    std::string out = fmt::format(
        "<svg id=shares role=img aria-label='share of the roof by shape' viewBox='0 0 {} {}' "
        "style='width:100%;max-width:{}px'>",
        kWidth, kHeight, kWidth);
    out += axes();
    for (size_t v = 0; v < m_.versions.size(); ++v) out += line(v);
    return out + labels() + "</svg>";
  }

 private:
  static bool has_time(const Cell& c) { return c.verdict == Verdict::Right && c.seconds.median > 0; }
  double x(size_t shape) const {
    const double inner = kWidth - kLeft - kRight;
    return kLeft + inner * (double(shape) + 0.5) / double(m_.shapes.size());
  }
  double y(double share) const { return kHeight - kBottom - (kHeight - kTop - kBottom) * share / top_; }

  bool slants() const {
    constexpr double kLetter = 7;
    const double room = (kWidth - kLeft - kRight) / double(m_.shapes.size());
    return std::any_of(m_.shapes.begin(), m_.shapes.end(),
                       [&](const ShapeResult& s) { return double(s.shape->name.size()) * kLetter > room; });
  }

  std::string axes() const {
    std::string out;
    for (int tenth = 0; tenth <= int(top_ * 10); tenth += 2) {
      const double at = y(tenth / 10.0);
      out += fmt::format(
          "<line class=axis x1={} x2={} y1={:.1f} y2={:.1f} /><text class=soft x={} y={:.1f} "
          "text-anchor=end>{} %</text>",
          kLeft, kWidth - kRight, at, at, kLeft - 6, at + 4, tenth * 10);
    }
    out += fmt::format("<line class=roof x1={} x2={} y1={:.1f} y2={:.1f} />", kLeft, kWidth - kRight, y(1), y(1));
    // Long names would run into each other: they are slanted, and end below their place.
    const bool slanted = slants();
    for (size_t s = 0; s < m_.shapes.size(); ++s) {
      const double at = x(s), below = kHeight - kBottom + 18;
      out += fmt::format("<text class=soft x={0:.1f} y={1} text-anchor={2}{3}>{4}</text>", at, below,
                         slanted ? "end" : "middle",
                         slanted ? fmt::format(" transform='rotate(-25 {:.1f} {})'", at, below) : std::string(),
                         escape_markup(m_.shapes[s].shape->name));
    }
    return out;
  }

  std::string line(size_t version) {
    const bool peer = !m_.versions[version].peer.empty();
    // From soft to strong: later steps stand out.
    const double strength = peer ? 1 : 0.3 + 0.7 * double(version + 1) / double(m_.versions.size());
    std::string path, dots;
    double last = -1;
    for (size_t s = 0; s < m_.shapes.size(); ++s) {
      const Cell& c = m_.shapes[s].cells[version];
      if (!has_time(c)) continue;
      const double share = m_.shapes[s].roofs[version].seconds() / c.seconds.median;
      path += fmt::format("{}{:.1f} {:.1f}", path.empty() ? "M" : "L", x(s), y(share));
      dots += fmt::format(
          "<circle class=dot cx={:.1f} cy={:.1f} r=4 tabindex=0 data-tip='{}, {}: {}, {:.0f} % of the roof'></circle>",
          x(s), y(share), escape_markup(name(version)), escape_markup(m_.shapes[s].shape->name),
          perf::seconds_text(c.seconds.median), 100 * share);
      last = y(share);
    }
    if (last < 0) return "";
    labels_.push_back({last, version});
    return fmt::format("<g opacity={:.2f}><path d='{}' fill=none stroke='var({})' stroke-width=2{} />{}</g>", strength,
                       path, peer ? "--compute" : "--accent", peer ? " stroke-dasharray='5 4'" : "", dots);
  }

  // From the lowest up, each at least a line's height above the one below.
  std::string labels() {
    std::sort(labels_.begin(), labels_.end(), [](const Label& a, const Label& b) { return a.y > b.y; });
    std::string out;
    double below = kHeight;
    for (const Label& label : labels_) {
      const double at = std::min(label.y + 4, below - kLineHeight);
      out += fmt::format("<text class=label x={} y={:.1f}>{}</text>", kWidth - kRight + 8, at,
                         escape_markup(name(label.version)));
      below = at;
    }
    return out;
  }

  std::string name(size_t version) const { return label_of(m_.versions[version]); }

  const Measurement& m_;
  std::vector<Label> labels_;
  double most_ = 0, top_ = 1;
};

}  // namespace

std::string plot_svg(const Measurement& m) { return Plot(m).svg(); }

}  // namespace warpwise::bench
