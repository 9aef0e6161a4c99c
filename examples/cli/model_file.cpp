#include "model_file.hpp"

#include <ferry/core/error.hpp>
#include <ferry/files/file_kind.hpp>

#include <unistd.h>

#include <cerrno>
#include <system_error>

namespace cli {

ModelKind model_kind(const std::filesystem::path& path) {
    using ferry::ErrorKind;
    using ferry::files::FileKind;
    const auto refuse = [&](ErrorKind kind, const std::string& what, const std::string& hint) {
        throw ferry::Error(kind, what, {.hint = hint, .where = {.path = path.string()}});
    };
    const std::string known =
        "this program reads .pt2 (torch.export.save), TorchScript (torch.jit.save), ONNX and ExecuTorch files";
    FileKind kind = FileKind::unknown;
    try {
        kind = ferry::files::file_kind(path);
    } catch (const ferry::Error& error) {
        if (error.kind() != ErrorKind::bad_file) throw;
        refuse(error.kind(), error.message(), "the file is damaged, or not complete");
    }
    switch (kind) {
        case FileKind::pt2: return ModelKind::pt2;
        case FileKind::torchscript: return ModelKind::torchscript;
        case FileKind::onnx: return ModelKind::onnx;
        case FileKind::executorch: return ModelKind::executorch;
        case FileKind::safetensors:
            refuse(ErrorKind::invalid_input, "a .safetensors file holds tensors, not a model", known);
            break;
        case FileKind::torch_pickle:
            refuse(ErrorKind::invalid_input, "a file of torch.save holds objects of Python, not a program", known);
            break;
        case FileKind::other_zip:
        case FileKind::unknown: break;
    }
    refuse(ErrorKind::bad_file, "this is no file of a model", known);
    return ModelKind::pt2;
}

void check_output(const std::filesystem::path& path) {
    const auto folder = path.has_parent_path() ? path.parent_path() : std::filesystem::path(".");
    int error = 0;
    if (std::filesystem::is_directory(path))
        error = EISDIR;
    else if (::access(folder.c_str(), W_OK | X_OK) != 0)
        error = errno;
    if (error != 0) ferry::files::refused(path, "the file cannot be written", error);
}

}  // namespace cli
