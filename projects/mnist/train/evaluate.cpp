#include "evaluate.h"

#include <algorithm>
#include <cmath>

#include "../error.h"

namespace mnist {

std::array<float, kClasses> probabilities(const float* scores) {
  std::array<float, kClasses> p;
  float top = *std::max_element(scores, scores + kClasses), sum = 0;
  for (int k = 0; k < kClasses; ++k) sum += p[k] = std::exp(scores[k] - top);
  for (float& v : p) v /= sum;
  return p;
}

Evaluation evaluate(Step& step, const Images& images, int batch) {
  if (images.count() < batch) fail("a batch of %d is larger than the data, %d images", batch, images.count());
  std::vector<int> order(size_t(images.count()));
  for (int i = 0; i < images.count(); ++i) order[i] = i;
  step.set_images(images);
  step.set_order(order);

  Evaluation result;
  result.count = images.count();
  for (int done = 0; done < images.count();) {
    int first = std::min(done, images.count() - batch);
    std::vector<float> scores = step.scores(first);
    for (; done < first + batch; ++done) {
      auto p = probabilities(&scores[size_t(done - first) * kClasses]);
      int said = int(std::max_element(p.begin(), p.end()) - p.begin()), is = images.labels[done];
      ++result.confusion[is][said];
      result.right += said == is;
      if (said != is) result.mistakes.push_back({done, said, p[said]});
    }
  }
  std::sort(result.mistakes.begin(), result.mistakes.end(), [](const Mistake& a, const Mistake& b) { return a.confidence > b.confidence; });
  return result;
}

}  // namespace mnist
