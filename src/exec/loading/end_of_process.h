// The end of a process while kernels are being compiled: nothing waits for the compiler, and it does not crash.
//
// exit() runs the destructors of LLVM's static objects. A thread that is inside LLVM then would go on in objects that
// are gone. LLVM cannot be asked to stop (one pass over one large function may take minutes), and a thread cannot be
// ended from outside. So before the first destructor runs, each such thread is sent a signal, and the handler never
// returns:
//
//     exit() ─► the main thread's variables ─► here: signals, until all have stopped ─► LLVM's objects ─► the end
//
// A thread that stops for ever must not hold a lock that another one needs, such as malloc's. So it stops only where
// the signal finds it in the compiler's own code, which holds none; anywhere else it goes on and is asked again.
//
// Rejected: a process of its own for each compilation. Programs see their children (wait(), SIGCHLD), and sandboxes
// forbid them.
#pragma once

namespace warpwise::exec {

// While it lives, the calling thread is in the compiler, which has been opened. Destroyed on the same thread.
class InCompiler {
 public:
  InCompiler();
  ~InCompiler();
  InCompiler(const InCompiler&) = delete;
  InCompiler& operator=(const InCompiler&) = delete;
};

// The calling thread may end the process: called where a program's thread starts a compilation that it does not wait
// for.
void stop_compilers_at_exit();

}  // namespace warpwise::exec
