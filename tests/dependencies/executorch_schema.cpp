#include <ferry_schema/executorch/program_generated.h>
#include <ferry_schema/executorch/runtime_schema_generated.h>

#include <doctest/doctest.h>

TEST_CASE("a program written with ExecuTorch's schema verifies, and a damaged one does not") {
    flatbuffers::FlatBufferBuilder builder;
    const auto name = builder.CreateString("forward");
    ferry_schema::executorch_flatbuffer::ExecutionPlanBuilder plan{builder};
    plan.add_name(name);
    const auto plans = builder.CreateVector({plan.Finish()});
    ferry_schema::executorch_flatbuffer::ProgramBuilder program{builder};
    program.add_version(0);
    program.add_execution_plan(plans);
    ferry_schema::executorch_flatbuffer::FinishProgramBuffer(builder, program.Finish());

    CHECK(ferry_schema::executorch_flatbuffer::ProgramBufferHasIdentifier(builder.GetBufferPointer()));
    flatbuffers::Verifier whole{builder.GetBufferPointer(), builder.GetSize()};
    CHECK(ferry_schema::executorch_flatbuffer::VerifyProgramBuffer(whole));
    const auto* read = ferry_schema::executorch_flatbuffer::GetProgram(builder.GetBufferPointer());
    CHECK(read->execution_plan()->Get(0)->name()->str() == "forward");

    flatbuffers::Verifier cut{builder.GetBufferPointer(), builder.GetSize() / 2};
    CHECK_FALSE(ferry_schema::executorch_flatbuffer::VerifyProgramBuffer(cut));
}

TEST_CASE("an XNNPACK graph can be written") {
    flatbuffers::FlatBufferBuilder builder;
    ferry_schema::fb_xnnpack::XNNGraphBuilder graph{builder};
    graph.add_num_externs(2);
    builder.Finish(graph.Finish());
    flatbuffers::Verifier whole{builder.GetBufferPointer(), builder.GetSize()};
    CHECK(whole.VerifyBuffer<ferry_schema::fb_xnnpack::XNNGraph>());
}
