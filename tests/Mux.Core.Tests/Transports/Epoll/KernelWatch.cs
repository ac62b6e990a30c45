using System.Globalization;

namespace Mux.Core.Tests.Transports.Epoll;

/// <summary>A handle that the kernel watches for one of the epolls of this process, as /proc tells: "tfd: 42 events: 80000019 data: ...".</summary>
internal sealed record KernelWatch(int Handle, uint Events)
{
    private const uint EdgeTriggered = 1u << 31;
    private const uint Writable = 4;

    public bool ForRoom => (Events & Writable) != 0;

    /// <summary>Those of all epolls, the runtime's included.</summary>
    public static List<KernelWatch> All() => [.. Directory.GetFiles("/proc/self/fdinfo").SelectMany(Lines).Where(line => line.StartsWith("tfd:", StringComparison.Ordinal)).Select(Parse)];

    /// <summary>Those of event loops. The runtime's are edge-triggered.</summary>
    public static IEnumerable<KernelWatch> OfLoops() => All().Where(watch => (watch.Events & EdgeTriggered) == 0);

    /// <summary>Those of the runtime's own epoll.</summary>
    public static IEnumerable<KernelWatch> OfRuntime() => All().Where(watch => (watch.Events & EdgeTriggered) != 0);

    private static string[] Lines(string file)
    {
        try
        {
            return File.ReadAllLines(file);
        }
        catch (IOException) // closed meanwhile
        {
            return [];
        }
    }

    private static KernelWatch Parse(string line)
    {
        var parts = line.Split(' ', StringSplitOptions.RemoveEmptyEntries);
        return new KernelWatch(int.Parse(parts[1], CultureInfo.InvariantCulture), uint.Parse(parts[3], NumberStyles.HexNumber, CultureInfo.InvariantCulture));
    }
}
