// What the threads of one block do, as the interpreter does it: one record for each instruction of each thread, in a
// file. Tests compare recordings of compiled kernels with it (src/trace).
//
// A turn is what the interpreter does at once: the lanes of a warp that stand earliest in the program execute one
// instruction. An instruction that waits is logged when it is over.
#pragma once

#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>

namespace warpwise::exec::interpreter {

struct StepRecord {
  uint64_t turn = 0;
  uint32_t thread = 0;  // linear in the block
  uint32_t function = 0, instruction = 0;
  uint8_t on = 0;        // its guard let it through
  uint8_t accesses = 0;  // `address` holds
  uint8_t space = 0;     // ptx::Space: Shared and Local with offsets there, all else as Global
  uint8_t unused = 0;
  uint64_t address = 0;
};
static_assert(sizeof(StepRecord) == 32);

class StepLog {
 public:
  // Null where the file cannot be written.
  static std::unique_ptr<StepLog> open(const std::string& path, uint64_t block) {
    std::FILE* file = std::fopen(path.c_str(), "ab");
    return file ? std::unique_ptr<StepLog>(new StepLog(file, block)) : nullptr;
  }
  ~StepLog() { std::fclose(file_); }
  StepLog(const StepLog&) = delete;
  StepLog& operator=(const StepLog&) = delete;

  bool wants(uint64_t block) const { return block == block_; }
  void next_turn() { ++turn_; }
  void add(StepRecord record) {
    record.turn = turn_;
    std::fwrite(&record, sizeof record, 1, file_);
  }

 private:
  StepLog(std::FILE* file, uint64_t block) : file_(file), block_(block) {}
  std::FILE* file_;
  const uint64_t block_;
  uint64_t turn_ = 0;
};

}  // namespace warpwise::exec::interpreter
