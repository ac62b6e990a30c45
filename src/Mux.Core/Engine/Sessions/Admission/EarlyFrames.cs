using Mux.Protocol;

namespace Mux.Engine;

/// <summary>
/// Reads the frames between HELLO and the moment the connection opens, on connections that authenticate: AUTH, PING and GOAWAY, up to <see cref="MaxTotal"/>
/// bytes. Turn only.
/// </summary>
internal sealed class EarlyFrames(Session session, Opening opening, Lifetime life)
{
    /// <summary>Bytes of whole frames that an accepting side reads from a peer that is not authenticated.</summary>
    private const int MaxTotal = 16 * 1024;

    private int _total;

    /// <summary>Handles whole frames until the connection is open or over.</summary>
    /// <param name="bytes">Received bytes that are not consumed.</param>
    /// <param name="violation">The rule that the last handled frame breaks; or null.</param>
    /// <returns>The number of bytes consumed.</returns>
    public int Read(ReadOnlySpan<byte> bytes, out ProtocolViolation? violation)
    {
        violation = null;
        int consumed = 0;
        while (violation is null && session.State == ConnectionState.Authenticating)
        {
            var rest = bytes[consumed..];
            var result = FrameReader.Read(rest, AuthCredential.MaxLength, out var header, out violation);
            if (rest.Length >= FrameHeader.Size) violation ??= CheckKind(header) ?? CheckTotal(header); // judged before the payload arrives
            if (violation is null && result == FrameReadResult.Incomplete) break;
            if (violation is null)
            {
                consumed += FrameHeader.Size + header.Length;
                _total += FrameHeader.Size + header.Length;
                session.Received.Frames++;
                violation = Route(header, rest.Slice(FrameHeader.Size, header.Length));
            }
        }

        if (violation is not null && session.IsAccepting) violation = violation with { Code = ConnectionCode.AuthFailed };
        return consumed;
    }

    private static ProtocolViolation? CheckKind(FrameHeader header) =>
        header.Kind is FrameKind.Auth or FrameKind.Ping or FrameKind.GoAway ? null : new(ConnectionCode.ProtocolError, $"{header.Kind} before authentication.");

    private ProtocolViolation? CheckTotal(FrameHeader header) => session.IsAccepting && _total + FrameHeader.Size + header.Length > MaxTotal
        ? new(ConnectionCode.AuthFailed, $"More than {MaxTotal} bytes before authentication.")
        : null;

    private ProtocolViolation? Route(FrameHeader header, ReadOnlySpan<byte> payload)
    {
        if (header.Kind == FrameKind.Auth) return opening.OnAuth(header.Flags, payload);
        if (header.Kind == FrameKind.Ping)
        {
            if (!PingFrame.TryRead(payload, out ulong opaque, out var malformed)) return malformed;
            if ((header.Flags & FrameFlags.Answer) == 0) life.OnPing(opaque);
            return null;
        }

        if ((header.Flags & FrameFlags.Answer) != 0) return new(ConnectionCode.ProtocolError, "Acknowledgement of a GOAWAY that was not sent.");
        if (!GoAwayFrame.TryRead(payload, out var goAway, out var violation)) return violation;
        opening.OnRefused(goAway);
        return null;
    }
}
