using Mux.Protocol;

namespace Mux.TestSupport.Connections;

/// <summary>Receives a frame.</summary>
internal delegate void FrameReceiver(FrameHeader header, ReadOnlySpan<byte> payload);

/// <summary>What a connection under test sends to a peer of a test: the preface, and then frames.</summary>
internal sealed class PeerInput
{
    private bool _isBegun;

    /// <summary>Passes on the frames that are whole.</summary>
    /// <returns>Number of bytes that are done with.</returns>
    public int Read(ReadOnlySpan<byte> bytes, FrameReceiver receive)
    {
        int consumed = 0;
        if (!_isBegun)
        {
            if (bytes.Length < Preface.Size) return 0;
            _isBegun = true;
            consumed = Preface.Size;
        }

        while (FrameReader.Read(bytes[consumed..], ProtocolConstants.MaxFramePayload, out var header, out _) == FrameReadResult.Frame)
        {
            receive(header, bytes.Slice(consumed + FrameHeader.Size, header.Length));
            consumed += FrameHeader.Size + header.Length;
        }

        return consumed;
    }
}
