using System.Text;
using Mux.Engine;
using Mux.Protocol;

namespace Mux.Server;

/// <summary>What a gateway tells services of one user, or why it cannot. Immutable.</summary>
internal sealed class UserMarks
{
    /// <summary>Options that extras replace, as an index: two bits of priority, one of idempotence.</summary>
    private const int Variants = 8, IdempotentVariant = 4;

    private readonly ReadOnlyMemory<byte> _name;
    private readonly ReadOnlyMemory<byte>? _claims;
    private readonly CallExtras[]? _plain; // null for a user without a name

    /// <param name="name">The name of the user.</param>
    /// <param name="claims">Its roles and claims; null if this gateway does not know them.</param>
    public UserMarks(string name, byte[]? claims)
    {
        _name = Encoding.UTF8.GetBytes(name);
        if (claims is not null) _claims = claims;
        var metadata = AddTo([]);
        _plain = new CallExtras[Variants];
        for (int variant = 0; variant < Variants; variant++)
        {
            var options = (RequestOptions)(variant & (int)RequestOptions.PriorityMask);
            if ((variant & IdempotentVariant) != 0) options |= RequestOptions.Idempotent;
            _plain[variant] = new CallExtras { Options = options, Metadata = metadata };
        }
    }

    private UserMarks()
    {
    }

    /// <summary>A user without a name: services see none.</summary>
    public static UserMarks None { get; } = new();

    /// <summary>
    /// Why calls of the user are not forwarded; null if they are. Without a part of the user a service could let it do what rules forbid: "all but guests"
    /// accepts every user whose roles the service does not see.
    /// </summary>
    public string? Refusal { get; private init; }

    /// <summary>A user that does not fit.</summary>
    public static UserMarks Refused(string refusal) => new() { Refusal = refusal };

    /// <summary>Gets the extras of calls that have nothing else.</summary>
    public CallExtras? SharedOf(RequestOptions options) =>
        _plain?[(int)(options & RequestOptions.PriorityMask) | ((options & RequestOptions.Idempotent) == 0 ? 0 : IdempotentVariant)];

    /// <summary>Adds the marks.</summary>
    public MuxMetadata AddTo(MuxMetadata metadata)
    {
        if (_name.IsEmpty) return metadata;
        metadata.AddReserved(GatewayMarks.CallerKey, _name);
        if (_claims is { } claims) metadata.AddReserved(GatewayMarks.ClaimsKey, claims);
        return metadata;
    }
}
