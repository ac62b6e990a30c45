using Evidence.HalfOpen;
using Evidence.Programs;
using Evidence.Statistics;

namespace Evidence.Proxies;

/// <summary>Clients and servers with HAProxy or nginx between them: its limit of silence, drains, its own restart, and how it spreads connections.</summary>
internal static class ProxyTable
{
    public static async Task<int> RunAsync(CommandLine options)
    {
        int restarts = options.Count("--restarts", 10, 1, 1_000);
        using var load = NicedLoad.Start(options.Count("--beside", 0, 0, 64));
        Console.WriteLine($"{Machine.Describe()}; {load.Describe()}");
        int run = 0;
        bool isMet = true;
        foreach (var kind in Enum.GetValues<ProxyKind>())
        {
            Console.WriteLine();
            if (!ProxyConfiguration.IsInstalled(kind))
            {
                Console.WriteLine($"{kind}: not installed, not run");
                continue;
            }

            run++;
            Console.WriteLine($"| through {kind} | figures | goal | |");
            Console.WriteLine("|---|---|---|---|");
            isMet &= await ProxySilence.KeptOpenAsync(kind);
            isMet &= await ProxySilence.CutAsync(kind);
            isMet &= await ProxyRestarts.OfServersAsync(kind, restarts);
            isMet &= await ProxyRestarts.OfProxyAsync(kind, restarts);
            isMet &= await ProxySpread.MeasureAsync(kind);
        }

        return run == 0 ? HalfOpenTable.Skipped : isMet ? 0 : 1;
    }

    /// <summary>Prints a row.</summary>
    /// <returns>Whether its goal is met.</returns>
    public static bool Write(string what, string figures, string goal, bool isMet)
    {
        Console.WriteLine($"| {what} | {figures} | {goal} | {Verdict.Of(isMet)} |");
        return isMet;
    }
}
