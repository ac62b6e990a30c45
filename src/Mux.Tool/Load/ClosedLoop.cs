namespace Mux.Tool.Load;

/// <summary>As many calls open at a time as there are tokens.</summary>
internal sealed class ClosedLoop : Load
{
    private readonly CallToken[] _tokens;

    public ClosedLoop(Lanes lanes, BenchConfiguration configuration, LoadState state)
    {
        int count = configuration.Tokens;
        _tokens = new CallToken[count];
        for (int lane = 0; lane < lanes.Count; lane++)
        {
            var factory = lanes.MakeFactory(lane, configuration);
            for (int index = lane; index < count; index += lanes.Count) _tokens[index] = factory.Make(new ClosedPace(state, index, count, configuration.TimeEvery));
        }
    }

    public override LaneCounts Counts => new(Made: 0, Dropped: 0, _tokens.Count(token => token.IsOpen));

    // Each starts as a work item of its own: one whose reply is there before it is awaited goes on where it started, and would hold up the start of the others.
    public override Task RunAsync() => Task.WhenAll(_tokens.Select(token => Task.Run(token.MakeCallsAsync, CancellationToken.None)));
}
