namespace Mux.Protocol;

/// <summary>Results of <see cref="FrameReader"/> for the front of the received bytes.</summary>
internal enum FrameReadResult
{
    /// <summary>A complete frame with a valid header.</summary>
    Frame,

    /// <summary>The start of a frame, valid so far.</summary>
    Incomplete,

    /// <summary>An invalid header.</summary>
    Violation,
}
