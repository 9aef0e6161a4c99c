#pragma once

#include <ferry/program/exported_program.hpp>

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_set>

namespace ferry::pt2 {

/// What the tensors of a program are called in a file. A C++ module may have a submodule `modules` or a buffer `training`; in the
/// modules that Python makes of a program these are `modules_` and `training_`.
class TargetNames {
public:
    explicit TargetNames(const ExportedProgram& program) {
        for (const InputSpec& input : program.signature.inputs) taken_.insert(input.target);
    }

    [[nodiscard]] std::string operator()(std::string_view target) const {
        std::string made;
        bool is_other = false;
        for (std::size_t begin = 0; begin <= target.size();) {
            const std::size_t end = std::min(target.find('.', begin), target.size());
            const std::string_view part = target.substr(begin, end - begin);
            made.append(begin == 0 ? "" : ".").append(part);
            const bool is_attribute = python_attributes.find(' ' + std::string(part) + ' ') != std::string_view::npos;
            if (is_attribute) made += '_', is_other = true;
            begin = end + 1;
        }
        while (is_other && taken_.contains(made)) made += '_';
        return made;
    }

private:
    /// What every module of Python has as an attribute of its own, so that no parameter, buffer or submodule can be called so.
    static constexpr std::string_view python_attributes =
        " T_destination _apply _backward_hooks _backward_pre_hooks _boxed_call _buffers _call_impl _code "
        "_compiled_call_impl _create_node_hooks _deepcopy_hooks _deepcopy_init _erase_node_hooks _forward_hooks "
        "_forward_hooks_always_called _forward_hooks_with_kwargs _forward_pre_hooks _forward_pre_hooks_with_kwargs "
        "_get_backward_hooks _get_backward_pre_hooks _get_name _graph _is_full_backward_hook _lineno_map "
        "_load_from_state_dict _load_state_dict_post_hooks _load_state_dict_pre_hooks _maybe_warn_non_full_backward_hook "
        "_modules _named_members _non_persistent_buffers_set _parameters _prologue_start _recompile_submodules "
        "_register_create_node_hook _register_deepcopy_hook _register_erase_node_hook _register_load_state_dict_pre_hook "
        "_register_replace_node_hook _register_state_dict_hook _replace_hooks _replicate_for_data_parallel "
        "_save_to_state_dict _set_replace_hook _slow_forward _state_dict_hooks _state_dict_pre_hooks _tracer_cls "
        "_tracer_extras _unregister_create_node_hook _unregister_deepcopy_hook _unregister_erase_node_hook "
        "_unregister_replace_node_hook _version _wrapped_call _wrapped_call_impl add_module add_submodule apply "
        "bfloat16 buffers "
        "call_super_init children code compile cpu cuda delete_all_unused_submodules delete_submodule double "
        "dump_patches eval extra_repr float forward get_buffer get_extra_state get_parameter get_submodule graph half "
        "ipu load_state_dict meta modules mtia named_buffers named_children named_modules named_parameters parameters "
        "print_readable recompile register_backward_hook register_buffer register_forward_hook register_forward_pre_hook "
        "register_full_backward_hook register_full_backward_pre_hook register_load_state_dict_post_hook "
        "register_load_state_dict_pre_hook register_module register_parameter register_state_dict_post_hook "
        "register_state_dict_pre_hook requires_grad_ set_extra_state set_submodule shape_env share_memory state_dict to "
        "to_empty to_folder train training type xpu zero_grad ";

    std::unordered_set<std::string> taken_;
};

}  // namespace ferry::pt2
