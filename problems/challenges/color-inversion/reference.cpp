// R, G and B become 255 - x, A stays
#include <warpwise/problem.h>

using namespace warpwise::problem;

void make_inputs(Case& c) {
  c.fill("image", [&] { return double(c.random().integer(0, 255)); });
}

void expect(Case& c) {
  auto before = c.input("image").as<uint8_t>();
  auto after = c.expected("image");
  for (size_t i = 0; i < after.size(); ++i) after[i] = i % 4 == 3 ? before[i] : 255 - before[i];
}

WARPWISE_PROBLEM(make_inputs, expect)
