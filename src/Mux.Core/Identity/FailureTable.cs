using Mux.Timing;
using Mux.Transports.Sockets;

namespace Mux.Identity;

/// <summary>How often addresses have failed to authenticate lately. Bounded: the address that came first makes room. Safe for concurrent use.</summary>
internal sealed class FailureTable
{
    /// <summary>Failures of one address in <see cref="s_window"/> that have no consequence.</summary>
    public const int Free = 5;

    public const int MaxAddresses = 4096;

    private static readonly long s_window = Clock.Microseconds(TimeSpan.FromMinutes(1));

    private readonly Lock _gate = new(); // guards what follows
    private readonly Dictionary<string, (long Since, int Count)> _failures = new(StringComparer.Ordinal);
    private readonly Queue<string> _order = [];

    public int Count
    {
        get
        {
            lock (_gate) return _failures.Count;
        }
    }

    /// <summary>Counts one.</summary>
    /// <param name="remoteAddress">With or without a port.</param>
    /// <param name="now">On a <see cref="Clock"/>.</param>
    /// <returns>Whether the address has failed too often.</returns>
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
