#include "ptx/module.h"

namespace warpwise::ptx {

bool Instruction::has(Mod mod) const {
  for (Mod m : mods)
    if (m == mod) return true;
  return false;
}

Type Instruction::type(unsigned index) const {
  for (Mod m : mods)
    if (Type t = type_of(m); t != Type::None && index-- == 0) return t;
  return Type::None;
}

Space Instruction::space() const {
  for (Mod m : mods)
    if (Space s = space_of(m); s != Space::Generic) return s;
  return Space::Generic;
}

Mod Instruction::first_of(ModClass cls) const {
  const Spec& row = spec();
  for (size_t i = 0; i < mods.size(); ++i) {
    if (mods[i] == Mod::None) continue;
    bool of_slot = i < row.mods.size() && !row.mods[i].rest;
    if ((of_slot ? row.mods[i].cls : class_of(mods[i])) == cls) return mods[i];
  }
  return Mod::None;
}

unsigned Instruction::vector_length() const {
  switch (first_of(ModClass::Vector)) {
    case Mod::V2:
      return 2;
    case Mod::V4:
      return 4;
    case Mod::V8:
      return 8;
    default:
      return 1;
  }
}

// A definition wins over a declaration of the same name.
const Function* Module::find_function(std::string_view name) const {
  const Function* found = nullptr;
  for (const Function& f : functions)
    if (f.name == name && (!found || found->is_declaration)) found = &f;
  return found;
}

const Variable* Module::find_variable(std::string_view name) const {
  for (const Variable& v : variables)
    if (v.name == name) return &v;
  return nullptr;
}

}  // namespace warpwise::ptx
