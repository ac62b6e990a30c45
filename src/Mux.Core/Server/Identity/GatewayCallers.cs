using System.Security.Claims;
using System.Text;
using Mux.Contracts;
using Mux.Engine;
using Mux.Protocol;
using Mux.Runtime;

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

/// <summary>
/// A caller that a gateway has named. Verdicts are computed when they are first needed, and remembered: two threads may compute the same one. Those of policies
/// age, because the gateway does not tell when its caller authenticates anew. Safe for concurrent use.
/// </summary>
internal sealed class GatewayCaller : ForwardedCaller
{
    /// <summary>Authentication type of the users that gateways name.</summary>
    public const string AuthenticationType = "mux-gateway";

    /// <summary>How long a verdict of policies counts, in microseconds.</summary>
    private const long PolicyLifetime = 60_000_000;

    private readonly AdmissionControl _control;
    private readonly AccessRules _rules;
    private readonly AccessHolder _gateway;
    private readonly long[] _verdicts; // per rule: 0 is none, else the time until which it counts, negative for a refusal

    public GatewayCaller(AdmissionControl control, AccessRules rules, AccessHolder gateway, CallerMarks marks)
    {
        (_control, _rules, _gateway, _verdicts) = (control, rules, gateway, new long[rules.Count]);
        var identity = new ClaimsIdentity(AuthenticationType, ClaimTypes.Name, ClaimTypes.Role);
        identity.AddClaim(new Claim(ClaimTypes.Name, Encoding.UTF8.GetString(marks.Name)));
        foreach (var (type, value) in CallerMarks.Read(marks.Claims)) identity.AddClaim(new Claim(type.Length == 0 ? ClaimTypes.Role : type, value));
        User = new NamedUser(identity, this);
        KnowsRoles = marks.HasClaims;
    }

    public override ClaimsPrincipal User { get; }

    public override bool KnowsRoles { get; }

    /// <summary>Gets the caller that is the user of a call; null for a user of another origin.</summary>
    /// <param name="user">The user that the handler of the call sees.</param>
    /// <param name="rules">The rules of the server.</param>
    public static GatewayCaller? Of(ClaimsPrincipal user, AccessRules rules) =>
        user is NamedUser { Caller: var caller } && caller._rules == rules ? caller : null;

    /// <summary>Decides as far as no policy has to.</summary>
    /// <returns>Null if policies decide.</returns>
    public MuxStatus? Judge(MethodDescriptor method) => Known(_rules.IndexOf(method)) is { } takes ? Tell(method, takes) : null;

    public override MuxStatus Decide(MethodDescriptor method) => Tell(method, Ask(_rules.IndexOf(method)));

    /// <summary>Decides without a word in the log. May run policies.</summary>
    public bool Allows(MethodDescriptor method)
    {
        int index = _rules.IndexOf(method);
        return Known(index) ?? Ask(index);
    }

    private bool? Known(int index)
    {
        long verdict = Volatile.Read(ref _verdicts[index]);
        if (verdict == 0)
        {
            if (_rules[index].TakesAsFarAsKnown(User, KnowsRoles) is not { } takes) return null;
            verdict = Remember(index, takes, Clock.Never);
        }

        long until = Math.Abs(verdict);
        return until == Clock.Never || until > _control.Now ? verdict > 0 : null;
    }

    private bool Ask(int index)
    {
        long until = Clock.After(_control.Now, PolicyLifetime);
        return Remember(index, _rules[index].Takes(User, _control.OnPolicyFailed), until) > 0;
    }

    private long Remember(int index, bool takes, long until)
    {
        long verdict = takes ? until : -until;
        Volatile.Write(ref _verdicts[index], verdict);
        return verdict;
    }

    private MuxStatus Tell(MethodDescriptor method, bool takes)
    {
        if (takes) return MuxStatus.Ok;
        var name = $"{AdmissionControl.NameOf(User)}, as the gateway {_gateway.Name} says,";
        _control.OnDenied(method, name, _gateway.Place, User, KnowsRoles ? null : "the gateway does not know the roles of this caller");
        return MuxStatus.PermissionDenied;
    }

    /// <summary>The user, which handlers hand back when they ask what it may call.</summary>
    private sealed class NamedUser(ClaimsIdentity identity, GatewayCaller caller) : ClaimsPrincipal(identity)
    {
        public GatewayCaller Caller => caller;
    }
}
