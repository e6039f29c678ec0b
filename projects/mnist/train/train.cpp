// mnist train: epochs over the shuffled images, progress, the held-out accuracy after each epoch, checkpoints.
#include <csignal>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>

#include "../random.h"
#include "checkpoint.h"
#include "commands.h"
#include "report.h"

namespace mnist {
namespace {

volatile std::sig_atomic_t interrupted = 0;  // ^C: the training ends between two steps, and saves

double seconds() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

std::string describe(int number, Precision precision, int batch, double rate) {
  char text[200];
  const StepInfo& info = all_steps()[size_t(number)];
  std::snprintf(text, sizeof text, "Step %d (%s), %s, batches of %d, learning rate %g", number, info.name, name_of(precision), batch, rate);
  return text;
}

// The training steps between two lines of progress: about a second's worth, by what the last ones took.
int steps_per_line(double step_seconds) { return std::clamp(int(1.0 / std::max(step_seconds, 1e-6)), 1, 100); }

}  // namespace

int train_command(Options& options) {
  std::string data = options.text("data", "synthetic"), load = options.text("load", ""), save = options.text("save", ""), report = options.text("report", "");
  int count = options.count("images", 0, 1, 1 << 24), epochs = options.count("epochs", 1, 1, 100000), batch = options.count("batch", 64, 1, 1 << 16);
  int number = options.step();
  Precision precision = options.precision();
  double rate = options.number("lr", 0.05, 0, 1e38), target = options.number("target", 2, 0, 1);
  unsigned seed = unsigned(options.count("seed", 1, 0, 1 << 30));
  options.finish();

  double start = seconds();
  Images train = load_images(data, Part::Train, count, 1), test = load_images(data, Part::Test, count > 0 ? std::max(count / 6, batch) : 0, 1);
  if (train.count() < batch) fail("a batch of %d is larger than the data, %d images", batch, train.count());
  if (test.count() < batch) fail("a batch of %d is larger than the held-out data, %d images", batch, test.count());
  std::printf("data: %s (%d images to train with, %d held out; %.1f s)\n", train.origin.c_str(), train.count(), test.count(), seconds() - start);
  RunRecord run;
  run.title = describe(number, precision, batch, rate);
  run.data = train.origin;
  run.synthetic = train.synthetic;
  std::printf("%s%s\n", run.title.c_str(), train.synthetic ? " — on SYNTHETIC digits" : "");

  std::unique_ptr<Step> step = make_step(number, batch, precision);
  step->set_parameters(load.empty() ? initial_parameters(seed) : load_checkpoint(load));
  std::signal(SIGINT, [](int) { interrupted = 1; });

  int steps = train.count() / batch, done_steps = 0;
  double training = 0, step_seconds = 0.1;
  Evaluation evaluation;
  for (int epoch = 0; epoch < epochs && !interrupted; ++epoch) {
    step->set_images(train);
    step->set_order(shuffled(train.count(), seed, uint64_t(epoch)));
    for (int s = 0; s < steps && !interrupted;) {
      int n = std::min(steps - s, steps_per_line(step_seconds));
      double before = seconds();
      step->train(s * batch, n, float(rate));
      std::vector<float> losses = step->losses();
      double took = seconds() - before;
      training += took;
      step_seconds = took / n;
      for (size_t i = 0; i < losses.size(); ++i)
        if (!std::isfinite(losses[i])) {
          std::string layer = step->first_bad_layer();
          fail("the loss of training step %d is %f: the training stops, nothing is saved\n  the first layer with values that are not finite: %s; "
               "a smaller --lr than %g may help", done_steps + int(i) + 1, losses[i], layer.empty() ? "none by now" : layer.c_str(), rate);
        }
      run.losses.insert(run.losses.end(), losses.begin(), losses.end());
      s += n;
      done_steps += n;
      std::vector<float> scores = step->scores((s - 1) * batch);
      int right = 0;
      std::vector<int> order = shuffled(train.count(), seed, uint64_t(epoch));
      for (int i = 0; i < batch; ++i) {
        const float* z = &scores[size_t(i) * kClasses];
        right += int(std::max_element(z, z + kClasses) - z) == train.labels[order[size_t(s - 1) * batch + i]];
      }
      std::printf("epoch %d  step %d/%d  loss %.4f  last batch %.1f %%  %.0f images/s\n", epoch + 1, s, steps, losses.back(), 100.0 * right / batch,
                  n * batch / took);
    }
    evaluation = evaluate(*step, test, batch);
    run.accuracies.push_back({done_steps, evaluation.accuracy()});
    std::printf("epoch %d: %.2f %% of %d held-out %simages are right\n", epoch + 1, 100 * evaluation.accuracy(), evaluation.count, train.synthetic ? "synthetic " : "");
    if (!save.empty()) save_checkpoint(save, step->parameters());
    if (evaluation.accuracy() >= target) break;
  }
  run.seconds = training;
  run.images_per_second = double(run.losses.size()) * batch / std::max(training, 1e-9);
  std::printf("%d training steps in %.2f s, %.0f images/s; %.1f s in all\n", done_steps, training, run.images_per_second, seconds() - start);
  if (interrupted) std::printf("interrupted%s%s\n", save.empty() ? "" : "; the network so far is in ", save.c_str());
  if (!report.empty()) write_report(report, run, evaluation, test);
  if (interrupted) return 130;
  return target <= 1 && evaluation.accuracy() < target ? 1 : 0;
}

int test_command(Options& options) {
  std::string data = options.text("data", "synthetic"), load = options.text("load", ""), report = options.text("report", "");
  int batch = options.count("batch", 500, 1, 1 << 16), number = options.step(), count = options.count("images", 0, 1, 1 << 24);
  Precision precision = options.precision();
  options.finish();
  if (load.empty()) fail("test needs a checkpoint: --load=FILE");
  Images test = load_images(data, Part::Test, count, 1);
  if (test.count() < batch) fail("a batch of %d is larger than the data, %d images", batch, test.count());
  std::unique_ptr<Step> step = make_step(number, batch, precision);
  step->set_parameters(load_checkpoint(load));
  Evaluation evaluation = evaluate(*step, test, batch);
  std::printf("%.2f %% of %d held-out %simages are right (%s)\n", 100 * evaluation.accuracy(), evaluation.count, test.synthetic ? "synthetic " : "", test.origin.c_str());
  RunRecord run;
  run.title = "Test of " + load;
  run.data = test.origin;
  run.synthetic = test.synthetic;
  if (!report.empty()) write_report(report, run, evaluation, test);
  return 0;
}

}  // namespace mnist
