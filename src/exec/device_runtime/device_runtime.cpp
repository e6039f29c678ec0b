#include "exec/device_runtime/device_runtime.h"

#include <algorithm>
#include <cstring>

#include "exec/memory/arena.h"
#include "exec/memory/device_heap.h"

namespace warpwise::exec {

namespace {

// A record, as the PTX below writes it.
struct Record {
  uint64_t next;
  uint64_t function;  // 0: a copy, all ones: a fill
  uint32_t grid[3], block[3];
  uint32_t dynamic_shared_bytes;
  uint32_t unused;
  uint64_t parent_block;
  uint64_t stream;
};
static_assert(sizeof(Record) == 64);
constexpr size_t kParameterBytes = 4096;
constexpr uint64_t kTailLaunchStream = 3;  // cudaStreamTailLaunch

// 4160 is a record and its parameters; 69 is cudaErrorLaunchPendingCountExceeded.
constexpr std::string_view kPtx = R"(.version 6.4
.target sm_50
.address_size 64

.extern .func (.param .b64 func_retval0) malloc(.param .b64 malloc_param_0);
.extern .func free(.param .b64 free_param_0);
.visible .global .align 8 .u64 __warpwise_launches;
.visible .global .align 4 .u32 __warpwise_launch_error;

// The texts and names of what the functions here answer: success, or 69.
.visible .global .align 1 .b8 __warpwise_text_success[9] = {110, 111, 32, 101, 114, 114, 111, 114, 0};
.visible .global .align 1 .b8 __warpwise_text_pending[80] = {108, 97, 117, 110, 99, 104, 32, 102, 97, 105, 108, 101, 100, 32, 98, 101, 99, 97, 117, 115, 101, 32, 108, 97, 117, 110, 99, 104, 32, 119, 111, 117, 108, 100, 32, 101, 120, 99, 101, 101, 100, 32, 99, 117, 100, 97, 76, 105, 109, 105, 116, 68, 101, 118, 82, 117, 110, 116, 105, 109, 101, 80, 101, 110, 100, 105, 110, 103, 76, 97, 117, 110, 99, 104, 67, 111, 117, 110, 116, 0};
.visible .global .align 1 .b8 __warpwise_text_other[24] = {117, 110, 114, 101, 99, 111, 103, 110, 105, 122, 101, 100, 32, 101, 114, 114, 111, 114, 32, 99, 111, 100, 101, 0};
.visible .global .align 1 .b8 __warpwise_name_success[12] = {99, 117, 100, 97, 83, 117, 99, 99, 101, 115, 115, 0};
.visible .global .align 1 .b8 __warpwise_name_pending[36] = {99, 117, 100, 97, 69, 114, 114, 111, 114, 76, 97, 117, 110, 99, 104, 80, 101, 110, 100, 105, 110, 103, 67, 111, 117, 110, 116, 69, 120, 99, 101, 101, 100, 101, 100, 0};

.visible .func (.param .b64 func_retval0) __warpwise_new_record()
{
  .reg .b64 %rd<8>;
  .reg .b32 %r<8>;
  .reg .pred %p<2>;
  {
  .param .b64 bytes;
  .param .b64 record;
  st.param.b64 [bytes], 4160;
  call.uni (record), malloc, (bytes);
  ld.param.b64 %rd1, [record];
  }
  setp.ne.s64 %p1, %rd1, 0;
  @%p1 bra $filled;
  mov.u32 %r1, 69;
  st.global.u32 [__warpwise_launch_error], %r1;
  bra.uni $done;
$filled:
  mov.u32 %r2, %ctaid.x;
  mov.u32 %r3, %ctaid.y;
  mov.u32 %r4, %ctaid.z;
  mov.u32 %r5, %nctaid.x;
  mov.u32 %r6, %nctaid.y;
  cvt.u64.u32 %rd2, %r4;
  cvt.u64.u32 %rd3, %r6;
  cvt.u64.u32 %rd4, %r3;
  mad.lo.u64 %rd2, %rd2, %rd3, %rd4;
  cvt.u64.u32 %rd3, %r5;
  cvt.u64.u32 %rd4, %r2;
  mad.lo.u64 %rd2, %rd2, %rd3, %rd4;
  st.u64 [%rd1+48], %rd2;
$done:
  st.param.b64 [func_retval0], %rd1;
  ret;
}

.visible .func __warpwise_push_record(.param .b64 p_record, .param .b64 p_stream)
{
  .reg .b64 %rd<4>;
  ld.param.b64 %rd1, [p_record];
  ld.param.b64 %rd2, [p_stream];
  st.u64 [%rd1+56], %rd2;
  atom.global.exch.b64 %rd3, [__warpwise_launches], %rd1;
  st.u64 [%rd1], %rd3;
  ret;
}

.visible .func (.param .b64 func_retval0) __cudaCDP2GetParameterBufferV2(
  .param .b64 p_function, .param .align 4 .b8 p_grid[12], .param .align 4 .b8 p_block[12], .param .b32 p_shared)
{
  .reg .b64 %rd<4>;
  .reg .b32 %r<8>;
  .reg .pred %p<2>;
  {
  .param .b64 record;
  call.uni (record), __warpwise_new_record, ();
  ld.param.b64 %rd1, [record];
  }
  setp.eq.s64 %p1, %rd1, 0;
  @%p1 bra $done;
  ld.param.b64 %rd2, [p_function];
  st.u64 [%rd1+8], %rd2;
  ld.param.u32 %r1, [p_grid];
  ld.param.u32 %r2, [p_grid+4];
  ld.param.u32 %r3, [p_grid+8];
  st.u32 [%rd1+16], %r1;
  st.u32 [%rd1+20], %r2;
  st.u32 [%rd1+24], %r3;
  ld.param.u32 %r4, [p_block];
  ld.param.u32 %r5, [p_block+4];
  ld.param.u32 %r6, [p_block+8];
  st.u32 [%rd1+28], %r4;
  st.u32 [%rd1+32], %r5;
  st.u32 [%rd1+36], %r6;
  ld.param.u32 %r7, [p_shared];
  st.u32 [%rd1+40], %r7;
  add.s64 %rd1, %rd1, 64;
$done:
  st.param.b64 [func_retval0], %rd1;
  ret;
}

.visible .func (.param .b64 func_retval0) __cudaCDP2GetParameterBuffer(.param .b64 p_alignment, .param .b64 p_bytes)
{
  .reg .b64 %rd<2>;
  .reg .pred %p<2>;
  {
  .param .b64 record;
  call.uni (record), __warpwise_new_record, ();
  ld.param.b64 %rd1, [record];
  }
  setp.eq.s64 %p1, %rd1, 0;
  @%p1 bra $done;
  add.s64 %rd1, %rd1, 64;
$done:
  st.param.b64 [func_retval0], %rd1;
  ret;
}

.visible .func (.param .b32 func_retval0) __cudaCDP2LaunchDeviceV2(.param .b64 p_parameters, .param .b64 p_stream)
{
  .reg .b64 %rd<4>;
  ld.param.b64 %rd1, [p_parameters];
  ld.param.b64 %rd2, [p_stream];
  sub.s64 %rd1, %rd1, 64;
  {
  .param .b64 record;
  .param .b64 stream;
  st.param.b64 [record], %rd1;
  st.param.b64 [stream], %rd2;
  call.uni __warpwise_push_record, (record, stream);
  }
  st.param.b32 [func_retval0], 0;
  ret;
}

.visible .func (.param .b32 func_retval0) __cudaCDP2LaunchDevice(
  .param .b64 p_function, .param .b64 p_parameters, .param .align 4 .b8 p_grid[12], .param .align 4 .b8 p_block[12],
  .param .b32 p_shared, .param .b64 p_stream)
{
  .reg .b64 %rd<4>;
  .reg .b32 %r<8>;
  ld.param.b64 %rd1, [p_parameters];
  sub.s64 %rd1, %rd1, 64;
  ld.param.b64 %rd2, [p_function];
  st.u64 [%rd1+8], %rd2;
  ld.param.u32 %r1, [p_grid];
  ld.param.u32 %r2, [p_grid+4];
  ld.param.u32 %r3, [p_grid+8];
  st.u32 [%rd1+16], %r1;
  st.u32 [%rd1+20], %r2;
  st.u32 [%rd1+24], %r3;
  ld.param.u32 %r4, [p_block];
  ld.param.u32 %r5, [p_block+4];
  ld.param.u32 %r6, [p_block+8];
  st.u32 [%rd1+28], %r4;
  st.u32 [%rd1+32], %r5;
  st.u32 [%rd1+36], %r6;
  ld.param.u32 %r7, [p_shared];
  st.u32 [%rd1+40], %r7;
  ld.param.b64 %rd3, [p_stream];
  {
  .param .b64 record;
  .param .b64 stream;
  st.param.b64 [record], %rd1;
  st.param.b64 [stream], %rd3;
  call.uni __warpwise_push_record, (record, stream);
  }
  st.param.b32 [func_retval0], 0;
  ret;
}

// What copies and fills become: a record of the words of CopyBox or FillBox.
.visible .func (.param .b32 func_retval0) __warpwise_copy_box(
  .param .b64 p_dst, .param .b64 p_src, .param .b64 p_width, .param .b64 p_height, .param .b64 p_depth, .param .b64 p_dst_pitch, .param .b64 p_src_pitch, .param .b64 p_dst_slice, .param .b64 p_src_slice, .param .b64 p_stream)
{
  .reg .b64 %rd<4>;
  .reg .pred %p<2>;
  {
  .param .b64 record;
  call.uni (record), __warpwise_new_record, ();
  ld.param.b64 %rd1, [record];
  }
  setp.eq.s64 %p1, %rd1, 0;
  @%p1 bra $failed;
  st.u64 [%rd1+8], 0;
  ld.param.b64 %rd2, [p_dst];
  st.u64 [%rd1+64], %rd2;
  ld.param.b64 %rd2, [p_src];
  st.u64 [%rd1+72], %rd2;
  ld.param.b64 %rd2, [p_width];
  st.u64 [%rd1+80], %rd2;
  ld.param.b64 %rd2, [p_height];
  st.u64 [%rd1+88], %rd2;
  ld.param.b64 %rd2, [p_depth];
  st.u64 [%rd1+96], %rd2;
  ld.param.b64 %rd2, [p_dst_pitch];
  st.u64 [%rd1+104], %rd2;
  ld.param.b64 %rd2, [p_src_pitch];
  st.u64 [%rd1+112], %rd2;
  ld.param.b64 %rd2, [p_dst_slice];
  st.u64 [%rd1+120], %rd2;
  ld.param.b64 %rd2, [p_src_slice];
  st.u64 [%rd1+128], %rd2;
  ld.param.b64 %rd3, [p_stream];
  {
  .param .b64 record;
  .param .b64 stream;
  st.param.b64 [record], %rd1;
  st.param.b64 [stream], %rd3;
  call.uni __warpwise_push_record, (record, stream);
  }
  st.param.b32 [func_retval0], 0;
  ret;
$failed:
  st.param.b32 [func_retval0], 69;
  ret;
}

.visible .func (.param .b32 func_retval0) __warpwise_fill_box(
  .param .b64 p_dst, .param .b64 p_value, .param .b64 p_width, .param .b64 p_height, .param .b64 p_depth, .param .b64 p_pitch, .param .b64 p_slice, .param .b64 p_stream)
{
  .reg .b64 %rd<4>;
  .reg .pred %p<2>;
  {
  .param .b64 record;
  call.uni (record), __warpwise_new_record, ();
  ld.param.b64 %rd1, [record];
  }
  setp.eq.s64 %p1, %rd1, 0;
  @%p1 bra $failed;
  st.u64 [%rd1+8], -1;
  ld.param.b64 %rd2, [p_dst];
  st.u64 [%rd1+64], %rd2;
  ld.param.b64 %rd2, [p_value];
  st.u64 [%rd1+72], %rd2;
  ld.param.b64 %rd2, [p_width];
  st.u64 [%rd1+80], %rd2;
  ld.param.b64 %rd2, [p_height];
  st.u64 [%rd1+88], %rd2;
  ld.param.b64 %rd2, [p_depth];
  st.u64 [%rd1+96], %rd2;
  ld.param.b64 %rd2, [p_pitch];
  st.u64 [%rd1+104], %rd2;
  ld.param.b64 %rd2, [p_slice];
  st.u64 [%rd1+112], %rd2;
  ld.param.b64 %rd3, [p_stream];
  {
  .param .b64 record;
  .param .b64 stream;
  st.param.b64 [record], %rd1;
  st.param.b64 [stream], %rd3;
  call.uni __warpwise_push_record, (record, stream);
  }
  st.param.b32 [func_retval0], 0;
  ret;
$failed:
  st.param.b32 [func_retval0], 69;
  ret;
}

.visible .func (.param .b32 func_retval0) __cudaCDP2MemcpyAsync(
  .param .b64 p_dst, .param .b64 p_src, .param .b64 p_bytes, .param .b32 p_kind, .param .b64 p_stream)
{
  .reg .b64 %rd<12>;
  .reg .b32 %r<2>;
  .reg .pred %p<3>;
  ld.param.b64 %rd1, [p_dst];
  ld.param.b64 %rd2, [p_src];
  ld.param.b64 %rd3, [p_bytes];
  ld.param.b64 %rd4, [p_stream];
  {
  .param .b64 a0;
  .param .b64 a1;
  .param .b64 a2;
  .param .b64 a3;
  .param .b64 a4;
  .param .b64 a5;
  .param .b64 a6;
  .param .b64 a7;
  .param .b64 a8;
  .param .b64 a9;
  .param .b32 code;
  st.param.b64 [a0], %rd1;
  st.param.b64 [a1], %rd2;
  st.param.b64 [a2], %rd3;
  st.param.b64 [a3], 1;
  st.param.b64 [a4], 1;
  st.param.b64 [a5], 0;
  st.param.b64 [a6], 0;
  st.param.b64 [a7], 0;
  st.param.b64 [a8], 0;
  st.param.b64 [a9], %rd4;
  call.uni (code), __warpwise_copy_box, (a0, a1, a2, a3, a4, a5, a6, a7, a8, a9);
  ld.param.b32 %r1, [code];
  }
  st.param.b32 [func_retval0], %r1;
  ret;
}

.visible .func (.param .b32 func_retval0) __cudaCDP2Memcpy2DAsync(
  .param .b64 p_dst, .param .b64 p_dst_pitch, .param .b64 p_src, .param .b64 p_src_pitch, .param .b64 p_width, .param .b64 p_height, .param .b32 p_kind, .param .b64 p_stream)
{
  .reg .b64 %rd<12>;
  .reg .b32 %r<2>;
  .reg .pred %p<3>;
  ld.param.b64 %rd1, [p_dst];
  ld.param.b64 %rd2, [p_dst_pitch];
  ld.param.b64 %rd3, [p_src];
  ld.param.b64 %rd4, [p_src_pitch];
  ld.param.b64 %rd5, [p_width];
  ld.param.b64 %rd6, [p_height];
  ld.param.b64 %rd7, [p_stream];
  {
  .param .b64 a0;
  .param .b64 a1;
  .param .b64 a2;
  .param .b64 a3;
  .param .b64 a4;
  .param .b64 a5;
  .param .b64 a6;
  .param .b64 a7;
  .param .b64 a8;
  .param .b64 a9;
  .param .b32 code;
  st.param.b64 [a0], %rd1;
  st.param.b64 [a1], %rd3;
  st.param.b64 [a2], %rd5;
  st.param.b64 [a3], %rd6;
  st.param.b64 [a4], 1;
  st.param.b64 [a5], %rd2;
  st.param.b64 [a6], %rd4;
  st.param.b64 [a7], 0;
  st.param.b64 [a8], 0;
  st.param.b64 [a9], %rd7;
  call.uni (code), __warpwise_copy_box, (a0, a1, a2, a3, a4, a5, a6, a7, a8, a9);
  ld.param.b32 %r1, [code];
  }
  st.param.b32 [func_retval0], %r1;
  ret;
}

// cudaMemcpy3DParms: the arrays at 0 and 64, positions at 8 and 72, pitched pointers at 32 and 96, the extent at 128. Copies of arrays are
// for the host alone (801: cudaErrorNotSupported).
.visible .func (.param .b32 func_retval0) __cudaCDP2Memcpy3DAsync(
  .param .b64 p_params, .param .b64 p_stream)
{
  .reg .b64 %rd<14>;
  .reg .b32 %r<2>;
  .reg .pred %p<3>;
  ld.param.b64 %rd1, [p_params];
  ld.u64 %rd2, [%rd1];
  ld.u64 %rd3, [%rd1+64];
  or.b64 %rd2, %rd2, %rd3;
  setp.ne.s64 %p1, %rd2, 0;
  @%p1 bra $array;
  ld.u64 %rd4, [%rd1+32];
  ld.u64 %rd5, [%rd1+40];
  ld.u64 %rd6, [%rd1+56];
  mul.lo.u64 %rd6, %rd6, %rd5;
  ld.u64 %rd2, [%rd1+8];
  add.s64 %rd4, %rd4, %rd2;
  ld.u64 %rd2, [%rd1+16];
  mad.lo.u64 %rd4, %rd2, %rd5, %rd4;
  ld.u64 %rd2, [%rd1+24];
  mad.lo.u64 %rd4, %rd2, %rd6, %rd4;
  ld.u64 %rd7, [%rd1+96];
  ld.u64 %rd8, [%rd1+104];
  ld.u64 %rd9, [%rd1+120];
  mul.lo.u64 %rd9, %rd9, %rd8;
  ld.u64 %rd2, [%rd1+72];
  add.s64 %rd7, %rd7, %rd2;
  ld.u64 %rd2, [%rd1+80];
  mad.lo.u64 %rd7, %rd2, %rd8, %rd7;
  ld.u64 %rd2, [%rd1+88];
  mad.lo.u64 %rd7, %rd2, %rd9, %rd7;
  ld.u64 %rd10, [%rd1+128];
  ld.u64 %rd11, [%rd1+136];
  ld.u64 %rd12, [%rd1+144];
  ld.param.b64 %rd13, [p_stream];
  {
  .param .b64 a0;
  .param .b64 a1;
  .param .b64 a2;
  .param .b64 a3;
  .param .b64 a4;
  .param .b64 a5;
  .param .b64 a6;
  .param .b64 a7;
  .param .b64 a8;
  .param .b64 a9;
  .param .b32 code;
  st.param.b64 [a0], %rd7;
  st.param.b64 [a1], %rd4;
  st.param.b64 [a2], %rd10;
  st.param.b64 [a3], %rd11;
  st.param.b64 [a4], %rd12;
  st.param.b64 [a5], %rd8;
  st.param.b64 [a6], %rd5;
  st.param.b64 [a7], %rd9;
  st.param.b64 [a8], %rd6;
  st.param.b64 [a9], %rd13;
  call.uni (code), __warpwise_copy_box, (a0, a1, a2, a3, a4, a5, a6, a7, a8, a9);
  ld.param.b32 %r1, [code];
  }
  st.param.b32 [func_retval0], %r1;
  ret;
$array:
  st.param.b32 [func_retval0], 801;
  ret;
}

.visible .func (.param .b32 func_retval0) __cudaCDP2MemsetAsync(
  .param .b64 p_dst, .param .b32 p_value, .param .b64 p_bytes, .param .b64 p_stream)
{
  .reg .b64 %rd<12>;
  .reg .b32 %r<2>;
  .reg .pred %p<3>;
  ld.param.b64 %rd1, [p_dst];
  ld.param.u32 %rd2, [p_value];
  ld.param.b64 %rd3, [p_bytes];
  ld.param.b64 %rd4, [p_stream];
  {
  .param .b64 a0;
  .param .b64 a1;
  .param .b64 a2;
  .param .b64 a3;
  .param .b64 a4;
  .param .b64 a5;
  .param .b64 a6;
  .param .b64 a7;
  .param .b32 code;
  st.param.b64 [a0], %rd1;
  st.param.b64 [a1], %rd2;
  st.param.b64 [a2], %rd3;
  st.param.b64 [a3], 1;
  st.param.b64 [a4], 1;
  st.param.b64 [a5], 0;
  st.param.b64 [a6], 0;
  st.param.b64 [a7], %rd4;
  call.uni (code), __warpwise_fill_box, (a0, a1, a2, a3, a4, a5, a6, a7);
  ld.param.b32 %r1, [code];
  }
  st.param.b32 [func_retval0], %r1;
  ret;
}

.visible .func (.param .b32 func_retval0) __cudaCDP2Memset2DAsync(
  .param .b64 p_dst, .param .b64 p_pitch, .param .b32 p_value, .param .b64 p_width, .param .b64 p_height, .param .b64 p_stream)
{
  .reg .b64 %rd<12>;
  .reg .b32 %r<2>;
  .reg .pred %p<3>;
  ld.param.b64 %rd1, [p_dst];
  ld.param.b64 %rd2, [p_pitch];
  ld.param.u32 %rd3, [p_value];
  ld.param.b64 %rd4, [p_width];
  ld.param.b64 %rd5, [p_height];
  ld.param.b64 %rd6, [p_stream];
  {
  .param .b64 a0;
  .param .b64 a1;
  .param .b64 a2;
  .param .b64 a3;
  .param .b64 a4;
  .param .b64 a5;
  .param .b64 a6;
  .param .b64 a7;
  .param .b32 code;
  st.param.b64 [a0], %rd1;
  st.param.b64 [a1], %rd3;
  st.param.b64 [a2], %rd4;
  st.param.b64 [a3], %rd5;
  st.param.b64 [a4], 1;
  st.param.b64 [a5], %rd2;
  st.param.b64 [a6], 0;
  st.param.b64 [a7], %rd6;
  call.uni (code), __warpwise_fill_box, (a0, a1, a2, a3, a4, a5, a6, a7);
  ld.param.b32 %r1, [code];
  }
  st.param.b32 [func_retval0], %r1;
  ret;
}

.visible .func (.param .b32 func_retval0) __cudaCDP2Memset3DAsync(
  .param .align 8 .b8 p_dst[32], .param .b32 p_value, .param .align 8 .b8 p_extent[24], .param .b64 p_stream)
{
  .reg .b64 %rd<12>;
  .reg .b32 %r<2>;
  .reg .pred %p<3>;
  ld.param.b64 %rd1, [p_dst];
  ld.param.b64 %rd2, [p_dst+8];
  ld.param.b64 %rd3, [p_dst+24];
  mul.lo.u64 %rd3, %rd3, %rd2;
  ld.param.u32 %rd4, [p_value];
  ld.param.b64 %rd5, [p_extent];
  ld.param.b64 %rd6, [p_extent+8];
  ld.param.b64 %rd7, [p_extent+16];
  ld.param.b64 %rd8, [p_stream];
  {
  .param .b64 a0;
  .param .b64 a1;
  .param .b64 a2;
  .param .b64 a3;
  .param .b64 a4;
  .param .b64 a5;
  .param .b64 a6;
  .param .b64 a7;
  .param .b32 code;
  st.param.b64 [a0], %rd1;
  st.param.b64 [a1], %rd4;
  st.param.b64 [a2], %rd5;
  st.param.b64 [a3], %rd6;
  st.param.b64 [a4], %rd7;
  st.param.b64 [a5], %rd2;
  st.param.b64 [a6], %rd3;
  st.param.b64 [a7], %rd8;
  call.uni (code), __warpwise_fill_box, (a0, a1, a2, a3, a4, a5, a6, a7);
  ld.param.b32 %r1, [code];
  }
  st.param.b32 [func_retval0], %r1;
  ret;
}

.visible .func (.param .b32 func_retval0) __cudaCDP2GetLastError()
{
  .reg .b32 %r<2>;
  ld.global.u32 %r1, [__warpwise_launch_error];
  st.param.b32 [func_retval0], %r1;
  ret;
}

.visible .func (.param .b64 func_retval0) __cudaCDP2GetErrorString(.param .b32 p_error)
{
  .reg .b64 %rd<2>;
  .reg .b32 %r<2>;
  .reg .pred %p<3>;
  ld.param.b32 %r1, [p_error];
  mov.u64 %rd1, __warpwise_text_other;
  setp.eq.s32 %p1, %r1, 0;
  @%p1 mov.u64 %rd1, __warpwise_text_success;
  setp.eq.s32 %p2, %r1, 69;
  @%p2 mov.u64 %rd1, __warpwise_text_pending;
  cvta.global.u64 %rd1, %rd1;
  st.param.b64 [func_retval0], %rd1;
  ret;
}

.visible .func (.param .b64 func_retval0) __cudaCDP2GetErrorName(.param .b32 p_error)
{
  .reg .b64 %rd<2>;
  .reg .b32 %r<2>;
  .reg .pred %p<3>;
  ld.param.b32 %r1, [p_error];
  mov.u64 %rd1, __warpwise_text_other;
  setp.eq.s32 %p1, %r1, 0;
  @%p1 mov.u64 %rd1, __warpwise_name_success;
  setp.eq.s32 %p2, %r1, 69;
  @%p2 mov.u64 %rd1, __warpwise_name_pending;
  cvta.global.u64 %rd1, %rd1;
  st.param.b64 [func_retval0], %rd1;
  ret;
}

.visible .func (.param .b32 func_retval0) __cudaCDP2PeekAtLastError()
{
  .reg .b32 %r<2>;
  ld.global.u32 %r1, [__warpwise_launch_error];
  st.param.b32 [func_retval0], %r1;
  ret;
}

.visible .func (.param .b32 func_retval0) __cudaCDP2StreamCreateWithFlags(.param .b64 p_stream, .param .b32 p_flags)
{
  .reg .b64 %rd<3>;
  ld.param.b64 %rd1, [p_stream];
  mov.u64 %rd2, 16;
  st.u64 [%rd1], %rd2;
  st.param.b32 [func_retval0], 0;
  ret;
}

.visible .func (.param .b32 func_retval0) __cudaCDP2StreamDestroy(.param .b64 p_stream)
{
  st.param.b32 [func_retval0], 0;
  ret;
}

.visible .func (.param .b32 func_retval0) __cudaCDP2StreamWaitEvent(.param .b64 p_stream, .param .b64 p_event, .param .b32 p_flags)
{
  st.param.b32 [func_retval0], 0;
  ret;
}

.visible .func (.param .b32 func_retval0) __cudaCDP2EventCreateWithFlags(.param .b64 p_event, .param .b32 p_flags)
{
  .reg .b64 %rd<3>;
  ld.param.b64 %rd1, [p_event];
  mov.u64 %rd2, 16;
  st.u64 [%rd1], %rd2;
  st.param.b32 [func_retval0], 0;
  ret;
}

.visible .func (.param .b32 func_retval0) __cudaCDP2EventRecord(.param .b64 p_event, .param .b64 p_stream)
{
  st.param.b32 [func_retval0], 0;
  ret;
}

.visible .func (.param .b32 func_retval0) __cudaCDP2EventDestroy(.param .b64 p_event)
{
  st.param.b32 [func_retval0], 0;
  ret;
}

.visible .func (.param .b32 func_retval0) __cudaCDP2GetDevice(.param .b64 p_device)
{
  .reg .b64 %rd<2>;
  .reg .b32 %r<2>;
  ld.param.b64 %rd1, [p_device];
  mov.u32 %r1, 0;
  st.u32 [%rd1], %r1;
  st.param.b32 [func_retval0], 0;
  ret;
}

.visible .func (.param .b32 func_retval0) __cudaCDP2GetDeviceCount(.param .b64 p_count)
{
  .reg .b64 %rd<2>;
  .reg .b32 %r<2>;
  ld.param.b64 %rd1, [p_count];
  mov.u32 %r1, 1;
  st.u32 [%rd1], %r1;
  st.param.b32 [func_retval0], 0;
  ret;
}

.visible .func (.param .b32 func_retval0) __cudaCDP2Malloc(.param .b64 p_pointer, .param .b64 p_bytes)
{
  .reg .b64 %rd<4>;
  .reg .b32 %r<2>;
  .reg .pred %p<2>;
  ld.param.b64 %rd1, [p_pointer];
  ld.param.b64 %rd2, [p_bytes];
  {
  .param .b64 bytes;
  .param .b64 memory;
  st.param.b64 [bytes], %rd2;
  call.uni (memory), malloc, (bytes);
  ld.param.b64 %rd3, [memory];
  }
  st.u64 [%rd1], %rd3;
  setp.eq.s64 %p1, %rd3, 0;
  selp.u32 %r1, 2, 0, %p1;
  st.param.b32 [func_retval0], %r1;
  ret;
}

.visible .func (.param .b32 func_retval0) __cudaCDP2Free(.param .b64 p_pointer)
{
  .reg .b64 %rd<2>;
  ld.param.b64 %rd1, [p_pointer];
  {
  .param .b64 memory;
  st.param.b64 [memory], %rd1;
  call.uni free, (memory);
  }
  st.param.b32 [func_retval0], 0;
  ret;
}

.visible .func cudaGraphSetConditional(.param .b64 p_handle, .param .b32 p_value)
{
  .reg .b64 %rd<2>;
  .reg .b32 %r<2>;
  ld.param.b64 %rd1, [p_handle];
  ld.param.u32 %r1, [p_value];
  st.volatile.u32 [%rd1], %r1;
  ret;
}
)";

}  // namespace

