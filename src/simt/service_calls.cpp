#include "simt/service_calls.h"

namespace warpwise::simt {

using namespace llvm;

namespace {

struct DialectRow {
  std::string_view signature;
  DialectClass cls;
};
constexpr DialectRow kDialect[] = {
#define DIALECT(id, name, signature, cls) {signature, DialectClass::cls},
#include "simt/dialect.inc"
#undef DIALECT
};
constexpr unsigned kFunctions = std::size(kDialect);

struct Row {
  unsigned times = 0;  // how often services.inc has it
  ServedBy simt, thread, warp;
};
constexpr void count(Row& row, ServedBy simt, ServedBy thread) {
  ++row.times;
  row.simt = simt;
  row.thread = thread;
  row.warp = simt;
}
consteval std::array<Row, kFunctions> read_rows() {
  std::array<Row, kFunctions> rows{};
#define SERVED(function, simt, thread) \
  count(rows[static_cast<unsigned>(Dialect::function)], service_rows::simt, service_rows::thread);
#include "simt/services.inc"
#undef SERVED
#define SERVED_TO_WARPS(function, how) rows[static_cast<unsigned>(Dialect::function)].warp = service_rows::how;
#include "simt/services.inc"
#undef SERVED_TO_WARPS
  return rows;
}
constexpr std::array<Row, kFunctions> kRows = read_rows();

// --- what services.inc must say -------------------------------------------------------------------------------------

consteval bool rows_are_complete() {
  for (unsigned f = 0; f < kFunctions; ++f) {
    const bool is_value = kDialect[f].cls == DialectClass::Thread || kDialect[f].cls == DialectClass::Block;
    if (kRows[f].times != (is_value ? 0 : 1)) return false;
  }
  return true;
}
static_assert(rows_are_complete(), "services.inc has one row for each dialect function that is not a plain value");

// The type of a service's parameter or result that takes or gives this letter of a dialect signature.
consteval AbiType type_of_letter(char letter) {
  switch (letter) {
    case 'b':
    case 'i':
      return AbiType::I32;
    case 'l':
      return AbiType::I64;
    case 'd':
      return AbiType::F64;
    default:
      return AbiType::Void;
  }
}

consteval bool roles_fit(const ServiceSignature& service, ServedBy::How how) {
  switch (how) {
    case ServedBy::How::ByThread:
      return true;
    case ServedBy::How::OncePerWarp:
      return !service.has(Role::Thread) && !service.has(Role::Lane) && !service.has(Role::Second);
    case ServedBy::How::ForEachLane:
    case ServedBy::How::ForFirstLane:
      return !service.has(Role::Thread) && !service.has(Role::Lanes) && !service.has(Role::Second);
    case ServedBy::How::Pure:
      return !service.has(Role::Thread) && !service.has(Role::Warp) && !service.has(Role::Lane) &&
             !service.has(Role::Lanes) && !service.has(Role::Second);
    default:
      return false;
  }
}

consteval bool fits(Dialect function, ServedBy served) {
  if (!served.is_call()) return true;
  const ServiceSignature& service = signature_of(served.service);
  const std::string_view signature = kDialect[static_cast<unsigned>(function)].signature;
  const size_t open = signature.find('(');
  const std::string_view result = signature.substr(0, open);
  const std::string_view letters = signature.substr(open + 1, signature.size() - open - 2);
  if (service.arguments() != letters.size() + served.has_constant) return false;
  bool constant = served.has_constant;
  size_t next = 0;
  for (unsigned p = 0; p < service.count; ++p) {
    const auto& parameter = service.parameters[p];
    if (parameter.role != Role::Argument) continue;
    const AbiType given = constant ? AbiType::I32 : type_of_letter(letters[next++]);
    if (parameter.type != given) return false;
    constant = false;
  }
  if (!roles_fit(service, served.how)) return false;
  if (result == "{ib}") return service.result == AbiType::I32 && service.has(Role::Second);
  return service.result == (result == "v" ? AbiType::Void : type_of_letter(result[0]));
}
#define SERVED(function, simt, thread)                                                                   \
  static_assert(fits(Dialect::function, service_rows::simt), #function ": SIMT mode's service differs"); \
  static_assert(fits(Dialect::function, service_rows::thread), #function ": the thread's service differs");
#include "simt/services.inc"
#undef SERVED
#define SERVED_TO_WARPS(function, how) \
  static_assert(fits(Dialect::function, service_rows::how), #function ": independent-warp mode's service differs");
#include "simt/services.inc"
#undef SERVED_TO_WARPS

Type* llvm_type(AbiType type, LLVMContext& context) {
  switch (type) {
    case AbiType::Void:
      return Type::getVoidTy(context);
    case AbiType::I32:
      return Type::getInt32Ty(context);
    case AbiType::I64:
      return Type::getInt64Ty(context);
    case AbiType::F64:
      return Type::getDoubleTy(context);
    case AbiType::Pointer:
      return PointerType::get(context, 0);
  }
  llvm_unreachable("a type that no service has");
}

}  // namespace

const ServedBy& served_in_simt_mode(Dialect function) { return kRows[static_cast<unsigned>(function)].simt; }
const ServedBy& served_in_warp_mode(Dialect function) { return kRows[static_cast<unsigned>(function)].warp; }
const ServedBy& served_by_thread(Dialect function) { return kRows[static_cast<unsigned>(function)].thread; }

FunctionType* service_type(Service service, LLVMContext& context) {
  const ServiceSignature& signature = signature_of(service);
  SmallVector<Type*, kMostParameters> types;
  for (unsigned p = 0; p < signature.count; ++p) types.push_back(llvm_type(signature.parameters[p].type, context));
  return FunctionType::get(llvm_type(signature.result, context), types, false);
}

LoadInst* load_service(IRBuilderBase& b, Value* table, Service service) {
  return b.CreateAlignedLoad(b.getPtrTy(), b.CreateConstGEP1_64(b.getInt8Ty(), table, service_offset(service)),
                             Align(8));
}

LoadInst* load_service_at_entry(Function& function, Service service) {
  IRBuilder<> entry(&*function.getEntryBlock().getFirstInsertionPt());
  Value* place = entry.CreateConstGEP1_64(entry.getInt8Ty(), function.getArg(0), offsetof(BlockContext, services));
  LoadInst* table = entry.CreateAlignedLoad(entry.getPtrTy(), place, Align(8));
  LoadInst* loaded = load_service(entry, table, service);
  for (LoadInst* load : {table, loaded})
    load->setMetadata(LLVMContext::MD_invariant_load, MDNode::get(function.getContext(), {}));
  return loaded;
}

CallInst* call_service(IRBuilderBase& b, Value* table, Service service, ArrayRef<Value*> arguments) {
  return b.CreateCall(service_type(service, b.getContext()), load_service(b, table, service), arguments);
}

SmallVector<Value*, 16> service_arguments(IRBuilderBase& b, const ServedBy& served, ArrayRef<Value*> arguments,
                                          function_ref<Value*(Role)> role) {
  const ServiceSignature& signature = signature_of(served.service);
  SmallVector<Value*, 16> values;
  bool constant = served.has_constant;
  size_t next = 0;
  for (unsigned p = 0; p < signature.count; ++p) {
    const auto& parameter = signature.parameters[p];
    if (parameter.role != Role::Argument) {
      values.push_back(role(parameter.role));
    } else if (constant) {
      values.push_back(b.getInt32(served.constant));
      constant = false;
    } else {
      Value* v = arguments[next++];
      values.push_back(v->getType()->isIntegerTy(1) ? b.CreateZExt(v, b.getInt32Ty()) : v);
    }
  }
  return values;
}

}  // namespace warpwise::simt
