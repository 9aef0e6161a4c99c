// rejects: ferry: an input preparer needs `input`, the name of the input that it is for, or several
#include <ferry/core/extend.hpp>
#include <ferry/core/kinds.hpp>

#include <string_view>

struct my_stages : ferry::stages<"mine", ferry::stage<"signature", ferry::input_preparers>> {};
using base = ferry::pipeline<my_stages>;

struct lengths {
    static constexpr std::string_view input = "pixel_values";
#ifdef FERRY_REJECT
    static ferry::Inputs prepare(const ferry::Inputs&);
#else
    static void prepare(ferry::Inputs&);
#endif
};
using mine = ferry::extend<base, ferry::input_preparers<lengths>>;
mine used;