std::string_view device_runtime_ptx() { return kPtx; }

bool needs_device_runtime(std::string_view ptx) {
  return ptx.find("__cudaCDP2") != std::string_view::npos ||
         ptx.find("cudaGraphSetConditional") != std::string_view::npos;
}

std::vector<ChildLaunch> take_child_launches(device::Address list, DeviceHeap& heap) {
  std::vector<ChildLaunch> children;
  auto* head = reinterpret_cast<uint64_t*>(engine_view(list));
  for (uint64_t at = std::exchange(*head, 0); at != 0;) {
    Record record;
    std::memcpy(&record, engine_view(at), sizeof record);
    ChildLaunch& child = children.emplace_back();
    child.kind = record.function == 0              ? ChildLaunch::Kind::Copy
                 : record.function == ~uint64_t{0} ? ChildLaunch::Kind::Fill
                                                   : ChildLaunch::Kind::Kernel;
    child.function = record.function;
    child.grid = {record.grid[0], record.grid[1], record.grid[2]};
    child.block = {record.block[0], record.block[1], record.block[2]};
    child.dynamic_shared_bytes = record.dynamic_shared_bytes;
    child.parent_block = record.parent_block;
    child.tail = record.stream == kTailLaunchStream;
    const std::byte* parameters = engine_view(at) + sizeof record;
    child.parameters.assign(parameters, parameters + kParameterBytes);
    if (child.kind == ChildLaunch::Kind::Copy) std::memcpy(&child.copy, parameters, sizeof child.copy);
    if (child.kind == ChildLaunch::Kind::Fill) std::memcpy(&child.fill, parameters, sizeof child.fill);
    heap.free(at);
    at = record.next;
  }
  std::reverse(children.begin(), children.end());  // the newest was first
  std::stable_sort(children.begin(), children.end(), [](const ChildLaunch& a, const ChildLaunch& b) {
    return a.tail != b.tail ? b.tail : a.parent_block < b.parent_block;
  });
  return children;
}

}  // namespace warpwise::exec
