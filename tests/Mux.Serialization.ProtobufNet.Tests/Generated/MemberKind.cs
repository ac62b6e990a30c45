namespace Mux.Serialization.ProtobufNet.Tests.Generated;

/// <summary>A type of members, and what a generated contract may say of it.</summary>
/// <param name="Type">In C#, not nullable.</param>
/// <param name="IsValueType">Whether there is a nullable of it.</param>
/// <param name="Values">What members of this type may hold.</param>
/// <param name="Defaults">Arguments of [DefaultValue].</param>
/// <param name="Formats">Formats other than the default one.</param>
/// <param name="IsKey">Whether it may be the key of a map.</param>
internal sealed record MemberKind(string Type, bool IsValueType, object[] Values, string[] Defaults, string[] Formats, bool IsKey = false)
{
    private static readonly string[] s_signed = ["ZigZag", "FixedSize", "TwosComplement"];
    private static readonly string[] s_unsigned = ["FixedSize"];

    /// <summary>All of them. Enums and messages are of the generated assembly, so their values are made of numbers.</summary>
    public static MemberKind[] All { get; } =
    [
        new("bool", true, [false, true], ["true", "\"True\"", "1"], [], IsKey: false),
        new("sbyte", true, [(sbyte)0, (sbyte)5, sbyte.MinValue], ["5", "\"5\"", "\"-128\""], s_signed),
        new("byte", true, [(byte)0, (byte)5, byte.MaxValue], ["5", "\"255\""], s_unsigned),
        new("short", true, [(short)0, (short)1000, short.MinValue], ["1000", "\"1,000\"", "\"1e3\""], s_signed),
        new("ushort", true, [(ushort)0, (ushort)100, ushort.MaxValue], ["100", "\"1e2\""], s_unsigned),
        new("int", true, [0, 5, -5, int.MinValue, int.MaxValue], ["5", "\"(5)\"", "\"-5\"", "'\\x5'", "5L", "5.0", "true", "null"], s_signed, IsKey: true),
        new("uint", true, [0u, 5u, uint.MaxValue], ["5u", "5", "\"4294967295\""], s_unsigned, IsKey: true),
        new("long", true, [0L, 5L, -5L, long.MinValue], ["5", "\"-9223372036854775808\"", "\" 5 \""], s_signed, IsKey: true),
        new("ulong", true, [0ul, 5ul, ulong.MaxValue], ["5", "\"18446744073709551615\""], s_unsigned, IsKey: true),
        new("char", true, ['\0', 'x', 'A', '\uffff'], ["'x'", "\"x\"", "65"], []),
        new("float", true, [0f, -0f, 0.5f, float.NaN, float.MaxValue], ["0.5f", "\"0.5\"", "0.5", "float.NaN"], []),
        new("double", true, [0d, -0d, 0.5, double.NaN, 1000d], ["0.5", "\"0.5\"", "1000", "\"1,000\"", "double.NaN"], []),
        new("string", false, ["", "none", "5", "True", "x"], ["\"none\"", "5", "true", "'x'", "\"\"", "null"], [], IsKey: true),
        new("byte[]", false, [Array.Empty<byte>(), new byte[] { 1, 2 }], [], []),
        new("decimal", true, [0m, 0.00m, 1.50m, decimal.MinValue], ["\"1.50\"", "1", "1.5"], []),
        new("System.Guid", true, [Guid.Empty, new Guid("3f2504e0-4f89-11d3-9a0c-0305e82c3301")], ["\"3f2504e0-4f89-11d3-9a0c-0305e82c3301\""], []),
        new("System.TimeSpan", true, [TimeSpan.Zero, TimeSpan.FromSeconds(5), TimeSpan.FromTicks(-1)], ["\"00:00:05\""], ["Group", "WellKnown"]),
        new("System.DateTime", true, [new DateTime(2024, 2, 29), new DateTime(1969, 7, 20, 20, 17, 40, 123)], ["\"2024-02-29\""], ["Group", "WellKnown"]),
        new("System.DateOnly", true, [DateOnly.MinValue, new DateOnly(2024, 2, 29)], [], []),
        new("System.TimeOnly", true, [TimeOnly.MinValue, new TimeOnly(12, 30)], [], []),
        new("nint", true, [(nint)0, (nint)9, nint.MinValue], ["9", "\"9\""], s_signed),
        new("nuint", true, [(nuint)0, (nuint)9], ["9", "\"9\""], s_unsigned),
        new("System.Uri", false, [new Uri("http://a/b"), new Uri("x", UriKind.Relative)], ["\"http://a/b\""], []),
        new("Medal", true, [0, 1, 2, 3, -3], ["\"Gold\"", "\"gold\"", "\"Gold, Silver\"", "Medal.Silver", "1", "\"-3\"", "typeof(Medal), \"Silver\""], [], IsKey: true),
        new("SmallMedal", true, [0, 1, 200], ["\"GOLD\"", "SmallMedal.Gold", "\"200\"", "1"], []),
        new("Leaf", false, [0, 7], [], ["Group"]),
    ];
}
