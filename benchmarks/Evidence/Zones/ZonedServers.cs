using System.Runtime.CompilerServices;
using Mux.Discovery;

namespace Evidence.Zones;

/// <summary>Servers with their zones, as a source reports them.</summary>
internal sealed class ZonedServers(IEnumerable<MuxEndpoint> servers) : IEndpointSource
{
    public string Name => "zoned servers";

    public async IAsyncEnumerable<EndpointSet> WatchAsync(EndpointRefresh refresh, [EnumeratorCancellation] CancellationToken cancellationToken)
    {
        await Task.CompletedTask;
        yield return new EndpointSet(servers);
    }
}
