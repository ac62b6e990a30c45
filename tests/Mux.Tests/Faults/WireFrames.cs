using Mux.Protocol;

namespace Mux.Tests.Faults;

/// <summary>What one side of a connection sent, read as frames.</summary>
internal sealed class WireFrames
{
    private readonly List<(FrameHeader Header, byte[] Payload)> _frames = [];

    /// <summary>Reads all whole frames.</summary>
    /// <exception cref="InvalidOperationException">What is there is no sequence of frames.</exception>
    public WireFrames(ReadOnlySpan<byte> bytes)
    {
        if (bytes.Length < Preface.Size)
        {
            Rest = bytes.Length;
            return;
        }

        if (!bytes[..Preface.Size].SequenceEqual(Preface.Bytes)) throw new InvalidOperationException("It does not begin with the preface.");
        bytes = bytes[Preface.Size..];
        FrameReadResult result;
        while ((result = FrameReader.Read(bytes, ProtocolConstants.MaxFramePayload, out var header, out var violation)) == FrameReadResult.Frame)
        {
            _frames.Add((header, bytes.Slice(FrameHeader.Size, header.Length).ToArray()));
            bytes = bytes[(FrameHeader.Size + header.Length)..];
            if (violation is not null) throw new InvalidOperationException(violation.Text);
        }

        if (result == FrameReadResult.Violation) throw new InvalidOperationException($"After {_frames.Count} frames, of which the last is {_frames.LastOrDefault().Header}, comes no frame.");
        Rest = bytes.Length;
    }

    public IReadOnlyList<(FrameHeader Header, byte[] Payload)> All => _frames;

    /// <summary>Bytes of a frame that is not whole.</summary>
    public int Rest { get; }

    public static IReadOnlyList<string> Describe(ReadOnlySpan<byte> bytes) =>
        [.. new WireFrames(bytes).All.Select(frame => $"{frame.Header}: {Convert.ToHexString(frame.Payload)}")];
}
