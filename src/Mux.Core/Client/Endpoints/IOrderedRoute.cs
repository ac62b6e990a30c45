using Mux.Engine;

namespace Mux.Client;

/// <summary>What <see cref="OrderedCalls"/> need of the route of their calls. Any thread.</summary>
internal interface IOrderedRoute
{
    /// <summary>Chooses the connection of a key of which no call is open. Null if there is none yet, or the route is over.</summary>
    PooledConnection? Choose(OutgoingCall call);

    /// <summary>Starts a call that was held, with its request in <see cref="OutgoingCall.Body"/> or its bulk message.</summary>
    void StartAgain(OutgoingCall call);
}
