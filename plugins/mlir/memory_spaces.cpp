#include "plugins/mlir/memory_spaces.h"

#include "core/ir/memory_spaces.h"
#include "plugins/mlir/value_sizes.h"

#include <llvm/ADT/StringSet.h>
#include <llvm/Support/raw_ostream.h>
#include <mlir/IR/BuiltinAttributes.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

namespace stowage::mlirfile {

namespace {

/// The pool that programs without pools get, too (core/lower/facts.h).
constexpr const char* defaultSpacePool = "arena";

std::string spacePool(mlir::Attribute space)
{
    if (!space) return defaultSpacePool;
    if (const auto text = llvm::dyn_cast<mlir::StringAttr>(space)) {
        std::string name = text.getValue().str();
        // A number would be taken for the position of a pool.
        const bool number = std::all_of(name.begin(), name.end(), [](char c) { return c >= '0' && c <= '9'; });
        if (!number && name != defaultSpacePool) return name;
    }
    std::string name;
    llvm::raw_string_ostream out(name);
    space.print(out);
    return name;
}

/// The memory space of a tensor, null for the default one; no value for a tensor that no pool is chosen for.
std::optional<mlir::Attribute> spaceOf(const Tensor& tensor, mlir::Value value)
{
    if (tensor.kind == TensorKind::constant || !isStorage(value.getType())) return std::nullopt;
    const auto memref = llvm::dyn_cast<mlir::BaseMemRefType>(value.getType());
    return memref ? memref.getMemorySpace() : mlir::Attribute();
}

} // namespace

void addMemorySpaces(Program& program, const std::vector<ReadFunction>& read)
{
    bool usesDefault = false;
    std::vector<std::string> names; // in the order of first use
    llvm::StringSet<> known;
    for (std::size_t f = 0; f < read.size(); ++f)
        for (std::size_t t = 0; t < read[f].values.size(); ++t) {
            const Tensor& tensor = program.functions[f].tensors[t];
            const auto space = tensor.planned ? spaceOf(tensor, read[f].values[t]) : std::nullopt;
            if (!space) continue;
            if (!*space)
                usesDefault = true;
            else if (std::string name = spacePool(*space); known.insert(name).second)
                names.push_back(std::move(name));
        }
    if (names.empty()) return;
    if (usesDefault) {
        names.insert(names.begin(), defaultSpacePool);
        known.insert(defaultSpacePool);
    }
    for (const std::string& name : names) program.pools.emplace_back().name = name;
    for (std::size_t f = 0; f < read.size(); ++f)
        for (std::size_t t = 0; t < read[f].values.size(); ++t) {
            Tensor& tensor = program.functions[f].tensors[t];
            const auto space = spaceOf(tensor, read[f].values[t]);
            if (!space) continue;
            std::string name = spacePool(*space);
            if (!known.contains(name)) continue;
            tensor.pools = {std::move(name)};
            if (!attribute(tensor.attributes, memorySpaceAttribute)) tensor.attributes.emplace_back(memorySpaceAttribute, "");
        }
}

} // namespace stowage::mlirfile
