#include "simt/lower/support/dialect_builder.h"

#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Module.h>

#include <string>
#include <string_view>

namespace warpwise::simt {

namespace {

struct Entry {
  const char* name;
  std::string_view signature;
  DialectClass cls;
};

constexpr Entry kEntries[] = {
#define DIALECT(id, name, signature, cls) {name, signature, DialectClass::cls},
#include "simt/dialect.inc"
#undef DIALECT
};

llvm::Type* type_of(llvm::LLVMContext& context, char letter) {
  switch (letter) {
    case 'v':
      return llvm::Type::getVoidTy(context);
    case 'b':
      return llvm::Type::getInt1Ty(context);
    case 'h':
      return llvm::Type::getInt16Ty(context);
    case 'i':
      return llvm::Type::getInt32Ty(context);
    case 'l':
      return llvm::Type::getInt64Ty(context);
    case 'f':
      return llvm::Type::getFloatTy(context);
    case 'd':
      return llvm::Type::getDoubleTy(context);
  }
  llvm_unreachable("a letter that dialect.h does not list");
}

// "{ib}(iiii)" as a function type.
llvm::FunctionType* parse_signature(llvm::LLVMContext& context, std::string_view text) {
  size_t open = text.find('(');
  llvm::Type* result;
  if (text[0] == '{') {
    llvm::SmallVector<llvm::Type*> fields;
    for (char letter : text.substr(1, open - 2)) fields.push_back(type_of(context, letter));
    result = llvm::StructType::get(context, fields);
  } else {
    result = type_of(context, text[0]);
  }
  llvm::SmallVector<llvm::Type*> arguments;
  for (char letter : text.substr(open + 1, text.size() - open - 2)) arguments.push_back(type_of(context, letter));
  return llvm::FunctionType::get(result, arguments, false);
}

bool touches_memory(Dialect id) {
  switch (id) {
    case Dialect::WarpSync:
    case Dialect::Wgmma:
    case Dialect::LdMatrix1:
    case Dialect::LdMatrix2:
    case Dialect::LdMatrix4:
    case Dialect::StMatrix1:
    case Dialect::StMatrix2:
    case Dialect::StMatrix4:
      return true;
    default:
      return false;
  }
}

// What LLVM may assume. Warp functions exchange values but order no memory, so loads may move across
// them; bar.warp.sync and the barriers order memory, and ldmatrix and stmatrix access it.
void add_attributes(llvm::Function* function, Dialect id, DialectClass cls) {
  function->setDoesNotThrow();
  switch (cls) {
    case DialectClass::Thread:
    case DialectClass::Block:
    case DialectClass::Pure:
      function->setDoesNotAccessMemory();
      function->setWillReturn();
      break;
    case DialectClass::Warp:
      function->setConvergent();
      if (!touches_memory(id)) function->setOnlyAccessesInaccessibleMemory();
      break;
    case DialectClass::Barrier:
    case DialectClass::Cluster:
    case DialectClass::Tensor:
      function->setConvergent();
      break;
    case DialectClass::Effect:
      if (id == Dialect::Clock || id == Dialect::GlobalTimer) function->setOnlyAccessesInaccessibleMemory();
      if (is_count(id)) function->setOnlyAccessesInaccessibleMemory(), function->setWillReturn();
      break;
  }
}

}  // namespace

llvm::Function* declare(llvm::Module& module, Dialect id) {
  const Entry& entry = kEntries[static_cast<unsigned>(id)];
  if (llvm::Function* known = module.getFunction(entry.name)) return known;
  auto* function = llvm::Function::Create(parse_signature(module.getContext(), entry.signature),
                                          llvm::Function::ExternalLinkage, entry.name, module);
  add_attributes(function, id, entry.cls);
  return function;
}

llvm::Function* declare_canonical(llvm::Module& module, llvm::Type* type) {
  const char* name = type->isHalfTy()    ? "ww.canonical.f16"
                     : type->isFloatTy() ? "ww.canonical.f32"
                                         : "ww.canonical.f64";
  if (llvm::Function* known = module.getFunction(name)) return known;
  auto* function = llvm::Function::Create(llvm::FunctionType::get(type, {type}, false), llvm::Function::ExternalLinkage,
                                          name, module);
  function->setDoesNotThrow();
  function->setDoesNotAccessMemory();
  function->setWillReturn();
  return function;
}

Value call(Builder& builder, Dialect id, llvm::ArrayRef<Value> arguments) {
  llvm::SmallVector<llvm::Value*> values;
  for (Value argument : arguments) values.push_back(argument.get());
  return call(builder, id, values);
}

Value call(Builder& builder, Dialect id, llvm::ArrayRef<llvm::Value*> values) {
  llvm::Module& module = *builder.GetInsertBlock()->getModule();
  return Value(builder, builder.CreateCall(declare(module, id), values));
}

namespace {

// Calls a function of the dialect with as many words, each of 32 bits, as its name says, and so many words as results.
Value call_with_words(Builder& builder, Dialect id, DialectClass cls, const char* prefix,
                      llvm::SmallVector<llvm::Value*> values, llvm::ArrayRef<Value> words, unsigned outputs) {
  llvm::Module& module = *builder.GetInsertBlock()->getModule();
  const std::string name = prefix + std::to_string(words.size()) + "." + std::to_string(outputs);
  for (Value word : words) values.push_back(word.get());
  llvm::Function* function = module.getFunction(name);
  if (!function) {
    llvm::SmallVector<llvm::Type*> types, fields(outputs, builder.getInt32Ty());
    for (llvm::Value* value : values) types.push_back(value->getType());
    auto* type = llvm::FunctionType::get(llvm::StructType::get(module.getContext(), fields), types, false);
    function = llvm::Function::Create(type, llvm::Function::ExternalLinkage, name, module);
    add_attributes(function, id, cls);
  }
  return Value(builder, builder.CreateCall(function, values));
}

}  // namespace

Value call_wgmma(Builder& builder, uint64_t form, Value a, Value b, Value accumulate, llvm::ArrayRef<Value> words,
                 unsigned outputs) {
  return call_with_words(builder, Dialect::Wgmma, DialectClass::Warp, kWgmmaPrefix,
                         {builder.getInt64(form), a.get(), b.get(), accumulate.get()}, words, outputs);
}

Value call_tensor_move(Builder& builder, uint64_t move, Value address, Value second, llvm::ArrayRef<Value> words,
                       unsigned outputs) {
  return call_with_words(builder, Dialect::TensorMove, DialectClass::Tensor, kTensorMovePrefix,
                         {builder.getInt64(move), address.get(), second.get()}, words, outputs);
}

Value call(Builder& builder, Dialect id, std::initializer_list<Value> arguments) {
  return call(builder, id, llvm::ArrayRef<Value>(arguments.begin(), arguments.end()));
}

Value call_product(Builder& builder, uint64_t product, llvm::ArrayRef<Value> inputs, unsigned outputs) {
  llvm::Module& module = *builder.GetInsertBlock()->getModule();
  std::string name = kMatrixProductPrefix + std::to_string(inputs.size()) + "." + std::to_string(outputs);
  llvm::Function* function = module.getFunction(name);
  if (!function) {
    llvm::Type* word = builder.getInt32Ty();
    llvm::SmallVector<llvm::Type*> types(inputs.size(), word), fields(outputs, word);
    types.insert(types.begin(), builder.getInt64Ty());
    auto* type = llvm::FunctionType::get(llvm::StructType::get(module.getContext(), fields), types, false);
    function = llvm::Function::Create(type, llvm::Function::ExternalLinkage, name, module);
    add_attributes(function, Dialect::MatrixProduct, DialectClass::Warp);
  }
  llvm::SmallVector<llvm::Value*> values{builder.getInt64(product)};
  for (Value input : inputs) values.push_back(input.get());
  return Value(builder, builder.CreateCall(function, values));
}

}  // namespace warpwise::simt
