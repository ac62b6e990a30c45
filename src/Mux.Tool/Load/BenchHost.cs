using Mux.Tool.Serving;

namespace Mux.Tool.Load;

/// <summary>The server that runs call: a target, or a server process of one's own for as long as this is there.</summary>
internal sealed class BenchHost : IAsyncDisposable
{
    private readonly ChildServer? _child;
    private readonly MuxAddress _address;

    private BenchHost(ChildServer? child, MuxAddress address) => (_child, _address) = (child, address);

    /// <exception cref="ToolException">The server of one's own did not come up.</exception>
    public static async Task<BenchHost> StartAsync(BenchConfiguration configuration, CancellationToken interrupted)
    {
        if (configuration.Target is { } target) return new BenchHost(null, target);
        var options = new ServeOptions { CongestionControl = configuration.CongestionControl, Handlers = configuration.Handlers };
        var child = await ChildServer.StartAsync(options, interrupted).ConfigureAwait(false);
        return new BenchHost(child, child.Address);
    }

    /// <inheritdoc cref="BenchRun.RunAsync"/>
    public Task<BenchOutcome> RunAsync(BenchConfiguration configuration, Action<ProgressSample> report, CancellationToken interrupted) =>
        BenchRun.RunAsync(configuration, _address, report, interrupted);

    public ValueTask DisposeAsync() => _child?.DisposeAsync() ?? default;
}
