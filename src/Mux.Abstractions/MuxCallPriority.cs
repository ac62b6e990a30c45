namespace Mux;

/// <summary>
/// How the large messages and streams of a call share a connection with those of others. A message that is one frame (16 KiB) passes all of them whatever its
/// priority.
/// </summary>
public enum MuxCallPriority
{
    /// <summary>The usual share.</summary>
    Normal = 0,

    /// <summary>Four times the usual share.</summary>
    High = 1,

    /// <summary>A quarter of the usual share.</summary>
    Low = 2,
}
