namespace Mux.TestSupport.Serializers;

/// <summary>The values that go round in every suite.</summary>
public static class Specimens
{
    /// <summary>By what is special about them.</summary>
    public static IReadOnlyDictionary<string, Specimen> All { get; } = new Dictionary<string, Specimen>
    {
        ["nothing"] = new(),
        ["ones"] = new() { Number = 1, Real = 1, Flag = true, Text = "a", Bytes = [1], Grade = Grade.Low, Numbers = [1], Words = ["w"], Inner = new(), Items = [new()], Maybe = 1 },
        ["largest"] = new() { Number = long.MaxValue, Real = double.MaxValue, Numbers = [int.MaxValue, 0, int.MinValue], Maybe = int.MaxValue },
        ["smallest"] = new() { Number = long.MinValue, Real = double.Epsilon, Numbers = [-1], Maybe = int.MinValue },
        ["no number"] = new() { Real = double.NaN },
        ["infinite"] = new() { Real = double.NegativeInfinity },
        ["a zero that is there"] = new() { Maybe = 0 },
        ["text of one to four bytes a character"] = new() { Text = "a\0\u00e9\u20ac\U0001F600\"\\\r\n</x>", Words = ["", "\u00e9", "", " "] },
        ["all bytes"] = new() { Bytes = [.. Enumerable.Range(0, 256).Select(number => (byte)number)] },
        ["a far enum"] = new() { Grade = Grade.High },
        ["many"] = new() { Numbers = [.. Enumerable.Range(-500, 1000)], Words = [.. Enumerable.Range(0, 200).Select(number => $"word {number}")], Items = [.. Enumerable.Range(0, 100).Select(number => new Specimen { Number = number })] },
        ["nested"] = Nested(20),
        ["as deep as messages may be"] = Nested(MaxDepth),
        ["larger than a frame"] = new() { Text = new string('x', 20_000), Bytes = Pattern(20_000) },
        ["large"] = new() { Text = new string('\u00e9', 200_000), Bytes = Pattern(1_000_000) },
    };

    /// <summary>How deep messages may be nested, the outermost included.</summary>
    public const int MaxDepth = 64;

    /// <summary>A message in a message and so on, so many in all.</summary>
    public static Specimen Nested(int depth)
    {
        var specimen = new Specimen { Number = depth };
        for (int i = 1; i < depth; i++) specimen = new Specimen { Inner = specimen };
        return specimen;
    }

    public static byte[] Pattern(int length)
    {
        var bytes = new byte[length];
        for (int i = 0; i < length; i++) bytes[i] = (byte)(i * 7 % 251);
        return bytes;
    }
}
