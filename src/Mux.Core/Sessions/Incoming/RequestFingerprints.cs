namespace Mux.Sessions.Incoming;

/// <summary>The shapes that the requests of methods have at the peer, as fingerprints, by the ordinal that it has given them. Written by the turn.</summary>
internal sealed class RequestFingerprints
{
    private uint[] _byOrdinal = [];

    /// <summary>The peer has defined a method. 0 if it does not say what its requests look like.</summary>
    /// <param name="ordinal">The next one.</param>
    /// <param name="fingerprint">Of its requests.</param>
    /// <param name="last">The highest ordinal there will ever be.</param>
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
    /// That of a method; 0 if the peer does not say. Any thread that has a call of it: what was defined stays where it is, also when the table grows.
    /// </summary>
    public uint Of(ushort ordinal)
    {
        var known = Volatile.Read(ref _byOrdinal);
        return ordinal < known.Length ? known[ordinal] : 0;
    }
}
