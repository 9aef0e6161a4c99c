#pragma once

#include <ferry/core/error.hpp>
#include <ferry/executorch/program.hpp>
#include <ferry/files/mapped_file.hpp>
#include <ferry/verify/executorch_interface.hpp>

#include <ATen/core/Tensor.h>
#include <dlfcn.h>

#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

/// ExecuTorch's runtime, where there is one: libferry_executorch_runtime.so beside the program, or what the environment's
/// FERRY_EXECUTORCH_RUNTIME names.
namespace ferry::runtime {
namespace detail {

[[nodiscard]] inline std::filesystem::path executorch_library() {
    if (const char* named = std::getenv("FERRY_EXECUTORCH_RUNTIME")) return named;
    return std::filesystem::canonical("/proc/self/exe").parent_path() / "libferry_executorch_runtime.so";
}

[[nodiscard]] inline const ExecutorchInterface& executorch_interface() {
    static const ExecutorchInterface* const found = [] {
        // With names of its own: those of libtorch, which this program has already, are others.
        void* const library = ::dlopen(executorch_library().c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND);
        void* const find = library != nullptr ? ::dlsym(library, "ferry_executorch_interface") : nullptr;
        if (find == nullptr)
            throw Error(ErrorKind::unsupported, std::string("ExecuTorch's runtime cannot be loaded: ") + ::dlerror(),
                        {.hint = "a library from ferry/verify/executorch_plugin.hpp is needed; the environment's "
                                 "FERRY_EXECUTORCH_RUNTIME says where it is"});
        return (*reinterpret_cast<FindExecutorchInterface*>(find))();
    }();
    return *found;
}

}  // namespace detail

/// A method of a loaded .pte file. What it keeps from run to run, a cache for one, is here: one session is one conversation.
class ExecutorchSession {
public:
    explicit ExecutorchSession(const std::filesystem::path& path, const std::string& method = "forward")
        : ExecutorchSession(files::MappedFile::open(path), method) {}
    /// The bytes of a file.
    explicit ExecutorchSession(std::string bytes, const std::string& method = "forward")
        : ExecutorchSession(std::make_shared<const std::string>(std::move(bytes)), method) {}

    /// One tensor for each input, in order. Numbers are tensors without dimensions, on either side; what is None stays away.
    [[nodiscard]] std::vector<at::Tensor> run(const std::vector<at::Tensor>& inputs) {
        return detail::executorch_interface().run(method_.get(), inputs);
    }

private:
    explicit ExecutorchSession(const std::shared_ptr<const files::MappedFile>& file, const std::string& method)
        : ExecutorchSession(file, file->bytes(), method) {}
    explicit ExecutorchSession(const std::shared_ptr<const std::string>& bytes, const std::string& method)
        : ExecutorchSession(bytes, std::as_bytes(std::span(*bytes)), method) {}
    ExecutorchSession(std::shared_ptr<const void> owner, std::span<const std::byte> bytes, const std::string& method)
        : owner_(std::move(owner)),
          method_(detail::executorch_interface().open(bytes, method), detail::executorch_interface().close) {}

    std::shared_ptr<const void> owner_;
    std::unique_ptr<void, void (*)(void*)> method_;
};

}  // namespace ferry::runtime

namespace ferry {

inline std::vector<at::Tensor> ExecutorchProgram::operator()(const std::vector<at::Tensor>& inputs) const {
    return runtime::ExecutorchSession(in_one_piece().buffer()).run(inputs);
}

}  // namespace ferry
