// Puts the rows of rows.inc to the GPU of this machine and writes what it answers:
//
//     ask SEED FRAGMENTS FOLDER          FOLDER/ROW.bin: the registers of d, fragment after fragment
//     ask --ptx FOLDER                   the modules instead, for ptxas
//     ask --case SEED FRAGMENT ANSWERS FOLDER   a test for tests/ptx/exec of each row of mma, from a file of answers
//
// Needs a driver and g++, no toolkit. The comparer (tests/numerics) makes the same operands again.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>

#include "gpu/driver.h"
#include "gpu/tensor/values.h"

using namespace warpwise::gpu;
using namespace warpwise::gpu::tensor;

namespace {

std::string list(const char* name, unsigned count) {
  std::string out = "{";
  for (unsigned k = 0; k < count; ++k) out += (k ? ", %" : "%") + std::string(name) + std::to_string(k);
  return out + "}";
}

// A kernel that loads one fragment per warp, runs the instruction and stores the result.
std::string module_of(const Row& row) {
  std::string text =
      ".version 8.7\n.target sm_90a\n.address_size 64\n.visible .entry ask(.param .u64 a, .param .u64 b, .param .u64 "
      "c, .param .u64 d, "
      ".param .u64 e)\n{\n  .reg .b64 %p<8>;\n  .reg .b32 %t<4>, %meta;\n";
  auto declare = [&](const char* name, unsigned count, Values values) {
    text += std::string("  .reg .") +
            (values == Values::F64   ? "f64"
             : values == Values::F32 ? "f32"
                                     : "b32") +
            " %" + name + "<" + std::to_string(count) + ">;\n";
  };
  declare("a", row.a_registers, row.a), declare("b", row.b_registers, row.b), declare("c", row.c_registers, row.c),
      declare("d", row.d_registers, row.d);
  const bool group = row.instruction.starts_with("wgmma");
  if (group) text += "  .shared .align 128 .b8 tile[2304];\n  .reg .b64 %da, %db;\n  .reg .b32 %s<6>;\n";
  text += "  mov.u32 %t0, %tid.x;\n  mov.u32 %t1, %ctaid.x;\n";
  if (group)
    text += "  shr.u32 %s0, %t0, 5;\n  shl.b32 %t1, %t1, 2;\n  add.u32 %t1, %t1, %s0;\n  and.b32 %t0, %t0, 31;\n";
  auto move = [&](const char* name, unsigned count, Values values, bool load) {
    const unsigned words = count * (values == Values::F64 ? 2 : 1);
    text += std::string("  ld.param.u64 %p0, [") + name + "];\n  mad.lo.u32 %t2, %t1, " + std::to_string(words * 32) +
            ", %t0;\n  mul.wide.u32 %p1, %t2, 4;\n  add.u64 %p0, %p0, %p1;\n";
    for (unsigned k = 0; k < count; ++k) {
      std::string reg = std::string("%") + name + std::to_string(k);
      if (values == Values::F64) {
        std::string low = "[%p0+" + std::to_string(2 * k * 128) + "]",
                    high = "[%p0+" + std::to_string((2 * k + 1) * 128) + "]";
        if (load)
          text += "  ld.global.b32 %t2, " + low + ";\n  ld.global.b32 %t3, " + high + ";\n  mov.b64 " + reg +
                  ", {%t2, %t3};\n";
        else
          text += "  mov.b64 {%t2, %t3}, " + reg + ";\n  st.global.b32 " + low + ", %t2;\n  st.global.b32 " + high +
                  ", %t3;\n";
      } else if (load) {
        text += "  ld.global.b32 " + reg + ", [%p0+" + std::to_string(k * 128) + "];\n";
      } else {
        text += "  st.global.b32 [%p0+" + std::to_string(k * 128) + "], " + reg + ";\n";
      }
    }
  };
  move("a", row.a_registers, row.a, true), move("b", row.b_registers, row.b, true),
      move("c", row.c_registers, row.c, true);
  text +=
      "  ld.param.u64 %p0, [e];\n  mad.lo.u32 %t2, %t1, 32, %t0;\n  mul.wide.u32 %p1, %t2, 4;\n  add.u64 %p0, %p0, "
      "%p1;\n  ld.global.b32 %meta, [%p0];\n";
  if (group) {
    // a: two halves of 64 rows in cores of 8 rows by 16 bytes; b: two cores of 8 columns. No swizzle, K first.
    text +=
        "  mov.u32 %s1, tile;\n  shl.b32 %s2, %t0, 2;\n  add.u32 %s2, %s1, %s2;\n  mad.lo.u32 %s3, %s0, 256, %s2;\n";
    for (unsigned r = 0; r < 4; ++r)
      text +=
          "  st.shared.b32 [%s3+" + std::to_string(r / 2 * 1024 + r % 2 * 128) + "], %a" + std::to_string(r) + ";\n";
    text += "  .reg .pred %first;\n  setp.eq.u32 %first, %s0, 0;\n";
    for (unsigned r = 0; r < 2; ++r)
      text += "  @%first st.shared.b32 [%s2+" + std::to_string(2048 + r * 128) + "], %b" + std::to_string(r) + ";\n";
    text +=
        "  fence.proxy.async;\n  bar.sync 0;\n  shr.u32 %s4, %s1, 4;\n  cvt.u64.u32 %da, %s4;\n  add.u64 %db, %da, "
        "128;\n"
        "  or.b64 %da, %da, 0x0000000800400000;\n  or.b64 %db, %db, 0x0000000800080000;\n";
    for (unsigned k = 0; k < row.d_registers; ++k)
      text += "  mov.b32 %d" + std::to_string(k) + ", %c" + std::to_string(k) + ";\n";
    text += "  wgmma.fence.sync.aligned;\n  " + std::string(row.instruction) + " " + list("d", row.d_registers) +
            ", %da, %db, 1, 1, 1";
    if (row.a == Values::F16 || row.a == Values::BF16) text += ", 0, 0";
    text += ";\n  wgmma.commit_group.sync.aligned;\n  wgmma.wait_group.sync.aligned 0;\n";
    move("d", row.d_registers, row.d, false);
    return text + "  ret;\n}\n";
  }
  text += "  " + std::string(row.instruction) + " " + list("d", row.d_registers) + ", " + list("a", row.a_registers) +
          ", " + list("b", row.b_registers) + ", " + list("c", row.c_registers);
  if (row.selector >= 0) text += ", %meta, " + std::to_string(row.selector);
  text += ";\n";
  move("d", row.d_registers, row.d, false);
  return text + "  ret;\n}\n";
}

#define CHECK(call)                                                                                   \
  if (CUresult error = (call); error != 0) {                                                          \
    std::printf("%s: %s: %s\n", std::string(row.name).c_str(), #call, driver.name_of(error).c_str()); \
    return false;                                                                                     \
  }

bool ask(Driver& driver, const Row& row, uint64_t seed, unsigned fragments, const std::string& folder) {
  std::string text = module_of(row);
  char log[2048] = "";
  int options[] = {kJitErrorLogBuffer, kJitErrorLogBufferBytes};
  void* values[] = {log, reinterpret_cast<void*>(sizeof log)};
  CUmodule module;
  CUfunction function;
  if (driver.load_module(&module, text.c_str(), 2, options, values) != 0) {
    std::printf("%s: refused: %s\n", std::string(row.name).c_str(), log);
    return false;
  }
  CHECK(driver.get_function(&function, module, "ask"));
  std::vector<uint32_t> parts[4];
  for (unsigned n = 0; n < fragments; ++n) {
    Fragment f = fragment(row, seed, n);
    const std::vector<uint32_t>* from[] = {&f.a, &f.b, &f.c, &f.metadata};
    for (unsigned k = 0; k < 4; ++k) parts[k].insert(parts[k].end(), from[k]->begin(), from[k]->end());
  }
  CUdeviceptr address[5];  // a, b, c, metadata, d
  for (unsigned k = 0; k < 4; ++k) {
    CHECK(driver.allocate(&address[k], parts[k].size() * 4));
    CHECK(driver.copy_to_device(address[k], parts[k].data(), parts[k].size() * 4));
  }
  std::vector<uint32_t> result(fragments * row.d_registers * (row.d == Values::F64 ? 2 : 1) * 32);
  CHECK(driver.allocate(&address[4], result.size() * 4));
  void* arguments[] = {&address[0], &address[1], &address[2], &address[4], &address[3]};
  const unsigned warps = row.instruction.starts_with("wgmma") ? 4 : 1;
  CHECK(driver.launch(function, fragments / warps, 1, 1, 32 * warps, 1, 1, 0, nullptr, arguments, nullptr));
  CHECK(driver.synchronize());
  CHECK(driver.copy_from_device(result.data(), address[4], result.size() * 4));
  std::ofstream(folder + "/" + std::string(row.name) + ".bin", std::ios::binary)
      .write(reinterpret_cast<const char*>(result.data()), static_cast<std::streamsize>(result.size() * 4));
  return true;
}

std::string hexadecimal(const uint32_t* words, size_t count) {
  std::string out;
  char text[12];
  for (size_t k = 0; k < count; ++k) {
    std::snprintf(text, sizeof text, "0x%x", words[k]);
    out += (k % 12 == 0 ? "\n//  " : "") + std::string(" ") + text;
  }
  return out;
}

void write_case(const Row& row, uint64_t seed, unsigned index, const std::string& answers, const std::string& folder) {
  std::ifstream in(answers + "/" + std::string(row.name) + ".bin", std::ios::binary);
  std::vector<char> bytes{std::istreambuf_iterator<char>(in), {}};
  const size_t words = row.d_registers * (row.d == Values::F64 ? 2 : 1) * 32;
  const uint32_t* answer = reinterpret_cast<const uint32_t*>(bytes.data()) + index * words;
  Fragment f = fragment(row, seed, index);
  std::string text = "// " + std::string(row.instruction) + ": what an H200 makes of fragment " +
                     std::to_string(index) + " of seed " + std::to_string(seed) +
                     " (tests/gpu/tensor/ask).\n// launch: ask block=32\n";
  auto buffer = [&](const char* kind, const uint32_t* from, size_t count) {
    text += std::string("// ") + kind + ": b32" + hexadecimal(from, count) + "\n";
  };
  buffer("in a", f.a.data(), f.a.size()), buffer("in b", f.b.data(), f.b.size()),
      buffer("in c", f.c.data(), f.c.size());
  buffer("out d", answer, words), buffer("in e", f.metadata.data(), f.metadata.size());
  std::ofstream(folder + "/" + "mma_" + std::string(row.name) + ".ptx") << text << module_of(row);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 3 && std::strcmp(argv[1], "--ptx") == 0) {
    for (const Row& row : kRows)
      std::ofstream(std::string(argv[2]) + "/" + std::string(row.name) + ".ptx") << module_of(row);
    return 0;
  }
  if (argc == 6 && std::strcmp(argv[1], "--case") == 0) {
    for (const Row& row : kRows)
      if (!row.instruction.starts_with("wgmma"))
        write_case(row, std::strtoull(argv[2], nullptr, 10), static_cast<unsigned>(std::atoi(argv[3])), argv[4],
                   argv[5]);
    return 0;
  }
  if (argc != 4) return std::fputs("ask SEED FRAGMENTS FOLDER | ask --ptx FOLDER\n", stderr), 2;
  auto opened = Driver::open(nullptr);
  if (!opened.ok()) return std::puts(opened.error().message.c_str()), 1;
  Driver& driver = *opened;
  CUdevice device;
  CUcontext context;
  if (driver.init(0) || driver.device_get(&device, 0) || driver.retain_context(&context, device) ||
      driver.set_context(context))
    return std::puts("no device"), 1;
  unsigned done = 0, all = 0;
  for (const Row& row : kRows)
    ++all, done +=
           ask(driver, row, std::strtoull(argv[1], nullptr, 10), static_cast<unsigned>(std::atoi(argv[2])), argv[3]);
  std::printf("%u of %u rows answered\n", done, all);
  return done == all ? 0 : 1;
}
