using Mux.Protocol;

namespace Mux.Core.Tests.Wire;

/// <summary>Other implementations read the vectors: each kind of frame is there in bytes.</summary>
public sealed class FrameKindVectorTests
{
    [Fact]
    public void Every_kind_of_frame_has_a_vector()
    {
        var kinds = new HashSet<FrameKind>();
        foreach (var file in Directory.GetFiles(Path.Combine(AppContext.BaseDirectory, "Wire", "Vectors"), "*.hex"))
        {
            if (Path.GetFileName(file) == "preface.hex") continue; // no frames
            foreach (var (_, bytes) in HexFile.Sections(Path.GetFileName(file))) Collect(bytes, kinds);
        }

        Assert.Empty(Enum.GetValues<FrameKind>().Except(kinds));
    }

    private static void Collect(ReadOnlySpan<byte> bytes, HashSet<FrameKind> kinds)
    {
        while (bytes.Length >= FrameHeader.Size)
        {
            var header = FrameHeader.Read(bytes);
            kinds.Add(header.Kind);
            bytes = bytes[Math.Min(bytes.Length, FrameHeader.Size + header.Length)..];
        }
    }
}
