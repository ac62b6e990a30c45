using Mux.Protocol;
using Mux.TestSupport.Connections;

namespace Mux.Core.Tests.Wire;

/// <summary>One frame in bytes written by hand.</summary>
internal static class GoldenFrame
{
    /// <summary>Reads it as a receiver does.</summary>
    public static RawFrame Read(string file, string section, FrameKind kind, FrameFlags flags = FrameFlags.None)
    {
        var bytes = HexFile.Read(file, section);
        Assert.Equal(FrameReadResult.Frame, FrameReader.Read(bytes, ProtocolConstants.MaxFramePayload, out var header, out _));
        Assert.Equal((kind, flags, bytes.Length - FrameHeader.Size), (header.Kind, header.Flags, header.Length));
        return new RawFrame(header, bytes[FrameHeader.Size..]);
    }

    public static void AssertWrites(string file, string section, Func<byte[], int> write)
    {
        var buffer = new byte[2 * FrameWriter.MaxFailFrame];
        Assert.Equal(HexFile.Read(file, section), buffer[..write(buffer)]);
    }
}
