#include "exec/fibers/fiber.h"

#include <fmt/format.h>
#include <sys/mman.h>
#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif

#include "base/host_page.h"

namespace warpwise::exec {
namespace {

// What AddressSanitizer must know (sanitizer/common_interface_defs.h): a switch begins on one stack and is finished on
// the other; `fake` keeps the frames of the side that is left which are on the heap; null drops them.
#ifdef __SANITIZE_ADDRESS__
void begin_switch(void** fake, Stack to) { __sanitizer_start_switch_fiber(fake, to.bottom, to.bytes); }
void finish_switch(void* fake, Stack* from) {
  const void* bottom = nullptr;
  size_t bytes = 0;
  __sanitizer_finish_switch_fiber(fake, &bottom, &bytes);
  if (from) *from = {static_cast<std::byte*>(const_cast<void*>(bottom)), bytes};
}
// Frames that a jump has left behind do not count any more.
void forget_frames(Stack stack) { __asan_unpoison_memory_region(stack.bottom, stack.bytes); }
#else
void begin_switch(void**, Stack) {}
void finish_switch(void*, Stack*) {}
void forget_frames(Stack) {}
#endif

}  // namespace

StackPool::~StackPool() { release(); }

// The next owner of these pages finds no frames in them.
void StackPool::release() {
  if (!base_) return;
  forget_frames({base_, count_ * stride_});
  munmap(base_, count_ * stride_);
  base_ = nullptr;
}

Result<void> StackPool::reserve(size_t count, size_t bytes) {
  if (count <= count_ && bytes <= bytes_) return {};
  release();
  bytes_ = bytes;
  stride_ = bytes + kHostPage;
  count_ = 0;
  void* mapping =
      mmap(nullptr, count * stride_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapping == MAP_FAILED) return Error{"R0403", fmt::format("no memory for the stacks of {} threads", count)};
  base_ = static_cast<std::byte*>(mapping);
  count_ = count;
  if (guarded_)
    for (size_t i = 0; i < count; ++i) mprotect(base_ + i * stride_, kHostPage, PROT_NONE);
  return {};
}

void Fiber::start(Stack stack, Entry entry, void* argument) {
  entry_ = entry;
  argument_ = argument;
  done_ = false;
  stack_ = stack;
  forget_frames(stack);
  own_ = boost::context::detail::make_fcontext(stack.bottom + stack.bytes, stack.bytes, &trampoline);
}

void Fiber::trampoline(boost::context::detail::transfer_t from) {
  Fiber* self = static_cast<Fiber*>(from.data);
  finish_switch(nullptr, &self->resumer_stack_);
  self->resumer_ = from.fctx;
  self->entry_(self->argument_);
  self->done_ = true;
  begin_switch(nullptr, self->resumer_stack_);
  boost::context::detail::jump_fcontext(self->resumer_, nullptr);
  __builtin_unreachable();
}

bool Fiber::resume() {
  void* fake = nullptr;
  begin_switch(&fake, stack_);
  own_ = boost::context::detail::jump_fcontext(own_, this).fctx;
  finish_switch(fake, nullptr);
  return !done_;
}

void Fiber::suspend() {
  void* fake = nullptr;
  begin_switch(&fake, resumer_stack_);
  resumer_ = boost::context::detail::jump_fcontext(resumer_, nullptr).fctx;
  finish_switch(fake, &resumer_stack_);
}

void Fiber::left() {
  begin_switch(nullptr, resumer_stack_);
  finish_switch(nullptr, nullptr);
}

}  // namespace warpwise::exec
