using System.Runtime.CompilerServices;
using Mux.Discovery;

namespace Mux.Client;

/// <summary>Servers that are listed in the address of a channel. Immutable.</summary>
/// <param name="name">The address of the channel.</param>
/// <param name="addresses">The addresses in it.</param>
internal sealed class FixedEndpoints(string name, IEnumerable<MuxAddress> addresses) : IEndpointSource
{
    /// <summary>Gets the only set that <see cref="WatchAsync"/> reports.</summary>
    public EndpointSet Set { get; } = new(addresses.Select(address => new MuxEndpoint(address)));

    public string Name => name;

    public async IAsyncEnumerable<EndpointSet> WatchAsync(EndpointRefresh refresh, [EnumeratorCancellation] CancellationToken cancellationToken)
    {
        await Task.CompletedTask.ConfigureAwait(false);
        yield return Set;
    }
}
