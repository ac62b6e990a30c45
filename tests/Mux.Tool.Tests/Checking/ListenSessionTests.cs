using Mux.ProtocolCases.Running;
using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Time;
using Mux.TestSupport.Transports;
using Mux.Tool.Checking;
using Mux.Tool.Tests.Processes;

namespace Mux.Tool.Tests.Checking;

/// <summary>When a client that is tried has to come back.</summary>
[Collection(ProcessesWithoutLoad.Name)]
public sealed class ListenSessionTests
{
    [Fact]
    public async Task A_client_that_comes_back_late_for_the_next_split_fails_the_case()
    {
        var time = new ManualTime();
        using var sut = new ListenSession(new ListenPlan
        {
            Address = MuxAddress.Parse("mux://127.0.0.1:0"),
            Splits = [SpecSplit.Whole, SpecSplit.Bytes],
            Filter = "An_answer_to_a_PING_that_was_not_sent",
            Timeout = Awaited.Patience,
            Stall = Awaited.Patience,
            Wait = Awaited.Patience,
            Time = time,
        });
        using var interrupt = CancellationTokenSource.CreateLinkedTokenSource(TestContext.Current.CancellationToken);
        var done = new TaskCompletionSource<CheckedCase>(TaskCreationOptions.RunContinuationsAsynchronously);
        var running = sut.RunAsync(done.SetResult, interrupt.Token);
        await using (var client = new CarelessClient(sut.Address.ToString(), rounds: 2)) // to be asked what it has, and for the first split
        {
            await client.Played.Within("the end of the first split");
            await Eventually.Holds(() => time.ArmedTimers == 1, "the wait for the client's return");
            time.Advance(Awaited.Patience);
        }

        await using var late = new CarelessClient(sut.Address.ToString());
        var result = await done.Task.Within("the case");

        Assert.Equal(SpecVerdict.Failed, result.Verdict);
        Assert.Equal($"no answer, stays open; and then no new connection for {Awaited.Patience.TotalSeconds:0.#} s, for the input byte by byte", result.Got);
        Assert.Equal("the client's next connection", result.Step?.Awaited);
        await interrupt.CancelAsync(); // a careless client does not mind that it is told to stop
        await running.Within("the end of the session");
    }
}
