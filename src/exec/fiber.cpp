#include "exec/fiber.h"

#include <fmt/format.h>
#include <sys/mman.h>

namespace warpwise::exec {
namespace {

constexpr size_t kPage = 4096;

}  // namespace

StackPool::~StackPool() {
  if (base_) munmap(base_, count_ * stride_);
}

Result<void> StackPool::reserve(size_t count) {
  if (count <= count_) return {};
  if (base_) munmap(base_, count_ * stride_);
  base_ = nullptr;
  stride_ = kStackBytes + kPage;
  count_ = 0;
  void* mapping = mmap(nullptr, count * stride_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapping == MAP_FAILED) return Error{"R0403", fmt::format("no memory for the stacks of {} threads", count)};
  base_ = static_cast<std::byte*>(mapping);
  count_ = count;
  if (guarded_)
    for (size_t i = 0; i < count; ++i) mprotect(base_ + i * stride_, kPage, PROT_NONE);
  return {};
}

void Fiber::start(std::byte* stack_top, Entry entry, void* argument) {
  entry_ = entry;
  argument_ = argument;
  done_ = false;
  own_ = boost::context::detail::make_fcontext(stack_top, StackPool::kStackBytes, &trampoline);
}

void Fiber::trampoline(boost::context::detail::transfer_t from) {
  Fiber* self = static_cast<Fiber*>(from.data);
  self->resumer_ = from.fctx;
  self->entry_(self->argument_);
  self->done_ = true;
  boost::context::detail::jump_fcontext(self->resumer_, nullptr);
  __builtin_unreachable();
}

bool Fiber::resume() {
  own_ = boost::context::detail::jump_fcontext(own_, this).fctx;
  return !done_;
}

void Fiber::suspend() { resumer_ = boost::context::detail::jump_fcontext(resumer_, nullptr).fctx; }

}  // namespace warpwise::exec
