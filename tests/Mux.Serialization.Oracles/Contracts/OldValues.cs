using ProtoBuf;

namespace Mux.Serialization.Oracles.Contracts;

/// <summary>Values of .NET as level 200 writes them, unless told otherwise.</summary>
[ProtoContract, CompatibilityLevel(CompatibilityLevel.Level200)]
public sealed class OldValues
{
    [ProtoMember(1)]
    public Guid Guid { get; set; }

    [ProtoMember(2)]
    public Guid? MaybeGuid { get; set; }

    [ProtoMember(3)]
    public List<Guid>? Guids { get; set; }

    [ProtoMember(4)]
    public decimal Decimal { get; set; }

    [ProtoMember(5)]
    public decimal? MaybeDecimal { get; set; }

    [ProtoMember(6)]
    public List<decimal>? Decimals { get; set; }

    [ProtoMember(7)]
    public DateTime Time { get; set; }

    [ProtoMember(8)]
    public DateTime? MaybeTime { get; set; }

    [ProtoMember(9)]
    public DateTime[]? Times { get; set; }

    [ProtoMember(10)]
    public TimeSpan Span { get; set; }

    [ProtoMember(11)]
    public TimeSpan? MaybeSpan { get; set; }

    [ProtoMember(12)]
    public List<TimeSpan>? Spans { get; set; }

    [ProtoMember(13, DataFormat = DataFormat.FixedSize)]
    public DateTime FixedTime { get; set; }

    [ProtoMember(14, DataFormat = DataFormat.FixedSize)]
    public TimeSpan FixedSpan { get; set; }

    [ProtoMember(15, DataFormat = DataFormat.WellKnown)]
    public DateTime WellKnownTime { get; set; }

    [ProtoMember(16, DataFormat = DataFormat.WellKnown)]
    public TimeSpan WellKnownSpan { get; set; }
}
