namespace Mux.Filters;

/// <summary>The side of a call on which a filter runs.</summary>
public enum MuxCallSide
{
    /// <summary>The side that makes the call: a channel, or a server that calls its client.</summary>
    Client = 0,

    /// <summary>The side that serves the call: a server, or a channel with services that its server calls.</summary>
    Server = 1,
}
