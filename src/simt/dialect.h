// The dialect: what a kernel looks like between lowering and the passes.
//
// Lowering (simt/lower) turns PTX into *scalar* LLVM IR: the program of one thread, in ordinary
// arithmetic, loads, stores, atomicrmw, cmpxchg, branches, plus calls of the functions below for what
// depends on the thread, the warp or the block. The passes then either widen it to a warp of 32 lanes
// (converged mode) or bind it to a thread (split mode). Because it is plain LLVM IR, every dump can be
// read back by LLVM's own parser, and a pass's test is an .ll file.
//
// Registers      An alloca each, typed float/double/half/bfloat where arithmetic uses them as such, else
//                iN; i1 for predicates. promote_registers turns them into SSA.
// Addresses      PTX addresses are integers, so memory is always reached through
//                `inttoptr i64 %address to ptr addrspace(N)`, N as in Addrspace. The i64 means:
//                  Generic, Global, Const  the address as the program sees it
//                  Shared                  an offset into the block's shared memory
//                  Local                   an offset into the thread's local memory
//                  Param                   an offset into the kernel's parameter buffer
// Functions      A kernel is `void @name()`. A device function gets `i64 %lsp` first (the offset of the
//                free part of local memory), then one `ptr` per PTX parameter and return parameter: an
//                alloca of the caller, so that inlining and SROA make them vanish.
// Debug places   DILocation: line = index of the PTX instruction in its function + 1, column = 0 (passes
//                use the column for the first lane of a part of a split access, + 1).
// NaN            `ww.canonical.f32(x)` and `.f16` mark where a float's bits leave arithmetic; the pass
//                canonical_nan, the first after promote_registers, decides and removes them.
// Metadata       !ww.group !{i32 k, i32 n}: access k of the n that make one vector access. !ww.red: an atomicrmw whose
//                old value nobody wants (red). !ww.sys: one of scope .sys. !ww.ftz: an atomicrmw fadd that flushes subnormals.
// Convergence    Calls of warp and barrier functions are `convergent`.
#pragma once

