#include "digits.h"

#include <algorithm>
#include <cmath>
#include <thread>

#include "../random.h"

namespace mnist {
namespace {

struct Point {
  double x, y;
};

struct Command {
  enum Kind { Form, Move, Line, Curve } kind;
  int digit;        // of a form
  Point points[3];  // the last one is where the stroke goes
};

constexpr Command kCommands[] = {
#define FORM(digit) {Command::Form, digit, {}},
#define MOVE(x, y) {Command::Move, 0, {{}, {}, {x, y}}},
#define LINE(x, y) {Command::Line, 0, {{}, {}, {x, y}}},
#define CURVE(a, b, c, d, x, y) {Command::Curve, 0, {{a, b}, {c, d}, {x, y}}},
#include "strokes.inc"
#undef FORM
#undef MOVE
#undef LINE
#undef CURVE
};
constexpr int kCommandCount = int(sizeof kCommands / sizeof *kCommands);

// The k-th form of a digit is where its commands begin; a form ends where the next begins.
int form_of(int digit, Random& random) {
  int forms[8], count = 0;
  for (int i = 0; i < kCommandCount; ++i)
    if (kCommands[i].kind == Command::Form && kCommands[i].digit == digit) forms[count++] = i + 1;
  return forms[random.below(count)];
}

// The transformation of a whole digit. It uses only + − × ÷ and square roots, which round the same everywhere; a
// rotation is written with the tangent of the half angle.
class Distortion {
 public:
  explicit Distortion(Random& random) {
    double t = random.normal() * 0.075;  // a standard deviation of 8.6 degrees
    double cosine = (1 - t * t) / (1 + t * t), sine = 2 * t / (1 + t * t);
    double slant = random.normal() * 0.14, wide = random.between(0.74, 1.02), high = random.between(0.84, 1.06);
    xx_ = wide * cosine - high * slant * sine;
    xy_ = -wide * sine - high * slant * cosine;
    yx_ = high * sine;
    yy_ = high * cosine;
    dx_ = random.normal() * 0.03;
    dy_ = random.normal() * 0.03;
    for (Point& p : field_) p = {random.normal() * 0.042, random.normal() * 0.042};
  }

  // From the unit square to pixels: the digit fills the middle 20 of 28, as in MNIST.
  Point operator()(Point p) const {
    Point bend = field(p);
    double x = p.x + bend.x - 0.5, y = p.y + bend.y - 0.5;
    return {14 + 21 * (xx_ * x + xy_ * y + dx_), 14 + 21 * (yx_ * x + yy_ * y + dy_)};
  }

 private:
  // A 4×4 grid of random displacements, interpolated with smooth weights.
  Point field(Point p) const {
    double gx = std::min(std::max(p.x, 0.0), 1.0) * 2.999, gy = std::min(std::max(p.y, 0.0), 1.0) * 2.999;
    int ix = int(gx), iy = int(gy);
    double fx = smooth(gx - ix), fy = smooth(gy - iy);
    auto at = [&](int x, int y) { return field_[y * 4 + x]; };
    auto mix = [](Point a, Point b, double f) { return Point{a.x + (b.x - a.x) * f, a.y + (b.y - a.y) * f}; };
    return mix(mix(at(ix, iy), at(ix + 1, iy), fx), mix(at(ix, iy + 1), at(ix + 1, iy + 1), fx), fy);
  }
  static double smooth(double t) { return t * t * (3 - 2 * t); }

  double xx_, xy_, yx_, yy_, dx_, dy_;
  Point field_[16];
};

// Ink: a pixel's darkness falls from 1 to 0 over one pixel at the edge of the pen.
class Paper {
 public:
  explicit Paper(double pen) : pen_(pen) { std::fill(ink_, ink_ + kPixels1, 0.0); }

