using Mux.ProtocolCases.Running;

namespace Mux.Tool.Checking;

/// <summary>All that a run of <c>mux spec</c> shows.</summary>
/// <param name="Address">Of the server, or where the tool listened.</param>
/// <param name="Role">What was tried: <see cref="Server"/> or <see cref="Client"/>.</param>
/// <param name="Cases">Those that were played.</param>
/// <param name="Interruption">Why these are not all; null if they are.</param>
internal sealed record SpecReport(MuxAddress Address, string Role, IReadOnlyList<CheckedCase> Cases, string? Interruption)
{
    public const string Server = "server", Client = "client";

    public int Count(SpecVerdict verdict) => Cases.Count(done => done.Verdict == verdict);
}
