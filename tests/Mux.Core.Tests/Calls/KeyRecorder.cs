using Mux.Calls;
using Mux.Contracts;
using Mux.Engine;
using Mux.Runtime;
using Mux.TestSupport.Transports;

namespace Mux.Core.Tests.Calls;

/// <summary>A route that keeps the key of each attempt and the server that it avoids, and fails all attempts, or holds them until the test fails them.</summary>
internal sealed class KeyRecorder(RouteSettings settings, bool usesKeys) : CallRoute(settings)
{
    private static readonly CallFailure s_refusal = new(MuxStatus.Unavailable, MuxExecution.NotExecuted, MuxCallPhase.Queue, "Refused.");

    private readonly List<(OutgoingCall Call, ulong Key, string? Avoided)> _attempts = [];

    public override bool UsesKeys => usesKeys;

    public Counter Started { get; } = new("started attempts");

    public bool Holds { get; init; }

    /// <summary>How often a failed call is sent again.</summary>
    public int Repeats { get; set; }

    public IEnumerable<ulong> Keys
    {
        get
        {
            lock (_attempts) return [.. _attempts.Select(static attempt => attempt.Key)];
        }
    }

    public IEnumerable<string?> Avoided
    {
        get
        {
            lock (_attempts) return [.. _attempts.Select(static attempt => attempt.Avoided)];
        }
    }

    public void FailHeld()
    {
        lock (_attempts) _attempts.ForEach(static attempt => CallHolder.Fail(attempt.Call, s_refusal));
    }

    public override CallPolicy? PolicyOf(MethodDescriptor method) => new() { Attempts = 2 };

    public override bool TryHedge(MethodDescriptor method) => true;

    public override bool TryRepeat(OutgoingCall call, CallFailure failure)
    {
        if (Repeats == 0) return false;
        Repeats--;
        call.BeginAgain(Clock.Now, wasSent: false);
        StartAgainKept(call);
        return true;
    }

    public override string EndpointOf(OutgoingCall? call) => "nowhere";

    public override void Register(MethodDescriptor method)
    {
    }

    public override void Start(OutgoingCall call, ReadOnlySpan<byte> body)
    {
        lock (_attempts) _attempts.Add((call, call.Key, call.Kept?.Avoided));
        Started.Add();
        if (!Holds) CallHolder.Fail(call, s_refusal);
    }

    public override void OnUserCodeFailed(Exception error) => Assert.Fail(error.Message);

    public override void OnStalled(WorkStall stall)
    {
    }
}
