using System.Collections.Frozen;
using System.Globalization;
using System.Runtime.CompilerServices;

namespace Mux.Server;

/// <summary>
/// Says whether the server serves, as a whole and each service: all of them until its stop begins, none from then on. Safe for concurrent use.
/// </summary>
/// <param name="services">Wire names of the services.</param>
/// <param name="limit">Watchers at once.</param>
/// <param name="limitOfPeer">Watchers of one connection.</param>
internal sealed class HealthService(
    IEnumerable<string> services, int limit = HealthService.Watchers, int limitOfPeer = HealthService.WatchersOfPeer)
{
    /// <summary>Watchers of a server: each is an open call that may last as long as its connection.</summary>
    public const int Watchers = 1024;

    /// <summary>Watchers of one connection, which cannot take all places: a client watches some services, each once.</summary>
    public const int WatchersOfPeer = 16;

    // Read when the first asks: a server that could not start may be given more services before it is started again.
    private readonly Lazy<FrozenSet<string>> _services = new(() => services.ToFrozenSet(StringComparer.Ordinal));
    private readonly TaskCompletionSource _leaving = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly TaskCompletionSource _stopping = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private int _watchers;

    private HealthStatus Current => _leaving.Task.IsCompleted ? HealthStatus.NotServing : HealthStatus.Serving;

    /// <summary>The server is about to stop: it says that it serves nothing any more, and still answers.</summary>
    public void Leave() => _leaving.TrySetResult();

    /// <summary>The server stops: watches end, because its connections wait for open calls.</summary>
    public void Stop()
    {
        Leave();
        _stopping.TrySetResult();
    }

    /// <summary>Gets the status of a service.</summary>
    /// <param name="service">Its wire name; empty for the server.</param>
    /// <exception cref="MuxException">There is no such service.</exception>
    public HealthStatus Check(string service) =>
        IsKnown(service) ? Current : throw new MuxException(MuxStatus.NotFound, "The server does not serve the service that was asked about.");

    /// <summary>Gets the status of a service at once, and again when it changes. A service that is not known may never come.</summary>
    /// <param name="service">Its wire name; empty for the server.</param>
    /// <param name="peer">The caller.</param>
    /// <param name="cancellationToken">Ends the watch.</param>
    /// <exception cref="MuxException">There are too many watches.</exception>
    public async IAsyncEnumerable<HealthStatus> WatchAsync(
        string service, MuxPeer peer, [EnumeratorCancellation] CancellationToken cancellationToken)
    {
        var ofPeer = peer.State<WatcherCount>();
        Enter(ofPeer);
        try
        {
            bool isKnown = IsKnown(service);
            var told = isKnown ? Current : HealthStatus.ServiceUnknown;
            yield return told;
            if (told == HealthStatus.Serving)
            {
                await _leaving.Task.WaitAsync(cancellationToken).ConfigureAwait(false);
                yield return HealthStatus.NotServing;
            }

            await _stopping.Task.WaitAsync(cancellationToken).ConfigureAwait(false);
        }
        finally
        {
            ofPeer.Leave();
            Interlocked.Decrement(ref _watchers);
        }
    }

    private bool IsKnown(string service) => service.Length == 0 || _services.Value.Contains(service);

    private void Enter(WatcherCount ofPeer)
    {
        if (!ofPeer.TryEnter(limitOfPeer)) throw TooMany(limitOfPeer, "for one connection");
        if (Interlocked.Increment(ref _watchers) <= limit) return;
        Interlocked.Decrement(ref _watchers);
        ofPeer.Leave();
        throw TooMany(limit, "in all");
    }

    private static MuxException TooMany(int most, string of) => new(
        MuxStatus.ResourceExhausted, string.Create(CultureInfo.InvariantCulture, $"The server takes {most} watches of its health {of}: call Check instead."));
}

/// <summary>Watches of one connection. Safe for concurrent use.</summary>
internal sealed class WatcherCount
{
    private int _count;

    public bool TryEnter(int limit)
    {
        if (Interlocked.Increment(ref _count) <= limit) return true;
        Interlocked.Decrement(ref _count);
        return false;
    }

    public void Leave() => Interlocked.Decrement(ref _count);
}
