namespace Mux.Discovery;

/// <summary>Tells a channel which servers a service has, now and from now on: the seam for discovery systems.</summary>
/// <remarks>
/// <para>Each channel calls <see cref="WatchAsync"/> once at a time, and again, after a pause of 1 to 30 s, when it has thrown. Until then the channel keeps
/// the last set. An implementation need not retry, log or compare by itself.</para>
/// <para>The newest set counts. A set replaces the one before as a whole; it is never a difference. A channel that reads slowly may skip sets.</para>
/// </remarks>
public interface IEndpointSource
{
    /// <summary>Gets what is watched, for logs and errors, such as <c>mux+dns://orders.prod:7070</c>. Contains no secret.</summary>
    string Name { get; }

    /// <summary>Reports the present set at once, and then each new set until it is cancelled.</summary>
    /// <param name="refresh">Says when to look again, for sources that must ask. Sources that are told of changes need not use it.</param>
    /// <param name="cancellationToken">Ends the watch: the enumeration then throws <see cref="OperationCanceledException"/> or ends.</param>
    /// <returns>The sets. If the enumeration ends by itself, its last set holds for the rest of the channel's life.</returns>
    /// <exception cref="Exception">The system cannot be asked at present. The message is logged; it should name the system and the reason.</exception>
    IAsyncEnumerable<EndpointSet> WatchAsync(EndpointRefresh refresh, CancellationToken cancellationToken);
}
