namespace Mux.Protocol;

/// <summary>CANCEL (0x0B): one byte with the reason. The acceptor still ends the call with its terminal frame.</summary>
internal static class CancelFrame
{
    public const int Length = 1;

    public static bool TryRead(ReadOnlySpan<byte> payload, out CancelReason reason, out ProtocolViolation? violation)
    {
        reason = CancelReason.Unspecified;
        violation = null;
        if (payload.Length != Length)
        {
            violation = new(ConnectionCode.ProtocolError, $"CANCEL carries {payload.Length} bytes; it must carry {Length}.");
            return false;
        }

        reason = (CancelReason)payload[0];
        return true;
    }

    public static void Write(Span<byte> payload, CancelReason reason) => payload[0] = (byte)reason;
}

/// <summary>Reasons of an initiator for cancelling a call (CANCEL, PROTOCOL.md section 3). Values not listed mean <see cref="Unspecified"/>.</summary>
internal enum CancelReason : byte
{
    Unspecified = 0,
    Deadline = 1,
    Superseded = 2,
}
