using Mux.Calls;
using Mux.Client;
using Mux.Contracts;
using Mux.Engine;
using Mux.Runtime;

namespace Mux.Core.Tests.Resilience;

/// <summary>A route to one server or several. Attempts end at once, as the test says, and are sent again where policies and budget allow it.</summary>
internal sealed class RepeatingRoute : CallRoute, IDisposable
{
    private readonly Func<OutgoingCall, CallFailure> _end;

    public RepeatingRoute(ChannelSettings settings, bool hasOthers, Func<OutgoingCall, CallFailure> end)
        : base(settings.Calls)
    {
        _end = end;
        Repeats = new CallRepeats(this, settings, hasOthers);
    }

    public CallRepeats Repeats { get; }

    public int Attempts { get; private set; }

    public override CallPolicy? PolicyOf(MethodDescriptor method) => Repeats.PolicyOf(method);

    public override bool TryRepeat(OutgoingCall call, CallFailure failure) => Repeats.TryRepeat(call, failure);

    public override string EndpointOf(OutgoingCall? call) => "nowhere";

    public override void Register(MethodDescriptor method)
    {
        // Nothing is called by its name.
    }

    public override void Start(OutgoingCall call, ReadOnlySpan<byte> body)
    {
        Attempts++;
        CallHolder.Fail(call, _end(call));
    }

    public override void OnUserCodeFailed(Exception error) => Assert.Fail(error.Message);

    public override void OnStalled(WorkStall stall)
    {
        // No work is given to it.
    }

    public void Dispose() => Repeats.Dispose();
}
