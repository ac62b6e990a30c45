using Mux.Execution;
using Mux.Sessions.Calls;

namespace Mux.Endpoints;

/// <summary>
/// Hears what the connections of a pool have to say of calls and of user code. Its members are called outside the pool's lock, on any thread.
/// </summary>
internal interface IPoolOwner : IWorkOwner
{
    /// <summary>A connection took a call and did not send it: the call is to be started anew, on this pool or another one.</summary>
    void OnWithdrawn(OutgoingCall call);

    /// <summary>User code threw that no caller awaits.</summary>
    void OnUserCodeFailed(Exception error);

    /// <summary>User code kept a thread that receives.</summary>
    /// <param name="code">The code, if it is known.</param>
    /// <param name="refused">Whether the thread has no successor, because there are as many as there may be.</param>
    void OnBlocked(Placement? code, bool refused);
}
