namespace Mux.Engine;

/// <summary>Fingerprints that the peer gives to the requests of its methods, by ordinal. Written by the turn.</summary>
internal sealed class RequestFingerprints
{
    private uint[] _byOrdinal = [];

    /// <summary>Adds the fingerprint of a method that the peer has defined; 0 if the peer does not say.</summary>
    /// <param name="ordinal">The next ordinal.</param>
    /// <param name="fingerprint">Fingerprint of its requests.</param>
    /// <param name="last">The highest ordinal ever used.</param>
    public void Add(int ordinal, uint fingerprint, int last)
    {
        if (fingerprint == 0) return;
        if (ordinal >= _byOrdinal.Length)
        {
            var grown = new uint[Math.Min(Math.Max(ordinal + 1, _byOrdinal.Length * 2), last + 1)];
            _byOrdinal.CopyTo(grown, 0);
            Volatile.Write(ref _byOrdinal, grown);
        }

        _byOrdinal[ordinal] = fingerprint;
    }

    /// <summary>
    /// Gets the fingerprint of a method; 0 if the peer does not say. Any thread that has a call of it: entries keep their values when the table grows.
    /// </summary>
    public uint Of(ushort ordinal)
    {
        var known = Volatile.Read(ref _byOrdinal);
        return ordinal < known.Length ? known[ordinal] : 0;
    }
}
