using System.Collections.Immutable;
using ProtoBuf;

namespace Mux.Generators.Tests.Messages;

/// <summary>Values of the framework in collections and maps.</summary>
[ProtoContract]
public sealed class Register
{
    [ProtoMember(1)]
    public Dictionary<Guid, DateTime>? Stamps { get; set; }

    [ProtoMember(2), CompatibilityLevel(CompatibilityLevel.Level300)]
    public Dictionary<Guid, decimal>? Amounts { get; set; }

    [ProtoMember(3)]
    public SortedDictionary<DateOnly, TimeOnly>? Openings { get; set; }

    [ProtoMember(4), ProtoMap(ValueFormat = DataFormat.WellKnown)]
    public Dictionary<string, TimeSpan>? Spans { get; set; }

    [ProtoMember(5)]
    public Dictionary<int, Uri>? Addresses { get; set; }

    [ProtoMember(6), CompatibilityLevel(CompatibilityLevel.Level240)]
    public SortedSet<DateTime>? Dates { get; set; }

    [ProtoMember(7)]
    public ImmutableArray<Guid> Ids { get; set; } = [];

    [ProtoMember(8)]
    public List<decimal?>? Prices { get; set; }

    [ProtoMember(9), NullWrappedValue]
    public List<DateTime?>? Gaps { get; set; }

    [ProtoMember(10)]
    public Queue<ReadOnlyMemory<byte>>? Blobs { get; set; }

    [ProtoMember(11)]
    public IReadOnlyList<TimeOnly>? Times { get; set; }

    [ProtoMember(12), NullWrappedValue, CompatibilityLevel(CompatibilityLevel.Level300)]
    public Guid? Wrapped { get; set; }
}
