namespace Mux.TestSupport.EndToEnd;

/// <summary>What the system says of the memory of this process.</summary>
public static class ProcessMemory
{
    /// <summary>Bytes in memory.</summary>
    public static long Resident()
    {
        var line = File.ReadLines("/proc/self/status").First(line => line.StartsWith("VmRSS:", StringComparison.Ordinal));
        return long.Parse(line.Split(' ', StringSplitOptions.RemoveEmptyEntries)[1], System.Globalization.CultureInfo.InvariantCulture) * 1024;
    }
}
