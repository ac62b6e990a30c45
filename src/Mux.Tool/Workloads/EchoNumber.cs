using System.Buffers.Binary;

namespace Mux.Tool.Workloads;

/// <summary>The number of a call in the payload of an echo: its first 8 bytes.</summary>
internal static class EchoNumber
{
    /// <summary>The smallest payload that has room for it.</summary>
    public const int Length = sizeof(long);

    /// <summary>0 where there is no room for one.</summary>
    public static long Read(ReadOnlySpan<byte> payload) => payload.Length < Length ? 0 : BinaryPrimitives.ReadInt64LittleEndian(payload);

    /// <summary>Writes as much of it as there is room for: below 8 bytes it is no longer unique.</summary>
    public static void Write(Span<byte> payload, long number)
    {
        Span<byte> bytes = stackalloc byte[Length];
        BinaryPrimitives.WriteInt64LittleEndian(bytes, number);
        bytes[..Math.Min(bytes.Length, payload.Length)].CopyTo(payload);
    }
}
