using ProtoBuf;

namespace Mux.Serialization.Oracles.Contracts;

/// <summary>Values of .NET as level 240 writes them, unless a member has a level of its own.</summary>
[ProtoContract, CompatibilityLevel(CompatibilityLevel.Level240)]
public sealed class MiddleValues
{
    [ProtoMember(1)]
    public Guid Guid { get; set; }

    [ProtoMember(2)]
    public decimal Decimal { get; set; }

    [ProtoMember(3)]
    public DateTime Time { get; set; }

    [ProtoMember(4)]
    public TimeSpan Span { get; set; }

    [ProtoMember(5), CompatibilityLevel(CompatibilityLevel.Level300)]
    public Guid ModernGuid { get; set; }

    [ProtoMember(6), CompatibilityLevel(CompatibilityLevel.Level200)]
    public DateTime OldTime { get; set; }
}
