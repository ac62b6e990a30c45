using Mux.Diagnostics;

namespace Mux.Transports.Tls;

/// <summary>Limits handshakes, in total and per address. A place is held until the connection is accepted. Thread-safe.</summary>
/// <param name="limit">Maximum number in total.</param>
/// <param name="perAddress">Maximum number per address.</param>
internal sealed class HandshakePlaces(int limit, int perAddress)
{
    private readonly Lock _gate = new(); // guards the fields below
    private readonly Dictionary<string, int> _byAddress = new(StringComparer.Ordinal);
    private int _count;

    /// <summary>Takes a place, to be released with <see cref="Leave"/>.</summary>
    /// <returns>Null, or the limit that was reached.</returns>
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

    /// <summary>Describes the limit that was reached.</summary>
    public string Describe(TlsFailure failure) => failure is TlsFailure.PendingHandshakes
        ? $"{limit} handshakes are pending, the limit set by MaxPendingHandshakes"
        : $"{perAddress} handshakes from its address are pending, the limit set by MaxPendingHandshakesPerAddress";

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
