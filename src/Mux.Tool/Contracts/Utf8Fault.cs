using System.Buffers;
using System.Text;

namespace Mux.Tool.Contracts;

/// <summary>Says where bytes are not UTF-8.</summary>
internal static class Utf8Fault
{
    /// <param name="bytes">Bytes with a fault.</param>
    /// <param name="start">How many bytes of the input are before them.</param>
    /// <param name="line">The line in which they begin.</param>
    public static string Describe(ReadOnlySpan<byte> bytes, long start, int line)
    {
        int at = 0;
        while (Rune.DecodeFromUtf8(bytes[at..], out _, out int length) == OperationStatus.Done) at += length;
        line += bytes[..at].Count((byte)'\n');
        return $"Line {line}: byte {start + at + 1} of the input, {bytes[at]:X2}, is not UTF-8; expected UTF-8.";
    }
}
