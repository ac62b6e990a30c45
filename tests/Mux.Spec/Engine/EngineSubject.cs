using Mux.Connections;
using Mux.Contracts;
using Mux.ProtocolCases.Cases;
using Mux.ProtocolCases.Running;
using Mux.TestSupport.Connections;
using Mux.TestSupport.EndToEnd;

namespace Mux.Spec.Engine;

/// <summary>One connection under examination, and the calls that it made.</summary>
internal sealed class EngineSubject(SpecWire wire, Connection connection, EngineOwner owner) : SpecSubject(wire)
{
    private static readonly MethodDescriptor s_own = new("mux.spec", "Own", MethodShape.Unary, MuxDispatch.Default, takesToken: false);
    private static readonly MethodDescriptor s_ownStream = new("mux.spec", "OwnStream", MethodShape.Duplex, MuxDispatch.Default, takesToken: false);

    private ProbeCall? _own;
    private ProbeStreamCall? _ownStream;

    public override void MakeCalls()
    {
        _own = Start(new ProbeCall(s_own));
        Initiator.Cancel(Start(new ProbeCall(s_own)));
        Start(new ProbeCall(s_own));
    }

    public override void MakeStreamCall()
    {
        _ownStream = new ProbeStreamCall(s_ownStream);
        if (!connection.Initiator.TryStart(_ownStream, [])) throw new SpecFailure("takes no calls of its own");
    }

    public override async Task CheckEndAsync(Reaction reaction, CancellationToken deadline)
    {
        var end = await owner.Released.WaitAsync(deadline);
        if (reaction.End is { } reason && end?.Reason != reason) throw new SpecFailure($"counted the end as {end?.Reason}, and not as {reason}");
        if (reaction.End is { } && reaction.Says.FirstOrDefault(words => !end!.Text.Contains(words, StringComparison.OrdinalIgnoreCase)) is { } missing) throw new SpecFailure($"its reason does not say '{missing}': {end!.Text}");
        await Eventually.Holds(() => connection.Acceptor.OpenCount == 0, () => $"the end of {connection.Acceptor.OpenCount} calls behind that of the connection"); // their handlers are told elsewhere
        if (_own is not null) Check(reaction.End is null ? _own.Response is [42] : IsLost(_own.Failure), "its call");
        if (_ownStream is not null) Check(reaction.End is null ? _ownStream.IsDone : IsLost(_ownStream.Failure), "its stream");
    }

    private ProbeCall Start(ProbeCall call) => connection.Initiator.TryStart(call, []) ? call : throw new SpecFailure("takes no calls of its own");

    private static bool IsLost(CallFailure? failure) => failure is { Status: MuxStatus.Unavailable, Execution: MuxExecution.MayHaveExecuted };

    private static void Check(bool holds, string what)
    {
        if (!holds) throw new SpecFailure($"{what} has another outcome than it has to have");
    }
}
