using ProtoBuf;

namespace Mux.Serialization.Oracles.Contracts;

/// <summary>Dates and spans between two tags.</summary>
[ProtoContract, CompatibilityLevel(CompatibilityLevel.Level300)]
public sealed class GroupedTimes
{
    [ProtoMember(1, DataFormat = DataFormat.Group)]
    public DateTime Time { get; set; }

    [ProtoMember(2, DataFormat = DataFormat.Group)]
    public TimeSpan Span { get; set; }
}
