using Mux.Tool.Measuring;

namespace Mux.Tool.Load;

/// <summary>Keeps as many calls open as there are tokens.</summary>
internal sealed class ClosedLoop : Load
{
    private readonly CallToken[] _tokens;

    /// <param name="factories">Token factories of the connections.</param>
    /// <param name="inFlight">Number of tokens per connection.</param>
    /// <param name="timeEvery">One of this many calls is timed.</param>
    /// <param name="state">State of the run.</param>
    /// <param name="measured">Kind of the latencies.</param>
    public ClosedLoop(IReadOnlyList<TokenFactory> factories, int inFlight, int timeEvery, LoadState state, Measured measured = Measured.Response)
    {
        int count = factories.Count * inFlight;
        _tokens = new CallToken[count];
        for (int lane = 0; lane < factories.Count; lane++)
        {
            for (int index = lane; index < count; index += factories.Count)
            {
                _tokens[index] = factories[lane].Make(new ClosedPace(state, index, count, timeEvery, measured));
            }
        }
    }

    public override LaneCounts Counts => new(_tokens.Sum(token => token.Made), Dropped: 0, _tokens.Count(token => token.IsOpen));

    // Each starts as its own work item: a token whose reply arrives before it is awaited continues on the same thread, and would delay the start of the others.
    public override Task RunAsync() => Task.WhenAll(_tokens.Select(token => Task.Run(token.MakeCallsAsync, CancellationToken.None)));
}
