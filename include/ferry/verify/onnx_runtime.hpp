#pragma once

#include <ferry/core/error.hpp>
#include <ferry/graph/c10_types.hpp>
#include <ferry/onnx/ir/dtypes.hpp>

#include <ATen/core/Tensor.h>
#include <ATen/ops/from_blob.h>
#include <onnxruntime_c_api.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

/// ONNX Runtime in this process, through its C interface: the one that stays the same between its versions.
namespace ferry::runtime {
namespace detail {

[[nodiscard]] inline const OrtApi& ort() {
    static const OrtApi* const api = OrtGetApiBase()->GetApi(ORT_API_VERSION);
    if (api == nullptr)
        throw Error(ErrorKind::version, std::string("this ONNX Runtime is older than the header: it is ") +
                                            OrtGetApiBase()->GetVersionString());
    return *api;
}

inline void check(OrtStatus* status) {
    if (status == nullptr) return;
    const bool is_missing = ort().GetErrorCode(status) == ORT_NOT_IMPLEMENTED;
    std::string message = ort().GetErrorMessage(status);
    ort().ReleaseStatus(status);
    throw Error(is_missing ? ErrorKind::unsupported : ErrorKind::invalid_input, "ONNX Runtime: " + message);
}

struct OrtReleaser {
    void operator()(OrtEnv* env) const { ort().ReleaseEnv(env); }
    void operator()(OrtSession* session) const { ort().ReleaseSession(session); }
    void operator()(OrtSessionOptions* options) const { ort().ReleaseSessionOptions(options); }
    void operator()(OrtMemoryInfo* memory) const { ort().ReleaseMemoryInfo(memory); }
    void operator()(OrtValue* value) const { ort().ReleaseValue(value); }
    void operator()(OrtTensorTypeAndShapeInfo* info) const { ort().ReleaseTensorTypeAndShapeInfo(info); }
};
template <class Type>
using OrtOwned = std::unique_ptr<Type, OrtReleaser>;

/// What a function of the C interface makes through its last parameter.
template <class Type, class Make>
[[nodiscard]] OrtOwned<Type> made_by(Make&& make) {
    Type* made = nullptr;
    check(make(&made));
    return OrtOwned<Type>(made);
}

[[nodiscard]] inline OrtEnv& ort_environment() {
    static const auto environment =
        made_by<OrtEnv>([](OrtEnv** out) { return ort().CreateEnv(ORT_LOGGING_LEVEL_ERROR, "ferry", out); });
    return *environment;
}

[[nodiscard]] inline c10::ScalarType scalar_type(ONNXTensorElementDataType element) {
    if (const auto dtype = onnx::dtype_of(static_cast<std::int32_t>(element))) return to_c10(*dtype);
    throw Error(ErrorKind::unsupported, "ONNX Runtime gives a tensor of a type that libtorch does not have");
}

/// A dense tensor of the CPU as ONNX Runtime has it: the same memory, which must outlive the value.
[[nodiscard]] inline OrtOwned<OrtValue> as_ort_value(const at::Tensor& dense) {
    static const auto memory = made_by<OrtMemoryInfo>(
        [](auto** out) { return ort().CreateCpuMemoryInfo(OrtArenaAllocator, OrtMemTypeDefault, out); });
    static char nothing = 0;  // an empty tensor has no memory, and a null pointer is refused
    const auto element = static_cast<ONNXTensorElementDataType>(onnx::element_type(to_dtype(dense.scalar_type())));
    void* data = dense.nbytes() != 0 ? const_cast<void*>(dense.const_data_ptr()) : &nothing;
    return made_by<OrtValue>([&](auto** out) {
        return ort().CreateTensorWithDataAsOrtValue(memory.get(), data, dense.nbytes(), dense.sizes().data(),
                                                    dense.sizes().size(), element, out);
    });
}

/// Tensors with their names, as the C interface takes them.
class OrtTensors {
public:
    void add(const std::string& name, const at::Tensor& tensor) {
        values_.push_back(as_ort_value(dense_.emplace_back(tensor.detach().cpu().contiguous())));
        given_.push_back(values_.back().get());
        names_.push_back(name.c_str());
    }
    [[nodiscard]] const char* const* names() const noexcept { return names_.data(); }
    [[nodiscard]] const OrtValue* const* values() const noexcept { return given_.data(); }
    [[nodiscard]] std::size_t size() const noexcept { return names_.size(); }

private:
    std::vector<at::Tensor> dense_;
    std::vector<OrtOwned<OrtValue>> values_;
    std::vector<const OrtValue*> given_;
    std::vector<const char*> names_;
};

}  // namespace detail

/// Weights that a model in memory says to be in a file.
using NamedWeights = std::vector<std::pair<std::string, at::Tensor>>;

struct SessionOptions {
    int threads = 0;        ///< within an op; 0: as ONNX Runtime likes
    bool optimize = true;   ///< ONNX Runtime's own changes to the model
};

/// A loaded model. Tensors go in and come out without copies; one that comes out keeps ONNX Runtime's memory as long as it lives.
class OnnxSession {
public:
    explicit OnnxSession(const std::filesystem::path& path, SessionOptions options = {})
        : session_(load(options, {}, [&](const OrtSessionOptions& settings, OrtSession** out) {
              return detail::ort().CreateSession(&detail::ort_environment(), path.c_str(), &settings, out);
          })) {
        read_names();
    }
    explicit OnnxSession(std::span<const std::byte> model, SessionOptions options = {},
                         const NamedWeights& weights = {})
        : session_(load(options, weights, [&](const OrtSessionOptions& settings, OrtSession** out) {
              return detail::ort().CreateSessionFromArray(&detail::ort_environment(), model.data(), model.size(),
                                                          &settings, out);
          })) {
        read_names();
    }

