using ProtoBuf;

namespace Mux.Serialization.Oracles.Contracts;

/// <summary>Values of .NET as level 300 writes them.</summary>
[ProtoContract, CompatibilityLevel(CompatibilityLevel.Level300)]
public sealed class ModernValues
{
    [ProtoMember(1)]
    public Guid Guid { get; set; }

    [ProtoMember(2, DataFormat = DataFormat.FixedSize)]
    public Guid GuidBytes { get; set; }

    [ProtoMember(3)]
    public Guid? MaybeGuid { get; set; }

    [ProtoMember(4)]
    public List<Guid>? Guids { get; set; }

    [ProtoMember(5)]
    public decimal Decimal { get; set; }

    [ProtoMember(6)]
    public decimal? MaybeDecimal { get; set; }

    [ProtoMember(7)]
    public decimal[]? Decimals { get; set; }

    [ProtoMember(8)]
    public DateTime Time { get; set; }

    [ProtoMember(9)]
    public DateTime? MaybeTime { get; set; }

    [ProtoMember(10)]
    public List<DateTime>? Times { get; set; }

    [ProtoMember(11)]
    public TimeSpan Span { get; set; }

    [ProtoMember(12)]
    public TimeSpan? MaybeSpan { get; set; }

    [ProtoMember(13)]
    public TimeSpan[]? Spans { get; set; }

    [ProtoMember(14)]
    public DateOnly Date { get; set; }

    [ProtoMember(15)]
    public DateOnly? MaybeDate { get; set; }

    [ProtoMember(16)]
    public List<DateOnly>? Dates { get; set; }

    [ProtoMember(17)]
    public TimeOnly TimeOfDay { get; set; }

    [ProtoMember(18)]
    public TimeOnly? MaybeTimeOfDay { get; set; }

    [ProtoMember(19)]
    public TimeOnly[]? TimesOfDay { get; set; }

    [ProtoMember(20)]
    public Uri? Uri { get; set; }

    [ProtoMember(21)]
    public List<Uri>? Uris { get; set; }

    [ProtoMember(22)]
    public Memory<byte> Memory { get; set; }

    [ProtoMember(23)]
    public ReadOnlyMemory<byte> ReadOnlyMemory { get; set; }

    [ProtoMember(24)]
    public ArraySegment<byte> Segment { get; set; }

    [ProtoMember(25)]
    public ReadOnlyMemory<byte>? MaybeMemory { get; set; }

    [ProtoMember(26)]
    public List<ReadOnlyMemory<byte>>? Memories { get; set; }
}
