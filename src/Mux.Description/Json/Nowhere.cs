using System.Buffers;

namespace Mux.Description.Json;

/// <summary>What a JSON writer holds between calls, so that it does not hold the buffer of a caller.</summary>
internal sealed class Nowhere : IBufferWriter<byte>
{
    public static readonly Nowhere Instance = new();

    public void Advance(int count)
    {
    }

    public Memory<byte> GetMemory(int sizeHint = 0) => new byte[Math.Max(sizeHint, 1)];

    public Span<byte> GetSpan(int sizeHint = 0) => GetMemory(sizeHint).Span;
}
