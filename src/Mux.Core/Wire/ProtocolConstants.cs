namespace Mux.Wire;

/// <summary>The numbers of the protocol that are not a setting.</summary>
internal static class ProtocolConstants
{
    public const byte Version = 1;

    /// <summary>HELLO may take this much, so that a handshake costs a bounded buffer before anything is known of the peer.</summary>
    public const int MaxHelloLength = 4096;

    /// <summary>Text of a GOAWAY, in bytes of UTF-8; longer text is cut when written and a ProtocolError when read.</summary>
    public const int MaxGoAwayText = 1024;

    /// <summary>A whole FAIL payload: text, metadata and detail.</summary>
    public const int MaxFailLength = 16 * 1024;

    /// <summary>Text of a FAIL, in bytes of UTF-8; longer text is cut by the writer and again by the reader.</summary>
    public const int MaxFailText = 4096;

    /// <summary>"service/method" of a DEFINE, in bytes of UTF-8.</summary>
    public const int MaxMethodName = 256;

    /// <summary>The longest body that is sent in one frame, if the frame then fits the receiver's limit; longer ones go in fragments.</summary>
    public const int MaxWholeBody = 16 * 1024;

    /// <summary>The most body that one fragment carries: other calls' frames get their turn between two of them.</summary>
    public const int MaxFragmentBody = 32 * 1024;

    /// <summary>A message of so many bytes may come in as many fragments of this size, and some more.</summary>
    public const int LeastMeanFragment = 1024, ExtraFragments = 16;

    /// <summary>The range of setting 1. A receiver must be able to hold one frame of its own maximum, so it is small.</summary>
    public const int MinFramePayload = 16 * 1024, MaxFramePayload = 64 * 1024;
}
