using System.Buffers.Binary;
using Mux.Contracts;
using Mux.Engine;

namespace Mux.Core.Tests.Simulation;

/// <summary>A call object that is used for one call after the other, each with a new number that its reply must bring back.</summary>
internal sealed class LoopingCall : OutgoingCall
{
    private readonly Connection _connection;
    private readonly long _nonce;
    private long _expected;

    public LoopingCall(Connection connection, MethodDescriptor method, long nonce)
    {
        _connection = connection;
        _nonce = nonce;
        Method = method;
    }

    /// <summary>What is done when a call of it is over.</summary>
    public Action<LoopingCall>? OnDone { get; set; }

    public int Completed { get; private set; }

    public int Mismatches { get; private set; }

    /// <summary>How often it had an id of generation 0, which comes only behind 4,095.</summary>
    public int Wraps { get; private set; }

    public void StartNext(long number)
    {
        _expected = number << 16 ^ _nonce;
        Span<byte> body = stackalloc byte[sizeof(long)];
        BinaryPrimitives.WriteInt64LittleEndian(body, _expected);
        CancelRequested = false;
        Assert.True(_connection.Initiator.TryStart(this, body));
    }

    public override void OnResponse(ReadOnlySpan<byte> body, CallTally tally)
    {
        tally.Add(Method, MuxStatus.Ok);
        if (Id.Generation == 0) Wraps++;
        if (body.Length != sizeof(long) || BinaryPrimitives.ReadInt64LittleEndian(body) != _expected) Mismatches++;
        Complete();
    }

    public override void OnFailed(CallFailure failure, bool inTurn)
    {
        if (!failure.IsCallerCancel) Mismatches++;
        Complete();
    }

    public override void OnAppended()
    {
    }

    private void Complete()
    {
        Completed++;
        OnDone?.Invoke(this);
    }
}
