namespace Mux.Filters;

/// <summary>The side of a call on which a filter runs.</summary>
public enum MuxCallSide
{
    /// <summary>The side that makes the call: a channel.</summary>
    Client = 0,

    /// <summary>The side that serves the call.</summary>
    Server = 1,
}
