using Mux.Framing;
using Mux.Wire;

namespace Mux.Connections;

/// <summary>
/// Reads what comes between HELLO and the moment at which a connection opens, where the accepting side wants to know who the peer is: AUTH, PING and GOAWAY, and little of it. Turn only.
/// </summary>
internal sealed class EarlyFrames(Connection connection, bool accepting)
{
    /// <summary>Bytes of whole frames that an accepting side takes from a peer it does not know.</summary>
    private const int MaxTotal = 16 * 1024;

    private int _total;

    /// <summary>Handles whole frames until the connection is open or over.</summary>
    /// <returns>How many bytes are dealt with.</returns>
    public int Read(ReadOnlySpan<byte> bytes)
    {
        int consumed = 0;
        while (connection.State == ConnectionState.Authenticating)
        {
            var rest = bytes[consumed..];
            var result = FrameReader.Read(rest, AuthCredential.MaxLength, out var header, out var violation);
            if (rest.Length >= FrameHeader.Size) violation ??= CheckKind(header) ?? CheckTotal(header); // judged before the payload is awaited
            if (violation is null && result == FrameReadResult.Incomplete) break;
            if (violation is null)
            {
                consumed += FrameHeader.Size + header.Length;
                _total += FrameHeader.Size + header.Length;
                connection.Received.Frames++;
                violation = Route(header, rest.Slice(FrameHeader.Size, header.Length));
            }

            if (violation is not null) connection.FailProtocol(accepting ? violation with { Code = ConnectionCode.AuthFailed } : violation);
        }

        return consumed;
    }

    private static ProtocolViolation? CheckKind(FrameHeader header) =>
        header.Kind is FrameKind.Auth or FrameKind.Ping or FrameKind.GoAway ? null : new(ConnectionCode.ProtocolError, $"{header.Kind} before authentication.");

    private ProtocolViolation? CheckTotal(FrameHeader header) => accepting && _total + FrameHeader.Size + header.Length > MaxTotal
        ? new(ConnectionCode.AuthFailed, $"More than {MaxTotal} bytes before authentication.")
        : null;

    private ProtocolViolation? Route(FrameHeader header, ReadOnlySpan<byte> payload)
    {
        if (header.Kind == FrameKind.Auth) return connection.OnAuth(header.Flags, payload);
        if (header.Kind == FrameKind.Ping)
        {
            if (!PingFrame.TryRead(payload, out ulong opaque, out var malformed)) return malformed;
            if ((header.Flags & FrameFlags.Answer) == 0) connection.OnPing(opaque);
            return null;
        }

        if ((header.Flags & FrameFlags.Answer) != 0) return new(ConnectionCode.ProtocolError, "Acknowledgement of a GOAWAY that was not sent.");
        if (!GoAwayFrame.TryRead(payload, out var goAway, out var violation)) return violation;
        connection.OnRefused(goAway);
        return null;
    }
}
