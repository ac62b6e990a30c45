using Mux.ProtocolCases.Running;

namespace Mux.Tool.Reporting.Results;

/// <param name="Number">Counted from 1, which is the connection.</param>
/// <param name="Sent">What the tool sent in the step; empty for nothing.</param>
/// <param name="Awaited">What the peer had to do.</param>
internal sealed record SpecStepEntry(int Number, string Sent, string Awaited)
{
    public static SpecStepEntry? Of(SpecStep? step) => step is null ? null : new SpecStepEntry(step.Number, step.Sent, step.Awaited);
}
