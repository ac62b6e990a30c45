using Mux.Engine;

namespace Mux.TestSupport.Connections;

/// <summary>Decides as the test says, and remembers about whom.</summary>
internal sealed class ProbeAdmission : IAdmission
{
    public IReadOnlyList<string> Schemes { get; init; } = ["probe"];

    public bool TakesIdentityOfLink { get; init; }

    /// <summary>The answer; by default everybody is let in for ever.</summary>
    public Func<PeerEvidence, Task<Admittance>> Decide { get; set; } = static _ => Task.FromResult(new Admittance(new ProbeAccess(), string.Empty));

    public List<PeerEvidence> Seen { get; } = [];

    /// <summary>Of the last decision.</summary>
    public CancellationToken Ending { get; private set; }

    public Task<Admittance> DecideAsync(PeerEvidence evidence, CancellationToken ending)
    {
        Seen.Add(evidence with { Credential = [.. evidence.Credential] });
        Ending = ending;
        return Decide(evidence);
    }
}
