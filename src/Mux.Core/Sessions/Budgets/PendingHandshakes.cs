namespace Mux.Sessions.Budgets;

/// <summary>Counts accepted connections that have not finished their handshake, in total and by address. Safe for concurrent use.</summary>
/// <param name="limit">Handshakes in total.</param>
/// <param name="perAddress">Handshakes of one address; not counted if unbounded.</param>
internal sealed class PendingHandshakes(long limit, long perAddress)
{
    private readonly Lock _gate = new(); // guards what follows
    private readonly Dictionary<string, int> _byAddress = new(StringComparer.Ordinal);
    private int _count;

    public long Limit => limit;

    public long PerAddress => perAddress;

    public int Count
    {
        get
        {
            lock (_gate) return _count;
        }
    }

    /// <summary>Takes a place. <see cref="Leave"/> returns it.</summary>
    /// <returns>Null, or the limit that is reached.</returns>
    public PeerLimit? TryEnter(string host)
    {
        lock (_gate)
        {
            if (_count >= limit) return PeerLimit.PendingHandshakes;
            if (IsCounted(host))
            {
                int ofAddress = _byAddress.GetValueOrDefault(host);
                if (ofAddress >= perAddress) return PeerLimit.PendingHandshakesOfAddress;
                _byAddress[host] = ofAddress + 1;
            }

            _count++;
            return null;
        }
    }

    /// <summary>Returns a place when the handshake is over, successful or not. Once for each that entered.</summary>
    public void Leave(string host)
    {
        lock (_gate)
        {
            _count--;
            if (!IsCounted(host)) return;
            int left = _byAddress[host] - 1;
            if (left == 0) _byAddress.Remove(host);
            else _byAddress[host] = left;
        }
    }

    private bool IsCounted(string host) => host.Length > 0 && perAddress != BudgetLimits.Unbounded;
}
