#pragma once

#include <ferry/core/error.hpp>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <system_error>

namespace ferry::files {

[[noreturn]] inline void refused(const std::filesystem::path& path, const std::string& what, int error) {
    throw Error(ErrorKind::io, what + ": " + std::generic_category().message(error),
                {.where = {.path = path.string()}});
}

/// A file as memory, read where it is touched. Writing to the memory changes neither the file nor what others see of it.
/// Whoever uses the bytes keeps the shared pointer. The file must not be cut short meanwhile: replace files, as OutputFile does.
class MappedFile {
public:
    [[nodiscard]] static std::shared_ptr<const MappedFile> open(const std::filesystem::path& path) {
        return std::shared_ptr<const MappedFile>(new MappedFile(path));
    }
    MappedFile(const MappedFile&) = delete;
    MappedFile& operator=(const MappedFile&) = delete;
    ~MappedFile() {
        if (size_ != 0) ::munmap(data_, size_);
    }

    [[nodiscard]] std::span<std::byte> bytes() const noexcept { return {static_cast<std::byte*>(data_), size_}; }
    [[nodiscard]] const std::filesystem::path& path() const noexcept { return path_; }

private:
    explicit MappedFile(const std::filesystem::path& path) : path_(path) {
        const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
        if (file < 0) refused(path, "the file cannot be opened", errno);
        struct stat status{};
        int error = ::fstat(file, &status) == 0 ? 0 : errno;
        if (error == 0 && !S_ISREG(status.st_mode)) error = S_ISDIR(status.st_mode) ? EISDIR : EINVAL;
        if (error == 0 && status.st_size > 0) {
            void* data = ::mmap(nullptr, static_cast<std::size_t>(status.st_size), PROT_READ | PROT_WRITE,
                                MAP_PRIVATE | MAP_NORESERVE, file, 0);
            if (data == MAP_FAILED) {
                error = errno;
            } else {
                data_ = data;
                size_ = static_cast<std::size_t>(status.st_size);
            }
        }
        ::close(file);
        if (error != 0) refused(path, "the file cannot be read", error);
    }

    std::filesystem::path path_;
    void* data_ = nullptr;
    std::size_t size_ = 0;
};

}  // namespace ferry::files
