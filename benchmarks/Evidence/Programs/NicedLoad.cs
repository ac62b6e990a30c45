using System.Diagnostics;
using System.Globalization;

namespace Evidence.Programs;

/// <summary>Processes that only keep processors busy, at the lowest priority: the machine that users have. They end with this.</summary>
internal sealed class NicedLoad : IDisposable
{
    private readonly List<Process> _processes;

    private NicedLoad(List<Process> processes) => _processes = processes;

    public int Count => _processes.Count;

    public static NicedLoad Start(int count) => new([.. Enumerable.Range(0, count).Select(_ => StartOne())]);

    public string Describe() => Count == 0 ? "no load of its own" : string.Create(CultureInfo.InvariantCulture, $"beside {Count} niced processes that compute");

    public void Dispose()
    {
        foreach (var process in _processes)
        {
            process.StandardInput.Close();
            process.WaitForExit();
            process.Dispose();
        }
    }

    /// <summary>What runs in each: computes until its standard input ends.</summary>
    public static void Burn()
    {
        bool isOver = false;
        var burner = new Thread(() =>
        {
            while (!Volatile.Read(ref isOver)) Thread.SpinWait(1_000);
        });
        burner.Start();
        Console.In.ReadToEnd();

        Volatile.Write(ref isOver, true);
        burner.Join();
    }

    private static Process StartOne() =>
        Process.Start(new ProcessStartInfo("nice", ["-n", "19", "dotnet", Path.Combine(AppContext.BaseDirectory, "Evidence.dll"), "burn"]) { RedirectStandardInput = true })
        ?? throw new EvidenceException("nice did not start.");
}
