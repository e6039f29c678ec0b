#include "toolchain/flags.h"

#include <gtest/gtest.h>

#include "temporary.h"
#include "toolchain/route.h"

namespace warpwise::toolchain {
namespace {

using Words = std::vector<std::string>;

CompilerFlags parse(const Words& words) {
  auto flags = parse_flags(words);
  EXPECT_TRUE(flags.ok()) << (flags.ok() ? "" : flags.error().message);
  return flags.ok() ? *flags : CompilerFlags{};
}

TEST(Flags, values_are_joined_separate_or_after_equals) {
  CompilerFlags flags = parse({"-Iinclude", "-I", "other", "-DN=4", "-std=c++20", "--std", "c++17", "a.cu", "-o", "a"});
  EXPECT_EQ(flags.clang.both, (Words{"-Iinclude", "-Iother", "-DN=4", "-std=c++20", "-std=c++17"}));
  EXPECT_EQ(flags.nvcc.compile, flags.clang.both);
  EXPECT_EQ(flags.include_folders, (Words{"include", "other"}));
  EXPECT_EQ(flags.inputs, (Words{"a.cu"}));
  EXPECT_EQ(flags.output, "a");
}

TEST(Flags, go_to_the_half_they_mean) {
  CompilerFlags flags = parse({"-O3", "-use_fast_math", "-Xcompiler", "-fopenmp,-Wall", "-fmad=false", "-fmad=true"});
  EXPECT_EQ(flags.clang.host, (Words{"-O3", "-fopenmp", "-Wall"}));
  EXPECT_EQ(flags.clang.link, (Words{"-fopenmp", "-Wall"})) << "the host compiler links, too";
  EXPECT_EQ(flags.nvcc.link, (Words{"-Xcompiler", "-fopenmp,-Wall"}));
  EXPECT_EQ(flags.clang.device, (Words{"-fgpu-approx-transcendentals", "-fgpu-flush-denormals-to-zero",
                                       "-D__USE_FAST_MATH__", "-ffp-contract=off"}));
  EXPECT_EQ(flags.nvcc.compile,
            (Words{"-O3", "-use_fast_math", "-Xcompiler", "-fopenmp,-Wall", "-fmad=false", "-fmad=true"}));
}

TEST(Flags, link_flags_are_kept_apart) {
  CompilerFlags flags = parse({"-lm", "-L", "lib", "-Xlinker", "-z,now", "-Wl,-s", "-lineinfo"});
  EXPECT_EQ(flags.clang.link, (Words{"-lm", "-Llib", "-Xlinker", "-z", "-Xlinker", "now", "-Wl,-s"}));
  EXPECT_EQ(flags.nvcc.link, (Words{"-lm", "-Llib", "-Xlinker", "-z,now", "-Xlinker", "-s"}));
  EXPECT_TRUE(flags.clang.both.empty()) << "-lineinfo is no library";
}

TEST(Flags, words_for_the_host_compiler_stand_apart_by_blanks_too) {
  CompilerFlags flags = parse({"-Xcompiler", "-fopenmp -DNAME=\\\"x\\\",-Wall", "k.cu"});
  EXPECT_EQ(flags.clang.host, (Words{"-fopenmp", "-DNAME=\"x\"", "-Wall"}));
  EXPECT_EQ(flags.nvcc.link, (Words{"-Xcompiler", "-fopenmp -DNAME=\\\"x\\\",-Wall"}));
}

TEST(Flags, nvccs_rarer_options_are_known) {
  CompilerFlags flags =
      parse({"--define-macro", "N=4", "--optimize=3", "-Werror", "reorder", "--ftemplate-depth", "900", "--no-compress",
             "-split-compile=0", "-time", "t.csv", "-cudadevrt", "none", "k.cu"});
  EXPECT_EQ(flags.clang.both, (Words{"-DN=4", "-ftemplate-depth=900"}));
  EXPECT_EQ(flags.clang.host, (Words{"-O3"}));
  EXPECT_EQ(flags.nvcc.compile, (Words{"-DN=4", "-O3", "-Werror", "reorder", "-ftemplate-depth", "900"}));
  EXPECT_EQ(flags.inputs, (Words{"k.cu"})) << "values are no inputs";
  EXPECT_EQ(parse_flags({"-odir", "objects", "k.cu"}).error().code, "T0006");
}

TEST(Flags, options_files_stand_for_their_words) {
  TemporaryFolder folder = test_folder();
  const std::string outer = folder.path() / "outer.rsp", inner = folder.path() / "inner.rsp",
                    loop = folder.path() / "loop.rsp";
  put(outer, "-I'a folder' -DNAME=\\\"x\\\"\n  --options-file " + inner + "\n");
  put(inner, "\"b.o\"  c\\ d.o -lm");
  put(loop, "--options-file " + loop);
  CompilerFlags flags = parse({"--options-file", outer, "-o", "--options-file"});
  EXPECT_EQ(flags.include_folders, (Words{"a folder"}));
  EXPECT_EQ(flags.clang.both, (Words{"-Ia folder", "-DNAME=\"x\""}));
  EXPECT_EQ(flags.inputs, (Words{"b.o", "c d.o"}));
  EXPECT_EQ(flags.clang.link, (Words{"-lm"}));
  EXPECT_EQ(flags.output, "--options-file") << "the value of another flag";
  EXPECT_EQ(parse_flags({"--options-file", loop}).error().code, "T0005");
  EXPECT_EQ(parse_flags({"--options-file", "/no/such/file"}).error().code, "U0001");
}

TEST(Flags, dependencies_and_device_links) {
  CompilerFlags flags = parse({"-MD", "-MT", "dir/k.cu.o", "-MF", "k.d", "-Werror", "all-warnings", "-keep-dir", "t",
                               "-x", "cu", "-c", "k.cu"});
  EXPECT_TRUE(flags.dependencies.wanted);
  EXPECT_EQ(flags.dependencies.target, "dir/k.cu.o");
  EXPECT_EQ(flags.dependencies.file, "k.d");
  EXPECT_EQ(flags.inputs, (Words{"k.cu"}));
  EXPECT_FALSE(flags.device_link);
  EXPECT_TRUE(parse({"-dlink", "a.o"}).device_link);
  EXPECT_EQ(parse({"-dlink", "a.o"}).relocatable, "-dlink") << "nvcc's work";
}

TEST(Flags, dependencies_without_system_headers) {
  EXPECT_TRUE(parse({"-MD", "k.cu"}).dependencies.system_headers);
  CompilerFlags flags = parse({"-MMD", "-MP", "k.cu"});
  EXPECT_TRUE(flags.dependencies.wanted);
  EXPECT_FALSE(flags.dependencies.system_headers);
  EXPECT_EQ(flags.dependencies.phonies, "-MP");
  EXPECT_EQ(parse_flags({"-MM", "k.cu"}).error().code, "T0006") << "known, and not done in silence";
}

TEST(Flags, architectures) {
  CompilerFlags flags = parse(
      {"-gencode", "arch=compute_70,code=sm_70", "--generate-code=arch=compute_90a,code=sm_90a", "-arch", "sm_80"});
  EXPECT_EQ(flags.architectures, (Words{"70", "90a", "80"}));
  EXPECT_EQ(clang_architecture(flags, 90), "90a");
  EXPECT_EQ(clang_architecture(flags, 86), "80");
  EXPECT_EQ(clang_architecture(flags, 60), "70") << "none that the device runs: the oldest";
  EXPECT_EQ(clang_architecture(parse({"-arch=native"}), 86), "86");
  EXPECT_EQ(clang_architecture({}, 90), "90a");
  EXPECT_EQ(clang_architecture(parse({"-arch=sm_90"}), 90), "90");
  EXPECT_FALSE(is_for_sm_100({}, 90));
  EXPECT_TRUE(is_for_sm_100({}, 120));
  EXPECT_TRUE(is_for_sm_100(parse({"-arch=sm_100a"}), 90));
  EXPECT_FALSE(is_for_sm_100(parse({"-arch=sm_90"}), 100));
  EXPECT_EQ(clang_architecture({}, 120), "90") << "the newest that Clang 19 knows, without what only 9.0 has";
  EXPECT_EQ(nvcc_architecture({}, 120), "120");
}

TEST(Flags, mistakes_are_named) {
  auto unknown = parse_flags({"-use_fast_maht"});
  ASSERT_FALSE(unknown.ok());
  EXPECT_EQ(unknown.error().code, "T0005");
  EXPECT_NE(unknown.error().message.find("did you mean `-use_fast_math`"), std::string::npos);
  EXPECT_EQ(parse_flags({"-dlto"}).error().code, "T0006");
  EXPECT_EQ(parse_flags({"a.cu", "-o"}).error().code, "T0005");
}

TEST(Flags, files_of_device_code_hold_ptx_whatever_their_name) {
  for (const char* kind : {"ptx", "fatbin", "cubin"}) {
    CompilerFlags flags = parse({std::string("-") + kind, "a.cu"});
    EXPECT_TRUE(flags.ptx_only) << kind;
    EXPECT_EQ(flags.ptx_extension, std::string(".") + kind);
  }
}

TEST(Flags, relocatable_device_code_is_noted) {
  for (const std::vector<std::string>& words : {std::vector<std::string>{"-rdc=true"}, {"-rdc", "true"}, {"-dc"}}) {
    CompilerFlags flags = parse(words);
    EXPECT_EQ(flags.relocatable, words[0]);
    EXPECT_EQ(flags.nvcc.compile, std::vector<std::string>{"-rdc=true"});
    EXPECT_EQ(flags.nvcc.link, std::vector<std::string>{"-rdc=true"});
    EXPECT_EQ(flags.compile_only, words[0] == "-dc");
  }
  EXPECT_EQ(parse({"-rdc=false"}).relocatable, "");
}

TEST(Flags, say_how_many_words_they_take) {
  EXPECT_EQ(words_of_flag("-I"), 2u);
  EXPECT_EQ(words_of_flag("-Ix"), 1u);
  EXPECT_EQ(words_of_flag("-arch=sm_80"), 1u);
  EXPECT_EQ(words_of_flag("-arch"), 2u);
  EXPECT_EQ(words_of_flag("-lineinfo"), 1u);
  EXPECT_EQ(words_of_flag("--device"), 0u) << "an option of ours";
}

}  // namespace
}  // namespace warpwise::toolchain
