// One launch of a PTX test on the real GPU, compared with what the test expects.
#pragma once

#include <string>
#include <vector>

#include "driver.h"
#include "exec/interpreter/ptx_case.h"

namespace warpwise::gpu {

// What the GPU says to a test. `Unjudged`: the judge cannot pass what the test passes (textures), or the GPU is older
// than the test's architecture. `Laxer`: the test expects a fault that is ours to find and the GPU ran on.
enum class Verdict : uint8_t { Agrees, Differs, Laxer, Refused, Hung, Broken, Unjudged };
const char* name_of(Verdict verdict);

struct Answer {
  Verdict verdict = Verdict::Broken;
  std::vector<std::string> lines;  // one per disagreement: "d[3] expected 0x.. got 0x.."
};

// Prints of the kernel go to standard output, which the caller has pointed at `printed` (a seekable file).
Answer run_launch(const Driver& driver, const test::PtxCase& test, const test::PtxLaunch& launch, FILE* printed);

}  // namespace warpwise::gpu
