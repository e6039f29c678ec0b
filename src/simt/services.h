// The services by number, and what is known of each at compile time: its types, the roles of its parameters, and how a
// mode calls it for a function of the dialect. Everything here comes from services.inc.
//
//     signature_of(Service::poll).count                             // 3
//     signature_of(Service::poll).parameters[1].role                // Role::Warp
//     service_offset(Service::poll)                                 // offsetof(Services, poll)
#pragma once

#include <array>
#include <cstddef>
#include <string_view>
#include <type_traits>

#include "simt/abi.h"

namespace warpwise::simt {

enum class Service : uint32_t {
#define SERVICE(name, result, parameters) name,
#include "simt/services.inc"
#undef SERVICE
};

// Services is a table of pointers, in the order of the rows.
constexpr size_t service_offset(Service service) { return static_cast<size_t>(service) * sizeof(void*); }
#define SERVICE(name, result, parameters) static_assert(offsetof(Services, name) == service_offset(Service::name));
#include "simt/services.inc"
#undef SERVICE

// The types that services take and give, as machine code sees them.
enum class AbiType : uint8_t { Void, I32, I64, F64, Pointer };

// What a parameter is filled with: by the compiler, or (Argument) from the call of the dialect.
enum class Role : uint8_t { Argument, Block, Thread, Warp, Lane, Lanes, Second, Site };

constexpr unsigned kMostParameters = 16;

struct ServiceSignature {
  struct Parameter {
    AbiType type = AbiType::Void;
    Role role = Role::Argument;
  };
  const char* name = nullptr;
  AbiType result = AbiType::Void;
  unsigned count = 0;
  std::array<Parameter, kMostParameters> parameters{};

  constexpr unsigned arguments() const {
    unsigned n = 0;
    for (unsigned p = 0; p < count; ++p) n += parameters[p].role == Role::Argument;
    return n;
  }
  constexpr bool has(Role role) const {
    for (unsigned p = 0; p < count; ++p)
      if (parameters[p].role == role) return true;
    return false;
  }
};

namespace service_rows {

template <class T>
consteval AbiType abi_type() {
  if constexpr (std::is_void_v<T>) return AbiType::Void;
  if constexpr (std::is_pointer_v<T>) return AbiType::Pointer;
  if constexpr (std::is_same_v<T, uint32_t> || std::is_same_v<T, int32_t>) return AbiType::I32;
  if constexpr (std::is_same_v<T, uint64_t>) return AbiType::I64;
  if constexpr (std::is_same_v<T, double>) return AbiType::F64;
}

// Not constexpr: a call is the compiler's error message.
void a_row_of_services_inc_has_a_parameter_without_a_name();

// "BlockContext* block": the role of one parameter.
consteval Role role_of(std::string_view parameter) {
  size_t begin = parameter.size();
  while (begin > 0 && parameter[begin - 1] != ' ' && parameter[begin - 1] != '*') --begin;
  const std::string_view name = parameter.substr(begin), type = parameter.substr(0, begin);
  if (name.empty() || type.empty()) a_row_of_services_inc_has_a_parameter_without_a_name();
  if (type.find("BlockContext") != type.npos) return Role::Block;
  if (type.find("ThreadContext") != type.npos) return Role::Thread;
  if (name == "warp") return Role::Warp;
  if (name == "lane") return Role::Lane;
  if (name == "lanes") return Role::Lanes;
  if (name == "second") return Role::Second;
  if (name == "site") return Role::Site;
  return Role::Argument;
}

// `text`: the parameters as the row spells them, in parentheses.
template <class Result, class... Parameters>
consteval ServiceSignature signature(Result (*)(Parameters...), const char* name, std::string_view text) {
  static_assert(sizeof...(Parameters) <= kMostParameters);
  ServiceSignature s;
  s.name = name;
  s.result = abi_type<Result>();
  for (AbiType type : {abi_type<Parameters>()...}) s.parameters[s.count++].type = type;
  text = text.substr(1, text.size() - 2);
  for (unsigned p = 0; p < s.count; ++p) {
    const size_t comma = text.find(',');
    s.parameters[p].role = role_of(text.substr(0, comma));
    text = comma == text.npos ? std::string_view{} : text.substr(comma + 1);
  }
  return s;
}

inline constexpr ServiceSignature kSignatures[] = {
#define SERVICE(name, result, parameters) signature(decltype(Services::name){}, #name, #parameters),
#include "simt/services.inc"
#undef SERVICE
};

}  // namespace service_rows

constexpr unsigned kServices = std::size(service_rows::kSignatures);
static_assert(sizeof(Services) == kServices * sizeof(void*));

constexpr const ServiceSignature& signature_of(Service service) {
  return service_rows::kSignatures[static_cast<unsigned>(service)];
}

// --- how a mode serves a function of the dialect --------------------------------------------------------------------

struct ServedBy {
  enum class How : uint8_t { OwnCode, OtherMode, Removed, OncePerWarp, ForEachLane, ForFirstLane, Pure, ByThread };
  How how = How::OwnCode;
  Service service{};
  // Stands before the arguments of the dialect's call.
  bool has_constant = false;
  uint32_t constant = 0;

  constexpr bool is_call() const { return how >= How::OncePerWarp; }
};

namespace service_rows {

constexpr ServedBy own_code{}, other_mode{ServedBy::How::OtherMode}, removed{ServedBy::How::Removed};
constexpr ServedBy once_per_warp(Service s) { return {ServedBy::How::OncePerWarp, s}; }
constexpr ServedBy for_each_lane(Service s) { return {ServedBy::How::ForEachLane, s}; }
constexpr ServedBy for_first_lane(Service s) { return {ServedBy::How::ForFirstLane, s}; }
constexpr ServedBy pure(Service s) { return {ServedBy::How::Pure, s}; }
constexpr ServedBy by_thread(Service s) { return {ServedBy::How::ByThread, s}; }
constexpr ServedBy by_thread(Service s, uint32_t constant) { return {ServedBy::How::ByThread, s, true, constant}; }

}  // namespace service_rows

}  // namespace warpwise::simt
