using System.Buffers.Binary;
using Mux.Contracts;
using Mux.Engine;

namespace Mux.Core.Tests.Simulation;

/// <summary>A call of the simulation: carries a nonce, and checks its outcome against what the other side did.</summary>
internal sealed class SimulatedCall : OutgoingCall
{
    private readonly SimulatedSide _caller;
    private readonly History _history;

    public SimulatedCall(SimulatedSide caller, History history, MethodDescriptor method, long nonce)
    {
        _caller = caller;
        _history = history;
        Method = method;
        Nonce = nonce;
    }

    public long Nonce { get; }

    public bool IsDone { get; private set; }

    public MuxStatus? Status { get; private set; }

    /// <summary>What the caller was told; null where the call succeeded or was one-way.</summary>
    public MuxExecution? Execution { get; private set; }

    public override void OnResponse(ReadOnlySpan<byte> body, CallTally tally)
    {
        tally.Add(Method, MuxStatus.Ok);
        End(MuxStatus.Ok);
        Assert.Equal(Nonce, BinaryPrimitives.ReadInt64LittleEndian(body));
        Assert.Equal(1, _history.ExecutionsOf(Nonce));
        _caller.OnCallDone(inTurn: true);
    }

    public override void OnFailed(CallFailure failure, bool inTurn)
    {
        Assert.NotEqual(MuxStatus.Ok, failure.Status);
        if (failure.IsCallerCancel) Assert.True(CancelRequested, "A call was cancelled that nobody cancelled.");
        if (failure is { Status: MuxStatus.DeadlineExceeded, Phase: MuxCallPhase.Queue or MuxCallPhase.Wait }) Assert.True(_caller.Now >= Due, "A call expired before its deadline.");
        End(failure.Status);
        Execution = failure.Execution;
        _caller.OnCallDone(inTurn);
    }

    public override void OnAppended()
    {
        End(MuxStatus.Ok);
        _caller.OnCallDone(inTurn: false);
    }

    /// <summary>Its connection gave it back unsent.</summary>
    public void OnWithdrawn()
    {
        CallQueue.ReleaseBody(this);
        End(MuxStatus.Unavailable);
        Execution = MuxExecution.NotExecuted;
        _caller.OnCallDone(inTurn: false);
    }

    /// <summary>At the end of everything: whether what the caller was told is what happened.</summary>
    public void CheckAgainstHistory()
    {
        Assert.True(IsDone, $"Call {Nonce} of {Method} never completed.");
        int executions = _history.ExecutionsOf(Nonce);
        Assert.InRange(executions, 0, 1);
        if (Execution == MuxExecution.NotExecuted) Assert.True(executions == 0, $"Call {Nonce} of {Method} ran and was told not executed ({Status}).");
        if (Execution == MuxExecution.Executed) Assert.True(executions == 1, $"Call {Nonce} of {Method} did not run and was told executed ({Status}).");
    }

    private void End(MuxStatus status)
    {
        Assert.False(IsDone, $"Call {Nonce} of {Method} completed twice.");
        IsDone = true;
        Status = status;
    }
}
