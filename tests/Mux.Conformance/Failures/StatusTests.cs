using Mux.Conformance.Contract;
using Mux.Conformance.Suite;
using Mux.TestSupport.EndToEnd;

namespace Mux.Conformance.Failures;

/// <summary>What a handler fails with is what its caller catches.</summary>
[Cases(13, 14, 15)]
public sealed class StatusTests : ConformanceTests
{
    [Theory(Timeout = TestLimit), ClassData(typeof(EveryWire))]
    public async Task Status_and_text_arrive_word_for_word(TransportKind kind, int connections)
    {
        const string Text = "test status message";
        var world = Open(kind, connections, Scripts.Fail(new MuxException(MuxStatus.Unknown, Text)));
        foreach (var call in StageCalls.Kinds)
        {
            var error = (await world.Calls.CallAsync(call)).Failed(MuxStatus.Unknown);
            Assert.EndsWith(Text, error.Message, StringComparison.Ordinal); // the runtime gives this status too, so the sentence says which call it was
            Assert.Equal((MuxExecution.Executed, MuxCallPhase.Handler), (error.Execution, error.Phase));
        }
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryWire))]
    public async Task Texts_of_all_letters_survive(TransportKind kind, int connections)
    {
        var world = Open(kind, connections);
        foreach (var text in new[] { "\u00e4\u4f60\u597d\U0001F600 test with non-ASCII", "trailing blanks  ", string.Empty, new string('x', 4_096) })
        {
            world.Stage.Script = Scripts.Fail(new MuxException(MuxStatus.Aborted, text));
            foreach (var call in StageCalls.Kinds) Assert.Equal(text, (await world.Calls.CallAsync(call)).Failed(MuxStatus.Aborted).Message);
        }
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryWire))]
    public async Task What_steers_a_terminal_or_begins_a_line_arrives_as_a_replacement(TransportKind kind, int connections)
    {
        var world = Open(kind, connections, Scripts.Fail(new MuxException(MuxStatus.Internal, "\t\ntest with whitespace\r\nand a line\t\n")));
        foreach (var call in StageCalls.Kinds)
        {
            var text = (await world.Calls.CallAsync(call)).Failed(MuxStatus.Internal).Message;
            Assert.Contains("test with whitespace", text, StringComparison.Ordinal);
            Assert.DoesNotContain(text, char.IsControl);
        }
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryWire))]
    public async Task Every_status_arrives_for_every_kind_of_call_wherever_it_fails(TransportKind kind, int connections)
    {
        var world = Open(kind, connections);
        foreach (var status in Enum.GetValues<MuxStatus>().Where(status => status != MuxStatus.Ok))
        {
            foreach (int after in new[] { 0, 1, 3 })
            {
                var thrown = new MuxException(status, $"{status} after {after}") { Detail = new Trouble { Reason = "none", Weight = after }, RetryAfter = TimeSpan.FromMilliseconds(1_500) };
                world.Stage.Script = Scripts.Fail(thrown, after, metadata => metadata["after"] = $"{after}");
                foreach (var call in StageCalls.Kinds)
                {
                    var response = new MuxMetadata();
                    var outcome = await world.Calls.CallAsync(call, Payloads.Numbered(3), new MuxCallOptions { ResponseMetadata = response });
                    var error = outcome.Failed(status);
                    var detail = Assert.IsType<Trouble>(error.Detail);
                    Assert.Equal(call.StreamsReplies() ? Enumerable.Range(0, after) : [], outcome.Numbers);
                    Assert.EndsWith(thrown.Message, error.Message, StringComparison.Ordinal);
                    Assert.Equal((thrown.RetryAfter, MuxExecution.Executed, MuxCallPhase.Handler), (error.RetryAfter, error.Execution, error.Phase));
                    Assert.Equal(("none", after, $"{after}"), (detail.Reason, detail.Weight, response["after"]));
                }
            }
        }

        await world.AssertAliveAsync();
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryWire))]
    public async Task A_failure_behind_all_requests_arrives_as_well(TransportKind kind, int connections)
    {
        var world = Open(kind, connections, (requests, _, _) => requests.Concat(Scripts.Fail(new MuxException(MuxStatus.OutOfRange, "too many"))(requests, new MuxCallOptions(), default)));
        foreach (var call in StageCalls.Kinds)
        {
            var outcome = await world.Calls.CallAsync(call, Payloads.Numbered(3));
            outcome.Failed(MuxStatus.OutOfRange);
            Assert.Equal(call switch { CallKind.BothStreams => [0, 1, 2], CallKind.ResponseStream => [0], _ => [] }, outcome.Numbers);
        }
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryWire))]
    public async Task A_failure_is_a_value_where_the_contract_says_so(TransportKind kind, int connections)
    {
        var world = Open(kind, connections);
        Assert.True((await world.Calls.Attempt(new Payload { Number = 5 })).IsSuccess);
        foreach (var status in Enum.GetValues<MuxStatus>().Where(status => status != MuxStatus.Ok))
        {
            world.Stage.Script = Scripts.Fail(new MuxException(status, "no") { Detail = new Trouble { Weight = 9 } });
            var failure = (await world.Calls.Attempt(new Payload())).Failure!;
            Assert.EndsWith("no", failure.Message, StringComparison.Ordinal);
            Assert.Equal((status, 9), (failure.Status, Assert.IsType<Trouble>(failure.Detail).Weight));
        }
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryWire))]
    public async Task An_exception_of_a_handler_is_unknown_and_tells_nothing_of_itself(TransportKind kind, int connections)
    {
        var world = Open(kind, connections, (requests, _, _) => requests.Select<Payload, Payload>(_ => throw new InvalidOperationException("the password is 1234")));
        world.Scene.ExpectedErrors.Add("HandlerFailed");
        foreach (var call in StageCalls.Kinds) Assert.DoesNotContain("1234", (await world.Calls.CallAsync(call)).Failed(MuxStatus.Unknown).ToString(), StringComparison.Ordinal);
        Assert.Equal(StageCalls.Kinds.Length, world.Scene.Logs.Of("HandlerFailed").Count);
    }
}
