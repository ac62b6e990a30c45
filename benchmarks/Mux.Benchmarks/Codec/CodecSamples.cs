namespace Mux.Benchmarks.Codec;

/// <summary>What the codecs are measured on.</summary>
internal static class CodecSamples
{
    /// <summary>More than any of the messages takes in its longest form.</summary>
    public const int BufferSize = 2048;

    private const int Seed = 20_261_121;

    public static SearchEmployee Request { get; } = new() { Id = 1, RequestTime = 12345.678 };

    public static Employee Reply { get; } = Employee.Example(12345.678);

    /// <summary>Replies whose texts and presence differ, so that no branch is learnt by heart: a power of two of them.</summary>
    public static Employee[] Replies { get; } = MakeReplies(64);

    public static byte[][] EncodedReplies { get; } = [.. Replies.Select(Encode)];

    public static byte[] EncodedRequest()
    {
        var buffer = new byte[BufferSize];
        return buffer[..HandWrittenCodec.Encode(Request, buffer)];
    }

    public static byte[] EncodedReply() => Encode(Reply);

    private static byte[] Encode(Employee reply)
    {
        var buffer = new byte[BufferSize];
        return buffer[..HandWrittenCodec.Encode(reply, buffer)];
    }

    private static Employee[] MakeReplies(int count)
    {
        var random = new Random(Seed);
        return [.. Enumerable.Range(0, count).Select(_ => new Employee
        {
            EmployeeId = random.Next(20_000),
            LastName = Text(random, 4, 16),
            FirstName = Text(random, 3, 12),
            Title = random.Next(4) == 0 ? null : Text(random, 2, 30),
            City = Text(random, 4, 14),
            Region = random.Next(4) == 0 ? null : Text(random, 2, 3),
            Country = Text(random, 2, 14),
            RequestTime = random.NextDouble(),
        })];
    }

    private static string Text(Random random, int least, int most) => new('x', random.Next(least, most + 1));
}
