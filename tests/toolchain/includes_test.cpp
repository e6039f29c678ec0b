#include "toolchain/includes.h"

#include <gtest/gtest.h>

#include "temporary.h"

namespace warpwise::toolchain {
namespace fs = std::filesystem;
namespace {

TEST(Includes, know_what_a_text_begins_with) {
  const auto begins = [](std::string_view text) { return begins_with_header(text, "half.h"); };
  EXPECT_TRUE(begins("#include <half.h>\n"));
  EXPECT_TRUE(begins("// why\n\n/* and\n   how */ # include <stdio.h>  // it\r\n\t#include <half.h>"));
  EXPECT_FALSE(begins("#include <stdio.h>\nint x;\n#include <half.h>\n"));
  EXPECT_FALSE(begins("#define NO_OPERATORS\n#include <half.h>\n"));
  EXPECT_FALSE(begins("#ifdef A\n#include <half.h>\n#endif\n"));
  EXPECT_FALSE(begins("#include \"own.h\"\n#include <half.h>\n"));
  EXPECT_FALSE(begins("#include \"half.h\"\n"));
  EXPECT_FALSE(begins("/* #include <half.h>"));
  EXPECT_FALSE(begins("// goes on \\\n#include <half.h>\n"));
  EXPECT_FALSE(begins("// nothing else"));
  EXPECT_FALSE(begins(""));
}

TEST(Includes, are_found_in_all_spellings) {
  EXPECT_EQ(included_names("#include <a.h>\n  #  include \"b/c.h\" // why\nint x; // #include <no>\n#include MACRO\n"
                           "#include <unclosed\n#include <last.h>"),
            (std::vector<std::string>{"a.h", "b/c.h", "last.h"}));
}

class ToolkitHeader : public ::testing::Test {
 protected:
  ToolkitHeader() {
    for (const char* name : {"ours", "toolkit/cccl/thrust", "user"}) fs::create_directories(folder_.path() / name);
    put(at("ours/cuda_runtime.h"), "");
    put(at("toolkit/cuda_runtime.h"), "");
    put(at("toolkit/curand_kernel.h"), "");
    put(at("toolkit/cccl/thrust/sort.h"), "");
  }
  fs::path at(const char* name) { return folder_.path() / name; }
  std::string needed(std::string_view source) {
    put(at("user/k.cu"), source);
    return toolkit_only_header(at("user/k.cu"), {{at("user")}, at("ours"), at("toolkit")});
  }
  TemporaryFolder folder_ = test_folder();
};

TEST_F(ToolkitHeader, is_one_that_we_do_not_have) {
  EXPECT_EQ(needed("#include <cuda_runtime.h>\n#include <vector>\n"), "");
  EXPECT_EQ(needed("#include <curand_kernel.h>\n"), "curand_kernel.h");
  EXPECT_EQ(needed("#include <thrust/sort.h>\n"), "thrust/sort.h");
}

TEST_F(ToolkitHeader, is_found_through_headers_of_the_user) {
  put(at("user/a.h"), "#include \"b.h\"\n#include \"a.h\"\n");
  put(at("user/b.h"), "#include <thrust/sort.h>\n");
  EXPECT_EQ(needed("#include \"a.h\"\n"), "thrust/sort.h");
}

TEST_F(ToolkitHeader, may_be_shadowed_by_the_user) {
  put(at("user/curand_kernel.h"), "");
  EXPECT_EQ(needed("#include \"curand_kernel.h\"\n"), "");
}

TEST_F(ToolkitHeader, is_the_toolkits_where_the_user_names_its_folder) {
  put(at("user/k.cu"), "#include <thrust/sort.h>\n");
  fs::create_directories(at("toolkit/bin"));
  const fs::path around = at("toolkit/bin/../cccl");
  EXPECT_EQ(toolkit_only_header(at("user/k.cu"), {{around}, at("ours"), at("toolkit")}), "thrust/sort.h");
}

TEST_F(ToolkitHeader, is_not_what_a_program_of_openmp_needs) {
  put(at("user/clock.h"), "#include <omp.h>\n");
  put(at("user/k.cu"), "#include \"clock.h\"\n");
  EXPECT_TRUE(reaches_header(at("user/k.cu"), {}, "omp.h"));
  put(at("user/omp.h"), "");
  EXPECT_FALSE(reaches_header(at("user/k.cu"), {}, "omp.h")) << "the user's own";
}

TEST(Includes, texture_references_are_found_in_headers_of_the_user) {
  TemporaryFolder folder = test_folder();
  const auto at = [&](const char* name) { return folder.path() / name; };
  fs::create_directories(at("include"));
  put(at("include/kernel.cuh"), "texture<float> t;\nvoid bind(void* p) { cudaBindTexture(nullptr, t, p); }\n");
  put(at("user.cu"), "#include <kernel.cuh>\n");
  EXPECT_TRUE(uses_texture_references(at("user.cu"), {at("include")}));
  EXPECT_FALSE(uses_texture_references(at("user.cu"), {}));
  // What is bound elsewhere.
  for (const char* use : {"extern texture<unsigned short, 2, cudaReadModeElementType> t;",
                          "static surface <void, 2> s;", "(texture<int>)"}) {
    put(at("use.cu"), use);
    EXPECT_TRUE(uses_texture_references(at("use.cu"), {})) << use;
  }
  put(at("wide.cu"), "texture" + std::string(4 << 20, ' ') + "<float> t;\n");
  EXPECT_TRUE(uses_texture_references(at("wide.cu"), {})) << "four million spaces are no four million calls";
}

TEST(Includes, textures_of_a_program_are_its_own) {
  TemporaryFolder folder = test_folder();
  const fs::path source = folder.path() / "k.cu";
  for (const char* own :
       {"template <class T> struct texture {};\ntexture<int> t;\n", "class texture { float3 value(); };\n",
        "using texture = struct T<int>;\n  texture<int> t;\n", "metal::texture<float> t;\n",
        "bool b = v.texture < 3;\n", "int texture; bool b = texture < (3);\n", "float texture_size;\n"}) {
    put(source, own);
    EXPECT_FALSE(uses_texture_references(source, {})) << own;
  }
}

TEST(Includes, headers_of_the_toolkit_are_known_by_name) {
  for (const char* name : {"thrust/sort.h", "cuda/barrier", "cuda_fp4.h", "curand.h", "cublas_v2.h", "nvml.h", "nccl.h",
                           "cuda_gl_interop.h"})
    EXPECT_TRUE(looks_like_toolkit_header(name)) << name;
  for (const char* name : {"helper_cuda.h", "cudax.h", "nearby.h", "curses.h"})
    EXPECT_FALSE(looks_like_toolkit_header(name)) << name;
}

}  // namespace
}  // namespace warpwise::toolchain
