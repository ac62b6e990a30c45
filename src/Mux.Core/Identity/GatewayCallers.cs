using System.Security.Claims;
using Mux.Contracts;
using Mux.Sessions.Setup;
using Mux.Wire;

namespace Mux.Identity;

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

    /// <summary>Compares names and claims byte by byte. A key has the length of the name first, so that no part of one can pass for the other.</summary>
    private sealed class SameMarks : IEqualityComparer<byte[]>, IAlternateEqualityComparer<CallerMarks, byte[]>
    {
        private const int Prefix = 2;

        public static SameMarks Instance { get; } = new();

        public static int LengthOf(CallerMarks marks) => Prefix + marks.Name.Length + marks.Claims.Length;

        public byte[] Create(CallerMarks alternate) =>
            [(byte)alternate.Name.Length, (byte)(alternate.Name.Length >> 8), .. alternate.Name, .. alternate.Claims];

        public bool Equals(CallerMarks alternate, byte[] other) =>
            other.Length == LengthOf(alternate) && (other[0] | other[1] << 8) == alternate.Name.Length
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
            int name = key[0] | key[1] << 8;
            var hash = default(HashCode);
            hash.AddBytes(key.AsSpan(Prefix, name));
            hash.AddBytes(key.AsSpan(Prefix + name));
            return hash.ToHashCode();
        }
    }
}

/// <summary>
/// A caller that a gateway has named. Verdicts are computed when they are first needed, and remembered; two threads may compute the same one.
/// </summary>
internal sealed class GatewayCaller : ForwardedCaller
{
    /// <summary>Authentication type of the users that gateways name.</summary>
    public const string AuthenticationType = "mux-gateway";

    private const byte Taken = 1, Refused = 2; // 0: not known yet

    private readonly AdmissionControl _control;
    private readonly AccessRules _rules;
    private readonly AccessHolder _gateway;
    private readonly byte[] _verdicts; // per rule

    public GatewayCaller(AdmissionControl control, AccessRules rules, AccessHolder gateway, CallerMarks marks)
    {
        (_control, _rules, _gateway, _verdicts) = (control, rules, gateway, new byte[rules.Count]);
        var identity = new ClaimsIdentity(AuthenticationType, ClaimTypes.Name, ClaimTypes.Role);
        identity.AddClaim(new Claim(ClaimTypes.Name, System.Text.Encoding.UTF8.GetString(marks.Name)));
        foreach (var (type, value) in CallerMarks.Read(marks.Claims)) identity.AddClaim(new Claim(type.Length == 0 ? ClaimTypes.Role : type, value));
        User = new ClaimsPrincipal(identity);
    }

    public override ClaimsPrincipal User { get; }

    /// <summary>Decides as far as no policy has to.</summary>
    /// <returns>Null if policies decide.</returns>
    public MuxStatus? Judge(MethodDescriptor method)
    {
        int index = _rules.IndexOf(method);
        if (_verdicts[index] == 0 && _rules[index].TakesAsFarAsKnown(User) is { } takes) _verdicts[index] = takes ? Taken : Refused;
        return _verdicts[index] == 0 ? null : Tell(method, _verdicts[index]);
    }

    public override MuxStatus Decide(MethodDescriptor method)
    {
        int index = _rules.IndexOf(method);
        return Tell(method, _verdicts[index] = _rules[index].Takes(User, _control.OnPolicyFailed) ? Taken : Refused);
    }

    private MuxStatus Tell(MethodDescriptor method, byte verdict)
    {
        if (verdict == Taken) return MuxStatus.Ok;
        _control.OnDenied(method, $"{AdmissionControl.NameOf(User)}, as the gateway {_gateway.Name} says,", _gateway.Place, User, null);
        return MuxStatus.PermissionDenied;
    }
}
