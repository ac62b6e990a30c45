namespace Mux.Benchmarks.Codec.Table;

/// <summary>A cell of the table, in both directions.</summary>
/// <param name="Message">The row.</param>
/// <param name="Library">The column.</param>
/// <param name="Encode">From one object.</param>
/// <param name="Decode">To a new object each time.</param>
internal sealed record CodecCase(string Message, string Library, CodecLoop Encode, CodecLoop Decode)
{
    // Whatever is decoded may be looked at by somebody: it is not optimised away.
    private static object? s_last;

    public static CodecCase Of<TCase>(string message, string library)
        where TCase : struct, ICodecCase
    {
        return new CodecCase(message, library, new CodecLoop("encode", EncodeMany<TCase>), new CodecLoop("decode", DecodeMany<TCase>));
    }

    public IReadOnlyList<CodecLoop> Directions => [Encode, Decode];

    private static int EncodeMany<TCase>(int count)
        where TCase : struct, ICodecCase
    {
        int sum = 0;
        for (int i = 0; i < count; i++) sum += TCase.Encode();
        return sum;
    }

    private static int DecodeMany<TCase>(int count)
        where TCase : struct, ICodecCase
    {
        for (int i = 0; i < count; i++) s_last = TCase.Decode();
        return count;
    }
}
