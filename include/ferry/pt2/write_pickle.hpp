#pragma once

#include <ferry/files/output_file.hpp>
#include <ferry/files/zip_writer.hpp>
#include <ferry/graph/c10_types.hpp>
#include <ferry/tree/tree.hpp>

#include <ATen/core/Tensor.h>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ferry::pt2 {

/// What torch.save writes for trees of Python's own containers, numbers, texts and tensors; Python loads it without running code.
class PickleWriter {
public:
    /// The file's bytes, or nothing where the tree has something else in it.
    [[nodiscard]] static std::optional<files::OutputBytes> write(const Tree& tree) {
        PickleWriter writer;
        writer.text_ = "\x80\x02";
        if (!writer.value(tree)) return std::nullopt;
        writer.text_ += '.';
        files::OutputBytes bytes;
        files::ZipWriter archive(bytes);
        archive.add("archive/data.pkl", writer.text_);
        archive.add("archive/byteorder", "little");
        for (std::size_t i = 0; i < writer.tensors_.size(); ++i)
            archive.add("archive/data/" + std::to_string(i),
                        std::span(static_cast<const std::byte*>(writer.tensors_[i].const_data_ptr()),
                                  static_cast<std::size_t>(writer.tensors_[i].nbytes())));
        archive.add("archive/version", "3\n");
        archive.finish();
        return bytes;
    }

private:
    [[nodiscard]] static std::string_view storage_class(DType dtype) noexcept {
        switch (dtype) {
            case DType::float32: return "FloatStorage";
            case DType::float64: return "DoubleStorage";
            case DType::float16: return "HalfStorage";
            case DType::bfloat16: return "BFloat16Storage";
            case DType::int64: return "LongStorage";
            case DType::int32: return "IntStorage";
            case DType::int16: return "ShortStorage";
            case DType::int8: return "CharStorage";
            case DType::uint8: return "ByteStorage";
            case DType::boolean: return "BoolStorage";
            case DType::complex64: return "ComplexFloatStorage";
            case DType::complex128: return "ComplexDoubleStorage";
            default: return {};
        }
    }

    void little(std::uint64_t number, std::size_t bytes) {
        for (std::size_t i = 0; i < bytes; ++i) text_ += static_cast<char>(number >> (8 * i));
    }
    void integer(std::int64_t number) {
        text_ += "\x8a\x08";  // LONG1 of eight bytes
        little(static_cast<std::uint64_t>(number), 8);
    }
    void string(std::string_view text) {
        text_ += 'X';
        little(text.size(), 4);
        text_ += text;
    }
    void name(std::string_view module, std::string_view member) {
        text_.append("c").append(module).append("\n").append(member) += '\n';
    }
    void sizes(at::IntArrayRef numbers) {
        text_ += '(';
        for (const std::int64_t each : numbers) integer(each);
        text_ += 't';
    }

    [[nodiscard]] bool tensor(const at::Tensor& given) {
        const at::Tensor tensor = given.detach().cpu().resolve_conj().resolve_neg().contiguous();
        const std::string_view storage = storage_class(to_dtype(tensor.scalar_type()));
        if (storage.empty() || tensor.is_meta()) return false;
        name("torch._utils", "_rebuild_tensor_v2");
        text_ += "((";
        string("storage");
        name("torch", storage);
        string(std::to_string(tensors_.size()));
        string("cpu");
        integer(tensor.numel());
        text_ += "tQ";
        integer(0);
        sizes(tensor.sizes());
        sizes(tensor.strides());
        text_ += given.requires_grad() ? '\x88' : '\x89';
        name("collections", "OrderedDict");
        text_ += ")RtR";
        tensors_.push_back(tensor);
        return true;
    }

    [[nodiscard]] bool leaf(const Leaf& leaf) {
        if (leaf.is_tensor()) {
            if (leaf.tensor().defined()) return tensor(leaf.tensor());
            text_ += 'N';
        } else if (const auto* flag = leaf.get_if<bool>()) {
            text_ += *flag ? '\x88' : '\x89';
        } else if (const auto* number = leaf.get_if<std::int64_t>()) {
            integer(*number);
        } else if (const auto* real = leaf.get_if<double>()) {
            text_ += 'G';
            const auto bits = std::bit_cast<std::uint64_t>(*real);
            for (int i = 7; i >= 0; --i) text_ += static_cast<char>(bits >> (8 * i));
        } else if (const auto* text = leaf.get_if<std::string>()) {
            string(*text);
        } else {
            text_ += 'N';
        }
        return true;
    }

    [[nodiscard]] bool value(const Tree& tree) {
        const TreeSpec::Kind kind = tree.spec.kind();
        if (kind == TreeSpec::Kind::leaf) return leaf(tree.leaves[0]);
        const bool is_dict = kind == TreeSpec::Kind::dict;
        if (!is_dict && kind != TreeSpec::Kind::list && kind != TreeSpec::Kind::tuple) return false;
        text_ += is_dict ? "}(" : kind == TreeSpec::Kind::list ? "](" : "(";
        const auto children = tree.children();
        for (std::size_t i = 0; i < children.size(); ++i) {
            if (is_dict) {
                if (!tree.spec.keys()[i].is_text()) return false;
                string(tree.spec.keys()[i].text());
            }
            if (!value(children[i])) return false;
        }
        text_ += is_dict ? 'u' : kind == TreeSpec::Kind::list ? 'e' : 't';
        return true;
    }

    std::string text_;
    std::vector<at::Tensor> tensors_;
};

}  // namespace ferry::pt2
