using Mux.Engine;

namespace Mux.Calls;

/// <summary>Has the calls that wait until the connection of a peer has room, and is told of its end before user code is. Safe for concurrent use.</summary>
internal interface IPeerWatch : IRoomWatch
{
    /// <summary>True if calls wait: a further one has to go behind them. One that this thread has added is seen.</summary>
    bool HasWaiting { get; }

    /// <summary>Adds a call behind those that wait. It is handed over when its turn has come, or fails.</summary>
    /// <param name="call">The call.</param>
    /// <param name="calls">Carries it.</param>
    /// <param name="body">Its request, unless that is large.</param>
    void Add(OutgoingCall call, PeerCalls calls, ReadOnlySpan<byte> body);

    /// <summary>The connection has ended. Called once, without locks. Throws nothing.</summary>
    void OnEnded();
}
