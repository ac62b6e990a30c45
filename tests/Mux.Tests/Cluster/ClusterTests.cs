namespace Mux.Tests.Cluster;

/// <summary>Simulated clusters: each seed is a run of its own, and a failing one names its seed, which replays it.</summary>
[Collection(nameof(TestSupport.EndToEnd.EndToEndTests))]
public sealed class ClusterTests
{
    private const int Seeds = 70; // of each profile; MUX_CLUSTER_SEEDS gives another number

    [Fact]
    public void No_call_is_lost_while_servers_are_stopped_and_started() => Run(ClusterProfile.Drains);

    [Fact]
    public void Every_verdict_agrees_with_the_servers_when_they_die() => Run(ClusterProfile.Kills);

    [Fact]
    public void Repeats_stay_within_the_budget_and_only_idempotent_calls_run_twice() => Run(ClusterProfile.Retries);

    private static void Run(ClusterProfile profile)
    {
        int first = int.TryParse(Environment.GetEnvironmentVariable("MUX_CLUSTER_SEED"), out int given) ? given : Random.Shared.Next();
        int count = given != 0 ? 1 : int.TryParse(Environment.GetEnvironmentVariable("MUX_CLUSTER_SEEDS"), out int more) ? more : Seeds;
        for (int i = 0; i < count; i++)
        {
            int seed = first + i;
            try
            {
                new SimulatedCluster(seed, profile).Run();
            }
            catch (Exception error)
            {
                throw new InvalidOperationException($"Seed {seed} of {profile} fails (replay it with MUX_CLUSTER_SEED={seed}): {error.Message}", error);
            }
        }
    }
}
