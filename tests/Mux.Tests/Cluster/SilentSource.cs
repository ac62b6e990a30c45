using System.Runtime.CompilerServices;
using Mux.Discovery;

namespace Mux.Tests.Cluster;

/// <summary>A source that reports nothing by itself: a simulation hands its sets to the router, on its own thread.</summary>
internal sealed class SilentSource : IEndpointSource
{
    public string Name => "simulated://cluster";

    public async IAsyncEnumerable<EndpointSet> WatchAsync(EndpointRefresh refresh, [EnumeratorCancellation] CancellationToken cancellationToken)
    {
        await new TaskCompletionSource().Task.WaitAsync(cancellationToken);
        yield break;
    }
}
