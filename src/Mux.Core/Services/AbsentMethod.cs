using Mux.Contracts;
using Mux.Diagnostics;
using Mux.Sessions.Incoming;

namespace Mux.Services;

/// <summary>
/// Fails every request of a method that a server does not have, or has with another shape, and tells observers of it. Safe for concurrent use.
/// </summary>
/// <remarks>
/// The convention wants such calls told as <c>_OTHER</c>: they are calls of the server, and the first sign of a client that is newer than it. The name that the
/// caller gave is in the span alone, because it would make series of a metric without end.
/// </remarks>
/// <param name="descriptor">The method with another shape; null if no service has the name.</param>
/// <param name="name">The name that the caller gave; null if it is not kept.</param>
/// <param name="text">Message for the caller.</param>
/// <param name="environment">Observers; null if there are none.</param>
internal sealed class AbsentMethod(MethodDescriptor? descriptor, string? name, string text, HandlerEnvironment? environment) : InboundMethod
{
    public override MethodDescriptor? Descriptor => descriptor;

    public override bool IsServed => false;

    public override string Absence => text;

    public override void Invoke(in InboundCall call, ReadOnlySpan<byte> body)
    {
        OnRefused(call);
        call.Fail(MuxStatus.Unimplemented, MuxExecution.NotExecuted, text);
    }

    /// <inheritdoc/>
    public override void OnRefused(in InboundCall call)
    {
        if (environment is null) return;
        long now = environment.Durations.Start();
        if (now == 0 && !Tracing.IsListenedTo) return;
        var turn = HandlerFailures.EnterUserCode(call.InTurn);
        environment.Durations.Record(now, descriptor?.FullName ?? MetricNames.OtherMethod, MuxStatus.Unimplemented, call.Session.PeerPlace);
        Tracing.AddUnhandled(descriptor?.FullName, name, call.Extras?.Trace, call.Session.RemoteAddress, MuxStatus.Unimplemented);
        turn?.TryLeaveUser();
    }
}
