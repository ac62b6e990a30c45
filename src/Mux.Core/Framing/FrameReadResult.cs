namespace Mux.Framing;

/// <summary>What <see cref="FrameReader"/> found at the front of the received bytes.</summary>
internal enum FrameReadResult
{
    /// <summary>A whole frame whose header breaks no rule.</summary>
    Frame,

    /// <summary>The beginning of a frame that is acceptable so far.</summary>
    Incomplete,

    /// <summary>A header that breaks a rule.</summary>
    Violation,
}
