using System.Buffers.Binary;
using Mux.Contracts;
using Mux.Engine;

namespace Mux.Core.Tests.Threaded;

/// <summary>A call whose caller waits on another thread than the one that completes it.</summary>
internal sealed class ThreadedCall : OutgoingCall
{
    private readonly TaskCompletionSource _done = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private int _outcomes;

    public ThreadedCall(MethodDescriptor method, long nonce)
    {
        Method = method;
        Nonce = nonce;
    }

    public long Nonce { get; }

    public int Outcomes => Volatile.Read(ref _outcomes);

    public CallFailure? Failure { get; private set; }

    public bool IsMismatch { get; private set; }

    public Task Done => _done.Task;

    public override void OnResponse(ReadOnlySpan<byte> body, CallTally tally)
    {
        tally.Add(Method, MuxStatus.Ok);
        IsMismatch = body.Length != sizeof(long) || BinaryPrimitives.ReadInt64LittleEndian(body) != Nonce;
        Complete();
    }

    public override void OnFailed(CallFailure failure, bool inTurn)
    {
        Failure = failure;
        Complete();
    }

    public override void OnAppended() => Complete();

    private void Complete()
    {
        Interlocked.Increment(ref _outcomes);
        _done.TrySetResult();
    }
}
