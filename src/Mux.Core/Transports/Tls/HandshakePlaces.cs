using Mux.Diagnostics;

namespace Mux.Transports.Tls;

/// <summary>The places that handshakes take until their connection is taken, in all and by the address they come from. Safe for concurrent use.</summary>
/// <param name="limit">In all.</param>
/// <param name="perAddress">Of one address.</param>
internal sealed class HandshakePlaces(int limit, int perAddress)
{
    private readonly Lock _gate = new(); // guards what follows
    private readonly Dictionary<string, int> _byAddress = new(StringComparer.Ordinal);
    private int _count;

    /// <summary>Takes a place, which <see cref="Leave"/> gives back.</summary>
    /// <returns>Null, or the limit that stands in the way.</returns>
    public TlsFailure? TryEnter(string host)
    {
        lock (_gate)
        {
            if (_count >= limit) return TlsFailure.PendingHandshakes;
            int ofAddress = _byAddress.GetValueOrDefault(host);
            if (ofAddress >= perAddress) return TlsFailure.PendingHandshakesOfAddress;
            _byAddress[host] = ofAddress + 1;
            _count++;
            return null;
        }
    }

    /// <summary>The limit that stood in the way, for people.</summary>
    public string Describe(TlsFailure failure) => failure is TlsFailure.PendingHandshakes
        ? $"{limit} handshakes are pending, which is MaxPendingHandshakes"
        : $"{perAddress} handshakes of its address are pending, which is MaxPendingHandshakesPerAddress";

    public void Leave(string host)
    {
        lock (_gate)
        {
            _count--;
            int left = _byAddress[host] - 1;
            if (left == 0) _byAddress.Remove(host);
            else _byAddress[host] = left;
        }
    }
}
