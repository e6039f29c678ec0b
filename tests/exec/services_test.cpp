// The table that compiled code calls through is what services.inc says, and compiled code sees the same types
// (simt/services.h). That offsets agree, and that each row fits the dialect, is checked where the code is compiled.
#include "exec/services/services.h"

#include <gtest/gtest.h>

#include <cstring>

#include "simt/services.h"

namespace warpwise::exec {
namespace {

using simt::AbiType;
using simt::Role;
using simt::Service;

// What machine code does: it loads the address at the service's offset.
template <class Function>
Function* at_offset(Service service) {
  Function* function;
  std::memcpy(&function, reinterpret_cast<const char*>(&services()) + simt::service_offset(service), sizeof function);
  return function;
}

TEST(Services, each_offset_holds_the_body_of_its_row) {
#define SERVICE(name, result, parameters) \
  EXPECT_EQ(at_offset<decltype(service::name)>(Service::name), &service::name) << #name;
#include "simt/services.inc"
#undef SERVICE
  EXPECT_EQ(at_offset<double(double, double, uint32_t)>(Service::add_f64)(1.0, 2.0, 0), 3.0);
}

TEST(Services, types_are_those_of_the_row) {
  const simt::ServiceSignature& copy = signature_of(Service::tensor_replace);
  ASSERT_EQ(copy.count, 8u);
  EXPECT_EQ(copy.result, AbiType::Void);
  const AbiType types[] = {AbiType::Pointer, AbiType::I32, AbiType::I32, AbiType::I32,
                           AbiType::I64,     AbiType::I32, AbiType::I64, AbiType::I32};
  for (unsigned p = 0; p < copy.count; ++p) EXPECT_EQ(copy.parameters[p].type, types[p]) << p;
  EXPECT_EQ(signature_of(Service::fma_f64).result, AbiType::F64);
  EXPECT_EQ(signature_of(Service::vprintf).result, AbiType::I32);
  EXPECT_EQ(signature_of(Service::clock).result, AbiType::I64);
}

TEST(Services, roles_are_those_of_the_row) {
  const simt::ServiceSignature& trap = signature_of(Service::trap);
  const Role of_trap[] = {Role::Block, Role::Warp, Role::Lanes, Role::Site};
  ASSERT_EQ(trap.count, std::size(of_trap));
  for (unsigned p = 0; p < trap.count; ++p) EXPECT_EQ(trap.parameters[p].role, of_trap[p]) << p;
  EXPECT_EQ(trap.arguments(), 0u);

  const simt::ServiceSignature& shuffle = signature_of(Service::shfl);
  EXPECT_TRUE(shuffle.has(Role::Thread));
  EXPECT_TRUE(shuffle.has(Role::Second));
  EXPECT_FALSE(shuffle.has(Role::Block));
  EXPECT_EQ(shuffle.arguments(), 5u);
}

}  // namespace
}  // namespace warpwise::exec
