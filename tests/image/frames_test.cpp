// Pieces on the device: those that come with Warpwise are pictures without findings; what is wrong with others is seen
// at its pixels and threads.
#include <gtest/gtest.h>

#include <set>

#include "image/inspector.h"
#include "image/painter.h"
#include "toolchain/files.h"
#include "trace/queries.h"
#include "trace/trace_file.h"

namespace warpwise::image {
namespace {

namespace fs = std::filesystem;

// A piece in a folder of its own.
class Pieces : public testing::Test {
 protected:
  Pieces() : folder_(toolchain::TemporaryFolder::create(fs::temp_directory_path()).value()) {}

  fs::path write(const std::string& source) const {
    const fs::path file = folder_.path() / "piece.cu";
    EXPECT_TRUE(toolchain::write_file(file, source).ok());
    return file;
  }
  static std::string ptx_of(const fs::path& file, toolchain::BuildPurpose purpose = toolchain::BuildPurpose::Run) {
    const CompiledPiece piece = compile(file, {.purpose = purpose}).value();
    EXPECT_TRUE(piece.compiled) << piece.messages;
    return piece.ptx;
  }
  // By default a frame may take long: compiling counts, on a slow machine that is busy.
  static std::unique_ptr<Painter> painter_of(const std::string& ptx, const std::string& source,
                                             double longest = 20 * kLongestFrame) {
    exec::DeviceSetup setup;
    setup.options.timeout_seconds = longest;
    auto painter = Painter::open(ptx, source, shape_in(source).value(), std::move(setup));
    EXPECT_TRUE(painter.ok()) << painter.error().message;
    return painter ? std::move(*painter) : nullptr;
  }
  static Inspector inspector_of(const fs::path& file, const std::string& source) {
    return Inspector({ptx_of(file, toolchain::BuildPurpose::Check), source, file, shape_in(source).value()});
  }

