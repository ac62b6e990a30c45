using Mux.Tests.Contracts;

namespace Mux.Tests.Cluster;

/// <summary>A call of a simulation: what its caller has learned, to be compared with what the servers did.</summary>
/// <param name="nonce">Its number.</param>
/// <param name="client">Who makes it.</param>
/// <param name="mayExpire">True if it has a deadline.</param>
/// <param name="mostExecutions">How often it may run.</param>
internal sealed class ClusterCall(int nonce, int client, bool mayExpire, int mostExecutions)
{
    private Task<Answer>? _task;

    public int Nonce => nonce;

    public int Client => client;

    /// <summary>True if its caller gave it a deadline, or cancels it.</summary>
    public bool MayEndByCaller { get; private set; } = mayExpire;

    public bool IsDone => _task!.IsCompleted;

    public bool IsOk => _task!.IsCompletedSuccessfully;

    /// <summary>True if it has failed because no connection took it, and nobody asked for its end.</summary>
    public bool WasGivenUp => !MayEndByCaller
        && _task!.Exception?.InnerException is MuxException { Status: MuxStatus.Unavailable, Execution: MuxExecution.NotExecuted, Phase: MuxCallPhase.Connect or MuxCallPhase.Queue };

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
        Assert.True(executions <= mostExecutions, $"Call {nonce} was executed {executions} times.");
        if (_task!.IsCompletedSuccessfully)
        {
            Assert.True(_task.Result.Id == nonce && executions > 0, $"Call {nonce} was executed {executions} times, and its caller got the answer to {_task.Result.Id}.");
        }
        else if (_task.Exception?.InnerException is MuxException error)
        {
            if (error.Execution == MuxExecution.NotExecuted) Assert.True(executions == 0, $"Call {nonce} was executed, and its caller learned: {error.Message}");
            if (error.Execution == MuxExecution.Executed) Assert.True(executions > 0, $"Call {nonce} was not executed, and its caller learned: {error.Message}");
        }
    }

    public override string ToString() => _task!.Exception?.InnerException?.Message ?? _task.Status.ToString();
}
