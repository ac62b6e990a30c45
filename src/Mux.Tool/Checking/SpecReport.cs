using Mux.ProtocolCases.Running;

namespace Mux.Tool.Checking;

/// <summary>Result of a run of <c>mux spec</c>.</summary>
/// <param name="Address">Address of the server, or the address that the tool listened at.</param>
/// <param name="Role">Role of the peer: <see cref="Server"/> or <see cref="Client"/>.</param>
/// <param name="Cases">Cases that were played.</param>
/// <param name="Interruption">Reason why these are not all; null if they are.</param>
internal sealed record SpecReport(MuxAddress Address, string Role, IReadOnlyList<CheckedCase> Cases, string? Interruption)
{
    public const string Server = "server", Client = "client";

    public int Count(SpecVerdict verdict) => Cases.Count(done => done.Verdict == verdict);
}
