using Mux.Runtime;

namespace Mux.Server;

/// <summary>Counts recent failures to authenticate per address. Bounded: the oldest address makes room. Thread-safe.</summary>
internal sealed class FailureTable
{
    /// <summary>Failures of one address within <see cref="s_window"/> that have no consequence.</summary>
    public const int Free = 5;

    public const int MaxAddresses = 4096;

    private static readonly long s_window = Clock.Microseconds(TimeSpan.FromMinutes(1));

    private readonly Lock _gate = new(); // guards the fields below
    private readonly Dictionary<string, (long Since, int Count)> _failures = new(StringComparer.Ordinal);
    private readonly Queue<string> _order = [];

    public int Count
    {
        get
        {
            lock (_gate) return _failures.Count;
        }
    }

    /// <summary>Counts a failure.</summary>
    /// <param name="remoteAddress">Address, with or without a port.</param>
    /// <param name="now">Time of a <see cref="Clock"/>.</param>
    /// <returns>True if the address has failed too often.</returns>
    public bool Add(string remoteAddress, long now)
    {
        var address = PeerHost.Of(remoteAddress);
        lock (_gate)
        {
            bool isKnown = _failures.TryGetValue(address, out var failures);
            if (!isKnown) Enqueue(address);
            if (!isKnown || now - failures.Since >= s_window) failures = (now, 0);
            failures.Count++;
            _failures[address] = failures;
            return failures.Count > Free;
        }
    }

    private void Enqueue(string address)
    {
        if (_order.Count == MaxAddresses) _failures.Remove(_order.Dequeue());
        _order.Enqueue(address);
    }
}