namespace warpwise::simt {

enum Addrspace : unsigned {
  kGeneric = 0,
  kGlobal = 1,
  kShared = 3,
  kConst = 4,
  kLocal = 5,
  kParam = 101,
};

// DIALECT(enumerator, "name", "signature", class)
//
// Signature: result(arguments) with v void, b i1, h i16, i i32, l i64, f float, d double; {ib} a struct.
// Class:     Thread   depends on the thread; no side effect       (tid, laneid)
//            Block    the same for the whole block; no side effect (ctaid, parameters)
//            Warp     lanes exchange values; convergent
//            Barrier  the block's warps meet; convergent
//            Cluster  reaches or meets other blocks of the cluster: split mode only; convergent
//            Tensor   works on tensor memory: split mode only; convergent
//            Effect   a service with a side effect, once per active lane
//            Pure     a function of its arguments
#define WARPWISE_DIALECT(DIALECT)                                            \
  DIALECT(TidX, "ww.tid.x", "i()", Thread)                                   \
  DIALECT(TidY, "ww.tid.y", "i()", Thread)                                   \
  DIALECT(TidZ, "ww.tid.z", "i()", Thread)                                   \
  DIALECT(LaneId, "ww.laneid", "i()", Thread)                                \
  DIALECT(WarpId, "ww.warpid", "i()", Thread)                                \
  DIALECT(LanemaskEq, "ww.lanemask.eq", "i()", Thread)                       \
  DIALECT(LanemaskLe, "ww.lanemask.le", "i()", Thread)                       \
  DIALECT(LanemaskLt, "ww.lanemask.lt", "i()", Thread)                       \
  DIALECT(LanemaskGe, "ww.lanemask.ge", "i()", Thread)                       \
  DIALECT(LanemaskGt, "ww.lanemask.gt", "i()", Thread)                       \
  DIALECT(NtidX, "ww.ntid.x", "i()", Block)                                  \
  DIALECT(NtidY, "ww.ntid.y", "i()", Block)                                  \
  DIALECT(NtidZ, "ww.ntid.z", "i()", Block)                                  \
  DIALECT(CtaidX, "ww.ctaid.x", "i()", Block)                                \
  DIALECT(CtaidY, "ww.ctaid.y", "i()", Block)                                \
  DIALECT(CtaidZ, "ww.ctaid.z", "i()", Block)                                \
  DIALECT(NctaidX, "ww.nctaid.x", "i()", Block)                              \
  DIALECT(NctaidY, "ww.nctaid.y", "i()", Block)                              \
  DIALECT(NctaidZ, "ww.nctaid.z", "i()", Block)                              \
  DIALECT(ClusterIdX, "ww.clusterid.x", "i()", Block)                        \
  DIALECT(ClusterIdY, "ww.clusterid.y", "i()", Block)                        \
  DIALECT(ClusterIdZ, "ww.clusterid.z", "i()", Block)                        \
  DIALECT(NclusterIdX, "ww.nclusterid.x", "i()", Block)                      \
  DIALECT(NclusterIdY, "ww.nclusterid.y", "i()", Block)                      \
  DIALECT(NclusterIdZ, "ww.nclusterid.z", "i()", Block)                      \
  DIALECT(ClusterCtaidX, "ww.cluster_ctaid.x", "i()", Block)                 \
  DIALECT(ClusterCtaidY, "ww.cluster_ctaid.y", "i()", Block)                 \
  DIALECT(ClusterCtaidZ, "ww.cluster_ctaid.z", "i()", Block)                 \
  DIALECT(ClusterNctaidX, "ww.cluster_nctaid.x", "i()", Block)               \
  DIALECT(ClusterNctaidY, "ww.cluster_nctaid.y", "i()", Block)               \
  DIALECT(ClusterNctaidZ, "ww.cluster_nctaid.z", "i()", Block)               \
  DIALECT(NwarpId, "ww.nwarpid", "i()", Block)                               \
  DIALECT(SmId, "ww.smid", "i()", Block)                                     \
  DIALECT(NsmId, "ww.nsmid", "i()", Block)                                   \
  DIALECT(GridId, "ww.gridid", "l()", Block)                                 \
  DIALECT(DynamicSharedBytes, "ww.dynamic_smem_size", "i()", Block)          \
  DIALECT(TotalSharedBytes, "ww.total_smem_size", "i()", Block)              \
  DIALECT(GlobalsBase, "ww.globals", "l()", Block)       /* address of the module's variables */ \
  DIALECT(SharedBase, "ww.shared.base", "l()", Block)    /* generic address of shared offset 0 */ \
  DIALECT(ParamBase, "ww.param.base", "l()", Block)      /* generic address of parameter offset 0 */ \
  DIALECT(LocalBase, "ww.local.base", "l()", Thread)     /* generic address of local offset 0 */ \
  DIALECT(IsShared, "ww.isspacep.shared", "b(l)", Pure)                      \
  DIALECT(IsLocal, "ww.isspacep.local", "b(l)", Pure)                        \
  DIALECT(IsParam, "ww.isspacep.param", "b(l)", Pure)                        \
  DIALECT(Clock, "ww.clock", "l()", Effect)                                  \
  DIALECT(GlobalTimer, "ww.globaltimer", "l()", Effect)                      \
  DIALECT(BarrierSync, "ww.barrier.sync", "v(ii)", Barrier)     /* id, threads (0: all) */ \
  DIALECT(BarrierArrive, "ww.barrier.arrive", "v(ii)", Barrier)              \
  DIALECT(BarrierRed, "ww.barrier.red", "i(iiib)", Barrier)     /* id, threads, op (0 popc 1 and 2 or), predicate */ \
  DIALECT(WarpSync, "ww.bar.warp.sync", "v(i)", Warp)                        \
  DIALECT(ShflUp, "ww.shfl.up", "{ib}(iiii)", Warp)             /* value, b, c, membermask */ \
  DIALECT(ShflDown, "ww.shfl.down", "{ib}(iiii)", Warp)                      \
  DIALECT(ShflBfly, "ww.shfl.bfly", "{ib}(iiii)", Warp)                      \
  DIALECT(ShflIdx, "ww.shfl.idx", "{ib}(iiii)", Warp)                        \
  DIALECT(Ballot, "ww.vote.ballot", "i(bi)", Warp)              /* predicate, membermask */ \
  DIALECT(VoteAll, "ww.vote.all", "b(bi)", Warp)                             \
  DIALECT(VoteAny, "ww.vote.any", "b(bi)", Warp)                             \
  DIALECT(VoteUni, "ww.vote.uni", "b(bi)", Warp)                             \
  DIALECT(MatchAny, "ww.match.any", "i(li)", Warp)              /* value (zero-extended), membermask */ \
  DIALECT(MatchAll, "ww.match.all", "{ib}(li)", Warp)                        \
  DIALECT(Redux, "ww.redux", "i(iii)", Warp)                    /* op as in Services::redux, value, membermask */ \
  DIALECT(ActiveMask, "ww.activemask", "i()", Warp)                          \
  DIALECT(Elect, "ww.elect", "{ib}(i)", Warp)                                \
  DIALECT(ClusterArrive, "ww.cluster.arrive", "v()", Cluster)                \
  DIALECT(ClusterWait, "ww.cluster.wait", "v()", Cluster)                    \
  DIALECT(ClusterTryCancel, "ww.cluster.try_cancel", "v(lli)", Cluster) /* where the answer goes, its mbarrier, to all blocks of the cluster? */ \
  DIALECT(ClusterRankBits, "ww.cluster.rank_bits", "i(i)", Cluster) /* of addresses in the block of that rank: abi.h */ \
  DIALECT(ClusterToGeneric, "ww.cluster.generic", "l(l)", Pure)  /* a .shared::cluster address as a generic one */ \
  DIALECT(GenericToCluster, "ww.cluster.shared", "l(l)", Pure)               \
  DIALECT(RankOfAddress, "ww.cluster.rank_of", "i(l)", Pure)     /* of the block whose shared memory it is in; ~0: none */ \
  DIALECT(Mbarrier, "ww.mbarrier", "l(ili)", Effect)            /* MbarrierOp, generic address, count */ \
  DIALECT(MbarrierTest, "ww.mbarrier.test", "i(lli)", Effect)   /* generic address, state or parity, is it a parity */ \
  DIALECT(MbarrierTry, "ww.mbarrier.try", "i(lli)", Effect)     /* the same, and may wait for it */ \
  /* {i...}(lllii...): numerics::WgmmaForm packed, descriptors of a and b, scale-d, registers of a (if there) and d; one */ \
  /* function for each count of inputs and outputs, called ww.wgmma.INPUTS.OUTPUTS */ \
  DIALECT(Wgmma, "ww.wgmma", "v()", Warp)                                    \
  DIALECT(BulkCopy, "ww.bulk.copy", "v(illili)", Effect)        /* what (abi.h), to, from, bytes, mbarrier, blocks */ \
  DIALECT(TensorCopy, "ww.tensor.copy", "v(illiiiiilli)", Effect) /* what, map, shared, c0 to c4, offsets, mbarrier, blocks */ \
  DIALECT(TensorReplace, "ww.tensor.replace", "v(ilil)", Effect) /* TensorField, map, index, value */ \
  DIALECT(Multimem, "ww.multimem", "l(lii)", Effect)            /* generic address, what (Services::multimem), index of the copy */ \
  DIALECT(LdMatrix1, "ww.ldmatrix.x1", "i(li)", Warp)           /* generic address of the lane's row, transposed? */ \
  DIALECT(LdMatrix2, "ww.ldmatrix.x2", "{ii}(li)", Warp)                     \
  DIALECT(LdMatrix4, "ww.ldmatrix.x4", "{iiii}(li)", Warp)                   \
  DIALECT(StMatrix1, "ww.stmatrix.x1", "v(lii)", Warp)          /* address, transposed?, values */ \
  DIALECT(StMatrix2, "ww.stmatrix.x2", "v(liii)", Warp)                      \
  DIALECT(StMatrix4, "ww.stmatrix.x4", "v(liiiii)", Warp)                    \
  DIALECT(MovMatrix, "ww.movmatrix", "i(i)", Warp)                           \
  /* {i...}(l, i...): numerics::Product packed, registers of a, b, c and metadata; one function for each count of */ \
  /* inputs and outputs, called ww.product.INPUTS.OUTPUTS */                 \
  DIALECT(MatrixProduct, "ww.product", "v()", Warp)                          \
  DIALECT(TensorColumns, "ww.tensor.columns", "v(iilii)", Tensor) /* TensorColumns (abi.h), blocks, destination, address, columns */ \
  /* {i...}(lii, i...): numerics::TensorMove packed, address, distance of a second matrix, registers of a store; one function */ \
  /* for each count of inputs and outputs, called ww.tensor.move.INPUTS.OUTPUTS */ \
  DIALECT(TensorMove, "ww.tensor.move", "v()", Tensor)                       \
  DIALECT(TensorMultiply, "ww.tensor.multiply", "v(llllllllllllll)", Tensor) /* the words of TensorOp (abi.h) */ \
  DIALECT(TensorCopyIn, "ww.tensor.copy_in", "v(llll)", Tensor)              \
  DIALECT(TensorShift, "ww.tensor.shift", "v(ll)", Tensor)                   \
  DIALECT(TensorCommit, "ww.tensor.commit", "v(ll)", Tensor)                 \
  DIALECT(Nanosleep, "ww.nanosleep", "v(i)", Effect)                         \
  DIALECT(LetOthersRead, "ww.let_others_read", "v()", Effect)   /* split mode: thread/let_others_read.h */ \
  DIALECT(Trap, "ww.trap", "v()", Effect)                                    \
  DIALECT(Brkpt, "ww.brkpt", "v()", Effect)                                  \
  DIALECT(AssertFail, "ww.assertfail", "v(llil)", Effect)       /* message, file, line, function */ \
  DIALECT(Vprintf, "ww.vprintf", "i(ll)", Effect)                            \
  DIALECT(Malloc, "ww.malloc", "l(l)", Effect)                               \
  DIALECT(Free, "ww.free", "v(l)", Effect)                                   \
  DIALECT(StackCheck, "ww.stack.check", "v(l)", Effect)         /* local memory is used up to here: may it be? */ \
  DIALECT(Settle, "ww.settle", "v()", Effect)                   /* postponed sums happen now (scalar/privatise_sums.h) */ \
  DIALECT(SettleAt, "ww.settle.at", "v(l)", Effect)             /* ... if the generic address is among theirs */ \
  DIALECT(AddF64, "ww.add.f64", "d(ddi)", Pure)                 /* a, b, rounding: 0 rz, 1 rm, 2 rp */ \
  DIALECT(MulF64, "ww.mul.f64", "d(ddi)", Pure)                              \
  DIALECT(FmaF64, "ww.fma.f64", "d(dddi)", Pure)                             \
  DIALECT(DivF64, "ww.div.f64", "d(ddi)", Pure)                              \
  DIALECT(SqrtF64, "ww.sqrt.f64", "d(di)", Pure)                             \
  DIALECT(MinF32, "ww.min.f32", "f(ff)", Pure)                  /* PTX's, codegen/min_max.h; a NaN result is any quiet one */ \
  DIALECT(MaxF32, "ww.max.f32", "f(ff)", Pure)                               \
  DIALECT(MinF64, "ww.min.f64", "d(dd)", Pure)                               \
  DIALECT(MaxF64, "ww.max.f64", "d(dd)", Pure)                               \
  DIALECT(Image, "ww.image", "{iiii}(lliiiiiiiiiiii)", Effect)  /* packed ptx::ImageAccess, handle, words */ \
  DIALECT(Notice, "ww.notice", "v(bill)", Effect)  /* where the condition holds: a packed Notice (events.h), generic address, value */ \
  DIALECT(Look, "ww.look", "v(ll)", Effect)        /* a packed LookedAt (events.h), the address in its space */ \
  DIALECT(Race, "ww.race", "v(lllii)", Effect)     /* an access that may race: a packed LookedAt, the address in its space, value, index of the WatchedSite, its number in that space */ \
  DIALECT(CountBlock, "ww.count.block", "v(i)", Effect)         /* marks of what is counted (counts.h): a basic block begins; cell */ \
  DIALECT(CountGuard, "ww.count.guard", "v(iib)", Effect)       /* cell, 1 where it is a branch, the lanes that it lets through */ \
  DIALECT(CountAccess, "ww.count.access", "v(iil)", Effect)     /* cell, a packed CountedAccess, the address in its space */ \
  DIALECT(Exit, "ww.exit", "v()", Effect)   /* exit in a device function: the thread ends; unreachable follows */

}  // namespace warpwise::simt
