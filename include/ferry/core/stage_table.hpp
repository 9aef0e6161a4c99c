#pragma once

#include <ferry/core/op_name.hpp>
#include <ferry/core/pipeline.hpp>
#include <ferry/core/type_name.hpp>

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// What a pipeline is made of, read off its lists: for people (`ferry stages`, README) and for programs.
namespace ferry {

struct EntryInfo {
    std::string_view name;
    std::vector<std::string_view> ops;
};

struct ListInfo {
    std::string_view kind;
    std::vector<EntryInfo> entries;
};

struct StageInfo {
    std::size_t number = 0;
    std::string_view name;
    std::vector<ListInfo> lists;
};

namespace detail {

template <class Entry>
EntryInfo entry_info() {
    EntryInfo info{short_type_name<Entry>(), {}};
    if constexpr (targets_ops<Entry>) {
        for (const op_name op : Entry::target) info.ops.push_back(op.text());
        // What a template makes of an op goes by the op's own name.
        if (info.name.find('<') != std::string_view::npos) info.name = info.ops[0].substr(info.ops[0].find("::") + 2);
    }
    return info;
}

template <template <class...> class Kind, class... Entries>
ListInfo list_info(const Kind<Entries...>&) {
    return {Kind<>::label, {entry_info<Entries>()...}};
}

template <class Pipeline, class... Stages>
std::vector<StageInfo> stage_infos(const type_list<Stages...>&) {
    std::size_t number = 0;
    const auto info = [&]<class Name, class... Kinds>(Name name, const type_list<Kinds...>&) {
        return StageInfo{++number, name, {list_info(typename Pipeline::template gathered<Kinds>{})...}};
    };
    return {info(Stages::name, typename Stages::kinds{})...};
}

}  // namespace detail

/// The stages of the pipeline's backend, each with the entries that it will run.
template <class Pipeline>
[[nodiscard]] std::vector<StageInfo> describe_stages() {
    return detail::stage_infos<Pipeline>(typename Pipeline::stages::steps{});
}

/// A Markdown table, one row for each stage. Of many entries it has the first ones; op_list() has all.
[[nodiscard]] inline std::string stage_table(std::span<const StageInfo> stages) {
    constexpr std::size_t most = 24;
    std::string table = "| # | stage | takes | entries |\n|---|---|---|---|\n";
    for (const StageInfo& stage : stages) {
        std::string takes;
        std::string entries;
        std::size_t count = 0;
        for (const ListInfo& list : stage.lists) {
            takes.append(takes.empty() ? "`" : ", `").append(list.kind).append("`");
            for (const EntryInfo& entry : list.entries)
                if (count++ < most) entries.append(entries.empty() ? "`" : ", `").append(entry.name).append("`");
        }
        if (count > most) entries.append(" and ").append(std::to_string(count - most)).append(" more");
        table.append("| ").append(std::to_string(stage.number)).append(" | ").append(stage.name);
        table.append(" | ").append(takes.empty() ? "no list" : takes);
        table.append(" | ").append(entries.empty() ? "none" : entries).append(" |\n");
    }
    return table;
}

/// One line for each entry that targets ops: `masked_fill: aten::masked_fill.Scalar, aten::masked_fill.Tensor`.
[[nodiscard]] inline std::string op_list(std::span<const StageInfo> stages) {
    std::string lines;
    for (const StageInfo& stage : stages)
        for (const ListInfo& list : stage.lists)
            for (const EntryInfo& entry : list.entries) {
                std::string_view separator = ": ";
                lines.append(entry.name);
                for (const std::string_view op : entry.ops) {
                    lines.append(separator).append(op);
                    separator = ", ";
                }
                lines += '\n';
            }
    return lines;
}

}  // namespace ferry
