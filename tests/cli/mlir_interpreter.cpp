// mlir_interpreter READER MODULE: runs a module's @main with Stowage's interpreter and prints what it hands to functions without
// a body. READER is libstowage-mlir-reader.so. Status 2 with a message when the interpreter cannot.
#include "plugins/mlir/entry_points.h"

#include <dlfcn.h>

#include <cstdio>
#include <fstream>
#include <iterator>

int main(int argc, char** argv)
{
    if (argc != 3) return 2;
    void* library = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
    void* symbol = library ? dlsym(library, stowage::mlirfile::entryPointsName) : nullptr;
    if (!symbol) {
        std::fprintf(stderr, "%s\n", dlerror());
        return 2;
    }
    std::ifstream file(argv[2], std::ios::binary);
    const std::string text((std::istreambuf_iterator<char>(file)), {});
    const auto printed = reinterpret_cast<stowage::mlirfile::GetEntryPoints>(symbol)().runMain(text, argv[2]);
    if (!printed) {
        std::fprintf(stderr, "%s\n", toText(printed.error()).c_str());
        return 2;
    }
    std::fputs(printed->c_str(), stdout);
    return 0;
}
