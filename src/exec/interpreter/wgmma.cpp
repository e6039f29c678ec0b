// wgmma (PTX ISA 9.7.15): a warp collective, whose product is in numerics/wgmma.h. It happens at once.
#include "ptx/shapes/wgmma.h"

#include "exec/interpreter/dispatch.h"

namespace warpwise::exec::interpreter {

using ptx::Operand;
using ptx::Type;
using ptx::WgmmaOperand;

namespace {

void multiply(Step& s) {
  const std::vector<Operand>& d = s.operand(WgmmaOperand::kD).elements;
  Thread& thread = s.thread;
  if (!thread.answered) {
    const Operand& a = s.operand(WgmmaOperand::kA);
    thread.a_words.clear();
    thread.d_words.clear();
    if (a.is(Operand::Kind::Vector))
      for (const Operand& word : a.elements)
        thread.a_words.push_back(static_cast<uint32_t>(s.bits_in(word, Type::B32)));
    if (s.has(ptx::Mod::Sp)) thread.a_words.push_back(s.u32(WgmmaOperand::kMetadata));
    for (const Operand& word : d) thread.d_words.push_back(static_cast<uint32_t>(s.bits_in(word, Type::B32)));
    thread.descriptor_b = static_cast<uint64_t>(s.bits_in(WgmmaOperand::kB, Type::B64));
  }
  const bool in_shared = !s.operand(WgmmaOperand::kA).is(Operand::Kind::Vector);
  Collective collective{.kind = Collective::Kind::Wgmma, .members = ~0u};
  if (in_shared) collective.value = static_cast<uint64_t>(s.bits_in(WgmmaOperand::kA, Type::B64));
  collective.b = s.predicate(WgmmaOperand(s.inst).scale_d);
  if (!s.block.converge(thread, collective)) return s.stay();
  for (size_t k = 0; k < d.size(); ++k) s.out(d[k], thread.d_words[k], Type::B32);
}

}  // namespace

void run_wgmma_f16(Step& s) { multiply(s); }
void run_wgmma_bf16(Step& s) { multiply(s); }
void run_wgmma_tf32(Step& s) { multiply(s); }
void run_wgmma_f8(Step& s) { multiply(s); }
void run_wgmma_s8(Step& s) { multiply(s); }
void run_wgmma_b1(Step& s) { multiply(s); }
void run_wgmma_sp_f16(Step& s) { multiply(s); }
void run_wgmma_sp_bf16(Step& s) { multiply(s); }
void run_wgmma_sp_tf32(Step& s) { multiply(s); }
void run_wgmma_sp_f8(Step& s) { multiply(s); }
void run_wgmma_sp_s8(Step& s) { multiply(s); }
void run_wgmma_fence(Step&) {}
void run_wgmma_commit_group(Step&) {}
void run_wgmma_wait_group(Step&) {}

}  // namespace warpwise::exec::interpreter
