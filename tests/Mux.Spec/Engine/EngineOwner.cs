using Mux.Contracts;
using Mux.Engine;
using Mux.Runtime;

namespace Mux.Spec.Engine;

/// <summary>Remembers how a connection ended.</summary>
internal sealed class EngineOwner : IConnectionOwner
{
    private readonly TaskCompletionSource<ConnectionEnd?> _released = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private ConnectionEnd? _end;

    /// <summary>Completes when nothing of the connection is left.</summary>
    public Task<ConnectionEnd?> Released => _released.Task;

    public void OnOpened(Connection connection)
    {
    }

    public void OnDraining(Connection connection, bool byPeer)
    {
    }

    public void OnWithdrawn(Connection connection, OutgoingCall call) => CallQueue.ReleaseBody(call);

    public void OnUserCodeFailed(Connection connection, Exception error)
    {
    }

    public void OnContractDiffers(Connection connection, MethodDescriptor method, string messages)
    {
    }

    public void OnBlocked(Connection connection, Placement? code, bool refused)
    {
    }

    public void OnStalled(WorkStall stall)
    {
    }

    public void OnEnded(Connection connection, ConnectionEnd end) => _end = end;

    public void OnReleased(Connection connection) => _released.SetResult(_end);
}
