using Mux.Protocol;

namespace Mux.Engine;

/// <summary>
/// Reads the first bytes of a connection: preface and HELLO (PROTOCOL.md section 1). Synchronous, without side effects; the connection acts on the result. Turn
/// only.
/// </summary>
internal sealed class Handshake(bool accepting)
{
    private bool _prefaceSeen;

    /// <summary>The meaning of the bytes received so far.</summary>
    public enum Step
    {
        /// <summary>More bytes are needed.</summary>
        Incomplete,

        /// <summary>The peer's HELLO is in <see cref="Peer"/>, and the versions agree.</summary>
        Done,

        /// <summary>The peer does not speak this protocol: the accepting side closes without sending anything.</summary>
        NotMux,

        /// <summary>The peer refused the handshake with <see cref="Refusal"/>.</summary>
        Refused,

        /// <summary>The peer broke a rule.</summary>
        Violation,
    }

    /// <summary>True if a whole correct preface arrived. Before that, an accepting side sends nothing.</summary>
    public bool PrefaceSeen => _prefaceSeen;

    /// <summary>The protocol that the peer speaks if the step is <see cref="Step.NotMux"/>.</summary>
    public ForeignProtocol Foreign { get; private set; }

    public PeerSettings? Peer { get; private set; }

    public GoAwayFrame Refusal { get; private set; }

    /// <summary>Reads further bytes.</summary>
    /// <param name="bytes">Received bytes that are not consumed.</param>
    /// <param name="consumed">The number of bytes consumed.</param>
    /// <param name="violation">The broken rule, or null.</param>
    public Step Read(ReadOnlySpan<byte> bytes, out int consumed, out ProtocolViolation? violation)
    {
        consumed = 0;
        violation = null;
        if (!_prefaceSeen)
        {
            int length = Math.Min(bytes.Length, Preface.Size);
            if (!bytes[..length].SequenceEqual(Preface.Bytes[..length]))
            {
                Foreign = ForeignBytes.Of(bytes);
                return Step.NotMux;
            }

            if (length < Preface.Size) return Step.Incomplete;
            _prefaceSeen = true;
            consumed = Preface.Size;
        }

        var rest = bytes[consumed..];
        switch (FrameReader.Read(rest, ProtocolConstants.MaxHelloLength, out var header, out violation))
        {
            case FrameReadResult.Violation: return Step.Violation;
            case FrameReadResult.Incomplete:
                // The kind is judged before the payload arrives.
                violation = rest.Length >= FrameHeader.Size ? CheckKind(header) : null;
                return violation is null ? Step.Incomplete : Step.Violation;
        }

        violation = CheckKind(header);
        if (violation is not null) return Step.Violation;
        consumed += FrameHeader.Size + header.Length;
        var payload = rest.Slice(FrameHeader.Size, header.Length);
        return header.Kind == FrameKind.GoAway ? ReadRefusal(payload, out violation) : ReadHello(payload, out violation);
    }

    private ProtocolViolation? CheckKind(FrameHeader header)
    {
        bool isRefusal = header is { Kind: FrameKind.GoAway, Flags: FrameFlags.None } && !accepting;
        return header.Kind == FrameKind.Hello || isRefusal ? null : new(ConnectionCode.ProtocolError, $"{header.Kind} before HELLO.");
    }

    private Step ReadRefusal(ReadOnlySpan<byte> payload, out ProtocolViolation? violation)
    {
        if (!GoAwayFrame.TryRead(payload, out var refusal, out violation)) return Step.Violation;
        Refusal = refusal;
        return Step.Refused;
    }

    private Step ReadHello(ReadOnlySpan<byte> payload, out ProtocolViolation? violation)
    {
        if (!HelloFrame.TryRead(payload, out var hello, out violation)) return Step.Violation;

        // An offer must include this side's version; an answer must equal it.
        bool agreed = accepting
            ? hello!.VersionMin <= ProtocolConstants.Version && hello.VersionMax >= ProtocolConstants.Version
            : hello!.VersionMin == ProtocolConstants.Version && hello.VersionMax == ProtocolConstants.Version;
        if (!agreed)
        {
            violation = new(ConnectionCode.VersionMismatch,
                $"The peer speaks the versions {hello.VersionMin} to {hello.VersionMax}; this side speaks version {ProtocolConstants.Version}.");
            return Step.Violation;
        }

        Peer = hello.Settings;
        return Step.Done;
    }
}
