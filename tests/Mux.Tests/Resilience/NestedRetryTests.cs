using Mux.Engine;
using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Time;
using Mux.Tests.Contracts;
using Mux.Tests.EndToEnd;

namespace Mux.Tests.Resilience;

/// <summary>Retries of services that call each other do not multiply.</summary>
public sealed class NestedRetryTests : EndToEndTests
{
    private static readonly MuxCallOptions s_idempotent = new() { Idempotent = true };

    private readonly ManualTime _time = new();

    [Fact(Timeout = TestLimit)]
    public async Task A_call_made_for_a_retry_is_not_sent_again_and_says_that_it_belongs_to_one()
    {
        var scene = Begin(TransportKind.InMemory, _time);
        scene.ExpectedEnds.UnionWith([CloseReason.ConnectionLost, CloseReason.Disposed]);
        using var last = new RawServer(scene, request => request.Fail(MuxStatus.Unavailable, MuxExecution.Executed));
        var toLast = scene.CreateChannel(last.Address, options => options.Resilience.Attempts = 3).CreateProxy<IDesk>();
        var desk = new Desk
        {
            OnAsk = async (question, _) =>
            {
                try
                {
                    using (s_idempotent.Apply()) return await toLast.AskPlainly(question);
                }
                catch (MuxException error)
                {
                    throw new MuxException(MuxStatus.Unavailable, error.Message, error);
                }
            },
        };
        var middle = scene.StartServer(server => server.AddService<IDesk>(desk));
        var sut = scene.CreateChannel(middle, options => options.Resilience.Attempts = 3).CreateProxy<IDesk>();
        Task<Answer> call;
        using (s_idempotent.Apply()) call = sut.AskPlainly(new Question()).AsTask();

        await Eventually.Holds(() => Step(call.IsCompleted), "the failure");

        await Assert.ThrowsAsync<MuxException>(() => call);
        Assert.Equal(3, desk.Started.Count);
        Assert.Equal([false, true, true, true, true], last.Requests.Select(request => request.IsRetry)); // 3 for the first, 1 for each retry: not 9
    }

    private bool Step(bool isDone)
    {
        if (!isDone) _time.Advance(TimeSpan.FromMilliseconds(10));
        return isDone;
    }
}
