// Importing ONNX models made to measure, as the worker does in its own process.
#pragma once

#include "core/ir/verify.h"
#include "plugins/onnx/onnx_importer.h"
#include "tests/plugins/importing.h"
#include "tests/plugins/made_onnx.h"

#include <string>

namespace stowage::test {

/// What comes out of the importer has to hold together, whatever is tested about it.
inline Expected<Imported> import(const onnx::ModelProto& model, const Options& options = {}, const Bindings& bindings = {})
{
    const std::string bytes = model.SerializeAsString();
    auto imported = OnnxImporter().import({"model.onnx", bytes, bindings, options});
    if (imported)
        for (const Diagnostic& finding : verify(std::get<Program>(imported->content)))
            if (finding.severity == Severity::error) return finding;
    return imported;
}

/// Where the wire format of `part` begins in the file: found as text, so independent of the reader. The parts looked for are
/// unique.
inline std::int64_t placeOf(const onnx::ModelProto& model, const google::protobuf::Message& part)
{
    return static_cast<std::int64_t>(model.SerializeAsString().find(part.SerializeAsString()));
}

} // namespace stowage::test