    [[nodiscard]] const std::vector<std::string>& input_names() const noexcept { return inputs_; }
    [[nodiscard]] const std::vector<std::string>& output_names() const noexcept { return outputs_; }

    /// One tensor for each input, in order.
    [[nodiscard]] std::vector<at::Tensor> run(const std::vector<at::Tensor>& inputs) const;

private:
    template <class Make>
    [[nodiscard]] static detail::OrtOwned<OrtSession> load(SessionOptions options, const NamedWeights& weights,
                                                           Make&& make) {
        const auto settings =
            detail::made_by<OrtSessionOptions>([](auto** out) { return detail::ort().CreateSessionOptions(out); });
        detail::check(detail::ort().SetIntraOpNumThreads(settings.get(), options.threads));
        detail::check(detail::ort().SetSessionGraphOptimizationLevel(
            settings.get(), options.optimize ? ORT_ENABLE_ALL : ORT_DISABLE_ALL));
        detail::OrtTensors given;
        for (const auto& [name, tensor] : weights) given.add(name, tensor);
        if (given.size() != 0)
            detail::check(
                detail::ort().AddExternalInitializers(settings.get(), given.names(), given.values(), given.size()));
        return detail::made_by<OrtSession>([&](OrtSession** out) { return make(*settings, out); });
    }
    void read_names();
    [[nodiscard]] static at::Tensor to_tensor(detail::OrtOwned<OrtValue> value);

    detail::OrtOwned<OrtSession> session_;
    std::vector<std::string> inputs_;
    std::vector<std::string> outputs_;
};

inline void OnnxSession::read_names() {
    OrtAllocator* allocator = nullptr;
    detail::check(detail::ort().GetAllocatorWithDefaultOptions(&allocator));
    const auto read = [&](auto get_count, auto get_name, std::vector<std::string>& names) {
        std::size_t count = 0;
        detail::check(get_count(session_.get(), &count));
        names.reserve(count);
        for (std::size_t i = 0; i < count; ++i) {
            char* name = nullptr;
            detail::check(get_name(session_.get(), i, allocator, &name));
            names.emplace_back(name);
            allocator->Free(allocator, name);
        }
    };
    read(detail::ort().SessionGetInputCount, detail::ort().SessionGetInputName, inputs_);
    read(detail::ort().SessionGetOutputCount, detail::ort().SessionGetOutputName, outputs_);
}

inline at::Tensor OnnxSession::to_tensor(detail::OrtOwned<OrtValue> value) {
    const auto info = detail::made_by<OrtTensorTypeAndShapeInfo>(
        [&](auto** out) { return detail::ort().GetTensorTypeAndShape(value.get(), out); });
    ONNXTensorElementDataType element{};
    detail::check(detail::ort().GetTensorElementType(info.get(), &element));
    std::size_t rank = 0;
    detail::check(detail::ort().GetDimensionsCount(info.get(), &rank));
    std::vector<std::int64_t> sizes(rank);
    detail::check(detail::ort().GetDimensions(info.get(), sizes.data(), rank));
    void* data = nullptr;
    detail::check(detail::ort().GetTensorMutableData(value.get(), &data));
    const std::shared_ptr<OrtValue> owner(std::move(value));
    return at::from_blob(data, sizes, [owner](void*) {}, at::TensorOptions(detail::scalar_type(element)));
}

inline std::vector<at::Tensor> OnnxSession::run(const std::vector<at::Tensor>& inputs) const {
    if (inputs.size() != inputs_.size())
        throw Error(ErrorKind::invalid_input, "the model takes " + std::to_string(inputs_.size()) + " tensors, " +
                                                  std::to_string(inputs.size()) + " were given");
    detail::OrtTensors given;
    for (std::size_t i = 0; i < inputs.size(); ++i) given.add(inputs_[i], inputs[i]);
    std::vector<const char*> output_names;
    output_names.reserve(outputs_.size());
    for (const std::string& name : outputs_) output_names.push_back(name.c_str());
    std::vector<OrtValue*> results(outputs_.size(), nullptr);
    detail::check(detail::ort().Run(session_.get(), nullptr, given.names(), given.values(), given.size(),
                                    output_names.data(), output_names.size(), results.data()));
    std::vector<detail::OrtOwned<OrtValue>> owned;
    owned.reserve(results.size());
    for (OrtValue* result : results) owned.emplace_back(result);
    std::vector<at::Tensor> outputs;
    outputs.reserve(owned.size());
    for (auto& each : owned) outputs.push_back(to_tensor(std::move(each)));
    return outputs;
}

}  // namespace ferry::runtime
