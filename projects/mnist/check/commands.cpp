// mnist check, mnist time, mnist export: what tests and comparisons use.
#include <cuda_runtime.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstring>

#include "../random.h"
#include "../train/checkpoint.h"
#include "../train/commands.h"
#include "checks.h"

namespace mnist {

int check_command(Options& options) {
  std::string list = options.text("steps", ""), recorded = options.text("recorded", "");
  int batch = options.count("batch", 8, 1, 4096), steps = options.count("train", 20, 1, 1000);
  Precision precision = options.precision();
  options.finish();
  bool good = true;
  std::vector<int> numbers;
  for (const StepInfo& s : all_steps())
    if (list.empty() && (precision == Precision::Fp32 || s.tensor_cores)) numbers.push_back(s.number);
  for (size_t at = 0; at < list.size();) {
    size_t end = std::min(list.find(',', at), list.size());
    numbers.push_back(std::atoi(list.substr(at, end - at).c_str()));
    at = end + 1;
  }
  for (int number : numbers)
    good &= !recorded.empty() ? check_recorded(recorded, number, precision, steps) : number == 0 ? check_gradients() : check_step(number, batch, precision, steps);
  std::printf("%s\n", good ? "PASS" : "FAIL");
  return good ? 0 : 1;
}

// Random normal pictures, as bytes around the middle: with zeros, memory and arithmetic would look faster than they
// are.
int time_command(Options& options) {
  int number = options.step(), batch = options.count("batch", 512, 1, 1 << 16), rounds = options.count("rounds", 5, 1, 1000);
  int runs = options.count("runs", 100, 1, 1000);
  Precision precision = options.precision();
  options.finish();
  Images images;
  int count = std::max(4 * batch, 2048);
  Random random(5);
  images.pixels.resize(size_t(count) * kPixels1);
  for (uint8_t& p : images.pixels) p = uint8_t(std::clamp(128 + 48 * random.normal(), 0.0, 255.0));
  for (int i = 0; i < count; ++i) images.labels.push_back(uint8_t(random.below(kClasses)));

  std::unique_ptr<Step> step = make_step(number, batch, precision);
  step->set_parameters(initial_parameters(1));
  step->set_images(images);
  int laps = (runs * batch + count - 1) / count;  // the order is long enough for all runs of a round
  std::vector<int> order;
  for (int lap = 0; lap < std::max(laps, 1) + 1; ++lap) {
    std::vector<int> some = shuffled(count, 1, uint64_t(lap));
    order.insert(order.end(), some.begin(), some.end());
  }
  step->set_order(order);
  step->train(0, std::min(runs, 10), 0.01f);  // warm-up: loads modules and allocates memory
  step->losses();
  std::vector<double> times;
  for (int r = 0; r < rounds; ++r) {
    auto start = std::chrono::steady_clock::now();
    step->train(0, runs, 0.01f);
    step->losses();
    times.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() / runs);
  }
  std::sort(times.begin(), times.end());
  cudaDeviceProp about;
  cudaGetDeviceProperties(&about, 0);
  std::printf("step %d %s batch %d: median %.1f us (%.1f to %.1f; %d rounds of %d steps, random data) on %s\n", number, name_of(precision), batch,
              1e6 * times[times.size() / 2], 1e6 * times.front(), 1e6 * times.back(), rounds, runs, about.name);
  return 0;
}

// FOLDER/start.safetensors, FOLDER/batches.txt (per line: the images of a batch), FOLDER/losses.txt (one a line), and the images as
// IDX files: all that another implementation needs to train the same network on the same batches.
int export_command(Options& options) {
  std::string data = options.text("data", "synthetic");
  int batch = options.count("batch", SharedRun::kBatch, 1, 4096), steps = options.count("train", SharedRun::kSteps, 1, 1000);
  double rate = options.number("lr", SharedRun::kRate, 0, 1e6);
  unsigned seed = unsigned(options.count("seed", SharedRun::kSeed, 0, 1 << 30));
  options.finish(1);
  if (options.words.empty()) fail("export needs a folder");
  std::string folder = options.words[0];
  Images images = load_images(data, Part::Train, batch * steps, 1);
  if (images.count() < batch * steps) fail("%d steps of %d images need more than the %d that exist", steps, batch, images.count());
  save_images(images, folder, Part::Train);
  save_checkpoint(folder + "/start.safetensors", initial_parameters(seed));
  std::vector<int> order = shuffled(images.count(), 3, 0);
  auto write = [&](const char* name, auto body) {
    std::FILE* out = std::fopen((folder + "/" + name).c_str(), "w");
    if (!out) fail("%s/%s: %s", folder.c_str(), name, std::strerror(errno));
    body(out);
    std::fclose(out);
  };
  write("batches.txt", [&](std::FILE* out) {
    for (int i = 0; i < batch * steps; ++i) std::fprintf(out, "%d%c", order[i], (i + 1) % batch ? ' ' : '\n');
  });
  std::unique_ptr<Step> step = make_step(0, batch, Precision::Fp32);
  step->set_parameters(initial_parameters(seed));
  step->set_images(images);
  step->set_order(order);
  step->train(0, steps, float(rate));
  std::vector<float> losses = step->losses();
  write("losses.txt", [&](std::FILE* out) {
    for (float loss : losses) std::fprintf(out, "%.8f\n", loss);
  });
  std::printf("%s: %d batches of %d, learning rate %g, losses of the reference from %.5f to %.5f\n", folder.c_str(), steps, batch, rate, losses.front(), losses.back());
  return 0;
}

}  // namespace mnist
