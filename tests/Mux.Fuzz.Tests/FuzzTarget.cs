namespace Mux.Fuzz.Tests;

/// <summary>Code that takes bytes of a peer, and what has to hold of it whatever they are. Used by one thread at a time.</summary>
public abstract class FuzzTarget
{
    /// <summary>The name of the target and of the file with its corpus.</summary>
    public abstract string Name { get; }

    /// <summary>What a well-behaved peer sends, in pieces that are put together and changed.</summary>
    public abstract IReadOnlyList<byte[]> Examples { get; }

    /// <summary>Bytes of the longest input.</summary>
    public virtual int MaxLength => 512;

    /// <summary>Gives the input to the code, whole and in pieces, and checks what has to hold.</summary>
    /// <param name="input">Any bytes.</param>
    /// <param name="random">Says where the input is split.</param>
    /// <returns>What came of it, as a number: inputs of which something new comes are kept and changed further.</returns>
    /// <exception cref="Exception">Something does not hold.</exception>
    public abstract int Run(ReadOnlySpan<byte> input, Random random);

    public override string ToString() => Name;

    /// <summary>The lengths of random pieces that are <paramref name="length"/> bytes together.</summary>
    protected static List<int> Split(int length, Random random)
    {
        var pieces = new List<int>();
        bool byBytes = random.Next(4) == 0;
        for (int left = length; left > 0; left -= pieces[^1]) pieces.Add(byBytes ? 1 : Math.Min(left, random.Next(1, 40)));
        return pieces;
    }

    /// <summary>What a text begins with, apart from its numbers; behind that may stand what the peer said.</summary>
    protected static int KindOf(string? text)
    {
        const int significant = 40;
        var hash = default(HashCode);
        foreach (char character in (text ?? string.Empty).AsSpan(0, Math.Min(text?.Length ?? 0, significant)))
        {
            if (!char.IsAsciiHexDigit(character)) hash.Add(character);
        }

        return hash.ToHashCode();
    }
}
