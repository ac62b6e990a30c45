using Mux.Transports;

namespace Seeds.Transports;

/// <summary>Sends every frame by itself: what Mux would cost without merging. The engine gives it what it would have sent in one go.</summary>
internal sealed class UnmergedLink(Link inner) : DecoratedLink(inner)
{
    // PROTOCOL.md sections 1 and 2: eight bytes of preface, then frames whose first three bytes are the length of what follows the header.
    private const int PrefaceSize = 8;
    private const int HeaderSize = 8;
    private const int LengthSize = 3;

    private static long s_sends;

    // Where in the stream the next byte to send stands: bytes left of the unit that it belongs to, or in a header whose length is not known yet.
    private int _left = PrefaceSize;
    private int _lengthBytes;
    private int _length;

    /// <summary>Sends of all such links of the process.</summary>
    public static long Sends => Volatile.Read(ref s_sends);

    public override int Send(ReadOnlySpan<byte> bytes)
    {
        int accepted = 0;
        while (accepted < bytes.Length)
        {
            var piece = NextPiece(bytes[accepted..]);
            int sent = base.Send(piece);
            Interlocked.Increment(ref s_sends);
            Pass(piece[..sent]);
            accepted += sent;
            if (sent < piece.Length) break;
        }

        return accepted;
    }

    /// <summary>The rest of the unit that the first byte belongs to, as far as it is here.</summary>
    private ReadOnlySpan<byte> NextPiece(ReadOnlySpan<byte> bytes)
    {
        int left = _left;
        if (left == 0)
        {
            int missing = LengthSize - _lengthBytes;
            if (bytes.Length < missing) return bytes;
            int length = _length;
            for (int i = 0; i < missing; i++) length |= bytes[i] << (8 * (_lengthBytes + i));
            left = HeaderSize - _lengthBytes + length;
        }

        return bytes[..Math.Min(left, bytes.Length)];
    }

    /// <summary>Moves on by what was sent.</summary>
    private void Pass(ReadOnlySpan<byte> sent)
    {
        foreach (byte value in sent)
        {
            if (_left > 0)
            {
                _left -= 1;
                continue;
            }

            _length |= value << (8 * _lengthBytes);
            if (++_lengthBytes < LengthSize) continue;
            _left = HeaderSize - LengthSize + _length;
            _lengthBytes = _length = 0;
        }
    }
}
