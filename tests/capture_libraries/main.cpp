// Two libraries that each vendor Ferry, in one process: both capture, in turns and at once, and one goes on after the other is unloaded.
#include <ATen/Parallel.h>

#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>
#include <functional>
#include <thread>

namespace {

struct Library {
    Library(const char* path, double its_factor) : handle(dlopen(path, RTLD_NOW | RTLD_LOCAL)), factor(its_factor) {
        if (handle == nullptr) std::fprintf(stderr, "%s\n", dlerror()), std::exit(1);
        function = reinterpret_cast<int (*)(double)>(dlsym(handle, "capture"));
    }
    [[nodiscard]] int capture() const { return function(factor); }
    void* handle;
    double factor;
    int (*function)(double);
};

int expected = 0;

void check(const char* what, int nodes) {
    if (expected == 0) expected = nodes;
    std::printf("%s: %d nodes\n", what, nodes);
    if (nodes <= 0 || nodes != expected) std::exit(1);
}

}  // namespace

int main(int, char** argv) {
    at::set_num_threads(
        1);  // the program itself brings libtorch: loaded by a library, it would keep that one from being unloaded
    Library first(argv[1], 1.5);
    Library second(argv[2], 2.5);
    for (int i = 0; i < 3; ++i) {
        check("first", first.capture());
        check("second", second.capture());
    }
    int nodes[2] = {0, 0};
    const auto repeat = [](const Library& library, int& result) {
        for (int i = 0; i < 20 && result >= 0; ++i) result = library.capture();
    };
    std::thread one(repeat, std::cref(first), std::ref(nodes[0]));
    std::thread two(repeat, std::cref(second), std::ref(nodes[1]));
    one.join();
    two.join();
    check("first, at once", nodes[0]);
    check("second, at once", nodes[1]);
    dlclose(first.handle);  // its Ferry had registered the fallback
    if (dlopen(argv[1], RTLD_NOW | RTLD_NOLOAD) != nullptr) std::puts("the first library stays loaded"), std::exit(1);
    check("second, alone", second.capture());
    Library again(argv[1], 3.5);
    check("first, again", again.capture());
    check("second, once more", second.capture());
}
