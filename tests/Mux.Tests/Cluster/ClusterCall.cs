using Mux.Tests.Contracts;

namespace Mux.Tests.Cluster;

/// <summary>A call of a simulation: what its caller has learned, to be compared with what the servers did.</summary>
internal sealed class ClusterCall(int nonce, bool mayExpire)
{
    private Task<Answer>? _task;

    public int Nonce => nonce;

    /// <summary>True if its caller gave it a deadline, or cancels it.</summary>
    public bool MayEndByCaller { get; private set; } = mayExpire;

    public bool IsDone => _task!.IsCompleted;

    public bool IsOk => _task!.IsCompletedSuccessfully;

    public CancellationTokenSource Token { get; } = new();

    public void Begin(ValueTask<Answer> call) => _task = call.AsTask();

    public void Cancel()
    {
        MayEndByCaller = true;
        Token.Cancel();
    }

    /// <summary>The verdict of the caller must agree with the servers' log.</summary>
    /// <param name="executions">How often a handler of it was started.</param>
    public void CheckAgainst(int executions)
    {
        Assert.True(executions <= 1, $"Call {nonce} was executed {executions} times.");
        if (_task!.IsCompletedSuccessfully)
        {
            Assert.Equal((nonce, 1), (_task.Result.Id, executions));
        }
        else if (_task.Exception?.InnerException is MuxException error)
        {
            if (error.Execution == MuxExecution.NotExecuted) Assert.True(executions == 0, $"Call {nonce} was executed, and its caller learned: {error.Message}");
            if (error.Execution == MuxExecution.Executed) Assert.True(executions == 1, $"Call {nonce} was not executed, and its caller learned: {error.Message}");
        }
    }

    public override string ToString() => _task!.Exception?.InnerException?.Message ?? _task.Status.ToString();
}
