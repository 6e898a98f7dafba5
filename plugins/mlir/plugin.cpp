#include "plugins/api/plugin.h"
#include "plugins/mlir/entry_points.h"

#include <QObject>

#ifndef STOWAGE_WITHOUT_MLIR
#include <dlfcn.h>

#include <filesystem>
#endif

namespace stowage {

namespace {

/// The reader, loaded when it is first needed; it stays loaded. It lies in the folder above the plugins'.
Expected<mlirfile::EntryPoints> entryPoints(const std::string& path)
{
#ifdef STOWAGE_WITHOUT_MLIR
    return failure(Code::notAvailable,
                   "this build of Stowage does not read MLIR modules of upstream dialects: it was made without MLIR", {path},
                   "build it with -DSTOWAGE_MLIR=ON, which needs libmlir-19-dev, llvm-19-dev and mlir-19-tools");
#else
    Dl_info here{};
    std::string folder;
    static const char anchor = 0;
    if (::dladdr(&anchor, &here) != 0 && here.dli_fname) folder = std::filesystem::path(here.dli_fname).parent_path().string();
    void* library = ::dlopen((folder + "/../libstowage-mlir-reader.so").c_str(), RTLD_NOW | RTLD_LOCAL);
    void* symbol = library ? ::dlsym(library, mlirfile::entryPointsName) : nullptr;
    if (!symbol) {
        const char* why = ::dlerror();
        return failure(Code::pluginLoad, std::string("the reader of MLIR cannot be loaded: ") + (why ? why : "no reason given"),
                       {path}, "install libmlir-19");
    }
    return reinterpret_cast<mlirfile::GetEntryPoints>(symbol)();
#endif
}

class MlirImporter final : public Importer {
public:
    MlirImporter()
        : info_{"mlir",
                "MLIR module of upstream dialects",
                {"mlir"},
                {{"io",
                  OptionType::choice,
                  "excluded",
                  "whether arguments and results of functions are planned",
                  {"included", "excluded"}}}}
    {
    }
    [[nodiscard]] const ImporterInfo& info() const override { return info_; }
    /// Ascend's kernels are MLIR, too, and its own reader claims them more surely.
    [[nodiscard]] int claims(std::string_view head, std::string_view path) const override
    {
        for (const std::string_view word : {"func.func", "builtin.module", "memref.global", "#map = affine_map<"})
            if (head.find(word) != std::string_view::npos) return 80;
        return path.ends_with(".mlir") ? 20 : 0;
    }
    [[nodiscard]] Expected<Imported> import(const ImportRequest& request) const override
    {
        const auto reader = entryPoints(request.path);
        if (!reader) return reader.error();
        return reader->import(request);
    }

private:
    ImporterInfo info_;
};

class MlirRewriter final : public Rewriter {
public:
    [[nodiscard]] std::string importer() const override { return "mlir"; }
    [[nodiscard]] Expected<Rewritten> rewrite(const RewriteRequest& request) const override
    {
        const auto reader = entryPoints(request.path);
        if (!reader) return reader.error();
        return reader->rewrite(request);
    }
};

} // namespace

class MlirPlugin : public QObject, public Plugin {
    Q_OBJECT
    Q_PLUGIN_METADATA(IID STOWAGE_PLUGIN_IID FILE "plugin.json")
    Q_INTERFACES(stowage::Plugin)

public:
    std::vector<std::shared_ptr<const Importer>> importers() const override { return {std::make_shared<MlirImporter>()}; }
    std::vector<std::shared_ptr<const Rewriter>> rewriters() const override { return {std::make_shared<MlirRewriter>()}; }
};

} // namespace stowage

#include "plugin.moc"
