using System.Diagnostics;
using Evidence.Programs;
using Evidence.Serving;
using Seeds.Contracts;
using Seeds.Load;

namespace Evidence.Sharing;

/// <summary>Callers that share some connections of a new pair of processes.</summary>
internal static class SharedLoad
{
    /// <returns>Calls per second, and microseconds of processor time that both processes take for each.</returns>
    public static async Task<(double Rate, double CpuPerCall)> MeasureAsync(int connections, int callers, Timing timing)
    {
        var engine = EngineChoice.All[0];
        using var server = RunningServer.Start(BuiltProgram.Self, ["serve", "--engine", engine]);
        await using var clients = await Clients.ConnectAsync(server.AddressOf(), connections, EngineChoice.Transport(engine));
        var directories = clients.Proxies<IDirectory>();
        var loop = new CallLoop<Employee>(callers, caller => directories[caller % connections].SearchAsync(new SearchEmployee { Id = 1, RequestTime = caller + 1 }));
        await loop.MeasureAsync(TimeSpan.FromSeconds(timing.Warmup));
        using var serving = Process.GetProcessById(server.ProcessId);
        long calls = loop.Count;
        var cpu = Cpu();
        double rate = await loop.MeasureAsync(TimeSpan.FromSeconds(timing.Seconds));
        cpu = Cpu() - cpu;
        calls = loop.Count - calls;
        await loop.StopAsync();
        return (rate, cpu.TotalMicroseconds / calls);

        TimeSpan Cpu()
        {
            serving.Refresh();
            using var own = Process.GetCurrentProcess();
            return serving.TotalProcessorTime + own.TotalProcessorTime;
        }
    }
}
