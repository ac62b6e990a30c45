using Google.Protobuf;
using Google.Protobuf.Reflection;

namespace Mux.Proto.Tests.Messages;

/// <summary>Random numbers and texts, among which the awkward ones are frequent.</summary>
internal sealed class RandomScalars(Random random)
{
    private static readonly string[] s_texts = ["", "a", "\0", "Grüße", "日本語", "\U0001F600", new('x', 200)];
    private static readonly double[] s_doubles = [0, -0.0, 1, -1.5, double.MaxValue, double.Epsilon, double.NaN, double.PositiveInfinity, double.NegativeInfinity];

    public object Next(FieldType type) => type switch
    {
        FieldType.Double => s_doubles[random.Next(s_doubles.Length)],
        FieldType.Float => (float)s_doubles[random.Next(s_doubles.Length)],
        FieldType.Int32 or FieldType.SInt32 or FieldType.SFixed32 => Int32(),
        FieldType.UInt32 or FieldType.Fixed32 => (uint)Int32(),
        FieldType.Int64 or FieldType.SInt64 or FieldType.SFixed64 => Int64(),
        FieldType.UInt64 or FieldType.Fixed64 => (ulong)Int64(),
        FieldType.Bool => random.Next(2) == 0,
        FieldType.String => s_texts[random.Next(s_texts.Length)],
        FieldType.Bytes => ByteString.CopyFrom(Bytes()),
        _ => throw new InvalidOperationException($"Nothing makes a {type}."),
    };

    public int Int32() => random.Next(5) switch { 0 => 0, 1 => int.MinValue, 2 => int.MaxValue, 3 => -1, _ => (int)random.NextInt64() >> random.Next(32) };

    public long Int64() => random.Next(5) switch { 0 => 0, 1 => long.MinValue, 2 => long.MaxValue, 3 => -1, _ => random.NextInt64() >> random.Next(64) };

    public byte[] Bytes()
    {
        var bytes = new byte[random.Next(3) == 0 ? 0 : random.Next(1, 150)];
        random.NextBytes(bytes);
        return bytes;
    }

    public DateTime Time() => random.Next(6) switch
    {
        0 => DateTime.UnixEpoch,
        1 => DateTime.SpecifyKind(DateTime.MinValue, DateTimeKind.Utc),
        2 => DateTime.SpecifyKind(DateTime.MaxValue, DateTimeKind.Utc),
        _ => new DateTime(random.NextInt64(DateTime.MaxValue.Ticks), DateTimeKind.Utc),
    };

    // Google's library knows ten thousand years, and .NET three times as much.
    public TimeSpan Span() => random.Next(4) == 0 ? TimeSpan.Zero : new TimeSpan((random.NextInt64() >> random.Next(2, 63)) * (random.Next(2) * 2 - 1));
}
