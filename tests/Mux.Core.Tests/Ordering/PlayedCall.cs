using Mux.Contracts;
using Mux.Engine;

namespace Mux.Core.Tests.Ordering;

/// <summary>An ordered call of a route that the test plays. It ends its place in the order with its outcome, like the calls of proxies.</summary>
internal sealed class PlayedCall : OutgoingCall
{
    private static readonly MethodDescriptor s_method =
        new("test", "Method", MethodShape.Unary, takesToken: false) { Choices = new MethodChoices { Dispatch = MuxDispatchMode.Ordered } };

    private static readonly MethodDescriptor s_oneWay =
        new("test", "Tell", MethodShape.OneWay, takesToken: false) { Choices = new MethodChoices { Dispatch = MuxDispatchMode.Ordered } };

    private int _outcomes;

    /// <param name="key">The key; its bucket is in the highest bits.</param>
    /// <param name="isOneWay">True if its outcome is that its request is appended.</param>
    public PlayedCall(ulong key, bool isOneWay = false) => (Method, Key) = (isOneWay ? s_oneWay : s_method, key);

    public CallFailure? Failure { get; private set; }

    public bool IsDone => Volatile.Read(ref _outcomes) > 0;

    public override void OnResponse(ReadOnlySpan<byte> body, CallTally tally)
    {
        tally.Add(Method, MuxStatus.Ok);
        End(replied: true);
    }

    public override void OnFailed(CallFailure failure, bool inTurn)
    {
        Failure = failure;
        End(replied: false);
    }

    public override void OnAppended()
    {
        Assert.True(IsOneWay);
        End(replied: true);
    }

    private void End(bool replied)
    {
        EndTimer(replied);
        Assert.Equal(1, Interlocked.Increment(ref _outcomes));
    }
}
