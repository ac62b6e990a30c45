using Mux.Sessions.Setup;

namespace Mux.ProtocolCases.Cases;

/// <summary>Examines a credential for as long as the connection is open.</summary>
internal sealed class UndecidedAdmission : IAdmission
{
    public IReadOnlyList<string> Schemes { get; } = ["probe"];

    public bool TakesIdentityOfLink => false;

    public Task<Admittance> DecideAsync(PeerEvidence evidence, CancellationToken ending) =>
        new TaskCompletionSource<Admittance>(TaskCreationOptions.RunContinuationsAsynchronously).Task.WaitAsync(ending);
}
