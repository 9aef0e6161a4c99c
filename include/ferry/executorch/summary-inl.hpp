#pragma once

#include <ferry/core/error.hpp>
#include <ferry/core/linkage.hpp>
#include <ferry/executorch/extended_header.hpp>
#include <ferry/executorch/flatbuffer.hpp>
#include <ferry/executorch/library.hpp>
#include <ferry/executorch/summary.hpp>
#include <ferry/executorch/xnnpack/read.hpp>
#include <ferry/files/mapped_file.hpp>

#include <ferry_schema/executorch/program_generated.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace ferry::executorch {
namespace detail {

namespace schema = ::ferry_schema::executorch_flatbuffer;

class FileReader {
public:
    explicit FileReader(std::span<const std::byte> file)
        : file_(file),
          header_(header_of(file)),
          program_(file.first(static_cast<std::size_t>(header_.program_size)), schema::ProgramIdentifier(),
                   "the program of the ExecuTorch file") {}

    [[nodiscard]] std::vector<MethodSummary> methods() const {
        std::vector<MethodSummary> made;
        made.reserve(count(program_->execution_plan()));
        for (flatbuffers::uoffset_t i = 0; i < count(program_->execution_plan()); ++i)
            made.push_back(summarize(*program_->execution_plan()->Get(i)));
        return made;
    }
    [[nodiscard]] std::uint64_t data_bytes() const {
        std::uint64_t bytes = 0;
        for (flatbuffers::uoffset_t i = 0; i < count(program_->segments()); ++i) bytes += segment(i).size();
        return bytes;
    }

private:
    using Plan = schema::ExecutionPlan;

