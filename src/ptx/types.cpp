#include "ptx/types.h"

#include "ptx/isa/isa.h"

namespace warpwise::ptx {
namespace {

struct TypeInfo {
  std::string_view name;
  unsigned bits;
  TypeKind kind;
};
constexpr TypeInfo kTypes[] = {{"", 0, TypeKind::None},
#define TYPE(id, name, bits, kind) {name, bits, TypeKind::kind},
                               WARPWISE_PTX_TYPES(TYPE)
#undef TYPE
};
const TypeInfo& info_of(Type type) { return kTypes[static_cast<unsigned>(type)]; }

}  // namespace

std::string_view name_of(Type type) { return info_of(type).name; }
unsigned bits_of(Type type) { return info_of(type).bits; }
TypeKind kind_of(Type type) { return info_of(type).kind; }

std::optional<Type> find_type(std::string_view name) {
  Type type = type_of(find_mod(name));
  if (type == Type::None) return std::nullopt;
  return type;
}

std::string_view name_of(Space space) {
  switch (space) {
    case Space::Generic:
      return "";
    case Space::Reg:
      return "reg";
    case Space::Const:
      return "const";
    case Space::Global:
      return "global";
    case Space::Local:
      return "local";
    case Space::Param:
      return "param";
    case Space::Shared:
      return "shared";
    case Space::Tex:
      return "tex";
  }
  return "";
}

}  // namespace warpwise::ptx
