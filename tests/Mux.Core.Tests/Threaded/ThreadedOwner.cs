using Mux.Contracts;
using Mux.Engine;
using Mux.Runtime;

namespace Mux.Core.Tests.Threaded;

/// <summary>Fails calls that were not sent, and says when the connection is released.</summary>
internal sealed class ThreadedOwner : IConnectionOwner
{
    private readonly TaskCompletionSource _released = new(TaskCreationOptions.RunContinuationsAsynchronously);

    public ConnectionEnd? End { get; private set; }

    public Task Released => _released.Task;

    public void OnOpened(Connection connection)
    {
    }

    public void OnDraining(Connection connection, bool byPeer)
    {
    }

    public void OnWithdrawn(Connection connection, OutgoingCall call)
    {
        CallQueue.ReleaseBody(call);
        call.OnFailed(new(MuxStatus.Unavailable, MuxExecution.NotExecuted, MuxCallPhase.Queue, "Withdrawn."), inTurn: false);
    }

    public void OnUserCodeFailed(Connection connection, Exception error)
    {
    }

    public void OnContractDiffers(Connection connection, MethodDescriptor method, string messages)
    {
    }

    public void OnBlocked(Connection connection, Placement? code, bool refused) => Assert.Fail("No link here can be handed over.");

    public void OnStalled(WorkStall stall)
    {
    }

    public void OnEnded(Connection connection, ConnectionEnd end) => End = end;

    public void OnReleased(Connection connection) => _released.TrySetResult();
}
