using System.Text;

namespace Mux.Serialization.Oracles.Values;

/// <summary>Random numbers and texts among which the awkward ones are frequent.</summary>
public static class RandomValues
{
    private static readonly string[] s_alphabet = ["a", "Z", "7", " ", "\0", "\u007f", "\u0080", "é", "\u07ff", "\u0800", "東", "\uffff", "😀", "\U0010ffff"];

    private const int AsciiLetters = 6;

    /// <summary>As many of each length in bits, so that every size of varint occurs; one in ten is zero.</summary>
    public static long Integer(Random random) => random.Next(10) == 0 ? 0 : random.NextInt64(long.MinValue, long.MaxValue) >> random.Next(64);

    /// <summary>A number that the member holds.</summary>
    public static long Integer(Random random, Protos.Range range)
    {
        long number = Integer(random);
        return range switch
        {
            Protos.Range.Signed8 => (sbyte)number,
            Protos.Range.Unsigned8 => (byte)number,
            Protos.Range.Signed16 => (short)number,
            Protos.Range.Unsigned16 => (ushort)number,
            _ => number,
        };
    }

    /// <summary>Any bits but those of a negative zero, which a member that leaves zeros out leaves out as well.</summary>
    public static double Double(Random random) => random.Next(8) switch
    {
        0 => 0,
        1 => double.NaN,
        2 => double.NegativeInfinity,
        3 => double.Epsilon,
        4 => random.Next(),
        5 => BitConverter.Int64BitsToDouble(random.NextInt64() | 1),
        _ => random.NextDouble() - 0.5,
    };

    /// <inheritdoc cref="Double"/>
    public static float Single(Random random) => random.Next(6) switch
    {
        0 => 0,
        1 => float.NaN,
        2 => float.PositiveInfinity,
        3 => BitConverter.Int32BitsToSingle(random.Next() | 1),
        _ => (float)random.NextDouble() - 0.5f,
    };

    /// <summary>UTF-16 without halves of surrogate pairs, of every length class: empty, in registers, one byte of length, two bytes.</summary>
    public static string Text(Random random)
    {
        int length = Length(random);
        int letters = random.Next(2) == 0 ? AsciiLetters : s_alphabet.Length;
        var text = new StringBuilder();
        while (text.Length < length) text.Append(s_alphabet[random.Next(letters)]);
        return text.ToString();
    }

    public static byte[] Bytes(Random random)
    {
        var bytes = new byte[Length(random)];
        random.NextBytes(bytes);
        return bytes;
    }

    private static int Length(Random random) => random.Next(16) switch
    {
        < 2 => 0,
        < 10 => random.Next(20),
        < 15 => random.Next(80),
        _ => random.Next(300),
    };
}
