using Mux.Lanes;

namespace Mux.Connections;

/// <summary>
/// What has to happen when the connection's lock is released: everything that calls owners, links or user code. Filled under the lock, carried out by
/// <see cref="Connection.Complete"/> outside it. Empty costs nothing.
/// </summary>
internal struct Aftermath
{
    /// <summary>Calls that were decided.</summary>
    public CallOutcomes Outcomes;

    /// <summary>This side takes and makes no further calls, by itself.</summary>
    public bool BeginsDrain;

    /// <summary>The connection ended.</summary>
    public ConnectionEnd? Ended;

    /// <summary>Blocks to send; the carrier is the sender.</summary>
    public OutboundBlock? Batch;

    /// <summary>All is sent: the sending direction ends.</summary>
    public bool EndSending;

    /// <summary>The link is given up.</summary>
    public bool CloseLink;
}
