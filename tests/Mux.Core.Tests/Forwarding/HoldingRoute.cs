using Mux.Calls;
using Mux.Contracts;
using Mux.Engine;
using Mux.Protocol;
using Mux.Runtime;

namespace Mux.Core.Tests.Forwarding;

/// <summary>Keeps each call that is started, for the test to end it.</summary>
internal sealed class HoldingRoute(RouteSettings settings) : CallRoute(settings)
{
    private readonly RecordingHolder _holder = new();

    public List<(OutgoingCall Call, byte[] Body)> Started { get; } = [];

    /// <summary>What the service would be told of each call that was cancelled.</summary>
    public IReadOnlyList<CancelReason> Cancels => _holder.Reasons;

    /// <summary>What methods that are made from now on may send again.</summary>
    public CallPolicy? Policy { get; set; }

    public override CallPolicy? PolicyOf(MethodDescriptor method) => Policy;

    public override string EndpointOf(OutgoingCall? call) => "nowhere";

    public override void Register(MethodDescriptor method)
    {
        // Nothing is called by its name.
    }

    public override void Start(OutgoingCall call, ReadOnlySpan<byte> body)
    {
        call.Holder = _holder;
        Started.Add((call, body.ToArray()));
    }

    public override void OnUserCodeFailed(Exception error) => Assert.Fail(error.Message);

    public override void OnStalled(WorkStall stall)
    {
        // No work is given to it.
    }

    private sealed class RecordingHolder : CallHolder
    {
        public List<CancelReason> Reasons { get; } = [];

        public override string PeerPlace => "nowhere";

        public override string PeerAddress => string.Empty;

        public override bool TryCancel(OutgoingCall call)
        {
            Reasons.Add(call.CancelReason);
            call.Holder = null;
            call.OnFailed(new CallFailure(MuxStatus.Cancelled, MuxExecution.MayHaveExecuted, MuxCallPhase.Wait, "The caller cancelled.", IsCallerCancel: true), inTurn: false);
            return true;
        }

        public override void LetGo(OutgoingCall call)
        {
            // No call is sent again.
        }

        public override bool TryGiveUp(CallId id, CallFailure failure) => false;

        public override uint PeersReplyFingerprintOf(MethodDescriptor method) => 0;

        public override void OnUserCodeFailed(Exception error) => Assert.Fail(error.Message);
    }
}
