namespace Mux.Protocol;

/// <summary>Constants of the protocol that are not settings.</summary>
internal static class ProtocolConstants
{
    public const byte Version = 1;

    /// <summary>Maximum length of a HELLO, so that a handshake needs a bounded buffer before the peer is known.</summary>
    public const int MaxHelloLength = 4096;

    /// <summary>Maximum text of a GOAWAY, in bytes of UTF-8. The writer truncates longer text; the reader rejects it as a ProtocolError.</summary>
    public const int MaxGoAwayText = 1024;

    /// <summary>Maximum FAIL payload: text, metadata and detail.</summary>
    public const int MaxFailLength = 16 * 1024;

    /// <summary>Maximum text of a FAIL, in bytes of UTF-8. The writer and the reader truncate longer text.</summary>
    public const int MaxFailText = 4096;

    /// <summary>Maximum "service/method" name of a DEFINE, in bytes of UTF-8.</summary>
    public const int MaxMethodName = 256;

    /// <summary>Maximum body sent in one frame, if the frame fits the receiver's limit; longer bodies are sent in fragments.</summary>
    public const int MaxWholeBody = 16 * 1024;

    /// <summary>Maximum body per fragment: frames of other calls get their turn between two fragments.</summary>
    public const int MaxFragmentBody = 32 * 1024;

    /// <summary>A message may arrive in as many fragments of this mean size as it has bytes for, and some extra ones.</summary>
    public const int LeastMeanFragment = 1024, ExtraFragments = 16;

    /// <summary>Range of setting 1. Small, because a receiver must be able to hold one frame of its own maximum.</summary>
    public const int MinFramePayload = 16 * 1024, MaxFramePayload = 64 * 1024;
}

/// <summary>A violation that ends the connection: the code for GOAWAY, and a text for the log and the peer that names the bytes and the rule.</summary>
internal record ProtocolViolation(ConnectionCode Code, string Text);
