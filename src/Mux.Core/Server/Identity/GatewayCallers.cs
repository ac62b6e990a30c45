using Mux.Protocol;

namespace Mux.Server;

/// <summary>
/// The callers that a gateway has named on one connection, and what each may call: so that a forwarded call costs a look-up. Forgotten when the gateway shows
/// another credential, and when they are too many. Owned by the turn.
/// </summary>
/// <param name="control">Logs rejected calls.</param>
/// <param name="rules">Rules of the server.</param>
/// <param name="gateway">The gateway.</param>
internal sealed class GatewayCallers(AdmissionControl control, AccessRules rules, AccessHolder gateway)
{
    /// <summary>Most callers that are remembered, and most bytes of their names, roles and claims. Beyond it all are forgotten, and looked at again.</summary>
    private const int MaxCallers = 1024, MaxBytes = 512 * 1024;

    private readonly Dictionary<byte[], GatewayCaller> _known = new(SameMarks.Instance);
    private int _bytes;

    /// <summary>Gets the caller that a block of metadata names; null if it names none.</summary>
    public GatewayCaller? Find(ReadOnlySpan<byte> metadata)
    {
        var marks = MetadataBlock.ReadCaller(metadata);
        if (marks.Name.IsEmpty) return null;
        var lookup = _known.GetAlternateLookup<CallerMarks>();
        if (lookup.TryGetValue(marks, out var known)) return known;
        int size = SameMarks.LengthOf(marks);
        if (_known.Count == MaxCallers || _bytes + size > MaxBytes)
        {
            _known.Clear();
            _bytes = 0;
        }

        _bytes += size;
        var caller = new GatewayCaller(control, rules, gateway, marks);
        lookup[marks] = caller;
        return caller;
    }

    /// <summary>
    /// Compares names and claims byte by byte. A key has the length of the name first, so that no part of one can pass for the other, and in its highest bit
    /// whether there are claims.
    /// </summary>
    private sealed class SameMarks : IEqualityComparer<byte[]>, IAlternateEqualityComparer<CallerMarks, byte[]>
    {
        private const int Prefix = 2, Claimed = 0x8000;

        public static SameMarks Instance { get; } = new();

        public static int LengthOf(CallerMarks marks) => Prefix + marks.Name.Length + marks.Claims.Length;

        private static int HeadOf(CallerMarks marks) => marks.HasClaims ? marks.Name.Length | Claimed : marks.Name.Length;

        public byte[] Create(CallerMarks alternate) =>
            [(byte)alternate.Name.Length, (byte)(HeadOf(alternate) >> 8), .. alternate.Name, .. alternate.Claims];

        public bool Equals(CallerMarks alternate, byte[] other) =>
            other.Length == LengthOf(alternate) && (other[0] | other[1] << 8) == HeadOf(alternate)
                && other.AsSpan(Prefix, alternate.Name.Length).SequenceEqual(alternate.Name)
                && other.AsSpan(Prefix + alternate.Name.Length).SequenceEqual(alternate.Claims);

        public int GetHashCode(CallerMarks alternate)
        {
            var hash = default(HashCode); // seeded for each process: callers cannot choose names that collide
            hash.AddBytes(alternate.Name);
            hash.AddBytes(alternate.Claims);
            return hash.ToHashCode();
        }

        public bool Equals(byte[]? x, byte[]? y) => x.AsSpan().SequenceEqual(y);

        public int GetHashCode(byte[] key)
        {
            int name = (key[0] | key[1] << 8) & ~Claimed;
            var hash = default(HashCode);
            hash.AddBytes(key.AsSpan(Prefix, name));
            hash.AddBytes(key.AsSpan(Prefix + name));
            return hash.ToHashCode();
        }
    }
}
