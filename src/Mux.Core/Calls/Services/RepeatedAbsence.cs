using Mux.Contracts;
using Mux.Engine;

namespace Mux.Calls;

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
