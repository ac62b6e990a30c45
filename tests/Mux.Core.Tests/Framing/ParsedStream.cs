using Mux.Protocol;

namespace Mux.Core.Tests.Framing;

/// <summary>What a receiver makes of a stream that comes in pieces: the frames, and how it ends.</summary>
internal sealed class ParsedStream
{
    private readonly List<byte> _pending = [];

    /// <summary>Headers and payloads, one after the other.</summary>
    public List<string> Frames { get; } = [];

    public ProtocolViolation? Violation { get; private set; }

    /// <summary>Bytes of a frame that is not whole.</summary>
    public int Rest => _pending.Count;

    public static ParsedStream Of(byte[] stream, IEnumerable<int> lengths)
    {
        var parsed = new ParsedStream();
        int at = 0;
        foreach (int length in lengths)
        {
            int count = Math.Min(length, stream.Length - at);
            parsed.Receive(stream.AsSpan(at, count));
            at += count;
        }

        return parsed;
    }

    public void AssertSame(ParsedStream other)
    {
        Assert.Equal(Frames, other.Frames);
        Assert.Equal(Violation, other.Violation);
        if (Violation is null) Assert.Equal(Rest, other.Rest);
    }

    private void Receive(ReadOnlySpan<byte> bytes)
    {
        _pending.AddRange(bytes);
        while (Violation is null)
        {
            var all = _pending.ToArray();
            var result = FrameReader.Read(all, ProtocolConstants.MaxFramePayload, out var header, out var violation);
            Violation = violation;
            if (result != FrameReadResult.Frame) return;
            int length = FrameHeader.Size + header.Length;
            Frames.Add($"{header}: {Convert.ToHexString(all.AsSpan(FrameHeader.Size, header.Length))}");
            _pending.RemoveRange(0, length);
        }
    }
}
