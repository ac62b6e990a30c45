using Mux.ProtocolCases.Running;

namespace Mux.Tool.Reporting.Results;

/// <param name="Number">Number from 1, which is the connection.</param>
/// <param name="Sent">Bytes that the tool sent in the step; empty for none.</param>
/// <param name="Awaited">Required action of the peer.</param>
internal sealed record SpecStepEntry(int Number, string Sent, string Awaited)
{
    public static SpecStepEntry? Of(SpecStep? step) => step is null ? null : new SpecStepEntry(step.Number, step.Sent, step.Awaited);
}