  void segment(Point a, Point b) {
    double reach = pen_ + 1;
    int left = clamp(std::min(a.x, b.x) - reach), right = clamp(std::max(a.x, b.x) + reach);
    int top = clamp(std::min(a.y, b.y) - reach), bottom = clamp(std::max(a.y, b.y) + reach);
    double dx = b.x - a.x, dy = b.y - a.y, square = dx * dx + dy * dy + 1e-12;
    for (int y = top; y <= bottom; ++y)
      for (int x = left; x <= right; ++x) {
        double px = x + 0.5 - a.x, py = y + 0.5 - a.y;
        double t = std::min(std::max((px * dx + py * dy) / square, 0.0), 1.0);
        double ex = px - t * dx, ey = py - t * dy;
        double ink = std::min(std::max(pen_ + 0.5 - std::sqrt(ex * ex + ey * ey), 0.0), 1.0);
        double& there = ink_[y * kSide1 + x];
        there = std::max(there, ink);
      }
  }

  void develop(Random& random, uint8_t* to) const {
    double strength = random.between(0.8, 1.0);
    for (int i = 0; i < kPixels1; ++i) {
      double noise = ink_[i] > 0 ? random.normal() * 0.06 : 0;
      to[i] = uint8_t(std::min(std::max(ink_[i] * strength + noise, 0.0), 1.0) * 255);
    }
    for (int specks = random.below(4); specks > 0; --specks) to[random.below(kPixels1)] = uint8_t(random.below(128));
  }

 private:
  static int clamp(double v) { return std::min(std::max(int(v), 0), kSide1 - 1); }

  double pen_;
  double ink_[kPixels1];
};

void draw(int digit, Random& random, uint8_t* to) {
  Distortion distort(random);
  Paper paper(random.between(0.75, 1.5));
  Point at{};
  auto jitter = [&](Point p) { return Point{p.x + random.normal() * 0.022, p.y + random.normal() * 0.022}; };
  for (int i = form_of(digit, random); i < kCommandCount && kCommands[i].kind != Command::Form; ++i) {
    const Command& c = kCommands[i];
    Point end = jitter(c.points[2]);
    if (c.kind == Command::Move) {
      at = end;
      continue;
    }
    // Lines are bent by the field, too, so both are drawn in short pieces.
    Point one = c.kind == Command::Line ? at : jitter(c.points[0]), two = c.kind == Command::Line ? end : jitter(c.points[1]);
    constexpr int kPieces = 10;
    Point from = distort(at);
    for (int piece = 1; piece <= kPieces; ++piece) {
      double t = double(piece) / kPieces, u = 1 - t;
      double b0 = u * u * u, b1 = 3 * u * u * t, b2 = 3 * u * t * t, b3 = t * t * t;
      Point to_point = distort({b0 * at.x + b1 * one.x + b2 * two.x + b3 * end.x, b0 * at.y + b1 * one.y + b2 * two.y + b3 * end.y});
      paper.segment(from, to_point);
      from = to_point;
    }
    at = end;
  }
  paper.develop(random, to);
}

}  // namespace

Images make_digits(int count, Part part, uint64_t seed) {
  Images images;
  images.synthetic = true;
  images.origin = "synthetic digits, seed " + std::to_string(seed);
  images.pixels.resize(size_t(count) * kPixels1);
  images.labels.resize(size_t(count));
  uint64_t first = part == Part::Train ? 0 : uint64_t(1) << 32;  // no test digit is a training digit
  auto work = [&](int begin, int step) {
    for (int i = begin; i < count; i += step) {
      Random random(seed, first + uint64_t(i));
      images.labels[i] = uint8_t(random.below(kClasses));
      draw(images.labels[i], random, &images.pixels[size_t(i) * kPixels1]);
    }
  };
  int threads = std::max(1, int(std::thread::hardware_concurrency()));
  std::vector<std::thread> crew;
  for (int t = 1; t < threads; ++t) crew.emplace_back(work, t, threads);
  work(0, threads);
  for (std::thread& t : crew) t.join();
  return images;
}

}  // namespace mnist
