// mnist predict and mnist generate: pictures in, pictures out.
#include <algorithm>
#include <chrono>
#include <cstdio>

#include "../../../examples/png.h"
#include "../data/read_png.h"
#include "checkpoint.h"
#include "commands.h"
#include "evaluate.h"

namespace mnist {

// Batch norm works with the statistics of a batch, so one picture alone would be judged by its own statistics. The pictures
// are judged in the company of images that the network knows.
int predict_command(Options& options) {
  constexpr int kCompany = 248;
  std::string data = options.text("data", "synthetic"), load = options.text("load", "");
  int number = options.step();
  Precision precision = options.precision();
  options.finish(options.words.size());
  if (load.empty()) fail("predict needs a checkpoint: --load=FILE");
  if (options.words.empty()) fail("predict needs a picture: FILE.png");

  Images images = load_images(data, Part::Test, kCompany, 1);
  for (const std::string& path : options.words) {
    auto digit = read_digit(path);
    images.pixels.insert(images.pixels.end(), digit.begin(), digit.end());
    images.labels.push_back(0);
  }
  int batch = images.count();
  std::unique_ptr<Step> step = make_step(number, batch, precision);
  step->set_parameters(load_checkpoint(load));
  step->set_images(images);
  std::vector<int> order(static_cast<size_t>(batch));
  for (int i = 0; i < batch; ++i) order[i] = i;
  step->set_order(order);
  std::vector<float> scores = step->scores(0);
  for (size_t i = 0; i < options.words.size(); ++i) {
    auto p = probabilities(&scores[(size_t(batch) - options.words.size() + i) * kClasses]);
    int best = int(std::max_element(p.begin(), p.end()) - p.begin());
    std::printf("%s: %d (%.1f %%)\n", options.words[i].c_str(), best, 100.0 * p[best]);
  }
  return 0;
}

// A digit as a PNG, dark on white paper as people write.
static void write_picture(const std::string& path, const uint8_t* pixels) {
  png::Bytes rgb;
  for (int i = 0; i < 3 * kPixels1; ++i) rgb.push_back((unsigned char)(255 - pixels[i / 3]));
  if (!png::write(path, kSide1, kSide1, rgb)) fail("%s: could not be written", path.c_str());
}

int generate_command(Options& options) {
  unsigned seed = unsigned(options.count("seed", 1, 0, 1 << 30));
  int count = options.count("images", 60000, 1, 1 << 24), pictures = options.count("pictures", 0, 0, 10000);
  options.finish(1);
  if (options.words.empty()) fail("generate needs a folder");
  auto start = std::chrono::steady_clock::now();
  Images test = load_images("synthetic", Part::Test, std::max(1, count / 6), seed);
  save_images(load_images("synthetic", Part::Train, count, seed), options.words[0], Part::Train);
  save_images(test, options.words[0], Part::Test);
  for (int i = 0; i < std::min(pictures, test.count()); ++i)
    write_picture(options.words[0] + "/" + std::to_string(i) + "-is-" + std::to_string(test.labels[i]) + ".png", test.image(i));
  std::printf("%s: %d + %d synthetic digits, seed %u, in %.1f s\n", options.words[0].c_str(), count, std::max(1, count / 6), seed,
              std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  return 0;
}

}  // namespace mnist
