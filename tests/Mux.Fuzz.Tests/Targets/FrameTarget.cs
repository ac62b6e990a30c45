using Mux.Protocol;
using Mux.TestSupport.Connections;

namespace Mux.Fuzz.Tests.Targets;

/// <summary>Frames are found alike wherever the stream is split, and a header is judged by its own bytes alone.</summary>
internal sealed class FrameTarget : FuzzTarget
{
    private const int MaxPayload = 128;

    public override string Name => "frames";

    public override IReadOnlyList<byte[]> Examples { get; } =
    [
        ScriptedPeer.Frame(FrameKind.Ping, default, new byte[8]),
        ScriptedPeer.Frame(FrameKind.Request, new CallId(1, 1), [0, 0, 0, 0, 1, 2, 3]),
        ScriptedPeer.Frame(FrameKind.Request, new CallId(2, 1), new byte[MaxPayload], FrameFlags.More),
        ScriptedPeer.Frame(FrameKind.ResponseItem, new CallId(3, 4095), [9]),
        ScriptedPeer.Frame(FrameKind.FirstExtension, default, [], (FrameFlags)7),
    ];

    public override int Run(ReadOnlySpan<byte> input, Random random)
    {
        var whole = Read(input, [input.Length]);
        var split = Read(input, Split(input.Length, random));
        Assert.Equal(whole, split);
        return HashCode.Combine(Math.Min(whole.Count, 3), KindOf(whole.LastOrDefault()));
    }

    private static List<string> Read(ReadOnlySpan<byte> input, List<int> pieces)
    {
        var seen = new List<string>();
        int begin = 0, end = 0;
        foreach (int piece in pieces)
        {
            end += piece;
            while (true)
            {
                var result = FrameReader.Read(input[begin..end], MaxPayload, out var header, out var violation);
                Assert.Equal(result == FrameReadResult.Violation, violation is not null);
                if (result == FrameReadResult.Violation)
                {
                    seen.Add($"{violation!.Code}: {violation.Text}");
                    return seen;
                }

                if (result == FrameReadResult.Incomplete) break;
                Assert.InRange(header.Length, 0, MaxPayload);
                seen.Add($"{header.Kind} {header.Flags} {header.Id} {header.Length}");
                begin += FrameHeader.Size + header.Length;
            }
        }

        return seen;
    }
}
