using Mux.Tool.Workloads;

namespace Mux.Tool.Load;

/// <summary>Keeps as many streams open as there are tokens.</summary>
internal sealed class StreamLoop : Load
{
    private readonly StreamToken[] _tokens;

    public StreamLoop(Lanes lanes, BenchConfiguration configuration, LoadState state)
    {
        var services = lanes.ForEach(lane => lane.Channel.CreateProxy<IStreams>());
        int count = configuration.Tokens;
        _tokens = new StreamToken[count];
        for (int index = 0; index < count; index++) _tokens[index] = Make(services[index % services.Count], new TokenPlace(index, count));

        StreamToken Make(IStreams streams, TokenPlace place) => configuration.Workload switch
        {
            Workload.ServerStream => new ServerStreamToken(streams, place, configuration, state),
            Workload.ClientStream => new ClientStreamToken(streams, place, configuration, state),
            Workload.Duplex => new EmployeeExchangeToken(streams, place, configuration, state),
            _ => new BulkExchangeToken(streams, place, configuration, state),
        };
    }

    // Items are counted by their streams.
    public override LaneCounts Counts => new(Made: 0, Dropped: 0, _tokens.Count(token => token.IsOpen));

    // Each starts as its own work item, like the tokens of a closed loop of calls.
    public override Task RunAsync() => Task.WhenAll(_tokens.Select(token => Task.Run(token.MakeStreamsAsync, CancellationToken.None)));
}
