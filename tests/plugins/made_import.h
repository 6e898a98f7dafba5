// Importing models made to measure, and looking at what comes out.
#pragma once

#include "core/ir/verify.h"
#include "tests/plugins/made_model.h"
#include "tests/plugins/tflite_support.h"

#include <algorithm>
#include <string_view>
#include <variant>

namespace stowage::test {

inline const Tensor* tensorNamed(const Function& function, std::string_view name)
{
    const auto found =
        std::find_if(function.tensors.begin(), function.tensors.end(), [&](const Tensor& t) { return t.name == name; });
    return found == function.tensors.end() ? nullptr : &*found;
}

/// What comes out of the importer has to hold together, whatever is tested about it.
inline Expected<Imported> importMade(const MadeModel& model, const char* subgraphs = "nested", const Bindings& bindings = {})
{
    auto imported = importBytes(bytesOf(model), {{"subgraphs", subgraphs}}, bindings);
    if (imported) {
        const Diagnostics wrong = verify(std::get<Program>(imported->content));
        if (!wrong.empty()) return wrong.front();
    }
    return imported;
}

inline const Program& program(const Expected<Imported>& imported)
{
    return std::get<Program>(imported->content);
}

inline bool hasDiagnostic(const Imported& imported, std::string_view code)
{
    return std::any_of(imported.diagnostics.begin(), imported.diagnostics.end(),
                       [&](const Diagnostic& d) { return codeText(d) == code; });
}

} // namespace stowage::test
