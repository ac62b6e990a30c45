using System.Text;
using Mux.Generators.Tests.Messages;

namespace Mux.Generators.Tests.Codecs;

/// <summary>
/// Makes random specimens that survive a round trip: no empty list that is not packed, which reads back as null, no negative zero and no
/// half of a surrogate pair.
/// </summary>
internal sealed class SpecimenFactory(int seed)
{
    private static readonly string[] s_alphabet = ["a", "Z", "7", " ", "\0", "\u007f", "\u0080", "é", "\u07ff", "\u0800", "東", "\uffff", "😀", "\U0010ffff"];

    private readonly Random _random = new(seed);

    public Specimen Next(int depth = 2) => new()
    {
        Boolean = Coin(),
        Character = (char)_random.Next(char.MaxValue + 1),
        Tiny = (sbyte)Number(),
        ZigZagShort = (short)Number(),
        FixedUnsignedShort = (ushort)Number(),
        Number = (int)Number(),
        ZigZag = (int)Number(),
        Fixed = (int)Number(),
        Large = (ulong)Number(),
        ZigZagLarge = Number(),
        FixedLarge = Number(),
        Native = (nint)Number(),
        Small = (float)Real(),
        Precise = Real(),
        Grade = (Grade)Number(),
        Text = Maybe(Text),
        Bytes = Maybe(Bytes),
        Leaf = Maybe(Leaf),
        GroupedLeaf = Maybe(Leaf),
        Inner = depth > 0 && Coin() ? Next(depth - 1) : null,
        Point = Point(),
        MaybePoint = Coin() ? Point() : null,
        MaybeNumber = Coin() ? Number() : null,
        MaybeGrade = Coin() ? (Grade)Number() : null,
        Numbers = Maybe(() => Items(1, () => (int)Number())),
        PackedNumbers = Maybe(() => Items(0, Number).ToArray()),
        PackedDoubles = Maybe(() => Items(0, Real)),
        PackedFixed = Maybe(() => Items(0, () => (uint)Number()).ToArray()),
        PackedGrades = Maybe(() => Items(0, () => (Grade)Number())),
        Texts = Maybe(() => Items(1, Text)),
        Blobs = Maybe(() => Items(1, Bytes).ToArray()),
        Leaves = Maybe(() => Items(1, Leaf)),
        GroupedLeaves = Maybe(() => Items(1, Leaf).ToArray()),
        Points = Maybe(() => Items(1, Point)),
        Far = Maybe(Text),
        Farthest = (int)Number(),
    };

    private bool Coin() => _random.Next(2) == 0;

    private T? Maybe<T>(Func<T> make)
        where T : class
    {
        return Coin() ? make() : null;
    }

    // As many of each length in bits, so that every size of varint occurs.
    private long Number()
    {
        long bits = _random.NextInt64(long.MinValue, long.MaxValue);
        return _random.Next(10) == 0 ? 0 : bits >> _random.Next(64);
    }

    private double Real() => _random.Next(6) switch
    {
        0 => 0,
        1 => double.NaN,
        2 => double.NegativeInfinity,
        3 => _random.Next(),
        _ => _random.NextDouble() - 0.5,
    };

    private string Text()
    {
        int length = _random.Next(4) switch { 0 => 0, 1 => _random.Next(12), 2 => _random.Next(60), _ => _random.Next(300) };
        bool asciiOnly = Coin();
        var text = new StringBuilder();
        while (text.Length < length) text.Append(s_alphabet[_random.Next(asciiOnly ? 6 : s_alphabet.Length)]);
        return text.ToString();
    }

    private byte[] Bytes()
    {
        var bytes = new byte[_random.Next(3) == 0 ? 0 : _random.Next(200)];
        _random.NextBytes(bytes);
        return bytes;
    }

    private Leaf Leaf() => new(Maybe(Text), (int)Number()) { Rings = Items(0, () => (int)Number()) };

    private Point Point() => new(_random.Next(100), _random.Next(3));

    private List<T> Items<T>(int least, Func<T> make)
    {
        int count = _random.Next(4) switch { 0 => least, 1 => 1, 2 => _random.Next(least, 10), _ => _random.Next(least, 80) };
        return [.. Enumerable.Range(0, count).Select(_ => make())];
    }
}
