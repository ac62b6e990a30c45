using Mux.Tool.Measuring;

namespace Mux.Tool.Load;

/// <summary>As many calls open at a time as there are tokens.</summary>
internal sealed class ClosedLoop : Load
{
    private readonly CallToken[] _tokens;

    /// <param name="factories">Of each connection.</param>
    /// <param name="inFlight">Tokens of each.</param>
    /// <param name="timeEvery">One call in so many is timed.</param>
    /// <param name="state">The run's.</param>
    /// <param name="measured">What the latencies are counted as.</param>
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

    // Each starts as a work item of its own: one whose reply is there before it is awaited goes on where it started, and would hold up the start of the others.
    public override Task RunAsync() => Task.WhenAll(_tokens.Select(token => Task.Run(token.MakeCallsAsync, CancellationToken.None)));
}
