using ProtoBuf;

namespace Mux.Generators.Tests.Messages;

/// <summary>A member for every way in which a Guid, a decimal, a date, a time, a span, a URI or memory can be written.</summary>
[ProtoContract]
public sealed class Almanac
{
    [ProtoMember(1)]
    public Guid Id { get; set; }

    [ProtoMember(2, DataFormat = DataFormat.Group)]
    public Guid GroupedGuid { get; set; }

    [ProtoMember(3)]
    public decimal Amount { get; set; }

    [ProtoMember(4)]
    public DateTime Date { get; set; }

    [ProtoMember(5, DataFormat = DataFormat.FixedSize)]
    public DateTime DateTicks { get; set; }

    [ProtoMember(6, DataFormat = DataFormat.Group)]
    public DateTime GroupedDate { get; set; }

    [ProtoMember(7)]
    public TimeSpan Span { get; set; }

    [ProtoMember(8, DataFormat = DataFormat.FixedSize)]
    public TimeSpan SpanTicks { get; set; }

    [ProtoMember(9, DataFormat = DataFormat.Group)]
    public TimeSpan GroupedSpan { get; set; }

    [ProtoMember(10), CompatibilityLevel(CompatibilityLevel.Level240)]
    public DateTime Timestamp { get; set; }

    [ProtoMember(11, DataFormat = DataFormat.Group), CompatibilityLevel(CompatibilityLevel.Level240)]
    public DateTime GroupedTimestamp { get; set; }

    [ProtoMember(12), CompatibilityLevel(CompatibilityLevel.Level240)]
    public TimeSpan Duration { get; set; }

    [ProtoMember(13, DataFormat = DataFormat.Group), CompatibilityLevel(CompatibilityLevel.Level300)]
    public TimeSpan GroupedDuration { get; set; }

    [ProtoMember(14), CompatibilityLevel(CompatibilityLevel.Level300)]
    public Guid GuidText { get; set; }

    [ProtoMember(15, DataFormat = DataFormat.FixedSize), CompatibilityLevel(CompatibilityLevel.Level300)]
    public Guid GuidBytes { get; set; }

    [ProtoMember(16), CompatibilityLevel(CompatibilityLevel.Level300)]
    public decimal DecimalText { get; set; }

    [ProtoMember(17)]
    public DateOnly Day { get; set; }

    [ProtoMember(18)]
    public TimeOnly Time { get; set; }

    [ProtoMember(19)]
    public Uri? Address { get; set; }

    [ProtoMember(20)]
    public Memory<byte> Memory { get; set; }

    [ProtoMember(21)]
    public ReadOnlyMemory<byte> ReadOnlyMemory { get; set; }

    [ProtoMember(22)]
    public ArraySegment<byte> Segment { get; set; }

    [ProtoMember(23)]
    public Guid? MaybeGuid { get; set; }

    [ProtoMember(24), CompatibilityLevel(CompatibilityLevel.Level300)]
    public Guid? MaybeGuidText { get; set; }

    [ProtoMember(25)]
    public decimal? MaybeDecimal { get; set; }

    [ProtoMember(26), CompatibilityLevel(CompatibilityLevel.Level300)]
    public decimal? MaybeDecimalText { get; set; }

    [ProtoMember(27)]
    public DateTime? MaybeDate { get; set; }

    [ProtoMember(28), CompatibilityLevel(CompatibilityLevel.Level300)]
    public DateTime? MaybeTimestamp { get; set; }

    [ProtoMember(29)]
    public TimeSpan? MaybeSpan { get; set; }

    [ProtoMember(30), CompatibilityLevel(CompatibilityLevel.Level300)]
    public TimeSpan? MaybeDuration { get; set; }

    [ProtoMember(31)]
    public DateOnly? MaybeDay { get; set; }

    [ProtoMember(32)]
    public TimeOnly? MaybeTime { get; set; }

    [ProtoMember(33)]
    public ReadOnlyMemory<byte>? MaybeMemory { get; set; }

    [ProtoMember(34)]
    public List<Guid>? Guids { get; set; }

    [ProtoMember(35), CompatibilityLevel(CompatibilityLevel.Level300)]
    public Guid[]? GuidTexts { get; set; }

    [ProtoMember(36)]
    public List<decimal>? Decimals { get; set; }

    [ProtoMember(37), CompatibilityLevel(CompatibilityLevel.Level300)]
    public decimal[]? DecimalTexts { get; set; }

    [ProtoMember(38, DataFormat = DataFormat.Group)]
    public List<DateTime>? GroupedDates { get; set; }

    [ProtoMember(39), CompatibilityLevel(CompatibilityLevel.Level300)]
    public DateTime[]? Timestamps { get; set; }

    [ProtoMember(40)]
    public List<TimeSpan>? Spans { get; set; }

    [ProtoMember(41, DataFormat = DataFormat.WellKnown)]
    public TimeSpan[]? Durations { get; set; }

    [ProtoMember(42)]
    public DateOnly[]? Days { get; set; }

    [ProtoMember(43)]
    public List<TimeOnly>? Times { get; set; }

    [ProtoMember(44)]
    public List<Uri>? Addresses { get; set; }

    [ProtoMember(45)]
    public List<Memory<byte>>? Memories { get; set; }

    [ProtoMember(46)]
    public ReadOnlyMemory<byte>[]? ReadOnlyMemories { get; set; }

    [ProtoMember(3000), CompatibilityLevel(CompatibilityLevel.Level300)]
    public DateTime FarTimestamp { get; set; }

    [ProtoMember(3001)]
    public DateOnly FarDay { get; set; }

    [ProtoMember(536870911, DataFormat = DataFormat.Group)]
    public Guid FarthestGuid { get; set; }
}
