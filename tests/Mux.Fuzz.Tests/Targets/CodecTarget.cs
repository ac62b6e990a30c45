using Mux.Serialization;
using Mux.Serialization.Oracles.Shapes;

namespace Mux.Fuzz.Tests.Targets;

/// <summary>A body is read or refused by the generated codec, for bounded memory, and what was read can be written, or is refused with the same exception. The first byte says which message it is.</summary>
internal sealed class CodecTarget : FuzzTarget
{
    // docs/contracts.md, limits: objects take 8 times the bytes and 4 MiB, numbers and texts at most 32 times.
    private const int FreeAllocation = 4 * 1024 * 1024 + 64 * 1024;
    private const int AllocationPerByte = 64;

    private static readonly HashSet<string> s_warm = [];

    public override string Name => "codec";

    public override IReadOnlyList<byte[]> Examples { get; } =
    [
        [0, 0x08, 0x96, 0x01, 0x11, 0, 0, 0, 0, 0, 0, 0xf0, 0x3f],
        [5, 0x0a, 3, (byte)'a', (byte)'b', 0xc3, 0x12, 1, 0x80],
        [6, 0x0a, 4, 0x0a, 2, 0x08, 1, 0x12, 2, 0x08, 2],
        [7, 0x0b, 0x08, 1, 0x0c, 0x13, 0x14],
        [17, 0x0a, 4, 0x08, 1, 0x10, 2, 0x0a, 2, 0x08, 1],
        [21, 0x52, 2, 0x08, 5, 0x0a, 1, (byte)'n'],
        [25, 0x08, 1, 0xf8, 0x07, 3, 0xfa, 0x07, 1, 9],
    ];

    public override int Run(ReadOnlySpan<byte> input, Random random)
    {
        if (input.IsEmpty) return 0;
        var shape = ShapeCatalog.All[input[0] % ShapeCatalog.All.Count];
        if (s_warm.Add(shape.Name)) Read(shape, input[1..]); // what is allocated once in a process is not the message's
        long before = GC.GetAllocatedBytesForCurrentThread();
        var (value, refusal) = Read(shape, input[1..]);
        Assert.InRange(GC.GetAllocatedBytesForCurrentThread() - before, 0, FreeAllocation + ((long)AllocationPerByte * input.Length));
        if (value is null) return HashCode.Combine(shape.Name, KindOf(refusal));
        try
        {
            var written = shape.Encode(value);
            Assert.NotNull(shape.Decode(written));
            return HashCode.Combine(shape.Name, Math.Min(written.Length, 16));
        }
        catch (InvalidMessageException error)
        {
            return HashCode.Combine(shape.Name, KindOf(error.Message));
        }
    }

    private static (object? Value, string? Refusal) Read(Shape shape, ReadOnlySpan<byte> bytes)
    {
        try
        {
            return (shape.Decode(bytes), null);
        }
        catch (InvalidMessageException error)
        {
            return (null, error.Message);
        }
    }
}
