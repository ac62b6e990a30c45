using Mux.TestSupport.Transports;
using Mux.Tests.Faults;

namespace Mux.Tests.Invariants;

/// <summary>The exchange of the cut-point test with a random fault, and bytes that arrive in random pieces.</summary>
internal static class RandomExchange
{
    private const int LastOffset = 720;

    public static void Run(int seed, OffsetFault[] faults, Action<VirtualScene, MixedExchange> check)
    {
        var random = new Random(seed);
        using var scene = new VirtualScene(seed, random.Next(1, 200));
        var hit = new SentBytes { Fault = faults[random.Next(faults.Length)], Offset = random.Next(LastOffset), Mask = (byte)(1 << random.Next(8)) };
        bool byClient = random.Next(2) == 0;
        var exchange = new MixedExchange(scene, byClient ? hit : new SentBytes(), byClient ? new SentBytes() : hit) { StartsTogether = random.Next(2) == 0 };
        exchange.Run();
        check(scene, exchange);
    }
}
