#include "plugins/mlir/module_text.h"

#include <mlir/AsmParser/AsmParser.h>
#include <mlir/Dialect/Affine/IR/AffineOps.h>
#include <mlir/Dialect/Arith/IR/Arith.h>
#include <mlir/Dialect/Bufferization/IR/Bufferization.h>
#include <mlir/Dialect/Complex/IR/Complex.h>
#include <mlir/Dialect/ControlFlow/IR/ControlFlow.h>
#include <mlir/Dialect/Func/IR/FuncOps.h>
#include <mlir/Dialect/Index/IR/IndexDialect.h>
#include <mlir/Dialect/LLVMIR/LLVMDialect.h>
#include <mlir/Dialect/Linalg/IR/Linalg.h>
#include <mlir/Dialect/Math/IR/Math.h>
#include <mlir/Dialect/MemRef/IR/MemRef.h>
#include <mlir/Dialect/SCF/IR/SCF.h>
#include <mlir/Dialect/Tensor/IR/Tensor.h>
#include <mlir/Dialect/Vector/IR/VectorOps.h>
#include <mlir/IR/Diagnostics.h>
#include <mlir/IR/Verifier.h>
#include <mlir/Parser/Parser.h>

#include <fmt/format.h>

namespace stowage::mlirfile {

namespace {

/// Where the string that begins before `from` ends; npos where it does not, or not on its line. A quarter of a second for a GiB:
/// what is looked for one by one is found 16 bytes at a time.
std::size_t closingQuote(std::string_view text, std::size_t from)
{
    for (;;) {
        const std::size_t end = text.find('"', from);
        if (end == std::string_view::npos) return end;
        const std::string_view inside = text.substr(from, end - from);
        if (inside.find('\n') != std::string_view::npos) return std::string_view::npos;
        const std::size_t escape = inside.find('\\');
        if (escape == std::string_view::npos) return end;
        from += escape + 2;
        if (from > text.size()) return std::string_view::npos;
    }
}

/// What the text asks for before anything of it is parsed: how deep it nests, and how long its literals are.
std::optional<Error> tooMuch(std::string_view text, const std::string& path)
{
    int depth = 0, angles = 0; // an angle bracket may be an arrow or a comparison: counted apart
    std::int32_t line = 1;
    std::size_t lineStart = 0;
    const auto here = [&](std::size_t at) {
        return Position{path, line, static_cast<std::int32_t>(at - lineStart) + 1, static_cast<std::int64_t>(at)};
    };
    for (std::size_t i = 0; i < text.size(); ++i) {
        switch (text[i]) {
        case '\n':
            ++line;
            lineStart = i + 1;
            break;
        case '/':
            if (i + 1 < text.size() && text[i + 1] == '/') i = std::min(text.find('\n', i), text.size()) - 1;
            break;
        case '"': {
            const std::size_t begin = i;
            const std::size_t end = closingQuote(text, begin + 1);
            if (end == std::string_view::npos) return std::nullopt; // the parser says so better
            const auto bytes = (static_cast<std::int64_t>(end - begin) - 3) / 2;
            if (text.substr(begin, 3) == "\"0x" && bytes > maxLiteralBytes)
                return failure(Code::tooLarge, fmt::format("a literal has {} bytes; the limit is {}", bytes, maxLiteralBytes),
                               here(begin), "keep the weights in arguments of the function, or in several literals");
            i = end;
            break;
        }
        case '{':
        case '(':
        case '[': ++depth; break;
        case '}':
        case ')':
        case ']': --depth; break;
        case '<': ++angles; break;
        case '>':
            if (angles > 0 && text[i - 1] != '-') --angles;
            break;
        default: break;
        }
        if (depth + angles > maxTextNesting)
            return failure(Code::tooDeep, fmt::format("regions and brackets nest deeper than {}", maxTextNesting), here(i),
                           "the file is damaged or made to do harm; no compiler writes such");
    }
    return std::nullopt;
}

/// Keeps the first error that MLIR reports.
class ErrorKeeper {
public:
    ErrorKeeper(mlir::MLIRContext& context, std::string path)
        : path_(std::move(path)), handler_(&context, [this](mlir::Diagnostic& diagnostic) {
              if (diagnostic.getSeverity() == mlir::DiagnosticSeverity::Error && message_.empty()) {
                  message_ = diagnostic.str();
                  where_ = positionOf(diagnostic.getLocation(), path_);
              }
              return mlir::success();
          })
    {
    }
    [[nodiscard]] Error error(Code code, const std::string& fallback, std::string remedy) const
    {
        return failure(code, message_.empty() ? fallback : message_, where_, std::move(remedy));
    }

private:
    std::string path_;
    std::string message_;
    Position where_{path_};
    mlir::ScopedDiagnosticHandler handler_;
};

/// The first op whose name has no dialect. MLIR's parser takes `linalg.map {exp}` for one, and its printer then writes `.exp`,
/// which no parser reads.
std::optional<Error> withoutDialect(mlir::ModuleOp module, const std::string& path)
{
    std::optional<Error> error;
    module->walk([&](mlir::Operation* op) {
        if (!op->getName().getDialectNamespace().empty()) return mlir::WalkResult::advance();
        const llvm::StringRef name = op->getName().getStringRef().ltrim('.');
        error = failure(Code::syntax, fmt::format("op '{}' has no dialect", std::string_view(name.data(), name.size())),
                        positionOf(op->getLoc(), path), "write its dialect before it, as in 'math.exp'");
        return mlir::WalkResult::interrupt();
    });
    return error;
}

} // namespace

Position positionOf(mlir::Location location, const std::string& path)
{
    Position where{path};
    location->walk([&](mlir::Location each) {
        if (auto place = llvm::dyn_cast<mlir::FileLineColLoc>(each)) {
            where.line = static_cast<std::int32_t>(place.getLine());
            where.column = static_cast<std::int32_t>(place.getColumn());
            return mlir::WalkResult::interrupt();
        }
        return mlir::WalkResult::advance();
    });
    return where;
}

Expected<ParsedModule> parseModule(std::string_view text, const std::string& path)
{
    if (auto error = tooMuch(text, path)) return *std::move(error);
    mlir::DialectRegistry registry;
    registry.insert<mlir::affine::AffineDialect, mlir::arith::ArithDialect, mlir::bufferization::BufferizationDialect,
                    mlir::cf::ControlFlowDialect, mlir::complex::ComplexDialect, mlir::func::FuncDialect,
                    mlir::index::IndexDialect, mlir::linalg::LinalgDialect, mlir::math::MathDialect, mlir::memref::MemRefDialect,
                    mlir::scf::SCFDialect, mlir::tensor::TensorDialect, mlir::vector::VectorDialect>();
    ParsedModule parsed;
    parsed.context = std::make_unique<mlir::MLIRContext>(registry, mlir::MLIRContext::Threading::DISABLED);
    parsed.context->allowUnregisteredDialects();
    parsed.sources = std::make_unique<llvm::SourceMgr>();
    parsed.names = std::make_unique<mlir::AsmParserState>();
    parsed.sources->AddNewSourceBuffer(llvm::MemoryBuffer::getMemBufferCopy({text.data(), text.size()}, path), llvm::SMLoc());
    ErrorKeeper keeper(*parsed.context, path);
    mlir::Block block;
    const mlir::ParserConfig config(parsed.context.get());
    if (mlir::failed(mlir::parseAsmSourceFile(*parsed.sources, &block, config, parsed.names.get())))
        return keeper.error(Code::syntax, "this is no MLIR module", "correct it; mlir-opt-19 reads the same dialects");
    auto only = block.getOperations().size() == 1 ? llvm::dyn_cast<mlir::ModuleOp>(block.front()) : mlir::ModuleOp();
    if (only) {
        only->remove();
        parsed.module = only;
    } else {
        parsed.module = mlir::ModuleOp::create(mlir::FileLineColLoc::get(parsed.context.get(), path, 1, 1));
        parsed.module->getBody()->getOperations().splice(parsed.module->getBody()->end(), block.getOperations());
        if (mlir::failed(mlir::verify(*parsed.module)))
            return keeper.error(Code::syntax, "the module does not verify", "correct it; mlir-opt-19 says the same");
    }
    if (auto error = withoutDialect(*parsed.module, path)) return *std::move(error);
    return parsed;
}

Expected<std::string> printModule(mlir::ModuleOp module, const std::string& path)
{
    ErrorKeeper keeper(*module.getContext(), path);
    if (mlir::failed(mlir::verify(module)))
        return keeper.error(Code::foldNotValid, "the rewritten module does not verify", "report it, with the module");
    std::string text;
    llvm::raw_string_ostream out(text);
    module.print(out);
    out << '\n';
    return text;
}

} // namespace stowage::mlirfile
