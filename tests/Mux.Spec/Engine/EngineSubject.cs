using Mux.Contracts;
using Mux.Engine;
using Mux.Protocol;
using Mux.ProtocolCases.Cases;
using Mux.ProtocolCases.Running;
using Mux.TestSupport.Connections;
using Mux.TestSupport.EndToEnd;

namespace Mux.Spec.Engine;

/// <summary>One connection under examination, and the calls that it made.</summary>
internal sealed class EngineSubject(SpecWire wire, Connection connection, EngineOwner owner) : SpecSubject(wire)
{
    private static readonly MethodDescriptor s_own = new("mux.spec", "Own", MethodShape.Unary, takesToken: false);
    private static readonly MethodDescriptor s_ownStream = new("mux.spec", "OwnStream", MethodShape.Duplex, takesToken: false);

    private static readonly CallId s_third = new(3, 1), s_fourth = new(3, 2);

    private ProbeCall? _own;
    private ProbeStreamCall? _ownStream;

    public override async Task OpenCallsAsync(SpecScene scene, bool withStream)
    {
        scene.Begin("the peer's calls");
        MakeCalls();
        await scene.ReadUntilAsync(frame => frame.Kind == FrameKind.Request && frame.Id == s_third);
        await scene.Wire.SendAsync(Raw.Frame(FrameKind.Response, s_third), scene.Deadline);
        if (!withStream) return;
        await scene.PingAsync(); // then its slot is free again
        scene.Begin("the peer's stream");
        MakeStreamCall();
        await scene.ReadUntilAsync(frame => frame.Kind == FrameKind.Request && frame.Id == s_fourth);
    }

    public override async Task CheckEndAsync(Reaction reaction, CancellationToken deadline)
    {
        var end = await owner.Released.WaitAsync(deadline);
        if (reaction.End is { } reason && end?.Reason != reason) throw new SpecFailure($"counted the end as {end?.Reason}, and not as {reason}");
        if (reaction.End is { } && reaction.Says.FirstOrDefault(words => !end!.Text.Contains(words, StringComparison.OrdinalIgnoreCase)) is { } missing) throw new SpecFailure($"its reason does not say '{missing}': {end!.Text}");
        await Eventually.Holds(() => connection.RequestCounts.OpenCount == 0, () => $"the end of {connection.RequestCounts.OpenCount} calls behind that of the connection"); // their handlers are told elsewhere
        if (_own is not null) Check(reaction.End is null ? _own.Response is [42] : IsLost(_own.Failure), "its call");
        if (_ownStream is not null) Check(reaction.End is null ? _ownStream.IsDone : IsLost(_ownStream.Failure), "its stream");
    }

    private void MakeCalls()
    {
        _own = Start(new ProbeCall(s_own));
        CallHolder.Cancel(Start(new ProbeCall(s_own)));
        Start(new ProbeCall(s_own));
    }

    private void MakeStreamCall()
    {
        _ownStream = new ProbeStreamCall(s_ownStream);
        if (!connection.Initiator.TryStart(_ownStream, [])) throw new SpecFailure("takes no calls of its own");
    }

    private ProbeCall Start(ProbeCall call) => connection.Initiator.TryStart(call, []) ? call : throw new SpecFailure("takes no calls of its own");

    private static bool IsLost(CallFailure? failure) => failure is { Status: MuxStatus.Unavailable, Execution: MuxExecution.MayHaveExecuted };

    private static void Check(bool holds, string what)
    {
        if (!holds) throw new SpecFailure($"{what} has another outcome than it has to have");
    }
}
