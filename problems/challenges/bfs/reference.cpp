// result[0] = the least number of steps from start to end over cells that are 0, or -1
#include <warpwise/problem.h>

using namespace warpwise::problem;

void make_inputs(Case& c) {
  Random& r = c.random();
  const int64_t rows = c.size("rows"), columns = c.size("cols");
  const std::string_view data = c.data();
  Values grid = c.make("grid");
  auto at = [&](int64_t y, int64_t x) { return size_t(y * columns + x); };
  const bool snake = data.starts_with("snake"), upright = data.starts_with("snake, upright");
  for (size_t i = 0; i < grid.size(); ++i) grid.set(i, data == "open" || snake ? 0 : r.chance(0.28));
  int64_t sy = r.integer(0, rows - 1), sx = r.integer(0, columns - 1), ey = r.integer(0, rows - 1), ex = r.integer(0, columns - 1);
  if (data == "corners" || snake) sy = 0, sx = 0, ey = rows - 1, ex = columns - 1;
  if (data == "from the middle") sy = rows / 2, sx = columns / 2, ey = rows - 1, ex = columns - 1;
  if (data == "same") ey = sy, ex = sx;
  if (data == "walled in") {
    ey = rows / 2, ex = columns / 2, sy = 0, sx = r.integer(0, columns - 1);
    for (int64_t y = ey - 1; y <= ey + 1; ++y)
      for (int64_t x = ex - 1; x <= ex + 1; ++x) grid.set(at(y, x), 1);
  }
  if (snake) {  // every second row, or column, is a wall with one gap, by turns at its end and at its beginning
    const int64_t along = upright ? rows : columns, across = upright ? columns : rows;
    for (int64_t wall = 1; wall < across; wall += 2)
      for (int64_t i = 0; i < along; ++i) grid.set(upright ? at(i, wall) : at(wall, i), i != (wall / 2 % 2 ? 0 : along - 1));
    if (data.ends_with("backwards")) std::swap(sy, ey), std::swap(sx, ex);
  }
  if (data == "corners" || data == "from the middle")  // a way for certain, but not a straight one
    for (int64_t y = sy, x = sx; y != ey || x != ex;) {
      (x == ex || (y != ey && r.chance(double(ey - y) / double(ey - y + ex - x)))) ? ++y : ++x;
      grid.set(at(y, x), 0);
    }
  grid.set(at(sy, sx), 0);
  grid.set(at(ey, ex), 0);
  c.set_scalar("start_row", double(sy));
  c.set_scalar("start_col", double(sx));
  c.set_scalar("end_row", double(ey));
  c.set_scalar("end_col", double(ex));
}

void expect(Case& c) {
  auto grid = c.input("grid").as<int32_t>();
  const int64_t rows = c.size("rows"), columns = c.size("cols");
  const int64_t start = int64_t(c.scalar("start_row")) * columns + int64_t(c.scalar("start_col")),
                end = int64_t(c.scalar("end_row")) * columns + int64_t(c.scalar("end_col"));
  std::vector<int64_t> steps(grid.size(), -1), queue{start};
  steps[size_t(start)] = 0;
  for (size_t next = 0; next < queue.size(); ++next) {
    const int64_t cell = queue[next], y = cell / columns, x = cell % columns;
    for (auto [dy, dx] : {std::pair{-1, 0}, {1, 0}, {0, -1}, {0, 1}}) {
      if (y + dy < 0 || y + dy >= rows || x + dx < 0 || x + dx >= columns) continue;
      const size_t neighbour = size_t((y + dy) * columns + x + dx);
      if (grid[neighbour] != 0 || steps[neighbour] >= 0) continue;
      steps[neighbour] = steps[size_t(cell)] + 1;
      queue.push_back(int64_t(neighbour));
    }
  }
  c.expected("result")[0] = double(steps[size_t(end)]);
}

WARPWISE_PROBLEM(make_inputs, expect)
