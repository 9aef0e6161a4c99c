#pragma once

#include <ferry/core/error.hpp>
#include <ferry/files/mapped_file.hpp>

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <span>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

namespace ferry::files {

/// A file that is there whole or not at all: written beside its place and moved there by commit().
class OutputFile {
public:
    explicit OutputFile(const std::filesystem::path& path) : target_(resolved(path)) {
        static std::atomic<unsigned> count{0};
        for (int attempt = 0; file_ < 0; ++attempt) {
            beside_ = target_;
            beside_ += ".part-" + std::to_string(::getpid()) + '-' + std::to_string(count++);
            file_ = ::open(beside_.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
            if (file_ < 0 && (errno != EEXIST || attempt == 100)) refused(path, "the file cannot be written", errno);
        }
    }
    OutputFile(const OutputFile&) = delete;
    OutputFile& operator=(const OutputFile&) = delete;
    ~OutputFile() {
        if (file_ < 0) return;
        ::close(file_);
        ::unlink(beside_.c_str());
    }

    void write(std::span<const std::byte> bytes) {
        put(bytes, size_);
        size_ += bytes.size();
    }
    /// Writes over what is there already.
    void patch(std::uint64_t place, std::span<const std::byte> bytes) { put(bytes, place); }
    [[nodiscard]] std::uint64_t size() const noexcept { return size_; }

    void commit() {
        if (::close(std::exchange(file_, -1)) != 0) abandon("the file cannot be written");
        if (std::rename(beside_.c_str(), target_.c_str()) != 0) abandon("the finished file cannot be put in its place");
    }

private:
    /// Through a symbolic link the file that it names is replaced, not the link.
    [[nodiscard]] static std::filesystem::path resolved(const std::filesystem::path& path) {
        std::error_code error;
        const auto status = std::filesystem::status(path, error);
        if (!std::filesystem::exists(status)) return path;
        if (!std::filesystem::is_regular_file(status))
            refused(path, "only a regular file can be replaced",
                    std::filesystem::is_directory(status) ? EISDIR : EINVAL);
        return std::filesystem::is_symlink(path, error) ? std::filesystem::canonical(path, error) : path;
    }

    void put(std::span<const std::byte> bytes, std::uint64_t place) const {
        constexpr std::size_t most = std::size_t{1} << 30;  // more than this in one call is refused by some systems
        while (!bytes.empty()) {
            const auto written = ::pwrite(file_, bytes.data(), std::min(bytes.size(), most), static_cast<off_t>(place));
            if (written < 0 && errno == EINTR) continue;
            if (written <= 0) refused(target_, "the file cannot be written", written < 0 ? errno : ENOSPC);
            bytes = bytes.subspan(static_cast<std::size_t>(written));
            place += static_cast<std::uint64_t>(written);
        }
    }

    [[noreturn]] void abandon(const char* what) const {
        const int error = errno;
        ::unlink(beside_.c_str());
        refused(target_, what, error);
    }

    std::filesystem::path target_;
    std::filesystem::path beside_;
    int file_ = -1;
    std::uint64_t size_ = 0;
};

/// The same in memory.
class OutputBytes {
public:
    void write(std::span<const std::byte> bytes) { bytes_.insert(bytes_.end(), bytes.begin(), bytes.end()); }
    void patch(std::uint64_t place, std::span<const std::byte> bytes) {
        std::copy(bytes.begin(), bytes.end(), bytes_.begin() + static_cast<std::ptrdiff_t>(place));
    }
    [[nodiscard]] std::uint64_t size() const noexcept { return bytes_.size(); }
    [[nodiscard]] std::span<const std::byte> bytes() const noexcept { return bytes_; }

private:
    std::vector<std::byte> bytes_;
};

}  // namespace ferry::files
