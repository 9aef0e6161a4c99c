#pragma once

#include <ferry/capture/dim.hpp>
#include <ferry/core/error.hpp>
#include <ferry/core/type_list.hpp>
#include <ferry/generation/tasks/task_source.hpp>
#include <ferry/models/any_model.hpp>
#include <ferry/tree/context.hpp>
#include <ferry/tree/inputs.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// What a model is exported for. A task is a type:
/// - `names`, by which it is asked for,
/// - `needs`, which models it is for, in words, and `fits(const TaskSource&)`, whether this is one,
/// - `sample(const TaskSource&)`, inputs of the model as a whole,
/// - `program(const TaskSource&, const TaskOptions&)`, the methods of the one file that a runner of that task takes.
namespace ferry::generation {

struct TaskOptions {
    std::optional<std::int64_t>
        max_seq_len{};  ///< room for so many tokens; else the model's most, but no more than 2048
    std::int64_t max_hidden_seq_len = 4096;     ///< of texts that an encoder reads
    bool is_dynamic = true;                     ///< false: one token at a call
};

/// A method of a runner's file: a model by itself, what it is called with, and what of that may vary.
struct TaskMethod {
    std::string name;
    AnyModel model;
    Inputs inputs;
    DynamicShapes dynamic_shapes{};
};

/// What a runner asks a file for, by the names of its methods: numbers, texts, or lists of them.
using TaskMetadata = std::vector<std::pair<std::string, tree::Context>>;

struct TaskProgram {
    std::vector<TaskMethod> methods;
    TaskMetadata metadata;
};

/// A task behind one type.
struct Task {
    std::string_view needs;
    bool (*fits)(const TaskSource& source);
    Inputs (*sample)(const TaskSource& source);
    TaskProgram (*program)(const TaskSource& source, const TaskOptions& options);
};

/// Finds a task of a list by its name.
template <class Tasks>
struct TaskFinder;
template <class... Tasks>
struct TaskFinder<type_list<Tasks...>> {
    [[nodiscard]] static Task find(std::string_view name) {
        std::optional<Task> found;
        std::string known;
        const auto look = [&]<class Kind>(const Kind*) {
            for (const std::string_view each : Kind::names.each) {
                known.append(known.empty() ? "" : ", ").append(each);
                if (each == name) found = Task{Kind::needs, &Kind::fits, &Kind::sample, &Kind::program};
            }
        };
        (look(static_cast<const Tasks*>(nullptr)), ...);
        if (!found)
            throw Error(ErrorKind::invalid_input, "The task '" + std::string(name) + "' isn't registered",
                        {.hint = "there are: " + known});
        return *found;
    }

    /// The same for a model: one of another task is refused.
    [[nodiscard]] static Task find(std::string_view name, const TaskSource& source) {
        const Task task = find(name);
        if (!task.fits(source))
            throw Error(ErrorKind::invalid_input,
                        "the task '" + std::string(name) + "' is for " + std::string(task.needs) + ", and " +
                            source.architecture + " is none",
                        {.hint = "choose another --task, or none"});
        return task;
    }
};

}  // namespace ferry::generation
