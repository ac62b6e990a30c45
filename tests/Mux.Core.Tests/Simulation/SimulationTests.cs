using Mux.TestSupport.Connections;

namespace Mux.Core.Tests.Simulation;

/// <summary>Random histories of two connections, each checked against what it must look like from outside. MUX_TEST_EFFORT=100 makes a long run of it.</summary>
[Collection(nameof(ProcessWideCounters))]
public sealed class SimulationTests
{
    [Theory]
    [InlineData((int)SimulationProfile.Clean, 100)]
    [InlineData((int)SimulationProfile.Impatient, 150)]
    [InlineData((int)(SimulationProfile.Impatient | SimulationProfile.Draining), 150)]
    [InlineData((int)SimulationProfile.Draining, 50)]
    [InlineData((int)SimulationProfile.Broken, 100)]
    [InlineData((int)(SimulationProfile.Impatient | SimulationProfile.Draining | SimulationProfile.Broken), 150)]
    public void Every_history_is_a_true_one(int profile, int seeds) =>
        Seeds.ForEach(seeds, seed => new Simulation(seed, (SimulationProfile)profile).Run());
}
