using Mux.Contracts;
using Mux.Engine;

namespace Mux.TestSupport.Connections;

/// <summary>A call that remembers its outcome. More than one is a failure of the test.</summary>
internal sealed class ProbeCall : OutgoingCall
{
    public ProbeCall(MethodDescriptor method) => Method = method;

    public byte[]? Response { get; private set; }

    public CallFailure? Failure { get; private set; }

    public bool Appended { get; private set; }

    public bool IsDone => Response is not null || Failure is not null || Appended;

    /// <summary>Runs when the reply is there, in the turn.</summary>
    public Action? OnDone { get; set; }

    public override void OnResponse(ReadOnlySpan<byte> body, CallTally tally)
    {
        AssertFirst();
        tally.Add(Method, MuxStatus.Ok);
        Response = body.ToArray();
        OnDone?.Invoke();
    }

    public override void OnFailed(CallFailure failure, bool inTurn)
    {
        AssertFirst();
        Failure = failure;
        OnDone?.Invoke();
    }

    public override void OnAppended()
    {
        AssertFirst();
        Appended = true;
    }

    private void AssertFirst() => Assert.False(IsDone, "A call was completed twice.");
}
