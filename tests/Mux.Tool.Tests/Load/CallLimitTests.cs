using Mux.Tool.Load;
using Mux.Tool.Workloads;

namespace Mux.Tool.Tests.Load;

public sealed class CallLimitTests
{
    private readonly LoadState _state = new(HandlerProfile.Plain);

    [Fact]
    public void Without_a_limit_any_number_of_calls_may_be_made() => Assert.All(Enumerable.Range(0, 100), _ => Assert.True(_state.MayCall()));

    [Fact]
    public void No_call_may_be_made_after_a_stop()
    {
        _state.Stop();

        Assert.True(_state.IsStopping);
        Assert.False(_state.MayCall());
    }

    [Fact]
    public async Task Tokens_that_start_again_share_the_limit_and_make_exactly_that_many_calls()
    {
        var tokens = Enumerable.Range(0, 4).Select(index => new ImmediateToken(new ClosedPace(_state, index, 4, timeEvery: 1))).ToArray();
        _state.Stop();
        await Task.WhenAll(tokens.Select(token => token.MakeCallsAsync()));
        Assert.Equal(0, tokens.Sum(token => token.Made));

        _state.Resume(new CallLimit(1_001));
        await Task.WhenAll(tokens.Select(token => Task.Run(token.MakeCallsAsync, TestContext.Current.CancellationToken)));

        Assert.Equal(1_001, tokens.Sum(token => token.Made));
        Assert.False(_state.IsStopping);
    }
}