  toolchain::TemporaryFolder folder_;
};

// --- those that come with Warpwise
class Example : public Pieces, public testing::WithParamInterface<std::string> {};

TEST_P(Example, is_a_picture_without_findings) {
  const fs::path file = fs::path(WARPWISE_SOURCE_DIR) / "examples/images" / (GetParam() + ".cu");
  const std::string source = toolchain::read_file(file).value();
  // Smaller than it says, where it does not need its size.
  std::string small = source.find("// size: ") == source.npos ? source + "\n// size: 96 x 64\n" : source;
  const Shape shape = shape_in(small).value();
  const auto painter = painter_of(ptx_of(file), small);
  ASSERT_TRUE(painter);
  Moment moment{.mouse_x = float(shape.width) / 3, .mouse_y = float(shape.height) / 2};
  std::string last;
  for (; moment.frame < 3; ++moment.frame, moment.time += 0.5f) {
    const auto painted = painter->paint(moment);
    ASSERT_TRUE(painted.ok()) << painted.error().message;
    const std::string now = painter->pixels();
    EXPECT_NE(now, last) << "frame " << moment.frame << " does not move";
    last = now;
  }
  std::set<std::string> colours;
  uint64_t light = 0;
  for (size_t at = 0; at < last.size(); at += 4) {
    colours.insert(last.substr(at, 3));
    light += uint8_t(last[at]) + uint8_t(last[at + 1]) + uint8_t(last[at + 2]);
  }
  EXPECT_GT(colours.size(), 1u) << "it has one colour";
  EXPECT_GT(light / (last.size() / 4), 6u) << "it is black";

  const Inspector inspector({ptx_of(file, toolchain::BuildPurpose::Check), small, file, shape});
  const Checked checked = inspector.check({.mouse_x = moment.mouse_x, .mouse_y = moment.mouse_y}, 2, "").value();
  EXPECT_EQ(checked.failure, "");
  for (const Finding& finding : checked.findings) ADD_FAILURE() << finding.code << ": " << finding.message;
  EXPECT_TRUE(checked.not_checked.empty());
  EXPECT_TRUE(checked.pixels.empty());
}

INSTANTIATE_TEST_SUITE_P(Images, Example,
                         testing::Values("blur", "edges", "fft", "flow", "gradient", "life", "mandelbrot", "nbody",
                                         "raymarch", "reaction"),
                         [](const auto& name) { return name.param; });

TEST_F(Pieces, of_the_folder_are_all_tested) {
  size_t count = 0;
  for (const auto& entry : fs::directory_iterator(fs::path(WARPWISE_SOURCE_DIR) / "examples/images"))
    count += entry.path().extension() == ".cu";
  EXPECT_EQ(count, 10u);
}

// --- arrays
constexpr const char* kHead =
    "// size: 64 x 16\n"
    "__global__ void image(uchar4* out, int w, int h, float time, float2 mouse, int frame";

TEST_F(Pieces, keep_their_arrays_between_frames) {
  const std::string source =
      std::string(kHead) +
      ", int* count) {\n"
      "  int i = (blockIdx.y * blockDim.y + threadIdx.y) * w + blockIdx.x * blockDim.x + threadIdx.x;\n"
      "  count[i] += 1;\n"
      "  out[i] = make_uchar4(count[i], mouse.x, mouse.y, 10 * time);\n"
      "}\n";
  const auto painter = painter_of(ptx_of(write(source)), source);
  ASSERT_TRUE(painter);
  for (int frame = 0; frame < 3; ++frame)
    ASSERT_TRUE(painter->paint({.time = 2, .mouse_x = 7, .mouse_y = 9, .frame = frame}).ok());
  EXPECT_EQ(painter->pixels().substr(4, 4), "\x03\x07\x09\xff") << "three frames; opacity is not the piece's affair";
  const std::string state = painter->state();
  ASSERT_EQ(state.size(), 64u * 16 * 4);
  EXPECT_EQ(state.substr(0, 4), std::string("\x03\0\0\0", 4));
  EXPECT_EQ(painter->restore("too short").error().code, "I0005");
  ASSERT_TRUE(painter->restore(std::string(state.size(), 0)).ok());
  ASSERT_TRUE(painter->paint({}).ok());
  EXPECT_EQ(painter->pixels()[0], 1);
}

// --- what is wrong
TEST_F(Pieces, that_loop_are_ended_and_say_so) {
  const std::string source = std::string(kHead) + ") {\n  while (w > 0) atomicAdd((int*)out, 1);\n}\n";
  const auto painter = painter_of(ptx_of(write(source)), source, kLongestFrame);
  ASSERT_TRUE(painter);
  const auto painted = painter->paint({});
  ASSERT_FALSE(painted.ok());
  EXPECT_EQ(painted.error().code, "I0004");
  EXPECT_NE(painted.error().message.find("image"), std::string::npos) << painted.error().message;
}

constexpr const char* kRace =
    ", int* sum) {\n"
    "  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;\n"
    "  out[y * w + x] = make_uchar4(1, 2, 3, 4);\n"
    "  if (y == 5 && x >= 40 && x < 44) out[y * w + x - x % 2] = make_uchar4(5, 6, 7, 8);\n"  // line 5
    "}\n";

std::vector<uint32_t> pixels_of(const Checked& checked) {
  std::vector<uint32_t> pixels;
  for (const Run& run : checked.pixels)
    for (uint32_t n = 0; n < run.count; ++n) pixels.push_back(run.first + n);
  return pixels;
}

TEST_F(Pieces, show_their_races_at_the_pixels) {
  const std::string source = kHead + std::string(kRace);
  const fs::path file = write(source);
  const Inspector inspector = inspector_of(file, source);
  const Checked checked = inspector.check({}, 1, "").value();
  ASSERT_FALSE(checked.findings.empty());
  EXPECT_EQ(checked.findings[0].code.substr(0, 3), "C02");
  EXPECT_NE(checked.findings[0].message.find("`out`"), std::string::npos) << checked.findings[0].message;
  const std::vector<uint32_t> pixels = pixels_of(checked);
  const std::set<uint32_t> red(pixels.begin(), pixels.end());
  for (const uint32_t racy : {5u * 64 + 40, 5u * 64 + 42}) EXPECT_TRUE(red.contains(racy)) << racy;
  EXPECT_LE(red.size(), 4u) << "and no others than those of the threads";

  // Both parties are in the recording of the first finding.
  const Recorded seen = inspector.record({}, "", {.finding = 0}, folder_.path() / "seen.wwt").value();
  const auto recording = trace::TraceFile::open((folder_.path() / "seen.wwt").string()).value();
  trace::Queries queries(*recording);
  const trace::Summary summary = queries.summary().value();
  ASSERT_FALSE(summary.findings.marks.empty());
  EXPECT_EQ(summary.findings.marks[0].warp, seen.warp);
  EXPECT_EQ(recording->sources().value().at(0).text, source);
}

TEST_F(Pieces, lead_from_a_pixel_to_the_thread_that_wrote_it) {
  const std::string source =
      std::string(kHead) +
      ") {\n"
      "  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;\n"
      "  out[y * w + w - 1 - x] = make_uchar4(x, y, 0, 0);\n"
      "}\n";
  const fs::path file = write(source);
  const Inspector inspector = inspector_of(file, source);
  const fs::path wwt = folder_.path() / "seen.wwt";
  const Recorded seen = inspector.record({}, "", {.x = 60, .y = 11}, wwt).value();  // written for x = 3
  EXPECT_EQ(seen.kernel, "image");
  EXPECT_EQ(seen.block, (Index3{0, 1, 0}));
  EXPECT_EQ(seen.thread, (Index3{3, 3, 0}));
  EXPECT_EQ(seen.warp, 3u);
  const auto recording = trace::TraceFile::open(wwt.string()).value();
  trace::Queries queries(*recording);
  const trace::StepDetail step = queries.step(seen.warp, seen.step).value();
  ASSERT_EQ(step.accesses.size(), 1u);
  ASSERT_TRUE(step.accesses[0].memory);
  const uint64_t offset = step.accesses[0].access.addresses[3] - step.accesses[0].memory->base;
  EXPECT_EQ(offset / 4, 11u * 64 + 60);
  EXPECT_EQ(inspector.record({}, "", {.x = 64, .y = 0}, wwt).error().code, "I0006");
  EXPECT_EQ(inspector.record({}, "", {.finding = 0}, wwt).error().code, "I0006");
}

}  // namespace
}  // namespace warpwise::image
