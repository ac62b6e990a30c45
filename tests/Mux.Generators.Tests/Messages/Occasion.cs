using System.ComponentModel;
using ProtoBuf;

namespace Mux.Generators.Tests.Messages;

/// <summary>Values of the framework that are required, have a default or are preset.</summary>
[ProtoContract, CompatibilityLevel(CompatibilityLevel.Level300)]
public sealed class Occasion
{
    public static readonly Guid SomeGuid = new("f0e1d2c3-b4a5-9687-7869-5a4b3c2d1e0f");

    [ProtoMember(1, IsRequired = true)]
    public Guid RequiredGuid { get; set; }

    [ProtoMember(2, IsRequired = true)]
    public decimal RequiredDecimal { get; set; }

    [ProtoMember(3, IsRequired = true)]
    public TimeSpan RequiredSpan { get; set; }

    [ProtoMember(4), DefaultValue("1.50")]
    public decimal Price { get; set; } = 1.5m;

    [ProtoMember(5), DefaultValue(-5)]
    public decimal? Discount { get; set; } = -5;

    [ProtoMember(6), DefaultValue(typeof(decimal), "1,000.25")]
    public decimal Limit { get; set; } = 1000.25m;

    [ProtoMember(7), DefaultValue("f0e1d2c3b4a5968778695a4b3c2d1e0f")]
    public Guid Id { get; set; } = SomeGuid;

    [ProtoMember(8), DefaultValue("2024-02-29 12:30:15")]
    public DateTime Starts { get; set; } = new(2024, 2, 29, 12, 30, 15);

    [ProtoMember(9), DefaultValue("-1.02:30:00")]
    public TimeSpan Lasts { get; set; } = new(-1, -2, -30, 0);

    [ProtoMember(10), DefaultValue("http://host/\"x\"")]
    public Uri? Site { get; set; } = new("http://host/\"x\"");

    [ProtoMember(11), DefaultValue(null)]
    public Guid AlwaysWritten { get; set; }

    [ProtoMember(12)]
    public Memory<byte> Memory { get; set; } = new byte[] { 0xaa };

    [ProtoMember(13)]
    public ArraySegment<byte> Segment { get; set; } = new([1, 2, 3], 1, 1);

    [ProtoMember(14)]
    public ReadOnlyMemory<byte>? MaybeMemory { get; set; } = new byte[] { 0xbb };
}