    [[nodiscard]] static ExtendedHeader header_of(std::span<const std::byte> file) {
        const ExtendedHeader header = ExtendedHeader::read(file).value_or(ExtendedHeader{.program_size = file.size()});
        if (header.program_size > file.size())
            throw Error(ErrorKind::bad_file, "the ExecuTorch file is shorter than its header says");
        return header;
    }
    [[nodiscard]] std::span<const std::byte> segment(std::size_t index) const {
        const schema::DataSegment* place = item(program_->segments(), index, "segment");
        const std::uint64_t there = file_.size() - std::min<std::uint64_t>(header_.segments_at, file_.size());
        if (place->offset() > there || place->size() > there - place->offset())
            throw Error(ErrorKind::bad_file, "segment " + std::to_string(index) + " of the ExecuTorch file is cut off");
        return file_.subspan(static_cast<std::size_t>(header_.segments_at + place->offset()),
                             static_cast<std::size_t>(place->size()));
    }
    [[nodiscard]] MethodSummary summarize(const Plan& plan) const {
        MethodSummary made{.name = text(plan.name()), .delegates = count(plan.delegates())};
        read_slots(plan, plan.inputs(), made.inputs);
        read_slots(plan, plan.outputs(), made.outputs);
        for (flatbuffers::uoffset_t i = 0; i < count(plan.chains()); ++i)
            count_kernels(plan, *plan.chains()->Get(i), made);
        for (flatbuffers::uoffset_t i = 0; i < made.delegates; ++i) read_delegate(*plan.delegates()->Get(i), made);
        for (flatbuffers::uoffset_t i = 0; i < count(plan.non_const_buffer_sizes()); ++i)
            made.planned_bytes += static_cast<std::uint64_t>(plan.non_const_buffer_sizes()->Get(i));
        return made;
    }
    static void read_slots(const Plan& plan, const flatbuffers::Vector<std::int32_t>* values,
                           std::vector<MethodSlot>& into) {
        for (flatbuffers::uoffset_t i = 0; i < count(values); ++i)
            into.push_back(slot(*item(plan.values(), values->Get(i), "value")));
    }
    [[nodiscard]] static MethodSlot slot(const schema::EValue& value) {
        switch (value.val_type()) {
            case schema::KernelTypes::Tensor:
                return value.val_as_Tensor() ? slot(*value.val_as_Tensor()) : MethodSlot{};
            case schema::KernelTypes::Int:
                return slot("int", value.val_as_Int(), [](const auto& it) { return it.int_val(); });
            case schema::KernelTypes::Double:
                return slot("float", value.val_as_Double(), [](const auto& it) { return it.double_val(); });
            case schema::KernelTypes::Bool:
                return slot("bool", value.val_as_Bool(), [](const auto& it) { return it.bool_val(); });
            case schema::KernelTypes::String:
                return slot("str", value.val_as_String(), [](const auto& it) { return text(it.string_val()); });
            default: return {.type = "None"};
        }
    }
    /// A file may say of a value only what it is of.
    template <class Table, class Read>
    [[nodiscard]] static MethodSlot slot(const char* type, const Table* table, const Read& read) {
        return {.type = type, .value = table == nullptr ? tree::Context() : tree::Context(read(*table))};
    }
    [[nodiscard]] static MethodSlot slot(const schema::Tensor& tensor) {
        MethodSlot made{.type = "Tensor",
                        .dtype = dtype(tensor.scalar_type()),
                        .is_dynamic = tensor.shape_dynamism() != schema::TensorShapeDynamism::STATIC};
        for (flatbuffers::uoffset_t i = 0; i < count(tensor.sizes()); ++i) made.sizes.push_back(tensor.sizes()->Get(i));
        return made;
    }
    /// ExecuTorch numbers them as libtorch does.
    [[nodiscard]] static std::optional<DType> dtype(schema::ScalarType type) {
        const auto number = static_cast<std::int8_t>(type);
        return number >= 0 && number <= static_cast<std::int8_t>(DType::uint64)
                   ? std::optional(static_cast<DType>(number))
                   : std::nullopt;
    }
    static void count_kernels(const Plan& plan, const schema::Chain& chain, MethodSummary& into) {
        for (flatbuffers::uoffset_t i = 0; i < count(chain.instructions()); ++i) {
            const schema::KernelCall* const call = chain.instructions()->Get(i)->instr_args_as_KernelCall();
            if (call == nullptr) continue;
            const schema::Operator* const op = item(plan.operators(), call->op_index(), "operator");
            const std::string overload = text(op->overload());
            ++into.kernels[overload.empty() ? text(op->name()) : text(op->name()) + '.' + overload];
            ++into.kernel_calls;
        }
    }
    void read_delegate(const schema::BackendDelegate& delegate, MethodSummary& into) const {
        const std::string backend = text(delegate.id());
        ++into.backends[backend];
        if (backend == "XnnpackBackend" && delegate.processed() != nullptr)
            into.delegated_nodes += xnnpack::count_nodes(data_of(*delegate.processed()));
    }
    [[nodiscard]] std::span<const std::byte> data_of(const schema::BackendDelegateDataReference& place) const {
        if (place.location() == schema::DataLocation::SEGMENT) return segment(place.index());
        const auto* const data = item(program_->backend_delegate_data(), place.index(), "delegate's data")->data();
        return data == nullptr ? std::span<const std::byte>() : std::as_bytes(std::span(data->data(), data->size()));
    }

    std::span<const std::byte> file_;
    ExtendedHeader header_;
    Flatbuffer<schema::Program> program_;
};

}  // namespace detail

FERRY_INLINE FileSummary summarize(std::span<const std::byte> file) {
    meet_library();
    const detail::FileReader reader(file);
    return {.methods = reader.methods(), .data_bytes = reader.data_bytes()};
}

FERRY_INLINE std::vector<MethodSummary> summarize_program(std::span<const std::byte> program) {
    return detail::FileReader(program).methods();
}

FERRY_INLINE FileSummary summarize(const std::filesystem::path& path) try {
    return summarize(std::span<const std::byte>(files::MappedFile::open(path)->bytes()));
} catch (const Error& error) {
    if (error.kind() != ErrorKind::bad_file) throw;
    throw Error(error.kind(), error.message(), {.hint = error.hint(), .where = {.path = path.string()}});
}

}  // namespace ferry::executorch
