#pragma once

#include <ferry/verify/discrepancies.hpp>

#include <string>

namespace ferry {

/// For people: a line for each call.
[[nodiscard]] std::string to_table(const Discrepancies& rows);
/// For programs: a list of objects under the names of Discrepancy's members; null where there is no number.
[[nodiscard]] std::string to_json(const Discrepancies& rows);

}  // namespace ferry

#ifndef FERRY_COMPILED
#include <ferry/verify/discrepancy_report-inl.hpp>
#endif
