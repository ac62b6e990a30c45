using Mux.Contracts;
using Mux.Engine;
using Mux.Protocol;
using Mux.Runtime;

namespace Mux.Client;

/// <summary>Receives what a pool's connections report of calls and user code. Its members are called outside the pool's lock, on any thread.</summary>
internal interface IPoolOwner : IWorkOwner
{
    /// <summary>A connection is open: calls may run on it. The pool has noted it.</summary>
    void OnOpened(PooledConnection pooled);

    /// <summary>
    /// A connection takes no more calls, or was never established. Called when it drains and when it has ended, which may be the first.
    /// </summary>
    /// <param name="pooled">The connection.</param>
    /// <param name="end">How it ended; null while it drains.</param>
    void OnLeft(PooledConnection pooled, ConnectionEnd? end);

    /// <summary>A connection gives back a call that it has not sent. The call must be started again, on this pool or another one.</summary>
    void OnWithdrawn(OutgoingCall call);

    /// <summary>Calls of the channel that have failed because no server answered them. Any thread.</summary>
    long FailedCalls => 0;

    /// <summary>
    /// The least pause, in microseconds, after a failed dial: an owner of many pools has them take turns. Called under the pool's lock.
    /// </summary>
    long LeastDialPause => 0;

    /// <inheritdoc cref="IConnectionOwner.TakesUnsentCalls"/>
    bool TakesUnsentCalls => false;

    /// <inheritdoc cref="IConnectionOwner.OnUnsent"/>
    void OnUnsent(OutgoingCall call, CallFailure failure) => OnWithdrawn(call);

    /// <summary>
    /// The server of a connection said how many calls it takes and how busy it is. The connection itself keeps to the number: until the lease is over or
    /// replaced, further calls wait in it. A server that takes none is about to stop and still serves what comes; the owner sends calls to others, if there are
    /// any. On the thread that receives, which must not wait.
    /// </summary>
    void OnLease(PooledConnection pooled, in LeaseFrame lease)
    {
        // Of use to an owner that chooses between endpoints.
    }

    /// <summary>Reports an exception of user code that no caller awaits.</summary>
    void OnUserCodeFailed(Exception error);

    /// <summary>A callback that is a parameter of a call of this side threw.</summary>
    void OnCallbackFailed(MethodDescriptor method, string callback, Exception error) => OnUserCodeFailed(error);

    /// <summary>A method has other messages at the server: see <see cref="IConnectionOwner.OnContractDiffers"/>.</summary>
    void OnContractDiffers(MethodDescriptor method, string messages);

    /// <summary>User code blocked a receiving thread.</summary>
    /// <param name="code">The code, if it is known.</param>
    /// <param name="refused">True if no thread replaces it, because the most allowed are running.</param>
    void OnBlocked(Placement? code, bool refused);
}
