#pragma once

#include <cstdint>
#include <vector>

namespace ferry {

struct GenerationOptions {
    std::int64_t max_new_tokens = 20;
    std::int64_t min_new_tokens = 0;             ///< before so many, no text ends
    std::vector<std::int64_t> eos_token_ids{};   ///< a text ends with one of them; none: when it is long enough
    std::int64_t pad_token_id = 0;               ///< behind the end of a text
    std::int64_t decoder_start_token_id = 0;     ///< what the decoder behind an encoder begins with
    std::int64_t static_cache_length = 0;        ///< above 0: a cache with room for so many tokens, written in place
    bool multi_token_decode = false;             ///< of exports: the part "decode" takes any number of tokens
    bool do_sample = false;                      ///< false: always the likeliest token
    double temperature = 1;
    std::int64_t top_k = 0;  ///< 0: among all
    double top_p = 1;
    std::uint64_t seed = 0;
};

}  // namespace ferry
