// Python as the other side of a file format: scripts that write what Ferry reads, or check what Ferry wrote.
#pragma once

#include <unistd.h>

#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <span>
#include <string>
#include <vector>

namespace ferry_test {

/// A folder for as long as a test runs.
struct Folder {
    std::filesystem::path path;
    Folder() {
        static std::atomic<int> count{0};
        path = std::filesystem::temp_directory_path() /
               ("ferry_test_" + std::to_string(::getpid()) + '_' + std::to_string(count++));
        std::filesystem::create_directories(path);
    }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;
    ~Folder() {
        std::error_code ignored;
        std::filesystem::remove_all(path, ignored);
    }
    [[nodiscard]] std::filesystem::path operator/(const std::string& name) const { return path / name; }
};

/// Whether the script ran without an error; what it says goes where the test's output goes.
inline bool run_python(const std::string& python, const std::string& script,
                       const std::vector<std::string>& arguments) {
    std::string command = '"' + python + "\" -W ignore \"" + script + '"';
    for (const std::string& argument : arguments) command += " \"" + argument + '"';
    return std::system(command.c_str()) == 0;
}

inline std::vector<std::byte> read_bytes(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    const auto bytes = std::as_bytes(std::span(text));
    return {bytes.begin(), bytes.end()};
}

inline void write_bytes(const std::filesystem::path& path, std::span<const std::byte> bytes) {
    std::ofstream(path, std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
}

}  // namespace ferry_test
