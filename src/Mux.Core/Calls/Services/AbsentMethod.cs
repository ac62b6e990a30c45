using Mux.Contracts;
using Mux.Engine;
using Mux.Runtime;
using Mux.Telemetry;

namespace Mux.Calls;

/// <summary>
/// Fails every request of a method that a server does not have, or has with another shape, and tells observers of it. Safe for concurrent use.
/// </summary>
/// <remarks>
/// The convention wants such calls told as <c>_OTHER</c>: they are calls of the server, and the first sign of a client that is newer than it. The name that the
/// caller gave is in the span alone, because it would make series of a metric without end. Only the first request of a definition has a span and a line in the
/// log: <see cref="RepeatedAbsence"/>.
/// </remarks>
/// <param name="descriptor">The method with another shape; null if no service has the name.</param>
/// <param name="name">The name that the caller gave; null if it is not kept.</param>
/// <param name="text">Message for the caller.</param>
/// <param name="environment">Observers; null if there are none.</param>
internal sealed class AbsentMethod(MethodDescriptor? descriptor, string? name, string text, HandlerEnvironment? environment) : InboundMethod
{
    private string? _name = name;
    private string _text = text;
    private RepeatedAbsence? _repeated; // created by the first that needs it; two threads may make two, which are the same to their users

    public override MethodDescriptor? Descriptor => descriptor;

    public override bool IsServed => false;

    public override string Absence => _text;

    public override InboundMethod Repeated => _repeated ??= new RepeatedAbsence(this);

    public override void Invoke(in InboundCall call, ReadOnlySpan<byte> body)
    {
        OnRefused(call);
        Fail(call);
    }

    public void Fail(in InboundCall call) => call.Fail(MuxStatus.Unimplemented, MuxExecution.NotExecuted, Absence);

    /// <inheritdoc/>
    public override void OnRefused(in InboundCall call)
    {
        if (environment is null) return;
        long now = environment.Durations.Start();
        if (now == 0 && !Tracing.IsListenedTo) return;
        var turn = HandlerFailures.EnterUserCode(call.InTurn, ListenerPlacement.OfAnyMethod);
        environment.Durations.Record(now, descriptor?.FullName ?? MetricNames.OtherMethod, MuxStatus.Unimplemented, call.Session.PeerPlace);
        Tracing.AddUnhandled(descriptor?.FullName, _name, call.Extras?.Trace, call.Session.RemoteAddress, MuxStatus.Unimplemented);
        turn?.TryLeaveUser();
    }

    /// <summary>Drops the name and the text: connections that hold this must not keep as many names as a peer makes up.</summary>
    /// <param name="rest">Message for callers from now on.</param>
    public void Forget(string rest) => (_name, _text) = (null, rest);

    /// <summary>Counts a request in the metrics alone. Otherwise like <see cref="OnRefused"/>.</summary>
    public void Measure(in InboundCall call)
    {
        if (environment is null) return;
        long now = environment.Durations.Start();
        if (now == 0) return;
        var turn = HandlerFailures.EnterUserCode(call.InTurn, ListenerPlacement.OfAnyMethod);
        environment.Durations.Measure(now, descriptor?.FullName ?? MetricNames.OtherMethod, MuxStatus.Unimplemented);
        turn?.TryLeaveUser();
    }
}

/// <summary>
/// Fails the requests of an absent method after the first one of a definition. They cost the peer nothing, so they make neither spans nor lines of a log: a
/// peer without any permission could make as many as it likes. They count in the metrics. Safe for concurrent use.
/// </summary>
internal sealed class RepeatedAbsence(AbsentMethod method) : InboundMethod
{
    public override MethodDescriptor? Descriptor => method.Descriptor;

    public override bool IsServed => false;

    public override string Absence => method.Absence;

    public override void Invoke(in InboundCall call, ReadOnlySpan<byte> body)
    {
        OnRefused(call);
        method.Fail(call);
    }

    /// <inheritdoc/>
    public override void OnRefused(in InboundCall call) => method.Measure(call);
}
