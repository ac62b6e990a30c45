using System.Buffers.Binary;

namespace Mux.Tool.Workloads;

/// <summary>The number of a call in the payload of an echo: its first 8 bytes.</summary>
internal static class EchoNumber
{
    /// <summary>Minimum length of a payload with a number.</summary>
    public const int Length = sizeof(long);

    /// <summary>Reads the number; 0 if the payload is too short.</summary>
    public static long Read(ReadOnlySpan<byte> payload) => payload.Length < Length ? 0 : BinaryPrimitives.ReadInt64LittleEndian(payload);

    /// <summary>Writes as much of the number as fits: below 8 bytes it is not unique.</summary>
    public static void Write(Span<byte> payload, long number)
    {
        Span<byte> bytes = stackalloc byte[Length];
        BinaryPrimitives.WriteInt64LittleEndian(bytes, number);
        bytes[..Math.Min(bytes.Length, payload.Length)].CopyTo(payload);
    }
}
