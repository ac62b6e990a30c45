using Mux.Sessions.Incoming;

namespace Mux.Forwarding;

/// <summary>Forwards the requests of a method. Safe for concurrent use.</summary>
internal interface IForwarder
{
    /// <summary>Forwards a request whose turn it is. Never throws.</summary>
    /// <param name="call">The call.</param>
    /// <param name="body">The request, valid only during this method.</param>
    void Forward(in InboundCall call, ReadOnlySpan<byte> body);
}
