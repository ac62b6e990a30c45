using System.Globalization;

namespace Mux.Transports.Sockets;

/// <summary>How many files, and so sockets, the operating system lets this process have open.</summary>
internal static class OpenFileLimit
{
    /// <summary>What a process needs beside its connections: assemblies, listeners, logs, the sockets engine, connections to others.</summary>
    public const int Reserve = 128;

    private const string LimitsFile = "/proc/self/limits";
    private const string Row = "Max open files";

    /// <summary>The limit in force, or null where there is none or the system does not say.</summary>
    public static long? Read()
    {
        try
        {
            return OperatingSystem.IsLinux() ? Parse(File.ReadLines(LimitsFile)) : null;
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            return null;
        }
    }

    /// <summary>Finds the soft limit in the table of the kernel: name, soft limit, hard limit, unit.</summary>
    public static long? Parse(IEnumerable<string> lines)
    {
        var row = lines.FirstOrDefault(line => line.StartsWith(Row, StringComparison.Ordinal));
        var soft = row?[Row.Length..].Split(' ', StringSplitOptions.RemoveEmptyEntries).FirstOrDefault();
        return long.TryParse(soft, NumberStyles.None, CultureInfo.InvariantCulture, out long limit) ? limit : null; // "unlimited" is no number
    }
}
