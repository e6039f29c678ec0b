#include "scalar_jit.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <llvm/ExecutionEngine/Orc/LLJIT.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/Transforms/Utils.h>
#include <llvm/Transforms/Utils/PromoteMemToReg.h>

#include <cfenv>
#include <cmath>
#include <csetjmp>
#include <cstdlib>
#include <random>
#include <stdexcept>

#include "ptx/layout.h"
#include "ptx/parse/parser.h"
#include "simt/analysis/dialect_calls.h"
#include "simt/codegen/min_max.h"
#include "simt/dialect.h"
#include "simt/lower/lower.h"
#include "simt/scalar/canonical_nan.h"

namespace warpwise::simt::test {

std::vector<std::string>& calls() {
  static std::vector<std::string> log;
  return log;
}

namespace {

// The kernel that is running, for the dialect's functions.
Kernel* running = nullptr;
jmp_buf thread_end;

// --- the dialect, as one lane of one warp would see it if it were alone ---

// {i32, i1} as LLVM returns it: in two registers.
struct ValueAndPredicate {
  uint64_t value;
  uint64_t predicate;
};

template <class... Arguments>
void log(const char* name, Arguments... arguments) {
  std::string text = name;
  ((text += fmt::format(" {}", arguments)), ...);
  calls().push_back(text);
}

// Directed double arithmetic by the host's own rounding mode. rounding: 0 rz, 1 rm, 2 rp.
double directed(uint32_t rounding, const std::function<double()>& compute) {
  constexpr int kModes[] = {FE_TOWARDZERO, FE_DOWNWARD, FE_UPWARD};
  std::fesetround(kModes[rounding]);
  double result = compute();
  std::fesetround(FE_TONEAREST);
  return result;
}

const std::vector<std::pair<const char*, void*>>& dialect_functions() {
#define FUNCTION(name, result, parameters, ...) {name, reinterpret_cast<void*>(+[] parameters -> result __VA_ARGS__)}
  static const std::vector<std::pair<const char*, void*>> kTable = {
      FUNCTION("ww.tid.x", uint32_t, (), { return running->tid; }),
      FUNCTION("ww.ctaid.x", uint32_t, (), { return 7; }),
      FUNCTION("ww.nctaid.x", uint32_t, (), { return 11; }),
      FUNCTION("ww.laneid", uint32_t, (), { return running->tid; }),
      FUNCTION("ww.lanemask.lt", uint32_t, (), { return 31; }),
      FUNCTION("ww.clock", uint64_t, (), { return 0x123456789abcdef0; }),
      FUNCTION("ww.globals", uint64_t, (), { return reinterpret_cast<uint64_t>(running->globals.data()); }),
      FUNCTION("ww.shared.base", uint64_t, (), { return reinterpret_cast<uint64_t>(running->shared.data()); }),
      FUNCTION("ww.local.base", uint64_t, (), { return reinterpret_cast<uint64_t>(running->local.data()); }),
      FUNCTION("ww.param.base", uint64_t, (), { return reinterpret_cast<uint64_t>(running->parameters.data()); }),
      FUNCTION("ww.isspacep.shared", bool, (uint64_t a),
               { return a - reinterpret_cast<uint64_t>(running->shared.data()) < 4096; }),
      FUNCTION("ww.isspacep.local", bool, (uint64_t a),
               { return a - reinterpret_cast<uint64_t>(running->local.data()) < 4096; }),
      FUNCTION("ww.isspacep.param", bool, (uint64_t a),
               { return a - reinterpret_cast<uint64_t>(running->parameters.data()) < 512; }),
      FUNCTION("ww.stack.check", void, (uint64_t bytes), { log("ww.stack.check", bytes); }),
      FUNCTION("ww.barrier.sync", void, (uint32_t id, uint32_t n), { log("ww.barrier.sync", id, n); }),
      FUNCTION("ww.barrier.arrive", void, (uint32_t id, uint32_t n), { log("ww.barrier.arrive", id, n); }),
      FUNCTION("ww.barrier.red", uint32_t, (uint32_t id, uint32_t n, uint32_t op, bool p),
               {
                 log("ww.barrier.red", id, n, op, p);
                 return p;
               }),
      FUNCTION("ww.bar.warp.sync", void, (uint32_t mask), { log("ww.bar.warp.sync", mask); }),
      FUNCTION("ww.shfl.up", ValueAndPredicate, (uint32_t v, uint32_t b, uint32_t c, uint32_t m),
               {
                 log("ww.shfl.up", v, b, c, m);
                 return {v + 1, true};
               }),
      FUNCTION("ww.shfl.idx", ValueAndPredicate, (uint32_t v, uint32_t b, uint32_t c, uint32_t m),
               {
                 log("ww.shfl.idx", v, b, c, m);
                 return {v, false};
               }),
      FUNCTION("ww.vote.ballot", uint32_t, (bool p, uint32_t m), { return p ? m : 0; }),
      FUNCTION("ww.vote.all", bool, (bool p, uint32_t), { return p; }),
      FUNCTION("ww.redux", uint32_t, (uint32_t op, uint32_t v, uint32_t m),
               {
                 log("ww.redux", op, v, m);
                 return v;
               }),
      FUNCTION("ww.match.any", uint32_t, (uint64_t v, uint32_t m),
               {
                 log("ww.match.any", v, m);
                 return m;
               }),
      FUNCTION("ww.elect", ValueAndPredicate, (uint32_t), { return {5, true}; }),
      FUNCTION("ww.activemask", uint32_t, (), { return 32; }),
      FUNCTION("ww.nanosleep", void, (uint32_t n), { log("ww.nanosleep", n); }),
      FUNCTION("ww.trap", void, (),
               {
                 log("ww.trap");
                 longjmp(thread_end, 1);
               }),
      FUNCTION("ww.brkpt", void, (), { log("ww.brkpt"); }),
      FUNCTION("ww.exit", void, (), { longjmp(thread_end, 1); }),
      FUNCTION("ww.vprintf", uint32_t, (uint64_t format, uint64_t),
               {
                 log("ww.vprintf", reinterpret_cast<const char*>(format));
                 return 3;
               }),
      FUNCTION("ww.malloc", uint64_t, (uint64_t size),
               {
                 log("ww.malloc", size);
                 return 4096;
               }),
      FUNCTION("ww.free", void, (uint64_t address), { log("ww.free", address); }),
      FUNCTION("ww.add.f64", double, (double a, double b, uint32_t r),
               {
                 return directed(r, [&]() -> double {
                   volatile double x = a;
                   return x + b;
                 });
               }),
      FUNCTION("ww.mul.f64", double, (double a, double b, uint32_t r),
               {
                 return directed(r, [&]() -> double {
                   volatile double x = a;
                   return x * b;
                 });
               }),
      FUNCTION("ww.div.f64", double, (double a, double b, uint32_t r),
               {
                 return directed(r, [&]() -> double {
                   volatile double x = a;
                   return x / b;
                 });
               }),
      FUNCTION("ww.fma.f64", double, (double a, double b, double c, uint32_t r),
               {
                 return directed(r, [&]() -> double {
                   volatile double x = a;
                   return std::fma(x, b, c);
                 });
               }),
      FUNCTION("ww.sqrt.f64", double, (double a, uint32_t r),
               {
                 return directed(r, [&]() -> double {
                   volatile double x = a;
                   return std::sqrt(x);
                 });
               }),
  };
#undef FUNCTION
  return kTable;
}

// Offsets of the shared, local and parameter spaces become host addresses.
void place_spaces(llvm::Module& module, Kernel& kernel) {
  auto base_of = [&](unsigned space) -> uint64_t {
    switch (space) {
      case kShared:
        return reinterpret_cast<uint64_t>(kernel.shared.data());
      case kLocal:
        return reinterpret_cast<uint64_t>(kernel.local.data());
      case kParam:
        return reinterpret_cast<uint64_t>(kernel.parameters.data());
      default:
        return 0;
    }
  };
  auto relocated = [&](llvm::Value* pointer, llvm::Instruction* before) -> llvm::Value* {
    auto* type = llvm::dyn_cast<llvm::PointerType>(pointer->getType());
    if (!type || type->getAddressSpace() == 0) return nullptr;
    llvm::IRBuilder<> builder(before);
    llvm::Value* address;
    if (auto* cast = llvm::dyn_cast<llvm::IntToPtrInst>(pointer)) {
      address = cast->getOperand(0);
    } else if (auto* constant = llvm::dyn_cast<llvm::ConstantExpr>(pointer)) {
      address = constant->getOperand(0);
    } else {
      address = builder.getInt64(0);  // a null pointer: offset 0
    }
    address = builder.CreateAdd(address, builder.getInt64(base_of(type->getAddressSpace())));
    return builder.CreateIntToPtr(address, builder.getPtrTy());
  };
  for (llvm::Function& function : module) {
    std::vector<llvm::Instruction*> all;
    for (llvm::Instruction& inst : llvm::instructions(function)) all.push_back(&inst);
    for (llvm::Instruction* inst : all) {
      for (llvm::Use& use : inst->operands()) {
        if (llvm::isa<llvm::PHINode>(inst)) continue;
        if (llvm::Value* host = relocated(use.get(), inst)) use.set(host);
      }
    }
  }
}

void expand_min_max(llvm::Function& function) {
  std::vector<llvm::Instruction*> calls;
  for (llvm::Instruction& inst : llvm::instructions(function))
    if (auto dialect = dialect_of(&inst); dialect >= Dialect::MinF32 && dialect <= Dialect::MaxF64)
      calls.push_back(&inst);
  for (llvm::Instruction* call : calls) {
    llvm::IRBuilder<> builder(call);
    const bool is_max = dialect_of(call) == Dialect::MaxF32 || dialect_of(call) == Dialect::MaxF64;
    call->replaceAllUsesWith(
        build_min_max(builder, call->getOperand(0), call->getOperand(1), is_max, false, false, false));
    call->eraseFromParent();
  }
}

// What the front of the passes does: registers to SSA, the NaN marks, then min and max.
void clean_up(llvm::Module& module) {
  llvm::legacy::FunctionPassManager passes(&module);
  passes.add(llvm::createPromoteMemoryToRegisterPass());
  passes.doInitialization();
  for (llvm::Function& function : module) {
    if (function.isDeclaration()) continue;
    passes.run(function);
    canonical_nan(function);
    expand_min_max(function);
  }
}

std::optional<ptx::Module> parse(const std::string& text, std::string& message) {
  auto source = std::make_shared<SourceText>("test.ptx", text);
  Diagnostics diagnostics;
  auto module = ptx::parse(source, diagnostics);
  if (!module) message = render_text(diagnostics, false);
  return module;
}

uint32_t find_entry(const ptx::Module& module, std::string_view name) {
  uint32_t index = 0;
  while (!module.functions[index].is_entry || (!name.empty() && module.functions[index].name != name)) ++index;
  return index;
}

}  // namespace

struct Kernel::Code {
  std::unique_ptr<llvm::orc::LLJIT> jit;
  void (*entry)() = nullptr;
};

Kernel::Kernel() : code_(std::make_unique<Code>()) {}
Kernel::~Kernel() = default;

Error Kernel::try_lower(const std::string& text, std::string* ir, bool clean) {
  std::string message;
  auto module = parse(text, message);
  if (!module) return {"parse", message};
  uint32_t kernel = find_entry(*module, "");
  llvm::LLVMContext context;
  auto lowered = lower(context, *module, kernel, ptx::lay_out_kernel(*module, kernel), {32, 1, 1});
  if (!lowered.ok()) return lowered.error();
  if (clean) clean_up(*lowered.value());
  if (ir) {
    llvm::raw_string_ostream stream(*ir);
    lowered.value()->print(stream, nullptr);
  }
  return {};
}

std::unique_ptr<Kernel> Kernel::compile(const std::string& text, std::array<uint32_t, 3> block, std::string_view name) {
  static const bool initialised = [] {
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
    return true;
  }();
  (void)initialised;

  std::string message;
  auto module = parse(text, message);
  if (!module) {
    throw std::runtime_error(fmt::format("{}\n{}\n", text, message));
  }
  uint32_t index = find_entry(*module, name);
  auto context = std::make_unique<llvm::LLVMContext>();
  auto lowered = lower(*context, *module, index, ptx::lay_out_kernel(*module, index), block);
  if (!lowered.ok()) {
    throw std::runtime_error(fmt::format("{}\n{}: {}\n", text, lowered.error().code, lowered.error().message));
  }
  auto kernel = std::make_unique<Kernel>();
  std::unique_ptr<llvm::Module> llvm_module = std::move(lowered).value();
  clean_up(*llvm_module);
  place_spaces(*llvm_module, *kernel);

  auto builder = llvm::cantFail(llvm::orc::JITTargetMachineBuilder::detectHost());
  builder.setCodeGenOptLevel(llvm::CodeGenOptLevel::Less);
  auto jit = llvm::cantFail(llvm::orc::LLJITBuilder().setJITTargetMachineBuilder(builder).create());
  llvm::orc::SymbolMap symbols;
  for (auto [name, address] : dialect_functions()) {
    symbols[jit->mangleAndIntern(name)] = {llvm::orc::ExecutorAddr::fromPtr(address), llvm::JITSymbolFlags::Exported};
  }
  llvm::cantFail(jit->getMainJITDylib().define(llvm::orc::absoluteSymbols(std::move(symbols))));
  llvm::cantFail(jit->addIRModule(llvm::orc::ThreadSafeModule(std::move(llvm_module), std::move(context))));
  auto entry = jit->lookup(std::string(module->functions[index].name));
  if (!entry) {
    throw std::runtime_error(fmt::format("{}\n{}\n", text, llvm::toString(entry.takeError())));
  }
  kernel->code_->entry = entry->toPtr<void (*)()>();
  kernel->code_->jit = std::move(jit);
  return kernel;
}

void Kernel::run() {
  running = this;
  if (setjmp(thread_end) == 0) code_->entry();
  running = nullptr;
}

namespace {

// How a register of a type travels through memory.
struct Carrier {
  std::string memory;  // type of ld and st
  bool predicate = false;
};
Carrier carrier(const std::string& type) {
  if (type == "pred") return {"u8", true};
  std::string digits;
  for (char c : type) {
    if (c >= '0' && c <= '9') digits += c;
    if (c == 'x') break;
  }
  return {"b" + digits, false};
}

}  // namespace

Instruction::Instruction(const std::string& text, const std::string& d, const std::vector<std::string>& operands,
                         const std::string& extra_registers) {
  std::string registers, loads;
  for (size_t k = 0; k < operands.size(); ++k) {
    char name = static_cast<char>('a' + k + (k >= 3));  // %d is the result
    Carrier c = carrier(operands[k]);
    registers += fmt::format("  .reg .{} %{};\n", operands[k], name);
    if (c.predicate) {
      registers += fmt::format("  .reg .b16 %t{};\n", name);
      loads += fmt::format("  ld.global.u8 %t{0}, [%in+{1}];\n  setp.ne.u16 %{0}, %t{0}, 0;\n", name, k * 8);
    } else {
      loads += fmt::format("  ld.global.{} %{}, [%in+{}];\n", c.memory, name, k * 8);
    }
  }
  Carrier c = carrier(d);
  registers += fmt::format("  .reg .{} %d;\n", d);
  std::string store = fmt::format("  st.global.{} [%out], %d;\n", c.memory);
  if (c.predicate) {
    registers += "  .reg .b16 %td;\n";
    store = "  selp.u16 %td, 1, 0, %d;\n  st.global.u8 [%out], %td;\n";
  }
  kernel_ = Kernel::compile(fmt::format(
      ".version 8.5\n.target sm_90a\n.address_size 64\n.visible .entry k(.param .u64 in, .param .u64 out)\n{{\n"
      "  .reg .b64 %in, %out;\n{}{}\n  ld.param.u64 %in, [in];\n  ld.param.u64 %out, [out];\n{}  {}\n{}  ret;\n}}\n",
      registers, extra_registers, loads, text, store));
}

uint64_t Instruction::evaluate(std::vector<uint64_t> operands) {
  uint64_t result = 0;
  kernel_->parameters[0] = reinterpret_cast<uint64_t>(operands.data());
  kernel_->parameters[1] = reinterpret_cast<uint64_t>(&result);
  kernel_->run();
  return result;
}

std::vector<uint64_t> float_samples(unsigned width, size_t count, uint64_t seed) {
  // Patterns by exponent and fraction, so that one list serves all formats.
  unsigned fraction = width == 16 ? 10 : width == 32 ? 23 : 52;
  uint64_t exponents = (uint64_t{1} << (width - 1 - fraction)) - 1, one = exponents / 2;
  uint64_t ones = (uint64_t{1} << fraction) - 1;
  std::vector<uint64_t> samples;
  for (uint64_t exponent : {uint64_t{0}, uint64_t{1}, one - 1, one, one + 1, one + 5, exponents - 1, exponents}) {
    for (uint64_t low : {uint64_t{0}, uint64_t{1}, ones / 2, ones / 2 + 1, ones - 1, ones}) {
      for (uint64_t sign : {0, 1}) samples.push_back(sign << (width - 1) | exponent << fraction | low);
    }
  }
  std::mt19937_64 random(seed);
  uint64_t mask = width == 64 ? ~uint64_t{0} : (uint64_t{1} << width) - 1;
  while (samples.size() < count) {
    uint64_t bits = random() & mask;
    // Half of them near one, where sums cancel and products stay finite.
    if (random() & 1) {
      uint64_t near = one - 6 + random() % 12;
      bits = (bits & ~(exponents << fraction)) | near << fraction;
    }
    samples.push_back(bits);
  }
  return samples;
}

std::vector<uint64_t> integer_samples(unsigned width, size_t count, uint64_t seed) {
  uint64_t mask = width == 64 ? ~uint64_t{0} : (uint64_t{1} << width) - 1;
  uint64_t top = uint64_t{1} << (width - 1);
  std::vector<uint64_t> samples;
  for (uint64_t value :
       {uint64_t{0}, uint64_t{1}, uint64_t{2}, uint64_t{7}, uint64_t{31}, uint64_t{32}, uint64_t{33}, uint64_t{63},
        uint64_t{64}, uint64_t{65}, uint64_t{255}, top - 1, top, top + 1, mask - 1, mask}) {
    samples.push_back(value & mask);
  }
  std::mt19937_64 random(seed);
  while (samples.size() < count) samples.push_back((random() & mask) >> (random() % width));
  return samples;
}

bool agrees(uint64_t result, uint64_t expected, unsigned width) {
  if (width == 32 && std::isnan(f32(expected))) return result == 0x7fffffff;
  if (width == 64 && std::isnan(f64(expected))) return std::isnan(f64(result));
  return result == expected;
}

}  // namespace warpwise::simt::test
