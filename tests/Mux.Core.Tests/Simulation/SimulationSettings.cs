using Mux.Engine;
using Mux.Protocol;
using Mux.Runtime;

namespace Mux.Core.Tests.Simulation;

/// <summary>The size of one simulation, drawn from its seed: small limits, so that they are reached.</summary>
internal static class SimulationSettings
{
    public static ConnectionOptions Draw(Random random, SimulationProfile profile)
    {
        bool generous = (profile & SimulationProfile.Impatient) == 0;
        return new ConnectionOptions
        {
            Local = new PeerSettings
            {
                MaxCalls = Pick(random, 1, 2, 3, 17, 64, 16_384),
                MaxFramePayload = Pick(random, 16_384, 20_000, 65_536),
                MaxOrdinals = generous ? 4096 : Pick(random, 3, 8, 4096),
            },
            UnsentLimit = Pick(random, 1, 200, 5_000, 1_000_000),
            WaitingLimit = generous ? 32_000_000 : Pick(random, 2_000, 20_000, 32_000_000),
            ParkedLimit = generous ? 32_000_000 : Pick(random, 0, 300, 3_000, 1_000_000),
            KeepAliveTime = generous ? Clock.Never : Pick(random, 20_000, 10_000_000),
            KeepAliveTimeout = (profile & SimulationProfile.Broken) != 0 ? Pick(random, 20_000, 15_000_000) : 15_000_000,
            IdleTimeout = (profile & SimulationProfile.Draining) != 0 ? Pick(random, 50_000, 60_000_000) : Clock.Never,
        };
    }

    /// <summary>Mostly small; where calls may fail, some are larger than a peer with the lowest limit takes.</summary>
    public static int BodyLength(Random random, SimulationProfile profile) =>
        sizeof(long) + (random.Next(20) > 0 ? random.Next(100) : random.Next(profile == SimulationProfile.Clean ? 16_000 : 17_000));

    /// <summary>How much of a pipe is delivered at once: often a byte, often all.</summary>
    public static int Chunk(Random random) => random.Next(4) switch
    {
        0 => 1,
        1 => random.Next(1, 20),
        2 => random.Next(1, 2_000),
        _ => int.MaxValue,
    };

    public static int Capacity(Random random) => Pick(random, 0, 1, 50, 1_000, int.MaxValue);

    private static int Pick(Random random, params ReadOnlySpan<int> values) => values[random.Next(values.Length)];
}
