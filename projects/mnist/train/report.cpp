#include "report.h"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstring>

#include "../../../examples/png.h"
#include "../error.h"

namespace mnist {
namespace {

constexpr int kWorst = 30, kPerRow = 10, kZoom = 2;

struct Picture {
  int width, height;
  png::Bytes rgb;
  Picture(int w, int h) : width(w), height(h), rgb(size_t(w) * h * 3, 255) {}
  void set(int x, int y, int r, int g, int b) {
    if (x < 0 || y < 0 || x >= width || y >= height) return;
    unsigned char* p = &rgb[(size_t(y) * width + x) * 3];
    p[0] = (unsigned char)r, p[1] = (unsigned char)g, p[2] = (unsigned char)b;
  }
};

Picture draw_mistakes(const Evaluation& evaluation, const Images& test) {
  int count = std::min<int>(kWorst, int(evaluation.mistakes.size())), cell = kSide1 * kZoom + 4;
  Picture picture(kPerRow * cell, std::max(1, (count + kPerRow - 1) / kPerRow) * cell);
  for (int i = 0; i < count; ++i)
    for (int y = 0; y < kSide1 * kZoom; ++y)
      for (int x = 0; x < kSide1 * kZoom; ++x) {
        int ink = 255 - test.image(evaluation.mistakes[i].image)[y / kZoom * kSide1 + x / kZoom];
        picture.set(i % kPerRow * cell + x + 2, i / kPerRow * cell + y + 2, ink, ink, ink);
      }
  return picture;
}

// A curve point for each column: the mean of the losses that fall into it. The scale is logarithmic.
struct Curve {
  std::vector<double> values;
  double low, high;
  double height(double v) const { return (std::log(v) - std::log(low)) / (std::log(high) - std::log(low)); }
};

Curve smooth(const std::vector<float>& losses, int columns) {
  Curve curve{{}, 1e30, 1e-30};
  int n = int(losses.size()), points = std::min(columns, n);
  for (int i = 0; i < points; ++i) {
    double sum = 0;
    int from = int(int64_t(n) * i / points), to = int(int64_t(n) * (i + 1) / points);
    for (int k = from; k < to; ++k) sum += losses[k];
    double mean = std::max(sum / (to - from), 1e-6);
    curve.values.push_back(mean);
    curve.low = std::min(curve.low, mean);
    curve.high = std::max(curve.high, mean);
  }
  if (curve.high <= curve.low * 1.01) curve.high = curve.low * 1.01;
  return curve;
}

Picture draw_losses(const Curve& curve) {
  constexpr int kWidth = 640, kHeight = 240;
  Picture picture(kWidth, kHeight);
  int before = -1;
  for (int x = 0; x < kWidth; ++x) {
    double v = curve.values[size_t(x) * curve.values.size() / kWidth];
    int y = int((1 - curve.height(v)) * (kHeight - 5)) + 2;
    for (int t = std::min(y, before < 0 ? y : before); t <= std::max(y, before); ++t) picture.set(x, t, 30, 90, 200), picture.set(x, t + 1, 30, 90, 200);
    before = y;
  }
  return picture;
}

std::string base64(const std::string& path) {
  static const char kDigits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::vector<uint8_t> bytes = read_file(path);
  std::string text;
  for (size_t i = 0; i < bytes.size(); i += 3) {
    uint32_t three = 0;
    for (size_t k = 0; k < 3; ++k) three = three << 8 | (i + k < bytes.size() ? bytes[i + k] : 0);
    for (size_t k = 0; k < 4; ++k) text += i + k <= bytes.size() ? kDigits[three >> (18 - 6 * k) & 63] : '=';
  }
  return text;
}

template <class... Values>
void add(std::string& to, const char* format, Values... values) {
  char text[1024];
  std::snprintf(text, sizeof text, format, values...);
  to += text;
}

std::string loss_svg(const RunRecord& run, const Curve& curve) {
  std::string svg = "<svg viewBox='0 0 700 260' width='700' role='img' aria-label='loss curve'><polyline fill='none' stroke='#1e5ac8' stroke-width='1.5' points='";
  for (size_t i = 0; i < curve.values.size(); ++i)
    add(svg, "%.1f,%.1f ", 50 + 640.0 * double(i) / double(std::max<size_t>(1, curve.values.size() - 1)), 10 + 220 * (1 - curve.height(curve.values[i])));
  svg += "'/>";
  add(svg, "<text x='0' y='16'>%.3g</text><text x='0' y='234'>%.3g</text><text x='50' y='255'>0</text><text x='690' y='255' text-anchor='end'>%zu steps</text></svg>",
      curve.high, curve.low, run.losses.size());
  return svg;
}

std::string confusion_table(const Evaluation& e) {
  std::string table = "<table><tr><th>is \\ said</th>";
  for (int said = 0; said < kClasses; ++said) add(table, "<th>%d</th>", said);
  table += "</tr>";
  for (int is = 0; is < kClasses; ++is) {
    add(table, "<tr><th>%d</th>", is);
    int most = 1;
    for (int said = 0; said < kClasses; ++said)
      if (said != is) most = std::max(most, e.confusion[is][said]);
    for (int said = 0; said < kClasses; ++said) {
      int n = e.confusion[is][said];
      if (said == is) add(table, "<td style='background:#dfd'>%d</td>", n);
      else add(table, "<td style='background:rgba(220,40,40,%.2f)'>%s</td>", 0.7 * n / most, n ? std::to_string(n).c_str() : "");
    }
    table += "</tr>";
  }
  return table + "</table>";
}

void write_picture(const std::string& path, const Picture& picture) {
  if (!png::write(path, picture.width, picture.height, picture.rgb)) fail("%s: could not be written: %s", path.c_str(), std::strerror(errno));
}

}  // namespace

void write_report(const std::string& path, const RunRecord& run, const Evaluation& e, const Images& test) {
  std::string stem = path.size() > 5 && path.substr(path.size() - 5) == ".html" ? path.substr(0, path.size() - 5) : path;
  Curve curve = smooth(run.losses, 640);
  write_picture(stem + "-mistakes.png", draw_mistakes(e, test));
  if (!run.losses.empty()) write_picture(stem + "-loss.png", draw_losses(curve));

  std::string html = "<!doctype html><html lang='en'><meta charset='utf-8'><title>mnist: training report</title><style>body{font:15px sans-serif;max-width:760px;margin:2em auto}"
                     "td,th{padding:2px 8px;text-align:right}table{border-collapse:collapse}text{font-size:12px}.note{background:#fea;padding:.5em}</style>";
  html += "<h1>" + run.title + "</h1>";
  if (run.synthetic) html += "<p class='note'>All figures are on <b>synthetic digits</b>, drawn by this program, not on the MNIST data.</p>";
  html += "<p>Data: " + run.data + ".</p>";
  add(html, "<p><b>%.2f %%</b> of %d held-out images are right.", 100 * e.accuracy(), e.count);
  if (!run.losses.empty())
    add(html, " %zu training steps in %.1f s, %.0f images per second; the last loss was %.4f.", run.losses.size(), run.seconds, run.images_per_second, run.losses.back());
  html += "</p>";
  if (!run.losses.empty()) html += "<h2>Loss</h2>" + loss_svg(run, curve);
  if (!run.accuracies.empty()) {
    html += "<h2>Held-out accuracy</h2><table><tr><th>after steps</th><th>accuracy</th></tr>";
    for (auto [steps, accuracy] : run.accuracies) add(html, "<tr><td>%d</td><td>%.2f %%</td></tr>", steps, 100 * accuracy);
    html += "</table>";
  }
  html += "<h2>Confusion</h2>" + confusion_table(e);
  html += "<h2>The worst mistakes</h2><p>Those of which the network was surest, in reading order:</p><img alt='the worst mistakes' src='data:image/png;base64," +
          base64(stem + "-mistakes.png") + "'><p>";
  for (size_t i = 0; i < e.mistakes.size() && i < size_t(kWorst); ++i)
    add(html, "%s%d taken for %d (%.0f %%)", i ? ", " : "", test.labels[e.mistakes[i].image], e.mistakes[i].said, 100.0 * e.mistakes[i].confidence);
  html += "</p></html>\n";

  std::FILE* out = std::fopen(path.c_str(), "wb");
  if (!out) fail("%s: %s", path.c_str(), std::strerror(errno));
  bool good = std::fwrite(html.data(), 1, html.size(), out) == html.size();
  if (std::fclose(out) != 0 || !good) fail("%s: could not be written", path.c_str());
}

}  // namespace mnist
